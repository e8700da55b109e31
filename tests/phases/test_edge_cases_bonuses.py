"""Edge cases of the rules text, by their numbers there, on core and referee: bonuses.

Every deal stands here in full and every expectation is worked out from the rules by hand, in
points. `pays` is what each defender pays. Seat 3 deals unless said otherwise, so seat 0 leads.
"""

from typing import Any

import pytest
from support.lockstep import Pair, cards, texts, written

from tarot_env.cards.actions import parse_action

EXACT = written("T20 T21 EX S1-10 H1-5", "SN-K H6 HJ-K D1-10", "DJ-K C1-K", "T2-19", "T1 SJ H7-10")


@pytest.mark.parametrize(
    ("second", "outcome", "pays"),
    [("HK", (36, 3), 100), ("HQ", (35, 3), -104)],
    ids=["exactly", "one too few"],
)
def test_34_exactly_the_target(second: str, outcome: tuple[float, int], pays: float) -> None:
    """Attack: T21 SK DK T2 28, T20 HK CK T3 20, the chien 16, the Excuse 8 = twice 36."""
    pair = Pair(EXACT, (0, "garde_sans")).say("pass")
    pair.trick("T21 SK DK T2 T20").trick(second).trick("CK T3 EX D1 DJ T4").finish()
    assert pair.winners == [0, 0, *[3] * 16]
    assert pair.outcome == outcome
    assert pair.pays() == pays


def test_37_petit_au_bout_on_a_failed_contract() -> None:
    """Attack: chien 6, trump tricks 4 4 4 12, the last one 14 with S10 T1 D7 CJ.

    Two oudlers, 22 points, 19 too few.
    """
    deal = written(
        "T1 T18-21 S1-4 H1-3 D1-3 C1-3",
        "S5-8 H4-9 D4-7 T8-11",
        "HJ H10 D8-J C4-J EX T12-14",
        "S9 S10 SJ-K HN-K DN-K CN-K T15-17",
        "T2-7",
    )
    pair = Pair(deal, (0, "garde_sans")).say("pass")
    pair.trick("T18 T8 T12 T15 T19 T9 T13 T16 T20 T10 T14 T17 T21 T11 C4 S9 S1 S5 EX SJ")
    pair.lead("SN-K HN-K DN-K CN-K S10", keep="T1")
    assert pair.winners == [*[0] * 4, *[3] * 13, 0]
    assert [card for _seat, card in pair.referee.tricks[-1][1]] == ["S10", "T1", "D7", "CJ"]
    assert pair.outcome == (22, 2)
    assert pair.pays() == -(25 + 19) * 4 + 40


TWO_LONG = written("T1 T13-21 S8-K HK", "T2-11 S1-7 H1", "H2-Q D1-6", "D7-K C1-10", "T12 EX CJ-K")


def play_two_long(taker: int, answers: tuple[str, str], **options: Any) -> Pair:
    """Seat 0 takes seventeen tricks and loses the petit to the 11 in the last."""
    pair = Pair(TWO_LONG, (taker, "garde_sans"), **options).say("pass").say(answers[0])
    pair.to("PLAY").say("S8").say(answers[1]).to("PLAY").finish("T1")
    assert pair.winners == [*[0] * 17, 1]
    assert [card for _seat, card in pair.referee.tricks[-1][1]] == ["T1", "T11", "D6", "C10"]
    return pair


def test_38_petit_au_bout_of_the_defence_on_a_made_contract() -> None:
    """Also 39: played by the taker, won by a defender. The last trick is 12 half points."""
    pair = play_two_long(0, ("pass", "pass"))
    assert pair.outcome == (85, 2)
    assert pair.pays() == (25 + 44 - 10) * 4


def test_39_petit_of_a_defender_at_the_last_trick() -> None:
    deal = written("T12-21 S8-K HK", "T1-10 S1-7 H1", "H2-Q D1-6", "D7-K C1-10", "T11 EX CJ-K")
    pair = Pair(deal, (0, "garde_sans")).say("pass").finish("T1 T21")
    assert pair.referee.tricks[-1][1][:2] == [(0, "T21"), (1, "T1")]
    assert pair.outcome == (91, 3)
    assert pair.pays() == (25 + 55 + 10) * 4 + 200


@pytest.mark.parametrize(
    ("taker", "answers", "pays"),
    [
        pytest.param(0, ("poignee", "poignee"), 236 + 40, id="40 made"),
        pytest.param(0, ("pass", "poignee"), 236 + 20, id="41 of a defender, made"),
        pytest.param(0, ("poignee", "pass"), 236 + 20, id="of the taker, made"),
        pytest.param(1, ("poignee", "poignee"), -132 - 40, id="40 failed"),
        pytest.param(1, ("pass", "poignee"), -132 - 20, id="of the taker, failed"),
        pytest.param(1, ("poignee", "pass"), -132 - 20, id="of a defender, failed"),
    ],
)
def test_40_poignees_go_to_the_side_that_wins(
    taker: int, answers: tuple[str, str], pays: float
) -> None:
    """Seat 1 as taker has the chien 34 and the last trick 12: 23 points, two oudlers, 18 short,
    and the petit au bout: -(25 + 18) * 4 + 40 = -132.
    """
    assert play_two_long(taker, answers).pays() == pays


def test_40_single_and_double() -> None:
    options = {"poignee_thresholds": (8, 10, 13)}
    assert play_two_long(0, ("poignee", "double_poignee"), **options).pays() == 236 + 50
    assert play_two_long(1, ("poignee", "double_poignee"), **options).pays() == -132 - 50


