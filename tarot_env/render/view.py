"""`View`: one table as somebody sees it, in absolute seats and lists of cards.

A seat's view is made from a `Turn`, so that hidden cards cannot appear in it; the open view of a
whole table is the same with every card filled in. Text and pictures are made from views alone.
"""

from dataclasses import dataclass, replace
from typing import Any, SupportsIndex

import numpy as np
from jaxtyping import UInt64

from tarot_env.cards import FIRST_TRUMP, NUM_CARDS, TRUMP_21, cardsets
from tarot_env.cards.actions import PASS, RECONTRA, Bid, Phase
from tarot_env.core.arguments import parse_row, parse_seat
from tarot_env.core.dealing import NUM_PILES, STOCK_START, TIRETTE_DRAWS, UPPER
from tarot_env.core.seating import SEATINGS, Seating
from tarot_env.core.state import actors
from tarot_env.errors import TarotError
from tarot_env.observation import side_half_points
from tarot_env.rules import Rules
from tarot_env.rules.books import DUMMY
from tarot_env.score_sheet import score_lines
from tarot_env.tables import Tables, Turn, check_is_tables


@dataclass(frozen=True)
class View:
    """One table as somebody sees it.

    Hands are named by their seat, the dummy's by 2. `viewer` is the seat it is seen from; `hands`
    holds None where a hand is hidden, of which `face_up` may show some cards. With open cards
    `is_open` is true and no hand is None.
    """

    rules: Rules
    viewer: int
    is_open: bool

    hands: list[list[int] | None]
    hand_counts: list[int]
    """Cards in each hand; with piles, those that lie in them too."""
    face_up: list[list[int]]
    """Cards in each hand that everybody has seen there; empty lists but in the games for two."""
    covering: list[int]
    """La Découverte: those that lie on another card."""
    covered: dict[int, int]
    """Open cards: what lies under a card."""
    stock_size: int
    """La Tirette: cards that are still to be drawn."""
    stock: list[int]
    """Open cards: the stock from top to bottom."""
    exposed: int
    """La Tirette: the card that lies open beside the stock; -1 for none."""

    phase: Phase
    to_act: int
    """Hand to act, -1 when over."""
    actor: int
    """Seat that acts for it."""
    dealer: int

    bids: list[int]
    calls: list[tuple[int, int]]
    """Seats and what they said, passes left out, with six players."""
    contract: Bid
    contra: int
    taker: int
    called: int
    partner: int
    """As far as the viewer knows; the taker itself where it is alone, -1 for not known."""
    split: int
    """Half of the chien that the taker took, with six players; -1 before."""
    chien: list[int] | None
    halves: tuple[list[int], list[int]] | None
    """The halves of an open chien, with six players."""
    ecarts: dict[int, list[int]]
    shown_discards: list[int]
    slam_announced: bool
    petit_chelem_announced: bool
    miseres: dict[int, int]
    poignees: dict[int, tuple[int, list[int]]]

    declared: int
    """Level of the poignée that the seat to act puts together; to others it is about to play."""
    withheld: list[int]
    to_withhold: int
    """Trumps that are still to be kept back from it."""

    trick_number: int
    trick: list[tuple[int, int]]
    last_trick: list[tuple[int, int]]
    last_winner: int
    tricks_won: list[int]
    side_half_points: tuple[int, int]
    legal: list[int]
    score_lines: list[str]

    @property
    def num_hands(self) -> int:
        """H."""
        return len(self.hands)

    @property
    def sides_known(self) -> bool:
        """Whether the viewer knows who plays with the taker."""
        return not self.rules.calls_king or self.partner >= 0

    def sits_out(self, hand: int) -> bool:
        """Whether this is the dealer who plays no hand."""
        return self.rules.dead_hand and hand == self.dealer

    def place(self, hand: int) -> int:
        """Places from the viewer to a hand, to the right."""
        return int(SEATINGS[self.rules.game_name].from_viewer[self.viewer, hand])


def view_of(source: Tables | Turn, row: SupportsIndex = 0, seat: int | None = None) -> View:
    """The view of one table.

    Args:
        source: tables, or turns.
        row: which of them.
        seat: whose view of a table; None for the whole table with open cards. A turn already
            belongs to a seat.

    Raises:
        TarotError: there is no such table or seat.
    """
    if isinstance(source, Turn):
        return _seat_view(source.take(np.array([parse_row(row, len(source))])))
    row = parse_row(row, check_is_tables(source).num_tables)
    viewer = 0 if seat is None else parse_seat(seat, source.rules, error=TarotError)
    turn = source.turn(np.array([row]), np.array([viewer]))
    view = _seat_view(turn) if seat is not None else _open_view(turn, source, row)
    if source.is_over[row]:
        view = replace(view, score_lines=score_lines(source.columns, row, source.rules))
    return view


