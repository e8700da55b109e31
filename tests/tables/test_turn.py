"""What a seat is told, rebuilt field by field from the referee's open table; renamed suits."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from reference import Referee
from reference.cards import BIDS, EXCUSE, POIGNEES, first_real_card, half_points, trick_winner
from reference.deals import choose, draw_options
from reference.games import find_game
from support.lockstep import (
    Batch,
    Pair,
    as_set,
    cards,
    drawn_batch,
    history_of,
    rules_of,
    texts,
    written,
)

from tarot_env import Bid, Phase, Rules, Tables, Turn
from tarot_env.cards import ANY, KIND, TRUMP, cardsets
from tarot_env.cards.actions import parse_action
from tarot_env.tables.turn import FIELDS, TURN

FFT = Rules.preset("fft", players=4)
GAMES = [
    *(("fft", game) for game in ("4", "3", "5", "mort")),
    *(("jeu-de-tarot", game) for game in ("6", "decouverte", "tirette", "dummy")),
]
UNHEARD = ("MISERE", "POIGNEE", "WITHHOLD")


class Witness:
    """Keeps what the referee forgets: bids, halves of a chien, the stock, who withholds what."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.bids = [-1] * referee.players
        self.split = -1
        self.withheld: list[set[str]] = [set() for _seat in range(referee.players)]
        self.declared = [0] * referee.players
        self.stock = list(referee.stock)

    def apply(self, action: str) -> None:
        referee = self.referee
        phase, seat = referee.phase, referee.seat
        referee.apply(action)
        if phase == "AUCTION":
            bid = parse_action(action) - 78 if action in ("pass", *BIDS, "pousse") else 0
            kept = self.bids[seat] if referee.game.has_partnerships else 0
            self.bids[seat] = max(kept, bid, 0)
        if phase == "SPLIT":
            self.split = int(action == "second_half")
        if phase == "WITHHOLD" and action != "pass":
            self.withheld[seat].add(action)
        if phase == "POIGNEE" and action != "pass":
            self.declared[seat] = POIGNEES.index(action) + 1
        if referee.phase != "WITHHOLD":
            self.declared[seat] = 0


def inferred(referee: Referee, hand: int) -> tuple[list[bool], int]:
    """Voids by kind and the trump bound that the cards of a hand have shown.

    Nothing where cards come to it during the play. A petit that nobody can take may be kept, and
    played at any time.
    """
    void, bound = [False] * 5, 21
    free_petit = referee.options["petit_sec"] == "imprenable"
    if referee.game.stock_size or referee.game.piles:
        return void, bound
    tables = [plays for _leader, plays, _winner in referee.tricks] + [referee.table]
    for plays in tables:
        before: list[str] = []
        for player, card in plays:
            led = first_real_card(before)
            if player == hand and led is not None and card != EXCUSE:
                kind = int(KIND[parse_action(led)])
                mine = int(KIND[parse_action(card)])
                best = max((int(c[1:]) for c in before if c[0] == "T"), default=0)
                if mine != kind and not (free_petit and card == "T1"):
                    void[kind] = True
                if mine not in (kind, TRUMP):
                    void[TRUMP], bound = not free_petit, int(free_petit)
                if mine == TRUMP and int(card[1:]) < best:
                    bound = min(bound, best)
            before.append(card)
    return void, bound


def padded(table: list[str], referee: Referee) -> list[int]:
    """The cards of a trick, -1 beyond the last."""
    return [parse_action(c) for c in table] + [-1] * (len(referee.order_of_play) - len(table))


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
        "trick_cards": padded(table, referee),
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
    return referee._awaited if referee.phase in (*UNHEARD, "PLAY") else 0


def asked_now(referee: Referee, viewer: int) -> tuple[str, int]:
    """Phase and hand to act as a seat sees them."""
    phase, hand = referee.phase, referee.hand_to_play
    if referee.seat == viewer:
        return phase, hand
    if phase in UNHEARD:
        waits_for_all = referee.options["poignee_window"] == "before_first_trick"
        return "PLAY", leader_now(referee) if waits_for_all else hand
    if phase == "PETIT_SEC":
        return "AUCTION", referee.order_of_play[0]
    return phase, hand