def question(hand: str, bid: str = "garde_sans", **options: Any) -> Pair:
    """Seat 0 holds the cards given, and low spades; the others get the rest as it comes."""
    mine = cards(hand)
    rest = [card for card in cards("S1-K H1-K D1-K C1-K T1-21 EX") if card not in mine]
    own = mine + rest[: 18 - len(mine)]
    rest = [card for card in rest if card not in own]
    piles = [" ".join(rest[18 * n : 18 * n + 18]) for n in range(4)]
    deal = written(" ".join(own), *piles[:3], piles[3])
    return Pair(deal, (0, bid), petit_sec="off", **options).say("pass")


def shown_by_0(pair: Pair) -> list[str]:
    return texts(pair.turn(2).poignee_cards[0, 2])


def test_42_ten_trumps_and_the_excuse() -> None:
    """Exactly the ten trumps, the Excuse in no trump's place."""
    pair = question("T12-21 EX")
    assert pair.legal == ["pass", "poignee"]
    pair.say("poignee")
    assert pair.phase == "PLAY"
    assert shown_by_0(pair) == cards("T12-21")


def test_43_nine_and_twelve_trumps_with_the_excuse() -> None:
    pair = question("T13-21 EX")
    assert pair.legal == ["pass", "poignee"]
    assert shown_by_0(pair.say("poignee")) == cards("T13-21 EX")
    pair = question("T10-21 EX")
    assert pair.legal == ["pass", "poignee", "double_poignee"]
    assert shown_by_0(pair.say("double_poignee")) == cards("T10-21 EX")
    pair = question("T10-21 EX").say("poignee")
    assert pair.phase == "WITHHOLD"
    assert pair.legal == cards("T10-21")
    pair.say("T10")
    assert pair.legal == cards("T11-21")
    assert shown_by_0(pair.say("T21")) == cards("T11-20")


def test_43_nine_trumps_alone_are_too_few() -> None:
    assert question("T13-21").phase == "PLAY"
    assert question("T14-21 EX").phase == "PLAY"


@pytest.mark.parametrize("hidden", ["T1", "T21", "T9"])
def test_44_any_trump_may_be_hidden(hidden: str) -> None:
    pair = question("T1 T9-21").say("double_poignee")
    assert pair.legal == cards("T1 T9-21")
    pair.say(hidden)
    assert shown_by_0(pair) == [card for card in cards("T1 T9-21") if card != hidden]


FOUR_KINGS = written(
    "SK HK DK CK T1 T9-21",
    "S3-Q H2-8",
    "H9-Q D2-Q C2",
    "EX T2-7 C3-Q",
    "T8 S1 H1 D1 C1 S2",
)


def test_45_a_shown_discard_is_shown_again() -> None:
    pair = Pair(FOUR_KINGS, (0, "garde"))
    assert pair.legal == cards("S1 S2 H1 D1 C1")
    pair.say("S1 S2 H1 D1 C1")
    assert pair.legal == cards("T8-20")
    pair.say("T8 pass")
    assert pair.legal == ["pass", "poignee", "double_poignee", "triple_poignee"]
    pair.say("triple_poignee")
    assert pair.phase == "PLAY"
    assert shown_by_0(pair) == cards("T1 T8-21")


def test_45_a_shown_discard_may_be_withheld() -> None:
    pair = Pair(FOUR_KINGS, (0, "garde")).say("S1 S2 H1 D1 C1 T8 pass double_poignee")
    assert pair.legal == cards("T1 T8-21")
    assert shown_by_0(pair.say("T8 T9")) == cards("T1 T10-21")


def test_45_option_off() -> None:
    pair = Pair(FOUR_KINGS, (0, "garde"), poignee_counts_shown_discards=False)
    pair.say("S1 S2 H1 D1 C1 T8 pass")
    assert pair.legal == ["pass", "poignee", "double_poignee"]
    assert pair.say("double_poignee").legal == cards("T1 T9-21")


def test_45_a_defender_cannot_count_the_taker_s_discard() -> None:
    """Seat 3 has six trumps and the Excuse, one short of eight; the shown 8 is not its own."""
    pair = Pair(FOUR_KINGS, (0, "garde"), poignee_thresholds=(8, 13, 15))
    pair.say("S1 S2 H1 D1 C1 T8 pass pass SK S3 D2")
    assert (pair.phase, pair.seat) == ("PLAY", 3)


def test_46_no_trump_goes_while_plain_cards_are_held() -> None:
    deal = written("SK HK DK CK T1 T10-21 S1", "S8-Q H1-N", "HQ D1-Q T2-5", "EX T6-9 C1-Q", "S2-7")
    pair = Pair(deal, (0, "garde"))
    for number in range(1, 7):
        assert pair.legal == cards(f"S{number}-7")
        pair.say(f"S{number}")
    assert pair.phase == "SLAM"


def test_47_plain_cards_first_then_shown_trumps() -> None:
    deal = written(
        "SK HK DK CK T1 T9-21", "S5-Q H1-9", "H10-Q D1-Q T2", "EX T3-6 C1-Q", "S1-4 T7 T8"
    )
    pair = Pair(deal, (0, "garde")).say("S4 S3 S2 S1")
    assert pair.legal == cards("T7-20")
    pair.say("T20 T7")
    assert pair.phase == "SLAM"
    for seat in (1, 2, 3):
        turn = pair.turn(seat)
        assert texts(turn.shown_discards[0]) == ["T7", "T20"]
        assert texts(turn.ecart[0]) == []
        events = turn.history[0, : turn.history_size[0]]
        assert events[:, 1].tolist() == [-1] * 4 + [parse_action("T20"), parse_action("T7")]
    assert texts(pair.turn(0).ecart[0]) == cards("S1-4 T7 T20")