# -- what a seat sees


def _seat_view(turn: Turn) -> View:
    """The view of a turn of one row."""
    rules, viewer = turn.rules, int(turn.seat[0])
    seating = SEATINGS[rules.game_name]
    places = [int(seating.from_viewer[viewer, hand]) for hand in range(rules.hands)]

    def absolute(place: Any) -> int:
        return -1 if place < 0 else int(seating.by_place[viewer, place])

    def by_hand(values: np.ndarray) -> list[int]:
        return [int(values[0, place]) for place in places[: values.shape[1]]]

    face_up: list[list[int]] = [[] for _ in range(rules.hands)]
    if rules.players == 2:
        face_up = [cardsets.to_ids(turn.face_up[0, place]) for place in places]
    hands: list[list[int] | None] = [None] * rules.hands
    hands[viewer] = cardsets.to_ids(turn.hand[0])
    if rules.hands > rules.players:
        hands[DUMMY] = face_up[DUMMY] or ([] if turn.phase[0] == Phase.OVER else None)
    taker, dealer, to_act = (absolute(x[0]) for x in (turn.taker, turn.dealer, turn.to_act))
    levels, kinds = by_hand(turn.poignee_level), by_hand(turn.misere)
    ecart = cardsets.to_ids(turn.ecart[0])
    attack, defence = side_half_points(turn)[0]
    counts = _hand_counts(turn)
    return View(
        rules=rules,
        viewer=viewer,
        is_open=False,
        hands=hands,
        hand_counts=[counts[place] for place in places],
        face_up=face_up,
        covering=cardsets.to_ids(np.bitwise_or.reduce(turn.covering[0], axis=0)),
        covered={},
        stock_size=_stock_size(int(turn.trick_number[0]), rules),
        stock=[],
        exposed=int(turn.exposed[0]),
        phase=Phase(turn.phase[0]),
        to_act=to_act,
        actor=to_act if to_act < rules.players else 1 - taker,
        dealer=dealer,
        bids=by_hand(turn.bids),
        calls=[(absolute(place), call) for place, call in _calls(turn)],
        contract=Bid(turn.contract[0]),
        contra=int(turn.contra[0]),
        taker=taker,
        called=int(turn.called[0]),
        partner=absolute(turn.partner[0]),
        split=int(turn.split[0]),
        chien=cardsets.to_ids(turn.chien[0]) or None,
        halves=_halves(turn.first_half[0], turn.chien[0], rules),
        ecarts={viewer: ecart} if ecart else {},
        shown_discards=cardsets.to_ids(turn.shown_discards[0]),
        slam_announced=bool(turn.slam_announced[0]),
        petit_chelem_announced=bool(turn.petit_chelem_announced[0]),
        miseres={seat: kind for seat, kind in enumerate(kinds) if kind},
        poignees={
            seat: (level, cardsets.to_ids(turn.poignee_cards[0, places[seat]]))
            for seat, level in enumerate(levels)
            if level
        },
        withheld=cardsets.to_ids(turn.withheld[0]),
        trick_number=int(turn.trick_number[0]),
        trick=_trick(turn.trick_cards[0], absolute(turn.leader[0]), dealer, seating),
        last_trick=_trick(turn.last_trick[0], absolute(turn.last_leader[0]), dealer, seating),
        last_winner=absolute(turn.last_winner[0]),
        tricks_won=by_hand(turn.tricks_won),
        side_half_points=(int(attack), int(defence)),
        score_lines=[],
        **_question(int(turn.poignee_declared[0]), turn.legal[0], rules),
    )


def hands_from(leader: int, dealer: int, rules: Rules) -> list[int]:
    """The hands of a trick in order of play."""
    seating = SEATINGS[rules.game_name]
    hands = [leader]
    while len(hands) < rules.cards_per_trick:
        hands.append(int(seating.next_hand[dealer, hands[-1]]))
    return hands


def _trick(cards: np.ndarray, leader: int, dealer: int, seating: Seating) -> list[tuple[int, int]]:
    """The cards of a trick with the hands that played them."""
    plays, hand = [], leader
    for card in cards:
        if card >= 0:
            plays.append((hand, int(card)))
            hand = int(seating.next_hand[dealer, hand])
    return plays


