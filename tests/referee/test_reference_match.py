"""The referee's matches: the pack gathered and dealt again; dealers, winners (RULES.md 3.3, 13)."""

from typing import Any

import pytest
from reference import PACK, Referee, gather, next_deal, next_dealer, read_options
from reference.by_hand import (
    DECOUVERTE,
    DUMMY,
    FIVE,
    MORT,
    SIX,
    THREE,
    TIRETTE,
    at_phase,
    contracted,
    play_out,
    say,
    trumps,
    written,
)
from reference.deals import FOUR
from reference.games import Game
from reference.match import deal_in_packets, seat_that_deals, winners

CARDS = list(PACK)


def dealt(
    game: Game, preset: str = "fft", dealer: int | None = None, **options: Any
) -> dict[str, Any]:
    """The pack in order, dealt in packets."""
    rules = read_options(options, preset=preset, players=game.players, game=game.name)
    return deal_in_packets(CARDS, game, game.players - 1 if dealer is None else dealer, rules)


def cards_at(*places: int) -> list[str]:
    return [CARDS[place] for place in places]


@pytest.mark.parametrize(
    ("game", "preset", "places"),
    [
        # Four hands of three, and one card after the second: thirteen a round, six rounds.
        pytest.param(FOUR, "fft", (6, 19, 32, 45, 58, 71), id="four"),
        pytest.param(FOUR, "jeu-de-tarot", (6, 19, 32, 45, 58, 71), id="four, six excluded"),
        pytest.param(MORT, "fft", (6, 19, 32, 45, 58, 71), id="dead hand"),
        pytest.param(FIVE, "fft", (6, 22, 38), id="five"),
        pytest.param(FIVE, "jeu-de-tarot", (10, 36, 62), id="five, packets of five"),
        pytest.param(THREE, "fft", (8, 21, 34, 47, 60, 73), id="three"),
        pytest.param(THREE, "wikipedia", (6, 16, 26, 36, 46, 56), id="three, packets of three"),
        # Place 73 is one of the last six, so two at a time; and where there are too few rounds.
        pytest.param(THREE, "jeu-de-tarot", (8, 9, 22, 23, 36, 37), id="three, six excluded"),
        pytest.param(SIX, "jeu-de-tarot", (6, 7, 26, 27, 46, 47), id="six, four rounds"),
        pytest.param(DECOUVERTE, "jeu-de-tarot", (8, 9, 18, 19, 28, 29), id="decouverte"),
        pytest.param(TIRETTE, "jeu-de-tarot", (8, 17, 26, 35, 44, 53), id="tirette"),
        pytest.param(DUMMY, "jeu-de-tarot", (8, 9, 22, 23, 36, 37), id="dummy"),
    ],
)
def test_cards_for_the_chien(game: Game, preset: str, places: tuple[int, ...]) -> None:
    deal = dealt(game, preset)
    assert deal["chien"] == cards_at(*places)
    Referee(**deal, preset=preset, game=game.name)


def test_packets() -> None:
    """From the dealer's neighbour; the last packet may be smaller, and four rounds too few."""
    deal = dealt(FOUR, dealer=1)
    assert deal["hands"][2][:6] == cards_at(0, 1, 2, 13, 14, 15)
    assert deal["hands"][3][:3] == cards_at(3, 4, 5)
    assert deal["hands"][0][:3] == cards_at(7, 8, 9)
    assert deal["hands"][1][-3:] == cards_at(75, 76, 77)
    deal = dealt(FOUR, packet=5)
    assert deal["hands"][0] == cards_at(*range(5), *range(22, 27), *range(44, 49), *range(66, 69))


def test_places_of_two() -> None:
    """The dummy gets its packets between the players; what is left is stock or piles."""
    deal = dealt(DUMMY, "jeu-de-tarot", dealer=0)
    assert [deal["hands"][hand][0] for hand in (1, 2, 0)] == cards_at(0, 4, 10)
    deal = dealt(TIRETTE, "jeu-de-tarot")
    assert deal["stock"] == CARDS[54:]
    deal = dealt(DECOUVERTE, "jeu-de-tarot")
    assert deal["piles"][0][0] == CARDS[30:32]
    assert deal["piles"][1][11] == CARDS[76:]
    assert dealt(MORT, dealer=2)["hands"][2] == []


def test_no_place_for_the_chien() -> None:
    with pytest.raises(ValueError, match="no place"):
        dealt(FOUR, chien_exclusion=39)


# Gathering. Seat 0 has T21 to T5 and C1, which loses the last trick to seat 3's CK.
LOSES_ONE = written({0: f"{trumps(21, 5)} C1", 3: "... CK"}, chien="EX T4 T3 T2 T1 CQ")


