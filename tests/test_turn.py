"""What a seat is told, rebuilt field by field from the referee's open table; renamed suits."""

import random
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from lockstep import (
    Batch,
    Pair,
    as_set,
    cards,
    draw_options,
    drawn_batch,
    history_of,
    texts,
    written,
)
from reference import Referee
from reference.cards import BIDS, EXCUSE, POIGNEES, first_real_card, half_points, trick_winner
from reference.deals import choose

from tarot_env import Bid, Deal, Phase, Rules, Tables, Turn, cardsets
from tarot_env.actions import parse_action
from tarot_env.cards import ANY, KIND, TRUMP
from tarot_env.turn import ARRAY_NAMES, SUIT_SETS, unpermute_actions

FFT = Rules.preset("fft", players=4)


class Witness:
    """Keeps what the referee forgets: bids, and who withholds what."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.bids = [-1] * 4
        self.withheld: list[set[str]] = [set() for _seat in range(4)]
        self.declared = [0] * 4

    def apply(self, action: str) -> None:
        referee = self.referee
        phase, seat = referee.phase, referee.seat
        referee.apply(action)
        if phase == "AUCTION":
            self.bids[seat] = parse_action(action) - 78
        if phase == "WITHHOLD":
            self.withheld[seat].add(action)
        if phase == "POIGNEE" and action != "pass":
            self.declared[seat] = POIGNEES.index(action) + 1
        if referee.phase != "WITHHOLD":
            self.declared[seat] = 0


def inferred(referee: Referee, seat: int) -> tuple[list[bool], int]:
    """Voids by kind and the trump bound that a seat's cards have shown."""
    void, bound = [False] * 5, 21
    tables = [plays for _leader, plays, _winner in referee.tricks] + [referee.table]
    for plays in tables:
        before: list[str] = []
        for player, card in plays:
            led = first_real_card(before)
            if player == seat and led is not None and card != EXCUSE:
                kind = int(KIND[parse_action(led)])
                mine = int(KIND[parse_action(card)])
                best = max((int(c[1:]) for c in before if c[0] == "T"), default=0)
                if mine != kind:
                    void[kind] = True
                    if mine != TRUMP:
                        void[TRUMP], bound = True, 0
                if mine == TRUMP and int(card[1:]) < best:
                    bound = min(bound, best)
            before.append(card)
    return void, bound


def trick_now(referee: Referee) -> dict[str, Any]:
    table = [card for _seat, card in referee.table]
    led = first_real_card(table)
    kind = ANY if led is None else int(KIND[parse_action(led)])
    trumps = [int(card[1:]) for card in table if card[0] == "T"]
    ranks = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "N", "Q", "K"]
    best_rank = 0
    seen_trump = False
    for card in table:
        seen_trump |= card[0] == "T"
        if led is not None and kind < TRUMP and card[0] == led[0] and not seen_trump:
            best_rank = max(best_rank, ranks.index(card[1:]) + 1)
    return {
        "trick_size": len(table),
        "trick_cards": [parse_action(c) for c in table] + [-1] * (4 - len(table)),
        "led": kind,
        "best_trump": max(trumps, default=0),
        "best_rank": best_rank,
        "best_seat": -1 if led is None else referee.table[trick_winner(table)][0],
    }


def leader_now(referee: Referee) -> int:
    """Who leads the trick on the table; seat 0 stands there before the play."""
    if referee.phase == "OVER":
        return referee.tricks[-1][2] if referee.tricks else 0
    if referee.table:
        return referee.table[0][0]
    return referee.seat if referee.phase in ("POIGNEE", "WITHHOLD", "PLAY") else 0


