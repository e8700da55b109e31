"""A person at a table in the terminal, against agents: `tarot play`.

Text goes through two streams, so that a table can be played through a pipe or a test as well as by
a person. Everything told here is what the person's seat may know.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np

from agents.base import AnyAgent, marked
from agents.baselines.human import HumanAgent, numbered
from agents.play import Player, choose
from agents.registry import make_agent
from tarot_env.cards.actions import Phase
from tarot_env.core.scoring import points_text
from tarot_env.errors import TarotError, count_noun
from tarot_env.records import record, to_line
from tarot_env.render import View, text_of, view_of
from tarot_env.render.narration import Moment, Teller, news
from tarot_env.rules import Rules
from tarot_env.rules.labels import Letters
from tarot_env.score_sheet import pile_lines, score_lines
from tarot_env.tables import Match, Tables, Turn, match_length
from tarot_env.tables.agent import check_is_made
from training.cli.prompt import question_lines
from training.cli.screen import Left, Screen

_ENDLESS = 10**9
"""Deals of a match that goes on until the person leaves."""


class Sitting(NamedTuple):
    """How a sitting at the table ended."""

    records: list[dict[str, Any]]
    """Of the deals that were finished, in order."""
    totals: list[float]
    """Points of each seat."""
    left: bool
    """The person left before the match was over."""
    interrupted: bool
    """By Ctrl-C."""


def play_at_table(
    rules: Rules,
    agents: Sequence[AnyAgent | str],
    seat: int = 0,
    seed: int | None = None,
    deals: int | None = None,
    out: str | PathLike[str] | None = None,
    stream_in: TextIO | None = None,
    stream_out: TextIO | None = None,
    *,
    first_deal: int = 0,
    letters: Letters = "english",
) -> Sitting:
    """Lets a person play against agents, deal after deal.

    Args:
        rules: what is played.
        agents: one for all other seats, or one for each in the order of the seats; registry texts
            are looked up.
        seat: the person's.
        seed: of the deals; drawn from the system if None, and told: it gives the same deals
            back. `match.daily_seed()` is the daily deal's.
        deals: how many that count; None for as many as the rules say, or, where they say nothing,
            until the person leaves.
        out: file to which the record of each finished deal is added.
        stream_in: what the person types, standard input if None.
        stream_out: what it sees, standard output if None; colours on a terminal only.
        first_deal: deal id of the first deal.
        letters: of the court cards.

    Raises:
        TarotError: a seat or a number of agents that does not fit, an agent that there is not, a
            length or a seed that cannot be.
        OSError: a file that cannot be written to.
    """
    if not 0 <= seat < rules.players:
        raise TarotError(f"seat {seat}; allowed: 0 to {rules.players - 1}")
    if deals is None and match_length(rules).is_one_deal:
        deals = _ENDLESS
    match = Match(rules, seed, first_deal, deals=deals)
    screen = Screen(stream_in or sys.stdin, stream_out or sys.stdout)
    table = _Table(match, _others(agents, seat, rules), seat, screen, letters)
    if out is not None:
        table.book = _Book(Path(out))
    return table.sit()


def _others(agents: Sequence[AnyAgent | str], seat: int, rules: Rules) -> dict[int, AnyAgent]:
    """The agents by seat."""
    seats = [other for other in range(rules.players) if other != seat]
    given = list(agents) * len(seats) if len(agents) == 1 else list(agents)
    if len(given) != len(seats):
        raise TarotError(
            f"{len(given)} agents; give one for all, or {len(seats)}, one for each other seat"
        )
    made = [make_agent(agent, rules) if isinstance(agent, str) else agent for agent in given]
    for agent in made:
        check_is_made(agent)
    return dict(zip(seats, made, strict=True))


class _Book:
    """The file of records, each written as its deal ends."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("a+b") as file:  # tells now, not after a deal, if it cannot be written to
            if file.tell():
                file.seek(-1, 2)
                if file.read(1) != b"\n":
                    file.write(b"\n")

    def write(self, given: dict[str, Any]) -> None:
        """Adds a record."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(to_line(given) + "\n")


# -- the table


_COMMANDS = {
    "help": "this text; ? does the same",
    "hand": "your hand and the question again",
    "table": "everything that you can see",
    "last": "the last trick",
    "score": "points so far",
    "quit": "leave the table",
}
_SHORT = {"?": "help", "q": "quit", "exit": "quit"}
_HOW_TO = (
    "Type a card (SK for the spade king, CN for the club knight, H10, T21, EX), an",
    "answer by its name (pass, garde, poignee), or its number. For an écart several",
    "cards may stand on one line.",
)


@dataclass
class _Table:
    """One person, some agents and the deals of a match."""

    match: Match
    others: dict[int, AnyAgent]
    seat: int
    screen: Screen
    letters: Letters
    book: _Book | None = None
    records: list[dict[str, Any]] = field(default_factory=list)
    tables: Tables = field(init=False)
    under_way: bool = field(init=False, default=False)
    asked_at: int = field(init=False, default=-1)
    """Actions of the deal when the question was shown that is still open."""

    def __post_init__(self) -> None:
        rules = self.match.rules
        self.tables = Tables(rules, 1, seed=self.match.seed)
        self.teller = Teller(rules, self.letters, self.seat)
        self.person = HumanAgent(
            self._ask,
            self._refuse,
            explain=self._explain,
            commands=_COMMANDS,
            letters=self.letters,
        )

    def sit(self) -> Sitting:
        """Plays until the match is over or the person leaves."""
        left = interrupted = False
        try:
            self._welcome()
            while not self.match.is_over:
                self._play_deal()
        except Left:
            left = True
        except KeyboardInterrupt:
            left = interrupted = True
            self.screen.show()
        self._farewell(left=left)
        return Sitting(self.records, self.match.totals.tolist(), left, interrupted)

    def _welcome(self) -> None:
        rules, show = self.match.rules, self.screen.show
        show(f"Tarot, {rules.sizes.title}, rules of {rules.preset_name}; seed {self.match.seed}")
        seats = [f"seat {seat} {marked(a.name, a)}" for seat, a in self.others.items()]
        deals = self.match.length.deals
        if deals is not None and deals != _ENDLESS:
            show(f"The match has {count_noun(deals, 'deal')}")
        show(f"You are seat {self.seat}. The others: {', '.join(seats)}")
        if rules.in_partnerships:
            show(f"Your partner is seat {(self.seat + 3) % rules.players}")
        for line in _HOW_TO:
            show(line)
        show("Type help for what else there is.")
        if self.match.drawn:
            drawn = [
                f"{self.teller.who(seat)} {self.teller.card(card)}"
                for seat, card in enumerate(self.match.drawn)
            ]
            show(f"Drawn for the first deal, the lowest card deals: {', '.join(drawn)}")

    # -- one deal

    def _play_deal(self) -> None:
        match, tables = self.match, self.tables
        number = len(self.records)
        match.deal_to(tables)
        self.under_way, self.asked_at = True, -1
        players = {
            seat: Player(agent, np.random.default_rng([match.seed, number, seat]))
            for seat, agent in self.others.items()
        }
        fallback = np.random.default_rng([match.seed, number])
        self._announce_deal()
        while not tables.is_over[0]:
            self._step(players, fallback)
        self._end_deal()

    def _announce_deal(self) -> None:
        deal_id, dealer = int(self.tables.deal_ids[0]), int(self.tables.columns.dealer[0])
        name = f" (deal {deal_id} of the seed)" if deal_id >= 0 else " (gathered and cut)"
        self.screen.show()
        self.screen.show(f"Deal {self.match.played + 1}{name}: {self.teller.who(dealer)} dealt")
        if self._view().sits_out(self.seat):
            self.screen.show("You sit out and look on")

    def _step(self, players: dict[int, Player], fallback: np.random.Generator) -> None:
        """One decision, and what everybody notices of it."""
        tables, before = self.tables, Moment.of(self.tables, self.seat)
        row = np.array([0])
        if before.actor == self.seat:
            action = self.person.act(tables.turn(row), fallback)
        else:
            player = players[before.actor]
            told = len(player.errors)
            action = choose(player, tables, row, fallback, strict=False)
            for error in player.errors[told:]:
                who = self.teller.who(before.actor)
                self.screen.show(f"  (the agent of {who} failed: {error}; it answers at random)")
        tables.step(action)
        for line in news(tables, self.teller, before):
            self.screen.show(line)

    def _end_deal(self) -> None:
        tables, rules, show = self.tables, self.match.rules, self.screen.show
        given = record(tables, 0)
        self.records.append(given)
        if self.book is not None:
            self.book.write(given)
        self.under_way = False
        if tables.taker[0] >= 0:
            if not tables.columns.ecart[0].any():
                show(f"The chien was {self.teller.cards(self._view().chien or [])}")
            for line in pile_lines(tables.columns, 0, rules):
                show(f"  {line}")
        for line in score_lines(tables.columns, 0, rules):
            show(f"  {line}")
        self.match.note(tables)
        if self.match.played != 1 or not self.match.is_over:
            show(self._totals())
        if not self.match.is_over and self.screen.waits:
            self._pause()

    def _totals(self) -> str:
        played = self.match.played
        points = [
            f"{self.teller.who(seat)} {points_text(round(2 * total))}"
            for seat, total in enumerate(self.match.totals)
        ]
        return f"After {count_noun(played, 'deal')}: {', '.join(points)}"

    def _pause(self) -> None:
        while self._obeyed(self.screen.read("Enter for the next deal, or quit: ")):
            pass

    def _farewell(self, *, left: bool) -> None:
        show, number = self.screen.show, len(self.records)
        if left:
            unsaved = "; the deal under way is not saved" if self.under_way else ""
            show(f"You leave the table{unsaved}.")
        elif self.match.played > 1:
            winners = " and ".join(self.teller.who(seat) for seat in self.match.winners)
            show(f"The match is over; won by {winners}.")
        deals = count_noun(number, "deal")
        if self.book is not None:
            show(f"{deals} written to {self.book.path}.")
        elif left and number:
            show(f"{deals} not saved; no file was named for the records.")

    # -- asking the person

    def _ask(self, turn: Turn) -> str:
        """What the person types that is no command."""
        size = int(self.tables.columns.log_size[0])
        if self.asked_at != size:
            self.asked_at = size
            self._show_question()
        while True:
            line = self.screen.read("> ")
            if line and not self._obeyed(line):
                return line

    def _refuse(self, sentence: str) -> None:
        self.screen.show(f"  {sentence}")

    def _explain(self, action: int) -> str:
        """Why the rules refuse an action just now."""
        return self.tables.reason(0, action)

    def _show_question(self) -> None:
        turn = self.tables.turn(np.array([0]))
        for line in question_lines(self._view(), numbered(turn), self.letters):
            self.screen.show(line)

    def _view(self) -> View:
        return view_of(self.tables, 0, self.seat)

    # -- commands

    def _obeyed(self, line: str) -> bool:
        """Does what a command says; False for a line that is none."""
        name = _SHORT.get(line.casefold(), line.casefold())
        if name not in _COMMANDS:
            return False
        getattr(self, f"_{name}")()
        return True

    def _help(self) -> None:
        for line in _HOW_TO:
            self.screen.show(line)
        for name, meaning in _COMMANDS.items():
            self.screen.show(f"  {name:<6} {meaning}")

    def _hand(self) -> None:
        if self.under_way:
            self._show_question()

    def _table(self) -> None:
        for line in text_of(self._view(), self.letters).splitlines():
            self.screen.show(line)

    def _last(self) -> None:
        view = self._view()
        if not view.last_trick:
            self.screen.show("No trick has been taken yet")
            return
        self.screen.show(
            f"Trick {view.trick_number}: {self.teller.played(view.last_trick, view.last_winner)}"
        )

    def _score(self) -> None:
        view = self._view()
        if self.under_way and view.phase == Phase.PLAY:
            attack, defence = map(points_text, view.side_half_points)
            one, other = ("attack", "defence") if view.sides_known else ("taker", "the others")
            self.screen.show(f"In tricks so far: {one} {attack}, {other} {defence}")
        self.screen.show(self._totals() if self.match.played else "No deal is finished yet")

    def _quit(self) -> None:
        raise Left
