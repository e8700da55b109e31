"""The referee's games: how the pack is dealt, three players, a dead hand (RULES.md 12.1, 12.4)."""

from typing import Any

import pytest
from reference import GAMES, PACK, Referee, deal_out, find_game, score_deal
from reference.by_hand import (
    DECOUVERTE,
    DUMMY,
    FIVE,
    LOW,
    MORT,
    SIX,
    THREE,
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
from reference.deals import FOUR
from reference.games import Game

ALL = [pytest.param(game, id=game.name or str(game.players)) for game in GAMES]


@pytest.mark.parametrize(
    ("game", "hands", "size", "chien", "rest", "tricks"),
    [
        (THREE, 3, 24, 6, 0, 24),
        (FOUR, 4, 18, 6, 0, 18),
        (FIVE, 5, 15, 3, 0, 15),
        (SIX, 6, 12, 6, 0, 12),
        (MORT, 4, 18, 6, 0, 18),
        (DECOUVERTE, 2, 12, 6, 48, 36),
        (TIRETTE, 2, 24, 6, 24, 36),
        (DUMMY, 3, 24, 6, 0, 24),
    ],
)
def test_shapes(game: Game, hands: int, size: int, chien: int, rest: int, tricks: int) -> None:
    assert hands * size + chien + rest == 78
    deal = deal_out(PACK, game, game.players - 1)
    assert [len(hand) for hand in deal["hands"] if hand] == [size] * hands
    assert len(deal["chien"]) == chien
    piles = [card for row in deal.get("piles", []) for pile in row for card in pile]
    assert len(deal.get("stock", [])) + len(piles) == rest
    assert game.tricks == tricks


def test_order_of_the_pack() -> None:
    """Hands by seat, the chien, then the stock, or the piles as up, down pairs."""
    cards = list(PACK)
    deal = deal_out(cards, TIRETTE, 0)
    assert deal == {
        "hands": [cards[:24], cards[24:48]],
        "chien": cards[48:54],
        "dealer": 0,
        "stock": cards[54:],
    }
    deal = deal_out(cards, DECOUVERTE, 1)
    assert deal["chien"] == cards[24:30]
    assert deal["piles"][0][:2] == [cards[30:32], cards[32:34]]
    assert deal["piles"][1][0] == cards[54:56]
    assert deal["piles"][1][11] == cards[76:]
    deal = deal_out(cards, MORT, 2)
    assert deal["hands"] == [cards[:18], cards[18:36], [], cards[36:54], cards[54:72]]
    assert deal_out(cards, DUMMY, 0)["hands"][2] == cards[48:72]


@pytest.mark.parametrize("game", ALL)
def test_every_deal_is_checked(game: Game) -> None:
    preset = "jeu-de-tarot" if game.players in (2, 6) else "fft"
    rules: dict[str, Any] = {"preset": preset, "game": game.name}
    deal = deal_out(PACK, game, 0)
    Referee(**deal, **rules)
    with pytest.raises(ValueError, match="78 cards"):
        Referee(**{**deal, "chien": [deal["hands"][1][0], *deal["chien"][1:]]}, **rules)
    with pytest.raises(ValueError, match="a chien of"):
        Referee(**{**deal, "chien": deal["chien"][1:]}, **rules)
    with pytest.raises(ValueError, match="no seat"):
        Referee(**{**deal, "dealer": game.players}, **rules)
    if game.stock_size:
        with pytest.raises(ValueError, match="a stock of"):
            Referee(**{**deal, "stock": []}, **rules)
    if game.piles:
        with pytest.raises(ValueError, match="rows of piles"):
            Referee(**{**deal, "piles": []}, **rules)


def test_no_such_game() -> None:
    with pytest.raises(ValueError, match="no game"):
        find_game(7)
    with pytest.raises(ValueError, match="no game"):
        find_game(2)
    with pytest.raises(ValueError, match="no game"):
        find_game(2, "bridge")


# Three players.


def test_three_players() -> None:
    referee = play_out(contracted(written({0: "S1 ..."}, game=THREE), "garde"))
    assert len(referee.tricks) == 24
    assert all(len(plays) == 3 for _leader, plays, _winner in referee.tricks)
    each = -referee.scores_half[1]
    assert referee.scores_half == [2 * each, -each, -each]


@pytest.mark.parametrize(
    ("count", "levels"), [(12, 0), (13, 1), (14, 1), (15, 2), (17, 2), (18, 3), (21, 3)]
)
def test_thresholds_of_three(count: int, levels: int) -> None:
    """13, 15 and 18 trumps."""
    deal = written({0: f"{trumps(21, 22 - count)} ..."}, chien="EX ...", game=THREE)
    referee = say(contracted(deal, "garde_contre"), "pass")
    assert (referee.phase == "POIGNEE") == (levels > 0)
    if levels:
        assert len(referee.legal()) == 1 + levels


def test_a_half_point_in_a_whole_deal() -> None:
    """Case 35. The defence wins one trick, S2 SK SQ: 17 half points; it has no oudler.

    The taker leads his trumps and kings, and S2 at last. 165 half points against 72 with three.
    """
    deal = written(
        {
            0: f"{trumps(21, 1)} HK DK S2",
            1: f"SK {suit('H', LOW)} HJ HN HQ {suit('D', LOW)}",
            2: f"SQ {suit('C', LOW)} CJ CN CQ {suit('S', '1 3 4 5 6 7 8 9 10')} SN",
        },
        chien="EX CK DJ DN DQ SJ",
        game=THREE,
    )
    referee = contracted(deal, "garde_sans")
    while referee.phase != "OVER":
        legal = referee.legal()
        cards = referee.hands[referee.seat]
        kept = [card for card in cards if card in legal and card not in ("SK", "SQ")]
        referee.apply("pass" if "pass" in legal else (kept or legal)[0])
    assert winners(referee) == [0] * 23 + [1]
    assert [card for _seat, card in referee.tricks[-1][1]] == ["S2", "SK", "SQ"]
    assert (referee.attack_half, referee.oudlers) == (182 - 17, 3)
    # 82.5 points against 36: 46.5, so 47.
    assert referee.scores_half[1] == -2 * (25 + 47) * 4
    exact = score_deal(
        **{"players": 3, "bid": "garde_sans", "taker": 0, "oudlers": 3, "attack_half": 165},
        options={"half_point": "exact"},
    )
    assert exact[1] == -(50 + 93) * 4


def test_excuse_payment_at_three() -> None:
    """The half of the margin is counted after the Excuse's card has been given."""
    deal = written({0: f"{trumps(21, 1)} HK DK CK", 1: "EX ..."}, game=THREE)
    referee = outcome(deal, "garde_sans")
    assert (referee.slam, referee.attack_half, referee.oudlers) == (1, 174, 2)


# A dead hand: seat 2 deals.


def test_dead_hand() -> None:
    deal = written({3: "S1 ..."}, dealer=2, game=MORT)
    referee = Referee(**deal, game="mort")
    seats = []
    while referee.phase == "AUCTION":
        seats.append(referee.seat)
        referee.apply("petite" if referee.seat == 3 else "pass")
    assert seats == [3, 4, 0, 1]
    assert at_phase(referee, "PLAY").seat == 3
    play_out(referee)
    assert [seat for seat, _card in referee.tricks[0][1]] == [3, 4, 0, 1]
    each = -referee.scores_half[0]
    assert referee.scores_half == [-each, -each, 0, 3 * each, -each]


def test_dead_hand_cannot_have_the_contract() -> None:
    deal = written(dealer=2, game=MORT)
    with pytest.raises(ValueError, match="no such contract"):
        Referee(**deal, game="mort", forced=(2, "garde"))


def test_dead_hand_plays_by_the_rules_of_four() -> None:
    """Handfuls of 10, 13 and 15; the first hand is the dealer's neighbour."""
    deal = written({0: f"{trumps(21, 12)} ..."}, dealer=4, game=MORT)
    referee = say(contracted(deal, "garde_contre", game="mort"), "pass")
    assert (referee.phase, referee.seat, referee.legal()) == ("POIGNEE", 0, ["pass", "poignee"])
    passed_out = say(Referee(**deal, game="mort", options={"petit_sec": "off"}), "pass " * 4)
    assert (passed_out.phase, passed_out.scores_half) == ("OVER", [0] * 5)


def test_scores_with_a_dead_hand_need_the_dealer() -> None:
    facts = {"game": "mort", "bid": "garde", "taker": 1, "oudlers": 1, "attack_half": 112}
    assert score_deal(**facts, dealer=3) == [-120, 360, -120, 0, -120]
    with pytest.raises(ValueError, match="which dealer"):
        score_deal(**facts)