def partner_known(referee: Referee, viewer: int) -> int:
    """The partner as far as a seat knows; the taker where that is known to be alone."""
    if referee.taker is None:
        return -1
    if not referee.game.has_call:
        return -1 if referee.partner is None else referee.partner
    held = referee.hands[viewer] + referee.ecart_of(viewer)
    if not referee.partner_is_public and referee.called not in held:
        return -1
    return referee.taker if referee.partner is None else referee.partner


def lies_open(referee: Referee) -> dict[str, Any]:
    """What the games for two lay open: cards in hands, cards on others, a card of the stock."""
    game = referee.game
    hands = range(game.hands if game.players == 2 else 0)
    face_up: list[list[str]] = [[] for _hand in hands]
    covering: list[list[str]] = [[] for _hand in hands]
    for hand in hands:
        if game.piles:
            piles = list(zip(referee.up[hand], referee.covered[hand], strict=True))
            face_up[hand] = [up for up, _down in piles if up is not None]
            covering[hand] = [up for up, down in piles if up is not None and down is not None]
        elif game.has_dummy:
            face_up[hand] = referee.hands[2] if hand == 2 and referee.dummy_is_exposed else []
        else:
            drawn = [card for _tricks, seat, card in referee.draws if seat == hand]
            face_up[hand] = [card for card in drawn if card in referee.hands[hand]]
    empty = np.zeros((0, 2), np.uint64)
    return {
        "face_up": [as_set(cards) for cards in face_up] or empty,
        "covering": [as_set(cards) for cards in covering] or empty,
        "exposed": -1 if referee.exposed is None else parse_action(referee.exposed),
    }


def seen_beside(witness: Witness) -> list[int]:
    """The stock or the piles as dealt, -1 for a card that nobody has seen."""
    referee = witness.referee
    seen = [card in (set(witness.stock) - set(referee.stock)) for card in witness.stock]
    if witness.stock:
        seen[-1] |= referee.exposed is not None
    cards = list(witness.stock)
    for piles, covered in zip(referee.piles, referee.covered, strict=True):
        for pile, below in zip(piles, covered, strict=True):
            cards += pile
            seen += [True, below is None]
    return [parse_action(c) if open_ else -1 for c, open_ in zip(cards, seen, strict=True)]


def played_so_far(referee: Referee) -> dict[str, Any]:
    """Cards, tricks, points and oudlers by hand."""
    hands = range(referee.game.hands)
    played: list[list[str]] = [[] for _hand in hands]
    oudlers = {card: (-1, -1, -1) for card in ("T1", "T21", "EX")}
    finished = [(plays, winner) for _leader, plays, winner in referee.tricks]
    for number, (plays, winner) in enumerate([*finished, (referee.table, -1)]):
        for hand, card in plays:
            played[hand].append(card)
            if card in oudlers:
                oudlers[card] = (hand, number, winner)
    lying = {hand: parse_action(card) for hand, card in referee.table}
    led = [[False] * 4 for _hand in hands]
    for plays in [*(plays for plays, _winner in finished), referee.table]:
        for hand, card in plays[:1]:
            if KIND[parse_action(card)] < TRUMP:
                led[hand][KIND[parse_action(card)]] = True
    won, counted = [0 for _hand in hands], [0 for _hand in hands]
    for plays, winner in finished:
        won[winner] += 1
        counted[winner] += sum(half_points(card) for _hand, card in plays if card != EXCUSE)
    hints = [inferred(referee, hand) for hand in hands]
    player, trick, winner_of = zip(*oudlers.values(), strict=True)
    return {
        "on_table": [lying.get(hand, -1) for hand in hands],
        "played": [as_set(cards) for cards in played],
        "void": [void for void, _bound in hints],
        "suits_led": led,
        "trump_bound": [bound for _void, bound in hints],
        "tricks_won": won,
        "trick_half_points": counted,
        "oudler_player": player,
        "oudler_trick": trick,
        "oudler_winner": winner_of,
    }


