"""A table as a person sees it: text, replays of records, and pictures.

A view is of one seat, made from a `Turn`, so that hidden cards cannot appear in it, or of the whole
table with open cards. Cards print as `♠K`, `T21`, `Excuse`; the court cards with English letters
(J N Q K) or French ones (V C D R).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import index
from typing import Any, Literal, SupportsIndex

import numpy as np
from jaxtyping import UInt8, UInt64

from tarot_env import cardsets
from tarot_env.actions import PASS, POIGNEE, Bid, Phase, action_words, parse_card
from tarot_env.cards import EXCUSE, HALF_POINTS, JACK, KIND, NUM_CARDS, RANK, TRUMP
from tarot_env.observation import side_half_points
from tarot_env.records import replay
from tarot_env.rules import Rules
from tarot_env.scoring import excuse_text, pile_lines, points_text, score_lines
from tarot_env.state import set_aside
from tarot_env.tables import Tables
from tarot_env.turn import Turn

Letters = Literal["english", "french"]
_COURT_LETTERS = {"english": "JNQK", "french": "VCDR"}
SUIT_SYMBOLS = "♠♥♦♣"


# -- cards


def rank_label(card: int, letters: Letters = "english") -> str:
    """What stands in a card's corner beside its suit: `10`, `K`, a trump's number."""
    if KIND[card] < TRUMP and RANK[card] >= JACK:
        return _COURT_LETTERS[letters][RANK[card] - JACK]
    return "" if card == EXCUSE else str(RANK[card])


def card_label(card: int, letters: Letters = "english") -> str:
    """A card as people read it: `♠K`, `T21`, `Excuse`."""
    if card == EXCUSE:
        return "Excuse"
    symbol = "T" if KIND[card] == TRUMP else SUIT_SYMBOLS[KIND[card]]
    return symbol + rank_label(card, letters)


def action_label(action: int, letters: Letters = "english") -> str:
    """An action as people read it: a card, `garde sans`, `double poignée`."""
    return card_label(action, letters) if action < NUM_CARDS else action_words(action)


def in_hand_order(cards: Iterable[int]) -> list[int]:
    """Cards as held: suits together, high cards first, then trumps, then the Excuse."""
    return sorted(cards, key=lambda card: (KIND[card], -RANK[card]))


def cards_text(cards: Iterable[int], letters: Letters = "english") -> str:
    """Cards in the order of a hand; kinds are set apart by a wider gap."""
    groups: dict[int, list[str]] = {}
    for card in in_hand_order(cards):
        groups.setdefault(int(KIND[card]), []).append(card_label(card, letters))
    return "  ".join(" ".join(group) for group in groups.values()) or "none"


# -- views


@dataclass(frozen=True)
class View:
    """One table as somebody sees it; seats are absolute, cards are lists of ids.

    `viewer` is the seat it is seen from, and `hands` holds None where a hand is hidden; with open
    cards `is_open` is true and no hand is None. While the seat to act puts a poignée together,
    `declared` is its level, `withheld` what is kept back already, and `to_withhold` how many trumps
    are still to be; to every other seat that looks like a card to be played.
    """

    viewer: int
    is_open: bool
    hands: list[list[int] | None]
    hand_counts: list[int]
    phase: Phase
    to_act: int
    dealer: int
    bids: list[int]
    contract: Bid
    taker: int
    chien: list[int] | None
    chien_size: int
    ecart: list[int] | None
    shown_discards: list[int]
    slam_announced: bool
    poignees: dict[int, tuple[int, list[int]]]
    declared: int
    withheld: list[int]
    to_withhold: int
    trick_number: int
    num_tricks: int
    trick: list[tuple[int, int]]
    last_trick: list[tuple[int, int]]
    last_winner: int
    tricks_won: list[int]
    side_half_points: tuple[int, int]
    legal: list[int]
    score_lines: list[str]

    @property
    def players(self) -> int:
        """P."""
        return len(self.hands)


def view_of(source: Tables | Turn, row: SupportsIndex = 0, seat: int | None = None) -> View:
    """The view of one table.

    Args:
        source: tables, or turns.
        row: which of them.
        seat: whose view of a table; None for the whole table with open cards. A turn already
            belongs to a seat.
    """
    if isinstance(source, Turn):
        return _seat_view(source, row)
    rows = np.array([row])
    view = _seat_view(source.turn(rows, np.array([0 if seat is None else seat])), 0)
    if source.is_over[row]:
        view = replace(view, score_lines=score_lines(source.state, index(row), source.rules))
    return view if seat is not None else _opened(view, source, row)


def _opened(view: View, tables: Tables, row: SupportsIndex) -> View:
    state = tables.state
    actor = int(state.seat[row])
    withheld = cardsets.to_ids(state.withheld[row, actor]) if actor >= 0 else []
    hands: list[list[int] | None] = [cardsets.to_ids(hand) for hand in state.hands[row]]
    ecart = cardsets.to_ids(set_aside(state, np.array([row]))[0])
    return replace(
        view,
        is_open=True,
        hands=hands,
        hand_counts=[int(count) for count in cardsets.count(state.hands[row])],
        phase=Phase(state.phase[row]),
        chien=cardsets.to_ids(state.chien[row]),
        ecart=ecart or None,
        withheld=withheld,
        **_question(int(state.poignee_declared[row]), tables.legal_sets()[row], tables.rules),
    )


def _question(level: int, legal: UInt64[np.ndarray, "2"], rules: Rules) -> dict[str, Any]:
    """What is asked: the answers, and how many more trumps a poignée put together is to lose."""
    answers = cardsets.to_ids(legal)
    surplus = len(answers) - rules.poignee_thresholds[level - 1] if level and answers else 0
    return {"declared": level, "to_withhold": surplus, "legal": answers}


def _seat_view(turn: Turn, row: SupportsIndex) -> View:
    turn = turn.take(np.array([row]))
    rules, viewer = turn.rules, int(turn.seat[0])
    players = rules.players
    relative = [(seat - viewer) % players for seat in range(players)]

    def absolute(seat: Any) -> int:
        return -1 if seat < 0 else (int(seat) + viewer) % players

    def trick(cards: np.ndarray, leader: Any) -> list[tuple[int, int]]:
        first = absolute(leader)
        return [((first + n) % players, int(c)) for n, c in enumerate(cards[0]) if c >= 0]

    def by_seat(values: np.ndarray) -> list[int]:
        return [int(values[0, place]) for place in relative]

    hands: list[list[int] | None] = [None] * players
    hands[viewer] = cardsets.to_ids(turn.hand[0])
    levels = by_seat(turn.poignee_level)
    attack, defence = side_half_points(turn)[0]
    return View(
        viewer=viewer,
        is_open=False,
        hands=hands,
        hand_counts=_hand_counts(turn, relative),
        phase=Phase(turn.phase[0]),
        to_act=absolute(turn.to_act[0]),
        dealer=absolute(turn.dealer[0]),
        bids=by_seat(turn.bids),
        contract=Bid(turn.contract[0]),
        taker=absolute(turn.taker[0]),
        chien=cardsets.to_ids(turn.chien[0]) or None,
        chien_size=rules.chien_size,
        ecart=cardsets.to_ids(turn.ecart[0]) or None,
        shown_discards=cardsets.to_ids(turn.shown_discards[0]),
        slam_announced=bool(turn.slam_announced[0]),
        poignees={
            seat: (level, cardsets.to_ids(turn.poignee_cards[0, relative[seat]]))
            for seat, level in enumerate(levels)
            if level
        },
        withheld=cardsets.to_ids(turn.withheld[0]),
        trick_number=int(turn.trick_number[0]),
        num_tricks=rules.hand_size,
        trick=trick(turn.trick_cards, turn.leader[0]),
        last_trick=trick(turn.last_trick, turn.last_leader[0]),
        last_winner=absolute(turn.last_winner[0]),
        tricks_won=by_seat(turn.tricks_won),
        side_half_points=(int(attack), int(defence)),
        score_lines=[],
        **_question(int(turn.poignee_declared[0]), turn.legal[0], rules),
    )


def _hand_counts(turn: Turn, relative: list[int]) -> list[int]:
    """Cards in each hand, by absolute seat, counted from what everybody saw."""
    rules = turn.rules
    counts = rules.hand_size - cardsets.count(turn.played[0]).astype(int)
    if turn.phase[0] == Phase.DISCARD:
        set_aside = int(turn.history_size[0]) - int((turn.bids[0] >= 0).sum())
        counts[turn.taker[0]] += rules.chien_size - set_aside
    return [int(counts[place]) for place in relative]


def headline(view: View) -> str:
    """What is going on, in one line."""
    parts = [_contract_text(view)]
    if view.phase == Phase.OVER:
        parts.append("over")
    elif view.phase >= Phase.MISERE:
        parts.append(f"trick {view.trick_number + 1} of {view.num_tricks}")
    elif view.phase == Phase.DISCARD:
        parts.append("écart")
    elif view.phase == Phase.SLAM:
        parts.append("slam question")
    if view.phase == Phase.POIGNEE:
        parts.append("poignée question")
    elif view.phase == Phase.WITHHOLD:
        parts.append(f"{action_label(POIGNEE + view.declared - 1)} being put together")
    if view.to_act >= 0:
        parts.append(f"seat {view.to_act} to act")
    return ", ".join(parts)


def _contract_text(view: View) -> str:
    if view.taker < 0:
        if view.phase < Phase.OVER:
            return "auction"
        return "everybody passed" if max(view.bids) == 0 else "petit sec: the deal is void"
    bid = action_words(PASS + view.contract)
    prefix = "auction, best bid " if view.phase == Phase.AUCTION else ""
    slam = ", slam announced" if view.slam_announced else ""
    return f"{prefix}{bid} by seat {view.taker}{slam}"


# -- text


def render_text(
    source: Tables | Turn,
    row: SupportsIndex = 0,
    *,
    seat: int | None = None,
    letters: Letters = "english",
) -> str:
    """One table as text.

    Args:
        source: tables, or turns.
        row: which of them.
        seat: whose view of a table; None for the whole table with open cards.
        letters: of the court cards.
    """
    return text_of(view_of(source, row, seat), letters)


def text_of(view: View, letters: Letters = "english") -> str:
    """A view as text; hidden cards stand in it as numbers only."""
    whose = "Open table" if view.is_open else f"Seat {view.viewer} sees"
    lines = [f"{whose}: {headline(view)}"]
    lines += [_seat_line(view, seat) for seat in range(view.players)]
    for label, cards in (
        ("Chien", view.chien),
        ("Écart", view.ecart),
        ("Shown in the écart", view.shown_discards if view.ecart is None else None),
    ):
        if cards:
            lines.append(f"{label}: {cards_text(cards, letters)}")
    for seat, (level, cards) in view.poignees.items():
        name = action_label(POIGNEE + level - 1)
        lines.append(f"Seat {seat} showed a {name}: {cards_text(cards, letters)}")
    if view.last_trick:
        which = "Last" if view.phase == Phase.OVER else "Previous"
        cards_played = _trick_text(view.last_trick, letters)
        lines.append(f"{which} trick: {cards_played}; seat {view.last_winner} took it")
    if view.trick:
        lines.append(f"On the table: {_trick_text(view.trick, letters)}")
    for seat, hand in enumerate(view.hands):
        if hand is not None:
            owner = f"Hand of seat {seat}" if view.is_open else "Your hand"
            lines.append(f"{owner}: {cards_text(hand, letters)}")
    if view.phase == Phase.WITHHOLD:
        lines += withhold_lines(view, letters)
    if view.legal:
        lines.append(f"{'Legal' if view.is_open else 'You may'}: {answers_text(view, letters)}")
    return "\n".join([*lines, *view.score_lines])


def withhold_lines(view: View, letters: Letters = "english") -> list[str]:
    """What a seat that puts a poignée together has done, and what its next card means."""
    name = action_label(POIGNEE + view.declared - 1)
    shown = len(view.legal) - view.to_withhold
    return [
        f"Putting together a {name} of {shown} trumps: the chosen card is kept back, not played; "
        f"{view.to_withhold} to choose",
        f"Kept back so far: {cards_text(view.withheld, letters)}",
    ]


def answers_text(view: View, letters: Letters = "english") -> str:
    """The legal answers; trumps of the écart that a poignée could show are told from the hand."""
    hand = view.hands[view.to_act] or []
    names = [
        action_label(action, letters)
        + (" (shown in the écart)" if action < NUM_CARDS and action not in hand else "")
        for action in view.legal
    ]
    kept_back = "keep back " if view.phase == Phase.WITHHOLD else ""
    return kept_back + ", ".join(names)


def _seat_line(view: View, seat: int) -> str:
    bid = view.bids[seat]
    said = "" if bid < 0 else action_label(PASS + bid)
    tricks = view.tricks_won[seat]
    roles = [
        name
        for name, holds in (
            ("dealer", seat == view.dealer),
            ("taker", seat == view.taker and view.phase > Phase.AUCTION),
            ("you", seat == view.viewer and not view.is_open),
        )
        if holds
    ]
    mark = ">" if seat == view.to_act else " "
    line = (
        f"{mark} seat {seat}  {said:<12}  {view.hand_counts[seat]:2} cards  "
        f"{tricks:2} trick{'s' if tricks != 1 else ' '}  {', '.join(roles)}"
    )
    return line.rstrip()


def _trick_text(trick: list[tuple[int, int]], letters: Letters) -> str:
    return ", ".join(f"seat {seat} {card_label(card, letters)}" for seat, card in trick)


# -- replays


def replay_text(record: dict[str, Any], *, letters: Letters = "english") -> str:
    """A record step by step, as a card player would tell it.

    Raises:
        InvalidRecord: a record that is malformed or that the rules do not allow.
    """
    lines: list[str] = []
    tricks = 0
    shown: set[int] = set()
    for tables, seat, action in replay(record):
        state = tables.state
        if not lines:
            lines = _opening(record, tables, letters)
        for shower in set(map(int, np.flatnonzero(state.poignee_level[0]))) - shown:
            shown.add(shower)
            lines.append(_shown_poignee(tables, shower, letters))
        if state.trick_number[0] > tricks:
            tricks += 1
            lines.append(_finished_trick(tables, letters))
        if action is None:
            lines += _ending(tables)
        else:
            lines += _told(tables, seat, action, letters)
    return "\n".join(lines)


def _opening(record: dict[str, Any], tables: Tables, letters: Letters) -> list[str]:
    rules = record["rules"]
    options = ", ".join(f"{k}={v}" for k, v in rules.items() if k not in ("preset", "players"))
    named = record["deal_id"] is not None
    name = f"Deal {record['deal_id']} of seed {record['seed']}" if named else "A given deal"
    told = f"{name}: {rules['preset']}, {tables.rules.players} players"
    state = tables.state
    lines = [f"{told}{', ' + options if options else ''}; seat {state.dealer[0]} deals", "Hands"]
    for seat, hand in enumerate(record["hands"]):
        lines.append(f"  seat {seat}: {cards_text(map(parse_card, hand), letters)}")
    lines.append(f"  chien:  {cards_text(map(parse_card, record['chien']), letters)}")
    if state.forced[0]:
        bid = action_label(PASS + int(state.contract[0]))
        lines.append(f"Seat {state.taker[0]} plays {bid} without an auction")
    elif not tables.is_over[0]:
        lines.append("Auction")
    return lines


def _told(tables: Tables, seat: int, action: int, letters: Letters) -> list[str]:
    """What an action looks like; cards played are told by the trick when it is finished."""
    phase, state = Phase(tables.phase[0]), tables.state
    name = action_label(action, letters)
    if phase == Phase.AUCTION:
        return [f"  seat {seat}: {name}"]
    if phase == Phase.DISCARD:
        lines = []
        if not state.ecart[0].any():
            chien = cards_text(cardsets.to_ids(state.chien[0]), letters)
            lines.append(f"Seat {seat} turns up the chien: {chien}")
        shown = ", shown to all" if KIND[action] == TRUMP else ""
        return [*lines, f"  sets aside {name}{shown}"]
    if phase == Phase.SLAM:
        answer = "announces no slam" if action == PASS else "announces a slam"
        return [f"Seat {seat} {answer}"]
    if phase == Phase.POIGNEE:
        said = [f"Seat {seat} shows no poignée"] if action == PASS else []
        return [*_trick_so_far(tables, letters), *said]
    if phase == Phase.WITHHOLD:
        return [f"Seat {seat} keeps back {name}"]
    return []


def _trick_so_far(tables: Tables, letters: Letters) -> list[str]:
    """The cards that lie on the table when a seat is asked before its first one."""
    state = tables.state
    cards = state.trick_cards[0, : state.trick_size[0]].tolist()
    plays = list(zip(_seats_from(tables, int(state.leader[0])), cards, strict=False))
    return [f"Trick  1 so far: {_played_text(plays, letters)}"] if plays else []


def _shown_poignee(tables: Tables, seat: int, letters: Letters) -> str:
    name = action_label(POIGNEE + int(tables.state.poignee_level[0, seat]) - 1)
    cards = cards_text(cardsets.to_ids(tables.state.poignee_cards[0, seat]), letters)
    return f"Seat {seat} shows a {name}: {cards}"


def _ending(tables: Tables) -> list[str]:
    """How the points add up, and the score."""
    state, rules = tables.state, tables.rules
    piles = pile_lines(state, 0, rules) if tables.taker[0] >= 0 else []
    told = [("Count", piles), ("Score", score_lines(state, 0, rules))]
    return [line for title, part in told if part for line in (title, *(f"  {p}" for p in part))]


def _seats_from(tables: Tables, leader: int) -> list[int]:
    return [(leader + n) % tables.rules.players for n in range(tables.rules.players)]


def _played_text(
    plays: Iterable[tuple[int, int]], letters: Letters, winner: int | None = None
) -> str:
    return "  ".join(
        f"seat {seat} {card_label(card, letters)}{'*' if seat == winner else ''}"
        for seat, card in plays
    )


def _finished_trick(tables: Tables, letters: Letters) -> str:
    state, winner = tables.state, int(tables.state.last_winner[0])
    number = int(state.trick_number[0])
    cards = [int(card) for card in state.last_trick[0]]
    seats = _seats_from(tables, int(state.last_leader[0]))
    worth = points_text(int(sum(HALF_POINTS[card] for card in cards if card != EXCUSE)))
    apart = f"; {excuse_text(state, 0, tables.rules)}" if EXCUSE in cards else ""
    played = _played_text(zip(seats, cards, strict=True), letters, winner)
    return f"Trick {number:2}: {played}  ({worth} points to seat {winner}{apart})"


# -- pictures


def render_rgb(
    source: Tables | Turn,
    row: SupportsIndex = 0,
    *,
    seat: int | None = None,
    letters: Letters = "english",
) -> UInt8[np.ndarray, "h w 3"]:
    """One table as a picture, drawn with matplotlib; arguments as for `render_text`."""
    from tarot_env.picture import draw

    return draw(view_of(source, row, seat), letters)
