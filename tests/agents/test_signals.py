"""Signals of the defence: each one given and read in a written deal; off, legal, nothing hidden.

In the positions with four players seat 3 takes, with a garde sans, and seat 0 leads first.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from support.constructed import after, answer, position, turns_of_play
from support.every_game import GAMES, rules_of

from agents.heuristic import HeuristicAgent
from agents.heuristic.reading import Plays, legal_plays, read
from agents.heuristic.signals import signal_measures
from agents.heuristic.signals_heard import Heard, hear, tricks_so_far
from agents.heuristic.weights import SIGNALS
from agents.registry import make_agent
from tarot_env import Tables
from tarot_env.cards.actions import action_text
from tarot_env.errors import UnknownName
from tarot_env.testing import check_agent

SIGNALLING = HeuristicAgent(signals="on")
SPADES = 0
NEXT, OPPOSITE, TAKER = range(3)
"""The other hands as seat 0 counts them."""
playing = partial(after, taker=3)


def filled(cards: str) -> str:
    """A hand of 18 with these cards, the others from hearts, diamonds and clubs."""
    rest = [f"{suit}{rank}" for rank in range(1, 9) for suit in "HDC"]
    others = [card for card in rest if card not in cards.split()]
    return " ".join([*cards.split(), *others[: 18 - len(cards.split())]])


def marked(tables: Tables, measure: str) -> dict[str, float]:
    """The legal cards for which a measure is not 0."""
    turn = tables.turn()
    plays: Plays = legal_plays(turn)
    values = dict(signal_measures(turn, read(turn), plays))[measure]
    cards = [action_text(int(card)) for card in plays.card]
    return {card: float(v) for card, v in zip(cards, values, strict=True) if v}


def played_cards(tables: Tables) -> str:
    cards = tricks_so_far(tables.turn()).card.ravel()
    return " ".join(action_text(int(card)) for card in cards[cards >= 0])


def misleading(tables: Tables) -> set[str]:
    return set(marked(tables, "misleads"))


def heard(tables: Tables) -> Heard:
    turn = tables.turn()
    return hear(turn, tricks_so_far(turn), read(turn).others)


# -- given: leads


@pytest.mark.parametrize(
    ("held", "wrong"),
    [
        ("SK S3 S8", "SK S8"),
        ("SQ S3 S5 S6", "SQ S6"),
        ("S3 S5 S6 S10", "S3 S5"),
        ("SN SJ S3 S6", "SN SJ S3"),
        ("SK SQ S9", "SK S9"),
        ("SQ SN S9", "SQ S9"),
        ("SJ S3 S7", "S3"),
        ("S2 S3", ""),
    ],
)
def test_the_first_lead_of_a_suit_tells_of_its_honours(held: str, wrong: str) -> None:
    """A weak hand: 1 to 5 with king or queen, the queen with the king, the jack with nothing."""
    said = misleading(playing({0: filled(held)}))
    assert said & set(held.split()) == set(wrong.split())


STRONG = "T19 T16 T9 T8 T7 T6 T5"
WEAKER = "T17 T16 T9 T8 T7 T6 T5", "T19 T16 T9 T8 T6 T1"


def test_a_king_is_led_by_a_strong_hand() -> None:
    assert misleading(playing({0: filled(f"SK SQ S3 {STRONG}")})) >= {"SQ"}
    for trumps in WEAKER:
        said = misleading(playing({0: filled(f"SK SQ S3 {trumps}")}))
        assert said & {"SK", "SQ"} == {"SK"}


def test_a_trump_lead_is_odd_from_a_strong_hand_alone() -> None:
    for trumps, parity in ((STRONG, 0), (WEAKER[0], 1), (WEAKER[1], 1)):
        said = misleading(playing({0: filled(trumps)}))
        wrong = {card for card in trumps.split() if int(card[1:]) % 2 == parity} - {"T1"}
        assert {card for card in said if card[0] == "T"} == wrong


def test_only_the_first_lead_of_a_suit_by_the_defence_speaks() -> None:
    others = {1: "S1 ...", 2: "S2 ...", 3: "S4 ..."}
    again = playing({0: filled("SK S3 S8 S9"), **others}, "SK S1 S2 S4")
    assert again.seat_to_act[0] == 0
    assert not misleading(again) & {"S3", "S8", "S9"}
    takers = {0: "SQ DQ ...", 1: filled("SK S3 S9 DK"), 2: "S1 ...", 3: "S4 DJ ..."}
    after_the_takers = playing(takers, "SQ SK S1 S4", taker=0)
    assert "S3" in misleading(after_the_takers), "the king is gone"
    assert not misleading(playing({0: filled("SK S3 S8"), **others}, taker=0))


# -- given: following


def following(hand: str, taker: int = 3) -> Tables:
    """Seat 1 is to follow the seven of spades that seat 0 has led."""
    return playing({0: "S7 ...", 1: filled(hand)}, "S7", taker=taker)


@pytest.mark.parametrize(
    ("held", "wrong"),
    [
        ("S2 S9 T4", "S2"),
        ("S2 S9", "S9"),
        ("S2 S5 S9 T4", "S9"),
        ("S9 T4", ""),
        ("S2 SQ T4", ""),
    ],
)
def test_a_doubleton_in_a_suit_of_the_defence_is_played_downward(held: str, wrong: str) -> None:
    """With a trump to ruff; from other lengths upward."""
    assert misleading(following(held)) == set(wrong.split())


def test_the_second_card_completes_the_order() -> None:
    hands = {0: "S10 SK ...", 1: filled("S2 S5 S9 S4 T4"), 2: "S1 ...", 3: "S3 ..."}
    for first, wrong in (("S5", {"S2", "S4"}), ("S2", set()), ("S9", set())):
        assert misleading(playing(hands, f"S10 {first} S1 S3 SK")) == wrong


def test_a_third_card_and_one_after_an_own_lead_say_nothing() -> None:
    upward = {0: "S10 SQ SK ...", 1: filled("S2 S4 S9 S5"), 2: "S1 ...", 3: "S3 ..."}
    third = playing(upward | {2: "S1 S6 DQ ...", 3: "S3 S7 ..."}, "S10 S4 S1 S3 SQ S5 S6 S7 SK")
    assert misleading(third) == set()
    led = {0: "SK SQ D10 ...", 1: filled("S4 S5 S9 DK"), 2: "S1 DQ ...", 3: "S3 DJ ..."}
    assert misleading(playing(led, "D10 DK DQ DJ S5 S1 S3 SK SQ")) == set()


def test_in_the_takers_suit_downward_is_from_long_trumps() -> None:
    for trumps, wrong in (("T17 T5 T4 T3 T2", {"S2"}), ("T17 T5 T4 T3", {"S9"})):
        assert misleading(following(f"S2 S5 S9 {trumps}", taker=0)) == wrong
    assert misleading(following("S2 S5 S9 T15 T5 T4 T3 T2", taker=0)) == {"S9"}, "none to win with"


def test_the_petits_holder_follows_to_trumps_downward() -> None:
    def led(hand: str) -> Tables:
        return playing({0: "T16 ...", 1: filled(hand)}, "T16", taker=0)

    assert misleading(led("T1 T4 T9 T12")) == {"T4"}
    assert misleading(led("T2 T4 T9 T12")) == {"T12"}
    assert misleading(led("T2 T4 T9 T17")) == set(), "it must go over"


def test_the_excuse_on_the_first_trumps_is_from_the_petits_holder() -> None:
    for hand, worth in (("T1 T4 EX", 1.0), ("T2 T4 EX", -1.0)):
        hands = {0: "T16 T15 ...", 1: filled(hand), 2: "T5 ...", 3: "T6 ..."}
        first, second = (playing(hands, cards, taker=0) for cards in ("T16", "T16 T4 T5 T6 T15"))
        assert marked(first, "excuse_for_petit") == {"EX": worth}
        assert marked(second, "excuse_for_petit") == {}
    assert not marked(playing({0: "S7 ...", 1: filled("T1 EX S2")}, "S7"), "excuse_for_petit")


# -- read


def after_the_lead(card: str, *, taker: int = 3) -> Tables:
    """Seat 1 has led a card; seat 0, its partner, has won the trick and is to lead."""
    suit = card[0]
    high, low, middle = ("T21", "T2", "T4") if suit == "T" else ("SK", "S1", "S2")
    hands = {
        0: filled(f"{high} DK S9 T6"),
        1: f"{card} DQ ...",
        2: f"{low} DJ ...",
        3: f"{middle} DN ...",
    }
    return playing(hands, f"D1 DQ DJ DN {card} {low} {middle} {high}", taker=taker)


@pytest.mark.parametrize(
    ("card", "honour"),
    [("S3", True), ("S5", True), ("S6", False), ("S10", False), ("SJ", False), ("SN", True)],
)
def test_a_partners_lead_tells_of_its_honours(card: str, honour: bool) -> None:
    tables = after_the_lead(card)
    said = heard(tables)
    assert np.argwhere(said.honour[..., 0]).tolist() == [[NEXT, SPADES]] * honour
    assert np.argwhere(said.nothing[..., 0]).tolist() == [[NEXT, SPADES]] * (not honour)


def test_a_partners_king_and_its_odd_trump_ask_for_trumps() -> None:
    for card, asks in (("T17", [NEXT]), ("T16", []), ("S3", [])):
        assert np.flatnonzero(heard(after_the_lead(card)).wants_trumps).tolist() == asks
    hands = {0: filled("SQ DK"), 1: "SK DQ H9 ...", 2: "S1 DJ HJ ...", 3: "S2 DN HN ..."}
    king = playing(hands, "D1 DQ DJ DN SK S1 S2 SQ H9 HJ HN")
    said = heard(king)
    assert np.flatnonzero(said.wants_trumps).tolist() == [NEXT]
    assert not (said.honour | said.nothing)[:, SPADES].any(), "the king lies on the table"


def after_two_rounds(first: str, second: str, *, taker: int = 3, held: str = "S10 T5") -> Tables:
    """Seat 0 has won two tricks to which seat 1 followed with the named cards, seat 2 upward."""
    led = {"S": "SK SQ S1 S4 S7 S8", "T": "T21 T20 T2 T4 T7 T8"}[second[0]].split()
    hands = {
        0: filled(f"{led[0]} {led[1]} {held}"),
        1: f"{first} {second} ...",
        2: f"{led[2]} {led[3]} ...",
        3: f"{led[4]} {led[5]} ...",
    }
    rounds = f"{led[0]} {first} {led[2]} {led[4]} {led[1]} {second} {led[3]} {led[5]}"
    return playing(hands, rounds, taker=taker)


def test_two_low_cards_of_a_partner_tell_whether_it_ruffs_next() -> None:
    down, up = heard(after_two_rounds("S9", "S2")), heard(after_two_rounds("S2", "S9"))
    assert np.argwhere(down.ruffs_next[..., 0]).tolist() == [[NEXT, SPADES]]
    assert np.argwhere(down.stop[..., 0]).tolist() == [[OPPOSITE, SPADES], [TAKER, SPADES]]
    assert up.stop[:, SPADES].all()
    assert not up.ruffs_next.any()
    assert not (up.wants_trumps | down.wants_trumps).any()
    honour = heard(after_two_rounds("SJ", "S2"))
    assert not (honour.ruffs_next | honour.stop)[NEXT].any()


def test_two_cards_of_which_one_was_led_tell_nothing_more() -> None:
    for first, second in (("S9", "S2"), ("S2", "S9")):
        hands = {0: filled("SK SQ D1"), 1: f"{first} {second} DK ..."}
        hands |= {2: "S1 S3 DQ ...", 3: "S7 S8 DJ ..."}
        said = heard(playing(hands, f"D1 DK DQ DJ {first} S1 S7 SK SQ {second} S3 S8"))
        assert not (said.ruffs_next | said.stop)[NEXT].any()


def test_who_has_shown_that_it_has_no_trump_does_not_ruff() -> None:
    hands = {0: filled("SK SQ T20"), 1: "S9 S2 D9 ...", 2: "S1 S4 T4 ...", 3: "S7 S8 T8 ..."}
    rounds = "SK S9 S1 S7 SQ S2 S4 S8"
    assert heard(playing(hands, rounds)).ruffs_next.any()
    assert not heard(playing(hands, f"{rounds} T20 D9 T4 T8")).ruffs_next.any()


def test_the_takers_leads_and_the_petit_tell_nothing() -> None:
    for card in ("S3", "S8", "T17"):
        said = heard(after_the_lead(card, taker=1))
        assert not (said.honour | said.nothing).any()
        assert not said.wants_trumps.any()
    assert not heard(after_the_lead("T1")).wants_trumps.any()


def test_behind_a_led_excuse_the_next_card_is_followed() -> None:
    hands = {0: filled("EX SK D1"), 1: "S10 S2 DK ...", 2: "S9 S3 DQ ...", 3: "S7 S8 DJ ..."}
    said = heard(playing(hands, "EX S10 S9 S7 DK DQ DJ D1 S2 S3 S8 SK"))
    assert np.argwhere(said.ruffs_next[..., 0]).tolist() == [[OPPOSITE, SPADES]]


def test_downward_in_the_takers_suit_asks_for_trumps() -> None:
    for first, second, asks in (("S9", "S2", [NEXT]), ("S2", "S9", [])):
        said = heard(after_two_rounds(first, second, taker=0))
        assert np.flatnonzero(said.wants_trumps).tolist() == asks
        assert not (said.ruffs_next | said.stop).any()


@pytest.mark.parametrize(
    ("first", "second", "tells"),
    [
        ("T12", "T3", True),
        ("T3", "T12", False),
        ("T18", "T3", False),
        ("EX", "T3", True),
    ],
)
def test_downward_in_trumps_and_the_excuse_tell_of_the_petit(
    first: str, second: str, tells: bool
) -> None:
    said = heard(after_two_rounds(first, second)).has_petit
    assert np.flatnonzero(said).tolist() == [NEXT] * tells
    own = heard(after_two_rounds(first, second, held="T1 T5"))
    assert not own.has_petit.any(), "the viewer holds it"


@pytest.mark.parametrize(("second", "tells"), [("T12", True), ("T3", False)])
def test_a_higher_trump_that_had_to_be_played_tells_nothing(second: str, tells: bool) -> None:
    """Seat 1 goes over the ten with the fourteen; it might have done so with the twelve."""
    hands = {
        0: filled("T10 T13 DK T15 T16 T17 T18 T19 T20 T21"),
        1: f"T14 {second} DQ ...",
        2: "T2 T4 DJ ...",
        3: "T7 T8 DN ...",
    }
    tables = playing(hands, f"T10 T14 T2 T7 DQ DJ DN DK T13 {second} T4 T8")
    assert np.flatnonzero(heard(tables).has_petit).tolist() == [NEXT] * tells


# -- what is made of it


@pytest.mark.parametrize(
    ("measure", "card", "tables"),
    [
        ("said_honour", "S9", lambda: after_the_lead("S3")),
        ("said_nothing", "S9", lambda: after_the_lead("S8")),
        ("asked_trumps", "T6", lambda: after_the_lead("T17")),
        ("said_ruffs", "S10", lambda: after_two_rounds("S9", "S2")),
        ("said_stop", "S10", lambda: after_two_rounds("S9", "S2")),
        ("said_petit", "T5", lambda: after_two_rounds("T12", "T3")),
    ],
)
def test_a_wish_counts_in_the_lead_it_is_about(
    measure: str, card: str, tables: Callable[[], Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert marked(tables(), measure) == {card: 1}
    for weight in (1000.0, -1000.0):
        monkeypatch.setitem(SIGNALS, measure, weight)
        assert (answer(tables(), SIGNALLING) == card) == (weight > 0)


def test_only_defenders_listen_and_only_to_partners() -> None:
    assert marked(after_two_rounds("S9", "S2", taker=0), "said_ruffs") == {}
    assert marked(after_two_rounds("S2", "S9", taker=0), "said_stop") == {}
    assert marked(after_two_rounds("S9", "S2", taker=1), "said_ruffs") == {}
    assert marked(after_two_rounds("T12", "T3", taker=1), "said_petit") == {}


def test_a_hand_that_may_be_the_takers_partner_is_not_listened_to() -> None:
    """Five players: seat 1 is known to defend when seat 2 has played the called king."""
    hands = {
        0: "SK S9 DK CK H1 D1 D3 D4 D5 D6 D7 D8 C5 C6 C7",
        1: "S3 DQ H2 C4 ...",
        2: "S1 DJ HK C1 ...",
        3: "S2 DN H3 C2 ...",
        4: "S4 D2 H4 C3 ...",
    }
    first = "D1 DQ DJ DN D2 S3 S1 S2 S4 SK"
    unknown = playing(hands, first, taker=4, game="5", called="HK")
    assert played_cards(unknown) == first, "without the call"
    assert heard(unknown).honour[NEXT, SPADES].all()
    assert marked(unknown, "said_honour") == {}
    known = playing(hands, f"{first} H1 H2 HK H3 H4 C1 C2 C3 CK C4", taker=4, game="5", called="HK")
    assert marked(known, "said_honour") == {"S9": 1}


def test_where_there_is_no_history_nothing_was_said() -> None:
    turn = position("S5 S4 T5", leader=0, taker=2, unseen="S6 S7 S8 T6 T7 T8 H1 H2 H3")
    plays = legal_plays(turn)
    reading = read(turn)
    said = dict(signal_measures(turn, reading, plays))
    assert not any(value.any() for name, value in said.items() if name.startswith(("said", "ask")))


# -- the option


@pytest.mark.parametrize(
    ("held", "plain", "signal"),
    [("S2 S3 S4 T4", "S4", "S3"), ("S2 S3", "S3", "S2"), ("S8 S10 T4", "S8", "S10")],
)
def test_among_nearly_equal_cards_the_signal_decides(held: str, plain: str, signal: str) -> None:
    tables = playing({0: "SK ...", 1: filled(held)}, "SK")
    assert answer(tables) == plain
    assert answer(tables, SIGNALLING) == signal


def choices(game: str, agent: HeuristicAgent) -> np.ndarray:
    """What an agent chooses at each turn of a few deals that are played at random."""
    turns = [turn for _, _, turn in turns_of_play(rules_of(game), 8)]
    return np.concatenate([agent.act(turn, np.random.default_rng(0)) for turn in turns])


@pytest.mark.parametrize("game", GAMES)
def test_signals_change_choices_by_their_weights_alone(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None where they count nothing; and none in games for two, whatever they count."""
    off, for_two = choices(game, HeuristicAgent()), rules_of(game).players == 2
    monkeypatch.setitem(SIGNALS, "misleads", -20.0)
    assert np.array_equal(choices(game, SIGNALLING), off) == for_two
    for name in SIGNALS:
        monkeypatch.setitem(SIGNALS, name, 0.0)
    assert np.array_equal(choices(game, SIGNALLING), off)


@pytest.mark.parametrize("game", GAMES)
def test_a_good_agent_in_every_game(game: str) -> None:
    """Legal, the same in any batch, and blind to what its seat cannot see."""
    check_agent(SIGNALLING, rules_of(game), deals=6, seed=1_000_019)


def test_signals_are_off_unless_asked_for() -> None:
    assert make_agent("heuristic").name == make_agent("heuristic:signals=off").name == "heuristic"
    assert make_agent("heuristic:signals=on").name == "heuristic:signals=on"
    with pytest.raises(UnknownName, match="unknown value of signals 'loud'"):
        make_agent("heuristic:signals=loud")
