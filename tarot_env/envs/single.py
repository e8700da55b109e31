"""One seat of a table for Gymnasium, in all games; agents play the others.

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
booleans, as sb3-contrib expects. The reward is a deal's points at its end, else 0, and then
`info["scores"]` holds the points of all seats. An action that is not legal raises `IllegalAction`.

An episode is one deal; with `deals=N`, or by `match_deals` and `match_target` with `deals=None`, a
match, whose running totals stand in `info["totals"]`.

The learner keeps its seat while the dealer rotates with the deal id. `reset(seed=s)` plays deal
(s, 0), later resets the next ones. Deals that end before the learner is asked anything are always
left behind; passed-out ones too, unless `redeal=False` (in a match they count then).

Every other seat is an opponent: with six players the partner too. Where the learner defends against
one opponent and a dummy, it acts at the dummy's turn as well. Where the dealer sits out, the deals
that the learner would deal are left out of the series: it would have nothing to do.
"""

import warnings
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from jaxtyping import Bool, UInt8

from tarot_env.cards.actions import NUM_ACTIONS
from tarot_env.core.dealing import Deal
from tarot_env.envs import flat_space
from tarot_env.envs.arguments import check_render_mode, check_reset, given_deal, parse_action
from tarot_env.envs.learner import Learner, LearnerTables
from tarot_env.errors import InvalidDeal
from tarot_env.render import render_rgb, render_text
from tarot_env.tables import Tables


class SingleSeatEnv(gymnasium.Env[UInt8[np.ndarray, " d"], np.int64]):
    """One table; see the module.

    Args:
        rules: a preset's name, or a `Rules` value.
        players: number of players; 4 if neither `game` nor a `Rules` value says otherwise.
        game: a game that is not named by its number of players.
        seat: the learner's.
        opponents: one agent for the other seats, or one for each in the order of play; uniformly
            random if None.
        redeal: deal anew where everybody passed.
        deals: deals in an episode; None for what the rules say, or else one.
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
        learner = Learner.parse(
            rules,
            players,
            game,
            options,
            SingleSeatEnv,
            seat=seat,
            opponents=opponents,
            redeal=redeal,
            deals=deals,
        )
        check_render_mode(render_mode, self.metadata["render_modes"])
        self.rules, self.seat = learner.rules, learner.seat
        self.render_mode = render_mode
        self._learner = LearnerTables(learner, 1)
        self.observation_space = flat_space(self._learner.layout)
        self.action_space = spaces.Discrete(NUM_ACTIONS)

    @property
    def tables(self) -> Tables:
        """The table, a batch of one."""
        return self._learner.tables

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[UInt8[np.ndarray, " d"], dict[str, Any]]:
        """Deals and lets the opponents play up to the learner's first question.

        Args:
            seed: names the series of deals, and seeds what the opponents draw.
            options: `deal` gives a deal, as in `tarot_v0`. Keys unlike it are not looked at.

        Raises:
            InvalidDeal: the given cards make no deal that asks the learner anything; nothing is
                changed then.
        """
        seed, chosen = check_reset(seed, options)
        series = self._learner.series(seed)
        deal = self._given_deal(chosen, series)
        super().reset(seed=seed)
        self._learner.begin_all(series, self.np_random, deal)
        if self.render_mode == "human":
            self.render()
        return self._observation(), self._info()

    def _given_deal(self, options: Mapping[str, Any], series: Tables) -> Deal | None:
        following = int(self._learner.next_ids(series, self._learner.rows)[0])
        base = Deal.from_seed(series.seed, following, self.rules)
        deal = given_deal(options, base, self.rules)
        if deal is not None and self.rules.dead_hand and deal.dealer == self.seat:
            raise InvalidDeal(f"deal: seat {self.seat} deals and sits out; it would not be asked")
        if deal is not None and Tables.from_deals(self.rules, [deal]).is_over[0]:
            raise InvalidDeal("deal: a petit sec; it is thrown in before anybody can act")
        return deal

    def step(
        self, action: Any
    ) -> tuple[UInt8[np.ndarray, " d"], float, bool, bool, dict[str, Any]]:
        """Plays the learner's action, then the opponents up to its next question or the end.

        Raises:
            IllegalAction: an action that is not legal; nothing is changed.
            ResetNeeded: the episode is over.
        """
        learner = self._learner
        if learner.tables.is_over[0]:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset()")
        learner.step(learner.rows, np.array([parse_action(action)]), self.np_random)
        if self.render_mode == "human":
            self.render()
        reward = float(learner.scores[0, self.seat])
        return self._observation(), reward, bool(learner.ended[0]), False, self._info()

    def _observation(self) -> UInt8[np.ndarray, " d"]:
        return self._learner.observations()[0]

    def _info(self) -> dict[str, Any]:
        learner = self._learner
        info: dict[str, Any] = {"action_mask": self.action_masks().astype(np.int8)}
        if learner.paid[0]:
            info["scores"] = learner.scores[0].copy()
        if learner.plays_matches:
            info["totals"] = learner.totals[0].copy()
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
