"""The referee with two players: Découverte, Tirette and the dummy (RULES.md 12.6 to 12.8)."""

from typing import Any

import pytest
from reference import Referee, score_deal
from reference.by_hand import (
    DECOUVERTE,
    DUMMY,
    LOW,
    TIRETTE,
    at_phase,
    contracted,
    outcome,
    play_out,
    say,
    suit,
    trumps,
    winners,
    written,
)
from reference.deals import NamedDeal

DECOUVERTE_RULES = {"preset": "jeu-de-tarot", "game": "decouverte"}
TIRETTE_RULES = {"preset": "jeu-de-tarot", "game": "tirette"}
DUMMY_RULES = {"preset": "jeu-de-tarot", "game": "dummy"}
EVERY = ["decouverte", "tirette", "dummy"]


@pytest.mark.parametrize("game", [DECOUVERTE, TIRETTE, DUMMY], ids=EVERY)
@pytest.mark.parametrize("dealer", [0, 1])
def test_auction_of_two(game: Any, dealer: int) -> None:
    """The dealer's opponent speaks first; no handful, no petit sec, no redeal is asked about."""
    deal = written({1 - dealer: "T1 ..."}, dealer=dealer, game=game)
    referee = Referee(**deal, preset="jeu-de-tarot", game=game.name)
    assert (referee.phase, referee.seat) == ("AUCTION", 1 - dealer)
    assert referee.legal() == ["pass", "petite", "garde", "garde_sans", "garde_contre"]
    passed_out = say(referee.copy(), "pass pass")
    assert (passed_out.phase, passed_out.scores_half) == ("OVER", [0, 0])
    say(referee, "petite garde_sans")
    assert (referee.phase, referee.seat, referee.taker) == ("SLAM", dealer, dealer)
    assert referee.legal() == ["pass", "chelem"]


@pytest.mark.parametrize("game", [DECOUVERTE, TIRETTE, DUMMY], ids=EVERY)
def test_nobody_is_asked_about_handfuls(game: Any) -> None:
    size = game.hand_size
    deal = written({0: trumps(21, 22 - min(size, 21)) + (" ..." if size > 21 else "")}, game=game)
    referee = contracted(deal, "garde_sans", preset="jeu-de-tarot", game=game.name)
    phases = set()
    while referee.phase != "OVER":
        phases.add(referee.phase)
        legal = referee.legal()
        referee.apply("pass" if "pass" in legal else legal[0])
    assert phases == {"SLAM", "PLAY"}
    assert referee.scores_half[0] == -referee.scores_half[1] != 0


@pytest.mark.parametrize(("half", "each"), [(81, -26), (82, 25), (83, 26)])
@pytest.mark.parametrize("game", EVERY)
def test_scores_of_two(game: str, half: int, each: int) -> None:
    facts = {"bid": "garde", "taker": 1, "oudlers": 2, "attack_half": half}
    scores = score_deal(preset="jeu-de-tarot", game=game, players=2, **facts)
    assert scores == [-2 * each * 2, 2 * each * 2]


# Découverte. Seat 1 has under its last two piles what it does not know of:
# [SQ, D1] and [T9, SK]. Its other upper cards: CK and every second trump from T2 on.
# Seat 0's first piles: [HJ, HN] [HQ, HK] [D2, D3].
OPEN: NamedDeal = written(
    {0: f"{suit('S', LOW)} SJ SN", 1: f"{suit('H', LOW)} T5 EX"},
    chien=suit("C", "1 2 3 4 5 6"),
    rest="... SQ D1 T9 SK",
    game=DECOUVERTE,
)
UPPER_TRUMPS = "T2 T4 T5 T7 T9 T10 T12 T14 T16 T18 T20"


def decouverte(options: dict[str, Any] | None = None) -> Referee:
    return say(contracted(OPEN, "garde_sans", options, **DECOUVERTE_RULES), "pass")


def test_piles_as_dealt() -> None:
    referee = decouverte()
    assert referee.piles[0][:2] == [["HJ", "HN"], ["HQ", "HK"]]
    assert referee.piles[1][10:] == [["SQ", "D1"], ["T9", "SK"]]
    assert referee.up[0][:3] == ["HJ", "HQ", "D2"]
    assert referee.covered[0][:3] == ["HN", "HK", "D3"]


def test_upper_cards_belong_to_the_hand_and_covered_ones_do_not() -> None:
    """Suit to be followed from the piles, and to be trumped while the king lies covered."""
    referee = say(decouverte(), "S1")
    assert referee.legal() == ["SQ", "EX"]
    say(referee, "SQ")
    assert (referee.seat, winners(referee)) == (1, [1])
    assert "D1" in referee.legal()
    assert "SK" not in referee.legal()
    say(referee, "H1")
    assert referee.legal() == ["HJ", "HQ"]
    say(referee, "HJ S2")
    assert referee.legal() == [*UPPER_TRUMPS.split(), "EX"]
    say(referee, "T9 T10")
    assert "SK" in referee.playable(1)


