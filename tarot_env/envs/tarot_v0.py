"""# Tarot

French Tarot for PettingZoo, one table, every seat an agent, in all games.

| | |
|---|---|
| agents | `player_0` .. (seats, counter-clockwise), two to six by the game |
| action space | `Discrete(95)`, the one action space of every variant (`tarot_env.cards.actions`) |
| observation space | `Dict(observation=Box(0, .., uint8), action_mask=Box(0, 1, (95,), int8))` |
| state space | `Box(0, .., uint8)` |
| parallel | no: one seat acts at a time |

```python
from tarot_env import tarot_v0

env = tarot_v0.env(rules="fft", players=4, render_mode="ansi")
env.reset(seed=42)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    done = termination or truncation
    action = None if done else env.action_space(agent).sample(observation["action_mask"])
    env.step(action)
```

### Arguments

`rules` is a preset's name or a `Rules` value, `players` or `game` say which game of it is played,
further keywords override rule options (`tarot variants` lists them); all of it survives every
reset. `deals=N` makes an episode of a match of N deals; None leaves it to `match_deals` and
`match_target`, and without these an episode is one deal. `redeal` (default true) moves on to the
next deal, inside the same reset or step, where everybody passed or somebody holds a petit sec;
without it such a deal counts, with zero scores. `history=True` adds the public history to the
observation. `render_mode` is `ansi`, `human` or `rgb_array`; `render_seat` is the seat that is
rendered for, `"all"` for open cards, and the seat to act if None.

### Observation

`observation` is what the agent's seat knows, seats counted from it: the fields of
`tarot_env.observation.observation_layout(rules)`, whose `view` gives each by name. `action_mask` is
1 for each legal action, all zero for a seat that is not to act and after the end. With
`history=True` there is also `history`, int8 `[H, 2]`: every public event in order as (seat,
action), action -1 for a card set aside face down, and rows of -1 after the last.

`state()` is the whole table seen from seat 0, hidden cards included, for centralised critics.

Sizes depend on the game. With a dummy the defender acts at the dummy's turn, and plays its cards.
A dealer who sits out is never asked.

### Actions

0..77 a card (to call, set aside, withhold or play, by phase), 78 pass, 79..83 bids, 84 and 85
contra, 86..88 announcements, 89..91 poignées, 92 and 93 halves of the chien, 94 throw in. An action
that is not legal raises `IllegalAction` and changes nothing.

### Rewards

At the end of each deal every agent gets its points, which sum to zero; before it, 0. `infos` hold
`totals`, the running totals of all seats in the episode, and, once a deal has ended, `scores`, the
points of all seats in the last one. All agents terminate together, at the end of the match.

### Deals

`reset(seed=s)` plays deal (s, 0) and later resets the next ones; without any seed one is drawn from
the system. In a match the dealer rotates, and the rules say who deals first and again, and whether
the cards are shuffled or gathered and cut (`tarot_env.Match`). `reset(options={"deal": ...})` plays
a given deal: a `Deal`, or an object with any of `hands` (a list of cards for each seat, and for the
dummy; None for a hand to be filled), `chien`, `stock` (Tirette), `piles` (Découverte: for each seat
its pairs of upper and covered card), `dealer` and `forced` (a contract without an auction, as
`(1, "garde")`). It is an episode by itself, is never dealt again and uses up no deal id.

### Version history

* v0: first version.
"""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeVar

import numpy as np
import pettingzoo
from gymnasium import spaces
from jaxtyping import Float64, UInt8
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from tarot_env.cards.actions import NUM_ACTIONS
from tarot_env.core.arguments import check_flags, parse_seat
from tarot_env.core.dealing import Deal
from tarot_env.envs import flat_space
from tarot_env.envs.arguments import (
    check_render_mode,
    check_reset,
    given_deal,
    parse_action,
    parse_rules,
)
from tarot_env.errors import InvalidRules, unknown_name
from tarot_env.observation import observation_layout, state_layout
from tarot_env.render import render_rgb, render_text
from tarot_env.rules import is_exactly
from tarot_env.tables import Match, Tables, match_length