def expected(witness: Witness, viewer: int, rules: Rules) -> dict[str, Any]:
    """Every field of the viewer's Turn, seats absolute."""
    referee = witness.referee
    acting = referee.seat == viewer
    phase, to_act = asked_now(referee, viewer)
    tricks = referee.tricks
    last = tricks[-1] if tricks else None
    seats = range(referee.players)
    levels = [referee.poignees.get(seat, ("", []))[0] for seat in seats]
    lacks = [referee.miseres.get(seat, ()) for seat in seats]
    history = history_of(referee)
    halves_are_public = referee.game.has_partnerships and referee.chien_is_public
    bids: dict[str | None, int] = {None: 0}
    bids |= {bid: parse_action(bid) - 78 for bid in (*BIDS, "pousse")}
    return {
        "seat": viewer,
        "hand": as_set(referee.playable(viewer)),
        "legal": as_set(referee.legal() if acting else []),
        "ecart": as_set(referee.ecart_of(viewer)),
        "withheld": as_set(witness.withheld[viewer]),
        "poignee_declared": witness.declared[viewer],
        "phase": int(Phase[phase]),
        "to_act": to_act,
        "dealer": referee.dealer,
        "bids": witness.bids,
        "passes": getattr(referee._auction, "passes", 0),
        "contract": bids[referee.bid],
        "contra": {1: 0, 2: 1, 4: 2}[referee.contra],
        "taker": -1 if referee.taker is None else referee.taker,
        "called": -1 if referee.called is None else parse_action(referee.called),
        "partner": partner_known(referee, viewer),
        "split": witness.split,
        "chien": as_set(referee.chien if referee.chien_is_public else []),
        "shown_discards": as_set(referee.shown_discards),
        "first_half": as_set(referee.chien[:3] if halves_are_public else []),
        **lies_open(referee),
        "beside": seen_beside(witness),
        "slam_announced": referee.slam_announced,
        "petit_chelem_announced": referee.petit_chelem_announced,
        "misere": [("trumps" in lack) + 2 * ("courts" in lack) for lack in lacks],
        "poignee_level": [("", *POIGNEES).index(level) for level in levels],
        "poignee_cards": [as_set(referee.poignees.get(s, ("", []))[1]) for s in seats],
        "trick_number": len(tricks),
        "leader": leader_now(referee),
        **trick_now(referee),
        "last_trick": padded([c for _s, c in last[1]] if last else [], referee),
        "last_leader": last[0] if last else -1,
        "last_winner": last[2] if last else -1,
        **played_so_far(referee),
        **dict.fromkeys(
            ("events", "history"), history + [(-1, -1)] * (rules.history_size - len(history))
        ),
        "history_size": len(history),
    }


PLACES = (
    *("to_act", "dealer", "taker", "partner", "leader", "best_seat", "last_leader"),
    *("last_winner", "oudler_player", "oudler_winner"),
)
BY_HAND = (
    *("bids", "misere", "poignee_level", "poignee_cards", "played", "void", "trump_bound"),
    "suits_led",
    *("on_table", "tricks_won", "trick_half_points", "face_up", "covering"),
)


def from_viewer(values: dict[str, Any], viewer: int, rules: Rules) -> dict[str, np.ndarray]:
    """The same, seats counted from the viewer; a dummy's hand stays behind them."""
    players = rules.players
    order = [(viewer + place) % players for place in range(players)] + [2] * (rules.game == "dummy")
    place = np.array([*(order.index(hand) for hand in range(rules.hands)), -1])
    turned = {}
    for name, value in values.items():
        array = np.array(value)
        if name in PLACES:
            array = place[array]
        if name in BY_HAND and len(array):
            array = array[order[: len(array)]]
        if name == "history":
            array[:, 0] = place[array[:, 0]]
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


def without_meaning(referee: Referee) -> set[str]:
    """Fields that say nothing yet, or no more."""
    no_leader = referee.phase not in (*UNHEARD, "PLAY") and not referee.tricks
    over = referee.phase != "AUCTION"
    return {name for name, skip in (("leader", no_leader), ("passes", over)) if skip}


SEEN = {"AUCTION", "DISCARD", "SLAM", "PLAY", "OVER"}
SEEN_IN = {"5": {"CALL", "POIGNEE"}, "6": {"SPLIT", "POIGNEE"}}
"""Phases that come in every batch of a game."""


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize(("preset", "game"), GAMES)
def test_every_field_of_every_viewer(preset: str, game: str, number: int) -> None:
    name = f"turns {game} {number}"
    named = find_game(*((int(game), None) if game.isdigit() else (None, game)))
    options = draw_options(random.Random(name), preset, named) if number else {}
    rules = rules_of(preset, game, options)
    rng = np.random.default_rng(number)
    seen = set()
    for tables, witnesses in play(drawn_batch(name, 30 if game == "4" else 12, rules, options)):
        rows = np.arange(tables.num_tables)
        viewers = rng.integers(0, rules.players, len(rows))
        to_act = tables.seat_to_act
        viewers = np.where((to_act >= 0) & (rng.random(len(rows)) < 0.4), to_act, viewers)
        turn = tables.turn(rows, viewers)
        for row, witness in enumerate(witnesses):
            viewer = int(viewers[row])
            wanted = from_viewer(expected(witness, viewer, rules), viewer, rules)
            assert set(wanted) == {*FIELDS, "history"}
            for name, value in wanted.items():
                if name in without_meaning(witness.referee):
                    continue
                got = getattr(turn, name)[row]
                assert np.array_equal(got, value), (name, row, got, value)
            seen.add(witness.referee.phase)
    if not options:
        assert seen >= SEEN | SEEN_IN.get(game, set())