def expected(witness: Witness, viewer: int) -> dict[str, Any]:
    """Every field of the viewer's Turn, seats absolute."""
    referee = witness.referee
    acting = referee.seat == viewer
    phase = referee.phase
    if phase in ("POIGNEE", "WITHHOLD") and not acting:
        phase = "PLAY"
    bought = referee.bid in ("petite", "garde") and referee.phase != "AUCTION"
    laid_open = referee.phase == "OVER" and referee.taker is not None
    tricks = referee.tricks
    played: list[list[str]] = [[] for _seat in range(4)]
    oudlers = {card: (-1, -1, -1) for card in ("T1", "T21", "EX")}
    for number, (plays, winner) in enumerate(
        [(plays, winner) for _leader, plays, winner in tricks] + [(referee.table, -1)]
    ):
        for seat, card in plays:
            played[seat].append(card)
            if card in oudlers:
                oudlers[card] = (seat, number, winner)
    won = [0] * 4
    counted = [0] * 4
    for _leader, plays, winner in tricks:
        won[winner] += 1
        counted[winner] += sum(half_points(card) for _seat, card in plays if card != EXCUSE)
    last = tricks[-1] if tricks else None
    levels = [referee.poignees.get(seat, ("", []))[0] for seat in range(4)]
    history = history_of(referee)
    bids: dict[str | None, int] = {None: 0, **{bid: parse_action(bid) - 78 for bid in BIDS}}
    hints = [inferred(referee, seat) for seat in range(4)]
    return {
        "seat": viewer,
        "hand": as_set(referee.hands[viewer]),
        "legal": as_set(referee.legal() if acting else []),
        "ecart": as_set(referee.ecart if viewer == referee.taker else []),
        "withheld": as_set(witness.withheld[viewer]),
        "poignee_declared": witness.declared[viewer],
        "phase": int(Phase[phase]),
        "to_act": referee.seat,
        "dealer": referee.dealer,
        "bids": witness.bids,
        "contract": bids[referee.bid],
        "taker": -1 if referee.taker is None else referee.taker,
        "chien": as_set(referee.chien if bought or laid_open else []),
        "shown_discards": as_set(referee.shown_discards),
        "slam_announced": referee.slam_announced,
        "poignee_level": [("", *POIGNEES).index(level) for level in levels],
        "poignee_cards": [as_set(referee.poignees.get(s, ("", []))[1]) for s in range(4)],
        "trick_number": len(tricks),
        "leader": leader_now(referee),
        **trick_now(referee),
        "last_trick": [parse_action(c) for _s, c in last[1]] if last else [-1] * 4,
        "last_leader": last[0] if last else -1,
        "last_winner": last[2] if last else -1,
        "played": [as_set(cards) for cards in played],
        "void": [void for void, _bound in hints],
        "trump_bound": [bound for _void, bound in hints],
        "tricks_won": won,
        "trick_half_points": counted,
        "oudler_player": [oudlers[card][0] for card in ("T1", "T21", "EX")],
        "oudler_trick": [oudlers[card][1] for card in ("T1", "T21", "EX")],
        "oudler_winner": [oudlers[card][2] for card in ("T1", "T21", "EX")],
        "history": history + [(-1, -1)] * (FFT.history_size - len(history)),
        "history_size": len(history),
    }


SEAT_VALUES = (
    *("to_act", "dealer", "taker", "leader", "best_seat", "last_leader", "last_winner"),
    *("oudler_player", "oudler_winner"),
)
BY_SEAT = (
    *("bids", "poignee_level", "poignee_cards", "played", "void", "trump_bound"),
    *("tricks_won", "trick_half_points"),
)


def from_viewer(values: dict[str, Any], viewer: int) -> dict[str, np.ndarray]:
    """The same, seats counted from the viewer."""
    turned = {}
    for name, value in values.items():
        array = np.array(value)
        if name in SEAT_VALUES:
            array = np.where(array < 0, -1, (array - viewer) % 4)
        if name in BY_SEAT:
            array = np.roll(array, -viewer, axis=0)
        if name == "history":
            array[:, 0] = np.where(array[:, 0] < 0, -1, (array[:, 0] - viewer) % 4)
        turned[name] = array
    return turned


def play(batch: Batch) -> Iterator[tuple[Tables, list[Witness]]]:
    """Plays a batch; yields the tables and the witnesses before every step and at the end."""
    tables = batch.tables
    witnesses = [Witness(referee) for referee in batch.referees]
    while True:
        yield tables, witnesses
        if tables.is_over.all():
            return
        actions = np.full(tables.num_tables, -1)
        for row, witness in enumerate(witnesses):
            if witness.referee.phase != "OVER":
                action = choose(batch.rngs[row], witness.referee, batch.styles[row])
                witness.apply(action)
                actions[row] = parse_action(action)
        tables.step(actions)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3))