def test_a_card_is_turned_up_as_the_one_on_it_is_played() -> None:
    referee = say(decouverte(), "D2")
    assert referee.up[0][2] == "D3"
    assert referee.covered[0][2] is None
    assert referee.reveals == [(0, 0, 2, "D3")]
    assert len(referee.hands[0]) == 12


def test_or_after_the_trick() -> None:
    """Both cards of a trick may come from piles; then both are turned, seat 0's first."""
    referee = say(decouverte({"decouverte_reveal": "after_trick"}), "D2")
    assert (referee.up[0][2], referee.covered[0][2], referee.reveals) == (None, "D3", [])
    assert "D3" not in referee.playable(0)
    say(referee, "T20")
    assert referee.up[0][2] == "D3"
    assert [row[1] for row in referee.reveals] == [0, 1]
    assert [row[0] for row in referee.reveals] == [1, 1]


def test_every_pile_is_played() -> None:
    referee = play_out(decouverte())
    assert len(referee.tricks) == 36
    assert referee.hands == [[], []]
    assert [card for row in referee.up + referee.covered for card in row if card] == []
    assert len(referee.reveals) == 24


def test_ecart_comes_from_hand_and_chien() -> None:
    """Plain upper cards do not save a trump; five plain cards of the eighteen go first."""
    deal = written(
        {0: f"SK HK DK CK {trumps(20, 13)}"},
        chien=f"{suit('S', '1 2 3 4 5')} T2",
        rest="S6 S7 ...",
        game=DECOUVERTE,
    )
    referee = contracted(deal, "garde", **DECOUVERTE_RULES)
    assert referee.legal() == ["S1", "S2", "S3", "S4", "S5"]
    say(referee, "S1 S2 S3 S4 S5")
    assert referee.legal() == ["T2", *[f"T{number}" for number in range(13, 21)]]
    say(referee, "T2 pass")
    assert len(referee.playable(0)) == 24


# All trumps, the spades and a king, coming up one by one; the Excuse lies in the chien.
@pytest.mark.parametrize(("end", "petit_au_bout"), [("HK T1", 1), ("T1 HK", 0)])
def test_slam_of_36_tricks(end: str, petit_au_bout: int) -> None:
    own_piles = f"{trumps(9, 2)} {suit('S', LOW)} SJ SN SQ SK {end}"
    deal = written({0: trumps(21, 10)}, chien="EX ...", rest=f"{own_piles} ...", game=DECOUVERTE)
    referee = outcome(deal, "garde_sans", **DECOUVERTE_RULES)
    assert (referee.slam, referee.petit_au_bout) == (1, petit_au_bout)
    total = 2 * ((25 + 55) * 4 + 200 + 40 * petit_au_bout)
    assert referee.scores_half == [total, -total]


# Tirette. Seat 0 has all trumps and draws the other spades, and the exposed HK.
STOCK = "SJ D1 S10 D2 S9 D3 S8 D4 S7 D5 S6 D6 S5 D7 S4 D8 S3 D9 S2 D10 S1 DJ DN HK"
DRAWN = STOCK.split()
SPADES: NamedDeal = written(
    {0: f"{trumps(21, 1)} SK SQ SN"}, chien="EX C1 C2 C3 C4 C5", rest=STOCK, game=TIRETTE
)


def tirette(options: dict[str, Any] | None = None) -> Referee:
    return contracted(SPADES, "garde_sans", options, **TIRETTE_RULES)


def after_tricks(referee: Referee, number: int) -> Referee:
    """Seat 0 leads its first card, seat 1 answers with the lowest."""
    while len(referee.tricks) < number:
        legal = referee.legal()
        referee.apply(next(card for card in referee.hands[referee.seat] if card in legal))
    return referee


def test_bottom_of_the_stock_is_exposed_when_play_begins() -> None:
    referee = tirette()
    assert (referee.phase, referee.exposed) == ("SLAM", None)
    say(referee, "pass")
    assert (referee.phase, referee.exposed) == ("PLAY", "HK")
    assert after_tricks(referee, 11).exposed == "HK"
    assert after_tricks(referee, 12).exposed is None


@pytest.mark.parametrize(("first", "order"), [("winner", [0, 1]), ("loser", [1, 0])])
def test_draws(first: str, order: list[int]) -> None:
    """Eleven times from the top, then the winner has the exposed card, the other the last."""
    referee = say(tirette({"tirette_draw_first": first}), "pass T21")
    assert referee.draws == []
    after_tricks(referee, 1)
    assert referee.draws == [(1, order[0], "SJ"), (1, order[1], "D1")]
    assert "SJ" in referee.hands[order[0]]
    after_tricks(referee, 11)
    assert [card for _trick, _seat, card in referee.draws] == DRAWN[:22]
    assert [seat for _trick, seat, _card in referee.draws] == order * 11
    after_tricks(referee, 12)
    assert referee.draws[-2:] == [(12, 0, "HK"), (12, 1, "DN")]
    assert (referee.stock, len(referee.draws)) == ([], 24)
    assert [len(hand) for hand in referee.hands] == [24, 24]