def _hand_counts(turn: Turn) -> list[int]:
    """Cards in the hand at each place, counted from what everybody saw."""
    rules = turn.rules
    size = rules.hand_size + (2 * NUM_PILES if rules.game == "decouverte" else 0)
    counts = size - cardsets.count(turn.played[0]).astype(int)
    if rules.game == "tirette":
        counts += min(int(turn.trick_number[0]), TIRETTE_DRAWS)
    if rules.dead_hand:
        counts[turn.dealer[0]] = 0
    if turn.phase[0] == Phase.DISCARD:
        takes_up = {int(turn.taker[0])}
        if rules.in_partnerships:
            takes_up.add(int(turn.partner[0]))
        seats, actions = turn.history[0, : turn.history_size[0]].T
        aside = (actions == -1) | ((actions >= FIRST_TRUMP) & (actions <= TRUMP_21))
        for place in takes_up:
            portion = rules.chien_size // len(takes_up)
            counts[place] += portion - int((aside & (seats == place)).sum())
    return [int(count) for count in counts]


def _calls(turn: Turn) -> list[tuple[int, int]]:
    """The calls of six players that are no passes, with the places that they came from."""
    if not turn.rules.in_partnerships:
        return []
    events = turn.history[0, : turn.history_size[0]].tolist()
    return [(place, action) for place, action in events if PASS < action <= RECONTRA]


def _stock_size(tricks: int, rules: Rules) -> int:
    if rules.game != "tirette":
        return 0
    return NUM_CARDS - STOCK_START - 2 * min(tricks, TIRETTE_DRAWS)


def _halves(
    first: UInt64[np.ndarray, "2"], chien: UInt64[np.ndarray, "2"], rules: Rules
) -> tuple[list[int], list[int]] | None:
    if not rules.in_partnerships or not chien.any():
        return None
    return cardsets.to_ids(first), cardsets.to_ids(chien & ~first)


def _question(level: int, legal: UInt64[np.ndarray, "2"], rules: Rules) -> dict[str, Any]:
    """What is asked: the answers, and how many more trumps a poignée put together is to lose."""
    answers = cardsets.to_ids(legal)
    surplus = 0
    if level and answers and rules.poignee_thresholds is not None:
        cards = sum(answer < NUM_CARDS for answer in answers)
        surplus = cards - rules.poignee_thresholds[level - 1]
    return {"declared": level, "to_withhold": surplus, "legal": answers}


# -- the whole table


def _open_view(turn: Turn, tables: Tables, row: int) -> View:
    """Seat 0's view with everything hidden filled in."""
    state, rules, rows = tables.columns, tables.rules, np.array([row])
    taker, partner = int(state.taker[row]), int(state.partner[row])
    if rules.calls_king and state.called[row] >= 0:
        known = SEATINGS[rules.game_name].from_viewer[0, partner if partner >= 0 else taker]
        turn = turn.replace(partner=np.array([known]))
    actor = int(actors(state, rows)[0])
    ecarts = zip((taker, partner), state.ecart[row], strict=False)
    chien = state.chien[row]
    hidden = tables.hidden(rows, np.array([0]))
    return replace(
        _seat_view(turn),
        is_open=True,
        hands=[cardsets.to_ids(hand) for hand in state.hands[row]],
        covered=_covered(tables, row, hidden.covered[0]),
        stock=_stock(tables, row),
        phase=Phase(state.phase[row]),
        to_act=int(state.seat[row]),
        actor=actor if state.seat[row] >= 0 else -1,
        chien=cardsets.to_ids(chien),
        halves=_halves(_first_of(tables, row), chien, rules),
        ecarts={seat: cardsets.to_ids(cards) for seat, cards in ecarts if cards.any()},
        withheld=cardsets.to_ids(state.withheld[row, actor]) if actor >= 0 else [],
        **_question(int(state.poignee_declared[row]), tables.legal_sets()[row], rules),
    )


def _first_of(tables: Tables, row: int) -> UInt64[np.ndarray, "2"]:
    """The first half of the chien as dealt."""
    rules = tables.rules
    start = rules.hands * rules.hand_size
    cards = tables.columns.pack[row, start : start + rules.chien_size // 2]
    half: np.ndarray = np.bitwise_or.reduce(cardsets.BIT[cards], axis=0)
    return half


def _covered(tables: Tables, row: int, hidden: UInt64[np.ndarray, "o 2"]) -> dict[int, int]:
    """La Découverte: the hidden cards by the cards that lie, or have just lain, on them."""
    if tables.rules.game != "decouverte":
        return {}
    pack = tables.columns.pack[row]
    there = set(cardsets.to_ids(np.bitwise_or.reduce(hidden, axis=0)))
    pairs = [(int(pack[at]), int(pack[at + 1])) for at in UPPER.ravel()]
    return {upper: under for upper, under in pairs if under in there}


def _stock(tables: Tables, row: int) -> list[int]:
    size = _stock_size(int(tables.columns.trick_number[row]), tables.rules)
    return [int(card) for card in tables.columns.pack[row, NUM_CARDS - size :]] if size else []