def test_every_field_of_every_viewer(number: int) -> None:
    options = {} if number == 0 else draw_options(random.Random(f"turns {number}"))
    rng = np.random.default_rng(number)
    seen = set()
    for tables, witnesses in play(drawn_batch(f"turns {number}", 40, options)):
        rows = np.arange(tables.num_tables)
        viewers = rng.integers(0, 4, len(rows))
        to_act = tables.seat_to_act
        viewers = np.where((to_act >= 0) & (rng.random(len(rows)) < 0.4), to_act, viewers)
        turn = tables.turn(rows, viewers)
        for row, witness in enumerate(witnesses):
            viewer = int(viewers[row])
            wanted = from_viewer(expected(witness, viewer), viewer)
            assert set(wanted) == set(ARRAY_NAMES)
            for name, value in wanted.items():
                got = getattr(turn, name)[row]
                if name == "leader" and int(tables.phase[row]) < Phase.POIGNEE:
                    continue
                if name == "leader" and not witness.referee.tricks and witness.referee.seat < 0:
                    continue
                assert np.array_equal(got, value), (name, row, got, value)
            seen.add((witness.referee.phase, to_act[row] == viewer))
    assert len(seen) == 6 * 2 + 1


def test_dtypes_and_shapes() -> None:
    tables = Tables(FFT, 3, seed=1)
    turn = tables.turn()
    assert len(turn) == 3
    words = {"hand", "legal", "ecart", "withheld", "chien", "shown_discards"}
    for name in ARRAY_NAMES:
        array = getattr(turn, name)
        if name in words:
            assert (array.dtype, array.shape) == (np.uint64, (3, 2)), name
        elif name in ("poignee_cards", "played"):
            assert (array.dtype, array.shape) == (np.uint64, (3, 4, 2)), name
        elif name in ("slam_announced", "void"):
            assert array.dtype == np.bool_, name
        elif name in ("trick_half_points", "history_size"):
            assert array.dtype == np.int16, name
        else:
            assert array.dtype == np.int8, name
    assert turn.legal_mask.shape == (3, 95)
    assert (turn.legal_mask == tables.legal_actions()).all()


def test_nothing_that_names_the_deal() -> None:
    """No seed, deal id, log, pack, forced contract or count of decisions."""
    names = {f.name for f in fields(Turn)}
    forbidden = {"seed", "deal_id", "log", "log_size", "pack", "forced", "hands"}
    assert not names & forbidden


def test_a_turn_is_a_copy() -> None:
    tables = Tables(FFT, 4, seed=1)
    before = {name: array.copy() for name, array in tables.state.arrays().items()}
    legal = tables.legal_sets().copy()
    turn = tables.turn()
    for name in ARRAY_NAMES:
        array = getattr(turn, name)
        array[...] = 1
    for name, array in tables.state.arrays().items():
        assert (array == before[name]).all(), name
    assert (tables.legal_sets() == legal).all()


def test_take() -> None:
    turn = Tables(FFT, 5, seed=1).turn()
    for rows in (np.array([3, 0, 3]), np.array([True, False, True, False, False])):
        taken = turn.take(rows)
        for name in ARRAY_NAMES:
            assert (getattr(taken, name) == getattr(turn, name)[rows]).all()
        assert taken.rules is turn.rules


def test_viewers() -> None:
    tables = Tables(FFT, 2, seed=1)
    assert tables.turn().seat.tolist() == tables.seat_to_act.tolist()
    assert tables.turn(np.array([1, 1, 0]), np.array([3, 0, 2])).seat.tolist() == [3, 0, 2]
    assert len(tables.turn(np.zeros(0, np.int64))) == 0
    for _pass in range(4):
        tables.step(np.array([78, 78]))
    with pytest.raises(ValueError, match="no seat to act; name the seats"):
        tables.turn()
    final = tables.turn(np.array([0]), np.array([2]))
    assert (final.to_act[0], final.phase[0]) == (-1, Phase.OVER)
    assert not final.legal_mask.any()