def test_tirette_to_the_end() -> None:
    referee = play_out(tirette())
    assert (len(referee.tricks), referee.slam, referee.hands) == (36, 1, [[], []])
    assert (referee.attack_half, referee.oudlers) == (182, 3)
    total = 2 * ((25 + 55) * 4 + 200)
    assert referee.scores_half == [total, -total]


def test_tirette_ecart() -> None:
    """Six cards of thirty; the stock is not part of them."""
    referee = contracted(SPADES, "garde", **TIRETTE_RULES)
    say(referee, "SQ SN C1 C2 C3 C4 pass")
    assert len(referee.hands[0]) == 24
    assert referee.ecart == ["SQ", "SN", "C1", "C2", "C3", "C4"]


# The dummy. Order of play: the dealer's opponent, the dummy, the dealer.


@pytest.mark.parametrize("taker", [0, 1])
@pytest.mark.parametrize("dealer", [0, 1])
@pytest.mark.parametrize("announced", ["pass", "chelem"])
def test_who_plays_what(taker: int, dealer: int, announced: str) -> None:
    """The non-dealer leads, also when a slam is announced; the defender plays the dummy."""
    deal = written({0: "S1 ...", 1: "S2 ...", 2: "S3 ..."}, dealer=dealer, game=DUMMY)
    referee = say(Referee(**deal, **DUMMY_RULES, forced=(taker, "garde_sans")), announced)
    turns = []
    while not referee.tricks:
        turns.append((referee.hand_to_play, referee.seat))
        assert set(referee.legal()) <= set(referee.hands[referee.hand_to_play])
        referee.apply(referee.legal()[0])
    other = 1 - dealer
    assert turns == [(other, other), (2, 1 - taker), (dealer, dealer)]
    rows = [(hand, card) for hand, card in referee.tricks[0][1]]
    assert referee.log[1:] == referee.history[1:] == rows
    assert [hand for hand, _card in rows] == [other, 2, dealer]
    assert referee.tricks[0][0] == other
    assert referee.scores_half == [0, 0]


def test_a_dummy_that_wins_leads() -> None:
    deal = written({0: "S1 ...", 1: "S2 ...", 2: "SK T21 ..."}, game=DUMMY)
    referee = say(contracted(deal, "garde_sans", **DUMMY_RULES), "pass S1 SK S2")
    assert (referee.hand_to_play, referee.seat, winners(referee)) == (2, 1, [2])
    referee.apply("T21")
    assert (referee.hand_to_play, referee.seat) == (1, 1)


@pytest.mark.parametrize(
    ("reveal", "exposed"),
    [
        ("after_first_card", [False, False, False, True]),
        ("after_ecart", [False, False, True, True]),
    ],
)
def test_when_the_dummy_is_exposed(reveal: str, exposed: list[bool]) -> None:
    """In the auction, at the ecart, when the play begins, after the first card."""
    deal = written({0: "S1 ..."}, game=DUMMY)
    referee = Referee(**deal, **DUMMY_RULES, options={"dummy_reveal": reveal})
    seen = [referee.dummy_is_exposed]
    say(referee, "garde pass")
    seen.append(referee.dummy_is_exposed)
    seen.append(at_phase(referee, "PLAY").dummy_is_exposed)
    referee.apply(referee.legal()[0])
    seen.append(referee.dummy_is_exposed)
    assert seen == exposed


# The dummy has all trumps and the kings, the taker nothing; the chien is C1 to C6.
DUMMY_SWEEPS: NamedDeal = written(
    {0: f"{suit('S', LOW)} {suit('H', LOW)} SJ SN HJ HN", 2: f"{trumps(21, 1)} SK HK DK"},
    chien=suit("C", "1 2 3 4 5 6"),
    game=DUMMY,
)


def test_tricks_of_the_dummy_are_the_defenders() -> None:
    """The defender keeps the Excuse for the last trick, where it wins."""
    referee = contracted(DUMMY_SWEEPS, "garde_sans", **DUMMY_RULES)
    say(referee, "pass S1 SK SQ")
    while referee.phase != "OVER":
        legal = referee.legal()
        cards = [card for card in referee.hands[referee.hand_to_play] if card in legal]
        referee.apply(next((card for card in cards if card != "EX"), "EX"))
    assert winners(referee) == [2] * 23 + [1]
    assert (referee.slam, referee.attack_half, referee.oudlers) == (-1, 6, 0)
    total = -2 * ((25 + 53) * 4 + 200)
    assert referee.scores_half == [total, -total]


def test_excuse_of_the_dummy() -> None:
    """It stays with the defence for half a point, as any defender's."""
    deal = written({0: f"{trumps(21, 1)} SK HK DK", 2: "EX ..."}, game=DUMMY)
    referee = outcome(deal, "garde_sans", **DUMMY_RULES)
    assert (referee.slam, referee.attack_half, referee.oudlers) == (1, 174, 2)
