"""B tables side by side for Gymnasium, one learning seat at each, agents in the others.

```python
import gymnasium
import tarot_env

envs = gymnasium.make_vec("tarot_env/Tarot-v0", num_envs=256, opponents=my_agent)
observations, infos = envs.reset(seed=42)
```

Spaces, rewards, episodes and deals are those of `single`, batched; opponents are asked in batches.
Lane b plays deals b, b + B, b + 2B, .. of the seed; where the dealer sits out, and in matches, see
`learner.LearnerTables`. `infos["action_mask"]` is int8 `[B, 95]`.

The autoreset mode is NEXT_STEP: where an episode ends, the observation returned is the final one;
in the next step the action of that lane is not looked at, its reward is 0, and its new episode
begins. Where a deal ends, `infos["scores"]` holds the points of all seats (`infos["_scores"]` says
where); with matches `infos["totals"]` holds the running totals.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from jaxtyping import Bool, Float64, UInt8

from tarot_env.cards.actions import NUM_ACTIONS
from tarot_env.core.arguments import as_int_array, is_int
from tarot_env.envs import flat_space
from tarot_env.envs.arguments import check_render_mode, check_reset
from tarot_env.envs.learner import Learner, LearnerTables
from tarot_env.errors import IllegalAction, InvalidDeal, InvalidRules, short_repr
from tarot_env.render import render_rgb, render_text
from tarot_env.tables import MOST_TABLES, Tables

_Step = tuple[
    UInt8[np.ndarray, "b d"],
    Float64[np.ndarray, " b"],
    Bool[np.ndarray, " b"],
    Bool[np.ndarray, " b"],
    dict[str, Any],
]


class SingleSeatVectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """B tables; see the module. Arguments as for `SingleSeatEnv`, and `num_envs` is B."""

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        rules: Any = "fft",
        players: int | None = None,
        game: str | None = None,
        *,
        seat: int = 0,
        opponents: Any = None,
        redeal: bool = True,
        deals: int | None = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if not is_int(num_envs) or not 1 <= num_envs <= MOST_TABLES:
            raise InvalidRules(f"num_envs={short_repr(num_envs)}; give a whole number, 1 to 2**31")
        num_envs = int(num_envs)
        learner = Learner.parse(
            rules,
            players,
            game,
            options,
            SingleSeatVectorEnv,
            seat=seat,
            opponents=opponents,
            redeal=redeal,
            deals=deals,
        )
        check_render_mode(render_mode, self.metadata["render_modes"])
        self.num_envs = num_envs
        self.rules, self.seat = learner.rules, learner.seat
        self.render_mode = render_mode
        self._learner = LearnerTables(learner, num_envs)
        self.single_observation_space = flat_space(self._learner.layout)
        self.single_action_space = spaces.Discrete(NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    @property
    def tables(self) -> Tables:
        """The B tables."""
        return self._learner.tables

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[UInt8[np.ndarray, "b d"], dict[str, Any]]:
        """Deals at every table: the first deals of a seed, or the next ones.

        Raises:
            InvalidDeal: `options` give a deal; that is for one table.
        """
        seed, chosen = check_reset(seed, options)
        if chosen.get("deal") is not None:
            raise InvalidDeal("a given deal is for one table; use gymnasium.make")
        super().reset(seed=seed)
        self._learner.begin_all(self._learner.series(seed), self.np_random)
        return self._learner.observations(), self._infos()

    def step(self, actions: Any) -> _Step:
        """Plays the learner's action at each table; where an episode had ended, begins the next.

        Raises:
            IllegalAction: an action that its table does not allow; nothing is changed.
        """
        learner = self._learner
        actions = as_int_array(actions, "actions", self.num_envs, IllegalAction)
        ended, playing = np.flatnonzero(learner.ended), np.flatnonzero(~learner.ended)
        learner.step(playing, actions[playing], self.np_random)
        learner.begin(ended, self.np_random)
        rewards = learner.scores[:, self.seat].copy()
        truncations = np.zeros(self.num_envs, bool)
        return learner.observations(), rewards, learner.ended.copy(), truncations, self._infos()

    def _infos(self) -> dict[str, Any]:
        learner, everywhere = self._learner, np.ones(self.num_envs, bool)
        infos: dict[str, Any] = {
            "action_mask": self.action_masks().astype(np.int8),
            "_action_mask": everywhere,
        }
        if learner.paid.any():
            infos |= {"scores": learner.scores.copy(), "_scores": learner.paid.copy()}
        if learner.plays_matches:
            infos |= {"totals": learner.totals.copy(), "_totals": everywhere.copy()}
        return infos

    def action_masks(self) -> Bool[np.ndarray, "b a"]:
        """The learner's legal actions at each table; all false where a deal has ended."""
        return self.tables.legal_actions()

    def render(self) -> tuple[Any, ...] | None:
        """The learner's view of each table: texts for `ansi`, pictures for `rgb_array`."""
        if self.render_mode is None:
            return None
        draw = render_rgb if self.render_mode == "rgb_array" else render_text
        return tuple(draw(self.tables, row, seat=self.seat) for row in range(self.num_envs))