@pytest.mark.parametrize("contract", [Bid.GARDE_SANS, Bid.GARDE_CONTRE, Bid.GARDE, Bid(0)])
def test_the_chien_lies_open_at_the_end_of_a_played_deal(contract: Bid) -> None:
    """Nobody sees it before the end (rules.md A0.2); a deal passed out is not played."""
    tables = Tables(FFT, 1, seed=4)
    row, seats = np.zeros(4, np.int64), np.arange(4)
    if contract:
        tables.force(np.array([0]), 1, contract)
    rng = np.random.default_rng(2)
    while not tables.is_over[0]:
        if contract != Bid.GARDE:
            assert not tables.turn(row, seats).chien.any()
        action = tables.random_actions(rng) if contract else np.array([78])
        tables.step(action)
    turn = tables.turn(row, seats)
    assert (turn.chien == (tables.state.chien[0] if contract else cardsets.EMPTY)).all()
    assert not turn.ecart[[0, 2, 3]].any()
    known = cardsets.to_mask(turn.unseen & tables.state.chien[0]).any(1)
    if contract > Bid.GARDE:
        assert cardsets.is_empty(turn.unseen).all()
    elif not contract:
        assert known.all()


# --- What follows from it: cards unseen, cards that would win, cards that nothing beats


DEAL = written("EX S1-10 H1-7", "D1-5 C1-5 T2-9", "D6-K C6-10 T10-13", "SJ-K H8-K CJ-K T14-16",
               "T1 T17-21", dealer=0)  # fmt: skip


def seen_by(pair: Pair, seat: int, name: str) -> list[str]:
    return texts(getattr(pair.turn(seat), name)[0])


def test_cards_that_would_win_the_trick_as_it_lies() -> None:
    pair = Pair(DEAL, (0, "garde_sans")).say("pass")
    assert seen_by(pair, 1, "takes_lead") == cards("D1-5 C1-5 T2-9")
    assert seen_by(pair, 0, "takes_lead") == cards("S1-10 H1-7"), "the Excuse never wins"
    pair.say("D3")
    assert seen_by(pair, 1, "takes_lead") == cards("D4-5 T2-9")
    assert seen_by(pair, 2, "takes_lead") == cards("D6-K T10-13")
    assert seen_by(pair, 3, "takes_lead") == cards("T14-16")
    assert seen_by(pair, 0, "takes_lead") == []
    pair.say("DN")
    assert seen_by(pair, 2, "takes_lead") == cards("DQ DK T10-13")
    assert seen_by(pair, 1, "takes_lead") == cards("T2-9")
    pair.say("T15")
    assert seen_by(pair, 3, "takes_lead") == ["T16"]
    assert seen_by(pair, 2, "takes_lead") == []
    pair.say("EX T14")
    assert seen_by(pair, 3, "takes_lead") == ["T16"], "trumps led: a higher trump"
    assert seen_by(pair, 2, "takes_lead") == []


def test_any_card_wins_over_the_excuse_alone() -> None:
    pair = Pair((*DEAL[:2], 3), (0, "garde_contre")).say("pass EX")
    assert seen_by(pair, 1, "takes_lead") == cards("D1-5 C1-5 T2-9")
    pair.say("C5")
    assert seen_by(pair, 2, "takes_lead") == cards("C6-10 T10-13")


def test_cards_unseen_and_masters() -> None:
    pair = Pair(DEAL, (0, "garde_sans")).say("pass D3 DN")
    everything = cards("S1-K H1-K D1-K C1-K T1-21 EX")
    for seat in range(4):
        seen = [*cards("D3 DN"), *DEAL[0][seat]]
        assert seen_by(pair, seat, "unseen") == [card for card in everything if card not in seen]
    assert seen_by(pair, 0, "masters") == []
    assert seen_by(pair, 1, "masters") == []
    assert seen_by(pair, 2, "masters") == cards("D6-J DQ DK")
    assert seen_by(pair, 3, "masters") == cards("SJ-K H8-K CJ-K")