@pytest.mark.parametrize("bid", ["garde", "garde_sans", "garde_contre"])
def test_gathered_piles(bid: str) -> None:
    """First what is no trick, then the tricks as played: the attack's, then the defence's."""
    referee = contracted(LOSES_ONE, bid)
    if bid == "garde":
        say(referee, "C1 CQ T5 T4 T3 T2")
    play_out(referee)
    won: list[str] = []
    lost: list[str] = []
    for _leader, plays, winner in referee.tricks:
        pile = won if winner == 0 else lost
        pile += [card for _seat, card in plays]
    assert lost
    chien = LOSES_ONE["chien"]
    assert (
        gather(referee)
        == {
            "garde": ["C1", "CQ", "T5", "T4", "T3", "T2", *won, *lost],
            "garde_sans": [*chien, *won, *lost],
            "garde_contre": [*won, *chien, *lost],
        }[bid]
    )


def test_tricks_of_the_partner_are_the_attacks() -> None:
    deal = written({1: f"{trumps(21, 8)} SK"}, dealer=0, game=FIVE)
    referee = play_out(say(contracted(deal, "garde_sans"), "SK"))
    played = [card for _leader, plays, _winner in referee.tricks for _seat, card in plays]
    assert gather(referee) == [*deal["chien"], *played]


def test_a_deal_that_was_not_played_is_gathered_as_it_was_dealt() -> None:
    deal = written()
    referee = say(Referee(**deal), "pass pass pass pass")
    assert gather(referee) == [card for hand in deal["hands"] for card in hand] + deal["chien"]


@pytest.mark.parametrize("cut", [4, 39, 74])
def test_next_deal(cut: int) -> None:
    """The cards below the cut come first; the next seat deals."""
    referee = play_out(contracted(LOSES_ONE, "garde"))
    pack = gather(referee)
    deal = next_deal(referee, cut)
    assert deal["dealer"] == 0
    assert deal["hands"][1][:3] == (pack[cut:] + pack[:cut])[:3]
    assert next_deal(referee, cut, dealer=2)["hands"][3][:3] == deal["hands"][1][:3]
    Referee(**deal)


@pytest.mark.parametrize("cut", [0, 3, 75, 78])
def test_a_cut_leaves_four_cards_on_each_side(cut: int) -> None:
    referee = play_out(contracted(LOSES_ONE, "garde"))
    with pytest.raises(ValueError, match="too few"):
        next_deal(referee, cut)


@pytest.mark.parametrize("game", [THREE, FOUR, FIVE, SIX, MORT, DECOUVERTE, TIRETTE, DUMMY])
def test_deals_follow_each_other(game: Game) -> None:
    """Three in a row, the cards always being all there (the referee checks it)."""
    preset = "jeu-de-tarot" if game.players in (2, 6) else "fft"
    deal = written({0: "T21 ..."}, game=game)
    for cut in (10, 33, 60):
        referee = Referee(**deal, preset=preset, game=game.name)
        while referee.phase == "AUCTION" and referee.taker is None:
            referee.apply("garde")
        if referee.phase != "OVER":
            play_out(at_phase(referee, "PLAY"))
        assert sorted(gather(referee)) == sorted(PACK)
        deal = next_deal(referee, cut)
        assert deal["dealer"] == next_dealer(referee)


# Who deals first, and when a match is over.


@pytest.mark.parametrize(
    ("drawn", "dealer"),
    [
        ("S1 H1 D1 C1", 3),
        ("S1 H1 D1 H2", 2),
        ("SK S2 HK H2", 3),
        ("T1 CK T21 SK", 1),
        ("T9 T8 T7 T10", 2),
        ("S1 EX C1 C2", None),
    ],
)
def test_who_deals_first(drawn: str, dealer: int | None) -> None:
    """The lowest card; ties spade over heart over diamond over club."""
    assert seat_that_deals(drawn.split()) == dealer


@pytest.mark.parametrize(
    ("totals", "deals", "options", "expected"),
    [
        ([10, 30, -20, -20], 7, {"match_deals": 8}, None),
        ([10, 30, -20, -20], 8, {"match_deals": 8}, [1]),
        ([25, 25, -30, -20], 8, {"match_deals": 8}, [0, 1]),
        ([999, 0, -500, -499], 20, {"match_target": 1000}, None),
        ([1000, 0, -500, -500], 20, {"match_target": 1000}, [0]),
        ([1000, 0, -500, -500], 500, {}, None),
    ],
)
def test_end_of_a_match(
    totals: list[int], deals: int, options: dict[str, Any], expected: list[int] | None
) -> None:
    assert winners(totals, deals, read_options(options)) == expected