@pytest.mark.parametrize(("preset", "game"), GAMES)
def test_dtypes_and_shapes(preset: str, game: str) -> None:
    rules = rules_of(preset, game, {})
    tables = Tables(rules, 3, seed=1)
    turn = tables.turn()
    assert len(turn) == 3
    words = {"hand", "legal", "ecart", "withheld", "chien", "first_half", "shown_discards"}
    by_hand = {"played": rules.hands, "poignee_cards": rules.players}
    by_hand |= dict.fromkeys(("face_up", "covering"), rules.hands if rules.players == 2 else 0)
    for name in FIELDS:
        array = getattr(turn, name)
        if name in words:
            assert (array.dtype, array.shape) == (np.uint64, (3, 2)), name
        elif name in by_hand:
            assert (array.dtype, array.shape) == (np.uint64, (3, by_hand[name], 2)), name
        elif name in ("slam_announced", "petit_chelem_announced", "void", "suits_led"):
            assert array.dtype == np.bool_, name
        elif name in ("trick_half_points", "history_size"):
            assert array.dtype == np.int16, name
        else:
            assert array.dtype == np.int8, name
    assert turn.bids.shape == turn.misere.shape == (3, rules.players)
    assert turn.void.shape == (3, rules.hands, 5)
    assert turn.suits_led.shape == (3, rules.hands, 4)
    assert turn.trick_cards.shape == (3, rules.cards_per_trick)
    assert turn.history.shape == (3, rules.history_size, 2)
    assert turn.legal_mask.shape == (3, 95)
    assert (turn.legal_mask == tables.legal_actions()).all()


def test_nothing_that_names_the_deal() -> None:
    """No seed, deal id, log, pack, forced contract or count of decisions."""
    names = {*FIELDS, *TURN.names, *Turn.__annotations__}
    forbidden = {"seed", "deal_id", "log", "log_size", "pack", "forced", "hands"}
    assert not names & forbidden


@pytest.mark.parametrize("game", ["4", "6", "decouverte", "dummy"])
def test_nothing_lies_beside_what_is_told(game: str) -> None:
    """Neither as an attribute nor in the memory that the fields are views of."""
    preset = "fft" if game == "4" else "jeu-de-tarot"
    turn = Tables(rules_of(preset, game, {}), 3, seed=1).turn()
    assert set(vars(turn)) == {"rules", "records", "events"}
    assert set(TURN.names) - {"filling"} | {"events"} == set(FIELDS)
    for name in FIELDS:
        base = getattr(turn, name)
        while base is not None:
            assert set(base.dtype.names or ()) <= {*FIELDS, "filling"}, name
            assert base.nbytes <= max(turn.records.nbytes, turn.events.nbytes)
            base = base.base


def test_a_turn_is_a_copy() -> None:
    tables = Tables(FFT, 4, seed=1)
    before = {name: array.copy() for name, array in tables.arrays().items()}
    legal = tables.legal_sets().copy()
    turn = tables.turn()
    turn.records.view(np.uint8)[...] = 1
    turn.events[...] = 1
    for name, array in tables.arrays().items():
        assert (array == before[name]).all(), name
    assert (tables.legal_sets() == legal).all()


def test_take() -> None:
    turn = Tables(FFT, 5, seed=1).turn()
    for rows in (np.array([3, 0, 3]), np.array([True, False, True, False, False])):
        taken = turn.take(rows)
        for name in FIELDS:
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
    """Nobody sees it before the end (RULES.md 6.4); a deal passed out is not played."""
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
    assert (turn.chien == (tables.columns.chien[0] if contract else cardsets.EMPTY)).all()
    assert not turn.ecart[[0, 2, 3]].any()
    known = cardsets.to_mask(turn.unseen & tables.columns.chien[0]).any(1)
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