def test_the_own_ecart_is_seen_and_that_of_another_is_not() -> None:
    pair = Pair(DEAL, (3, "garde")).say("HJ HN HQ CJ CN SJ pass")
    aside = cards("SJ HJ HN HQ CJ CN")
    assert not set(aside) & set(seen_by(pair, 3, "unseen"))
    assert set(aside) <= set(seen_by(pair, 0, "unseen"))
    assert set(cards("T1 T17-21")) <= set(seen_by(pair, 0, "unseen")), "the taker's hand now"
    assert seen_by(pair, 3, "masters") == cards("SN-K H8-10 HK CQ CK T14-21")


def test_trumps_in_the_ecart_are_seen_by_all() -> None:
    deal = written("S1-Q H1-5", "H6-Q D1-10", "DJ-Q C1-Q T20-21", "SK HK DK CK T1-13 EX", "T14-19")
    pair = Pair(deal, (3, "garde")).say("T2 T3 T4 T5 T6 T7 pass")
    for seat in range(4):
        assert not set(cards("T2-7")) & set(seen_by(pair, seat, "unseen"))
    assert set(cards("T8-19 T1 EX SK")) <= set(seen_by(pair, 2, "unseen"))
    assert seen_by(pair, 2, "masters") == cards("T20-21")
    assert seen_by(pair, 3, "masters") == cards("SK HK DK CK")


# --- Renamed suits


def renamed(card: int, names: np.ndarray) -> int:
    return int(14 * names[card // 14] + card % 14) if card < 56 else card


def test_permute_suits_is_another_deal() -> None:
    """A table dealt and played with other names of suits gives the permuted turn."""
    batch = drawn_batch("suits", 48, {"petit_sec": "off"})
    tables, n = batch.tables, 48
    rng = np.random.default_rng(4)
    names = rng.permuted(np.tile(np.arange(4), (n, 1)), axis=1)
    deals = []
    for row in range(n):
        pack = [renamed(int(card), names[row]) for card in tables.state.pack[row]]
        deal = Deal.of_pack(pack, tables.rules, dealer=int(tables.state.dealer[row]))
        forced = bool(tables.state.forced[row])
        contract = (int(tables.taker[row]), Bid(tables.contract[row])) if forced else None
        deals.append(Deal(deal.hands, deal.chien, deal.dealer, forced=contract))
    twin = Tables.from_deals(tables.rules, deals)
    while True:
        viewers = rng.integers(0, 4, n)
        rows = np.arange(n)
        viewers = np.where(rng.random(n) < 0.7, np.maximum(tables.seat_to_act, 0), viewers)
        turn, other = tables.turn(rows, viewers), twin.turn(rows, viewers)
        permuted = turn.permute_suits(names)
        for name in ARRAY_NAMES:
            got, wanted = getattr(permuted, name), getattr(other, name)
            assert got.dtype == wanted.dtype, name
            assert np.array_equal(got, wanted), name
        assert (permuted.legal_mask == other.legal_mask).all()
        hidden = tables.hidden(rows, viewers).permute_suits(names)
        wanted_hidden = twin.hidden(rows, viewers)
        for f in fields(hidden):
            assert np.array_equal(getattr(hidden, f.name), getattr(wanted_hidden, f.name)), f.name
        if tables.is_over.all():
            break
        actions = tables.random_actions(rng)
        there = np.array([renamed(int(a), names[row]) for row, a in enumerate(actions)])
        live = ~tables.is_over
        assert (unpermute_actions(there[live], names[live]) == actions[live]).all()
        tables.step(actions)
        twin.step(there)
    assert (tables.scores == twin.scores).all()


def test_only_fields_named_hold_suit_cards() -> None:
    """So that a new field with suit cards is not forgotten when suits are renamed."""
    suits = np.zeros(2, np.uint64) | cardsets.SUIT[:4].sum(0)
    found = set()
    for tables, _witnesses in play(drawn_batch("suit sets", 30, {})):
        rows = np.repeat(np.arange(30), 4)
        turn = tables.turn(rows, np.tile(np.arange(4), 30))
        for name in ARRAY_NAMES:
            array = getattr(turn, name)
            if array.dtype == np.uint64 and (array & suits).any():
                found.add(name)
    assert found == set(SUIT_SETS)
