"""One seat of a table for Gymnasium; agents play the others.

```python
import gymnasium
import tarot_env

env = gymnasium.make("tarot_env/Tarot-v0", opponents=my_agent)
observation, info = env.reset(seed=42)
action = env.action_space.sample(info["action_mask"])
observation, reward, terminated, truncated, info = env.step(action)
```

The observation is the flat vector of `tarot_env.observation.observation_layout`, what the learner's
seat knows. `info["action_mask"]` is int8, 1 for each legal action; `action_masks()` gives it as
booleans, as sb3-contrib expects. The reward is the deal's points at its end, else 0, and then
`info["scores"]` holds the points of all seats. An action that is not legal raises `IllegalAction`.

The learner keeps its seat while the dealer rotates with the deal id. `reset(seed=s)` plays deal
(s, 0), later resets the next ones. Deals that are thrown in for a petit sec ask nothing and are
always left behind; passed-out ones too, unless `redeal=False`.
"""

import warnings
from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from jaxtyping import Bool, UInt8

from tarot_env.actions import NUM_ACTIONS
from tarot_env.dealing import Deal
from tarot_env.envs.inputs import (
    check_flags,
    check_render_mode,
    check_reset,
    given_deal,
    parse_action,
    parse_opponents,
    parse_rules,
    parse_seat,
)
from tarot_env.envs.learner import LearnerTables
from tarot_env.errors import InvalidDeal
from tarot_env.observation import observation_layout
from tarot_env.render import render_rgb, render_text
from tarot_env.tables import Tables

_ROW = np.array([0])


class SingleSeatEnv(gymnasium.Env[UInt8[np.ndarray, " d"], np.int64]):
    """One table; see the module.

    Args:
        rules: a preset's name, or a `Rules` value.
        players: number of players.
        game: a game that is not named by its number of players.
        seat: the learner's.
        opponents: one agent for the other seats, or one for each in the order of play; uniformly
            random if None.
        redeal: deal anew where everybody passed.
        render_mode: `ansi`, `human` (prints), `rgb_array` or None; the learner's view.
        **options: overridden rule options.

    Raises:
        InvalidRules: arguments that name no game, or opponents that are no agents.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["ansi", "human", "rgb_array"],
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: Any = "fft",
        players: int = 4,
        game: str | None = None,
        *,
        seat: int = 0,
        opponents: Any = None,
        redeal: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.rules = parse_rules(rules, players, game, options)
        self.seat = parse_seat(seat, self.rules)
        self._opponents = parse_opponents(opponents, self.rules)
        check_render_mode(render_mode, self.metadata["render_modes"])
        check_flags(redeal=redeal)
        self.redeal = redeal
        self.render_mode = render_mode
        self._layout = observation_layout(self.rules)
        highs = self._layout.highs
        self.observation_space = spaces.Box(np.zeros_like(highs), highs, dtype=np.uint8)
        self.action_space = spaces.Discrete(NUM_ACTIONS)
        self._learner: LearnerTables | None = None
        self._is_given = False

    @property
    def tables(self) -> Tables:
        """The table, a batch of one."""
        return self._started().tables

    def _started(self) -> LearnerTables:
        if self._learner is None:
            raise gymnasium.error.ResetNeeded("call reset() first: there is no table yet")
        self._learner.check_ready()
        return self._learner

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[UInt8[np.ndarray, " d"], dict[str, Any]]:
        """Deals and lets the opponents play up to the learner's first question.

        Args:
            seed: names the series of deals, and seeds what the opponents draw.
            options: `deal` gives a deal, as in `tarot_v0`. Other keys are not looked at.

        Raises:
            InvalidDeal: the given cards make no deal that asks the learner anything.
        """
        seed, chosen = check_reset(seed, options)
        super().reset(seed=seed)
        fresh = self._learner is None or seed is not None
        learner = self._new_learner(seed) if fresh else cast(LearnerTables, self._learner)
        tables = learner.tables
        following = 0 if fresh else int(tables.next_ids[0])
        deal = given_deal(chosen, Deal.from_seed(tables.seed, following, self.rules), self.rules)
        if deal is not None and Tables.from_deals(self.rules, [deal]).is_over[0]:
            raise InvalidDeal("deal: a petit sec; it is thrown in before anybody can act")
        self._learner = learner
        self._is_given = deal is not None
        if deal is not None:
            tables.next_ids[0] = following
            learner.deal_given(deal, self.np_random)
        elif fresh:
            learner.begin(_ROW, self.np_random)
        else:
            learner.deal_next(_ROW, self.np_random)
        if self.render_mode == "human":
            self.render()
        return self._observation(), self._info()

    def _new_learner(self, seed: int | None) -> LearnerTables:
        return LearnerTables(
            self.rules,
            1,
            seat=self.seat,
            opponents=self._opponents,
            redeal=self.redeal,
            seed=seed,
        )

    def step(
        self, action: Any
    ) -> tuple[UInt8[np.ndarray, " d"], float, bool, bool, dict[str, Any]]:
        """Plays the learner's action, then the opponents up to its next question or the end.

        Raises:
            IllegalAction: an action that is not legal; nothing is changed.
            ResetNeeded: the deal is over.
        """
        learner = self._started()
        if learner.tables.is_over[0]:
            raise gymnasium.error.ResetNeeded("the deal is over: call reset()")
        number = np.array([parse_action(action)])
        learner.step(_ROW, number, self.np_random, redeal=not self._is_given)
        terminated = bool(learner.tables.is_over[0])
        if self.render_mode == "human":
            self.render()
        reward = float(learner.tables.scores[0, self.seat])
        return self._observation(), reward, terminated, False, self._info()

    def _observation(self) -> UInt8[np.ndarray, " d"]:
        return self._layout.encode(self._started().turn(_ROW))[0]

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.action_masks().astype(np.int8)}
        if self.tables.is_over[0]:
            info["scores"] = self.tables.scores[0].copy()
        return info

    def action_masks(self) -> Bool[np.ndarray, " a"]:
        """The learner's legal actions."""
        return self.tables.legal_actions()[0]

    def render(self) -> Any:
        """The learner's view: text for `ansi`, a picture for `rgb_array`; `human` prints."""
        tables = self.tables
        if self.render_mode is None:
            warnings.warn("render() without a render_mode shows nothing", stacklevel=2)
            return None
        if self.render_mode == "rgb_array":
            return render_rgb(tables, seat=self.seat)
        text = render_text(tables, seat=self.seat)
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None