PETTINGZOO_ID = "tarot_env/tarot_v0"
_ROW = np.array([0])

Observation = dict[str, np.ndarray]
_T = TypeVar("_T")


def _of(agent: object, by_agent: Mapping[str, _T]) -> _T:
    """What belongs to an agent.

    Raises:
        UnknownName: there is no such agent.
    """
    if not isinstance(agent, str) or agent not in by_agent:
        raise unknown_name("agent", agent, by_agent)
    return by_agent[agent]


def env(**arguments: Any) -> "OrderEnforcingWrapper[str, Observation, int]":
    """The environment; arguments as for `TarotEnv`.

    No wrapper but `OrderEnforcingWrapper`: an illegal action raises, it costs no points.
    """
    return OrderEnforcingWrapper(raw_env(**arguments))


class TarotEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """One table; see the module.

    Args:
        rules: a preset's name, or a `Rules` value.
        players: number of players; 4 if neither `game` nor a `Rules` value says otherwise.
        game: a game that is not named by its number of players.
        deals: deals in an episode; None for what the rules say, or else one.
        redeal: deal anew where everybody passed, or somebody holds a petit sec.
        history: add the public history to the observation.
        render_mode: `ansi`, `human`, `rgb_array` or None.
        render_seat: seat that is rendered for, `all` for open cards, None for the seat to act.
        **options: overridden rule options.

    Raises:
        InvalidRules: arguments that name no game.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": "tarot_v0",
        "render_modes": ["ansi", "human", "rgb_array"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: Any = "fft",
        players: int | None = None,
        game: str | None = None,
        deals: int | None = None,
        *,
        redeal: bool = True,
        history: bool = False,
        render_mode: str | None = None,
        render_seat: int | Literal["all"] | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.rules = parse_rules(rules, players, game, options, TarotEnv)
        self._length = match_length(self.rules, deals)
        check_render_mode(render_mode, self.metadata["render_modes"])
        check_flags(redeal=redeal, history=history)
        is_seat = render_seat is not None and not is_exactly(render_seat, "all")
        self.redeal = redeal
        self.history = history
        self.render_mode = render_mode
        self.render_seat = parse_seat(render_seat, self.rules) if is_seat else render_seat
        self._observation_layout = observation_layout(self.rules)
        self._state_layout = state_layout(self.rules)
        self._make_spaces()
        alone = match_length(self.rules, deals).is_one_deal
        played = replace(self.rules, shuffle="full", first_dealer="random") if alone else self.rules
        self._new_match = partial(Match, played, deals=deals, redeal=redeal)
        self._match = self._new_match()
        self._tables: Tables | None = None

    def _make_spaces(self) -> None:
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.state_space: spaces.Space[Any] = flat_space(self._state_layout)
        self._observation_spaces: dict[str, spaces.Space[Any]] = {}
        self._action_spaces: dict[str, spaces.Space[Any]] = {}
        for agent in self.possible_agents:
            fields: dict[str, spaces.Space[Any]] = {
                "observation": flat_space(self._observation_layout),
                "action_mask": spaces.Box(0, 1, (NUM_ACTIONS,), np.int8),
            }
            if self.history:
                ends = np.array([self.rules.hands - 1, NUM_ACTIONS - 1], np.int8)
                high = np.tile(ends, (self.rules.history_size, 1))
                fields["history"] = spaces.Box(np.full_like(high, -1), high, dtype=np.int8)
            self._observation_spaces[agent] = spaces.Dict(fields)
            self._action_spaces[agent] = spaces.Discrete(NUM_ACTIONS)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same object for an agent every time."""
        return _of(agent, self._observation_spaces)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same object for an agent every time."""
        return _of(agent, self._action_spaces)

    @property
    def tables(self) -> Tables:
        """The table, a batch of one: for looking at it and for `records.record(tables, 0)`."""
        if self._tables is None:
            raise InvalidRules("call reset() first: there is no table yet")
        return self._tables

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals: the first deal of a seed, the next one without a seed, or a given one.

        Args:
            seed: names the series of deals.
            options: `deal` gives a deal; see the module. Keys unlike it are not looked at.

        Raises:
            InvalidDeal: the given cards make no deal; nothing is changed then.
        """
        seed, chosen = check_reset(seed, options)
        fresh = self._tables is None or seed is not None
        tables = Tables(self.rules, 1, seed=seed) if fresh else self.tables
        following = 0 if fresh else int(tables.next_ids[0])
        deal = given_deal(chosen, Deal.from_seed(tables.seed, following, self.rules), self.rules)
        self._tables = tables
        if deal is None:
            self._match = self._new_match(tables.seed, following)
        else:
            self._match = self._new_match(
                tables.seed, following, deals=1, redeal=False, opening=deal
            )
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: self._info() for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self._match.deal_to(tables)
        self._move_on()

    def _move_on(self) -> None:
        """Pays a deal that is over, deals the next one, and names the agent to act."""
        tables, match = self.tables, self._match
        while tables.is_over[0] and not match.is_over:
            if match.note(tables):
                self._pay(tables.scores[0])
            if not match.is_over:
                match.deal_to(tables)
        self._accumulate_rewards()
        if match.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        first = 0 if match.is_over else tables.seat_to_act[0]
        self.agent_selection = self.possible_agents[first]

    def _pay(self, scores: Float64[np.ndarray, " p"]) -> None:
        for agent, score in zip(self.agents, scores, strict=True):
            self.rewards[agent] += float(score)
            self.infos[agent] = self._info() | {"scores": scores.copy()}

    def _info(self) -> dict[str, Any]:
        return {"totals": self._match.totals}

    def step(self, action: Any) -> None:
        """Plays an action of the agent whose turn it is; None for an agent that has ended.

        Raises:
            IllegalAction: an action that is not legal; nothing is changed.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self.tables.step(np.array([parse_action(action)]))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._move_on()

    def observe(self, agent: str) -> Observation:
        """What the agent's seat knows now; after the end, what it knew last."""
        seat = np.array([_of(agent, self._seats)])
        flat = np.empty((1, self._observation_layout.size), np.uint8)
        mask = np.empty((1, NUM_ACTIONS), np.bool_)
        self._observation_layout.write(self.tables, _ROW, seat, flat, mask)
        observation = {"observation": flat[0], "action_mask": mask[0].view(np.int8)}
        if self.history:
            observation["history"] = self.tables.turn(_ROW, seat).history[0]
        return observation

    def state(self) -> UInt8[np.ndarray, " d"]:
        """The whole table, hidden cards included, seen from seat 0."""
        seat = np.array([0])
        turn = self.tables.turn(_ROW, seat)
        return self._state_layout.encode(turn, self.tables.hidden(_ROW, seat))[0]

    def render(self) -> str | np.ndarray | None:
        """Text for `ansi`, a picture for `rgb_array`; `human` prints the text."""
        if self.render_mode is None:
            warnings.warn("render() without a render_mode shows nothing", stacklevel=2)
            return None
        seat = self._rendered_seat()
        if self.render_mode == "rgb_array":
            return render_rgb(self.tables, seat=seat)
        text = render_text(self.tables, seat=seat)
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def _rendered_seat(self) -> int | None:
        if self.render_seat is None:
            return max(int(self.tables.seat_to_act[0]), 0)
        return None if isinstance(self.render_seat, str) else self.render_seat

    def close(self) -> None:
        """Nothing is held open."""


raw_env = TarotEnv
"""The environment without its wrapper."""


if PETTINGZOO_ID.replace("_v", "-v") not in pettingzoo.aec_registry:
    pettingzoo.register("aec", PETTINGZOO_ID, entry_point="tarot_env.envs.tarot_v0:env")
