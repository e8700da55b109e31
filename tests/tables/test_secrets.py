"""Secrets one by one: two deals that differ in what a seat cannot see look the same to it."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pytest
from reference.by_hand import (
    DECOUVERTE,
    DUMMY,
    FIVE,
    FOUR,
    SIX,
    TIRETTE,
    at_phase,
    say,
    suit,
    trumps,
)
from reference.by_hand import written as written_in
from reference.deals import NamedDeal
from reference.games import Game
from support.leak_checks import view_observation, view_turn
from support.lockstep import Both, Pair, as_set, written

from tarot_env import Tables
from tarot_env.cards import cardsets

LOW = "1 2 3 4 5 6 7 8 9 10"


def looks_the_same(one: Tables, other: Tables, viewers: Iterable[int]) -> bool:
    return all(
        view(one, np.array([0]), np.array([viewer]))
        == view(other, np.array([0]), np.array([viewer]))
        for view in (view_turn, view_observation)
        for viewer in viewers
    )


class Two:
    """The same said at two tables that differ in something."""

    def __init__(
        self,
        deals: Iterable[NamedDeal],
        options: Mapping[str, Any] | None = None,
        forced: tuple[int, str] | None = None,
        *,
        game: Game = FOUR,
    ) -> None:
        four = game.players == 4 or game.name == "mort"
        preset = "fft" if four or game.has_call else "jeu-de-tarot"
        self.both = [
            Both(**deal, options=options, forced=forced, preset=preset, game=game.name)
            for deal in deals
        ]

    def say(self, actions: str) -> "Two":
        for table in self.both:
            say(table, actions)
        return self

    def to(self, phase: str) -> "Two":
        for table in self.both:
            at_phase(table, phase)
        return self

    def same_to(self, *viewers: int) -> bool:
        one, other = self.both
        return looks_the_same(one.tables, other.tables, viewers)


def swapped(deal: NamedDeal, *pairs: tuple[str, str]) -> NamedDeal:
    """A deal with cards in each other's places."""
    names = {a: b for pair in pairs for a, b in (pair, pair[::-1])}

    def changed(pile: Any) -> Any:
        return names.get(pile, pile) if isinstance(pile, str) else [changed(c) for c in pile]

    return {name: pile if name == "dealer" else changed(pile) for name, pile in deal.items()}


# --- poignées


def threshold_deal(ten: bool) -> tuple[list[list[str]], list[str], int]:
    """Seat 1 has ten trumps, or nine; seats 0 and 2 hold the same cards in both."""
    second, fourth = ("T2-11 D1-8", "D9-K C3-K") if ten else ("T2-10 D1-9", "D10-K T11 C3-K")
    return written("S1-K H1-4", second, "H5-K T13-19 C1", fourth, "T1 T12 T20 T21 EX C2")


@pytest.mark.parametrize("viewer", [0, 2])
def test_nobody_hears_that_ten_trumps_are_held(viewer: int) -> None:
    """Two deals that differ in whether seat 1 is asked; also when it has declined."""
    asked, other = (Pair(threshold_deal(ten), (0, "garde_sans")) for ten in (True, False))
    for pair in (asked, other):
        pair.say("pass S1")
    assert (asked.phase, other.phase) == ("POIGNEE", "PLAY")
    assert looks_the_same(asked.tables, other.tables, [viewer])
    asked.say("pass")
    assert looks_the_same(asked.tables, other.tables, [viewer])
    for pair in (asked, other):
        pair.say("T2")
    assert looks_the_same(asked.tables, other.tables, [viewer])


@pytest.mark.parametrize("viewer", [0, 2, 3])
@pytest.mark.parametrize("options", [{}, {"poignee_excuse": "free"}])
def test_nobody_hears_of_a_poignee_before_it_is_shown(
    viewer: int, options: dict[str, object]
) -> None:
    """Nor which trump is withheld, nor how it was before the last one."""
    deal = written("S1-K H1-4", "T2-13 D1-6", "H5-K T14-20 C1", "D7-K C2-J", "T1 T21 EX CN-K")
    pair = Pair(deal, (0, "garde_sans"), **options).say("pass S1")
    at = np.array([0]), np.array([viewer])
    quiet = view_turn(pair.tables, *at)
    for answer in ("poignee", "T2"):
        pair.say(answer)
        assert pair.phase == "WITHHOLD"
        assert view_turn(pair.tables, *at) == quiet
    pair.say("T13")
    assert pair.phase == "PLAY"
    shown = pair.turn(viewer).poignee_cards[0, (1 - viewer) % 4]
    assert (shown == as_set([f"T{number}" for number in range(3, 13)])).all()
    assert not cardsets.count(pair.turn(viewer).withheld)[0]


def test_who_is_asked_before_the_first_trick() -> None:
    """Seats 1 and 2 have ten trumps, or nine; the leader and seat 3 hear nothing."""
    deal = written_in(
        {
            0: f"{suit('S', LOW)} {suit('H', '1 2 3 4 5 6 7 8')}",
            1: f"{trumps(11, 2)} {suit('D', '1 2 3 4 5 6 7 8')}",
            2: f"{trumps(20, 12)} T1 {suit('C', '1 2 3 4 5 6 7 8')}",
        },
        chien="T21 EX CK CQ CN CJ",
    )
    fewer = swapped(deal, ("T11", "CK"), ("T20", "CQ"))
    two = Two([deal, fewer], {"poignee_window": "before_first_trick"}, (0, "garde_sans"))
    asked, other = two.say("pass").both
    assert (asked.phase, asked.seat, other.phase, other.seat) == ("POIGNEE", 1, "PLAY", 0)
    assert two.same_to(3)
    leader = asked.tables.turn(np.array([0]), np.array([0]))
    assert (leader.phase[0], leader.to_act[0], leader.legal.any()) == (9, 0, False)
    say(asked, "pass")
    assert (asked.phase, asked.seat) == ("POIGNEE", 2)
    assert two.same_to(3)
    say(asked, "pass")
    assert two.same_to(0, 3)


# --- other questions that only one seat hears


def test_a_misere_that_is_not_declared() -> None:
    """Seat 1 has no trump, or one."""
    hand = f"{suit('D', '1 2 3 4 5 6 7 8 9 10 J N Q K')} {suit('H', '1 2 3')}"
    deal = written_in({0: f"H8 {trumps(21, 12)} ...", 1: f"{hand} H4", 2: "T2 S2 ..."})
    two = Two([deal, swapped(deal, ("H4", "T2"))], {"misere": True}, (0, "garde_sans"))
    two.to("PLAY").say("H8")
    assert [table.phase for table in two.both] == ["MISERE", "PLAY"]
    assert two.same_to(0, 3)
    say(two.both[0], "pass")
    assert two.same_to(0, 3)
    two.say("H1")
    assert two.same_to(0, 3)


@pytest.mark.parametrize("options", [{"weak_hand_redeal": "no_trumps"}, {"petit_sec": "optional"}])
def test_a_redeal_that_is_not_asked_for(options: dict[str, object]) -> None:
    """Seat 1 has nothing, or a petit sec, or neither: the auction opens for the others."""
    hand = f"{suit('D', LOW)} {suit('H', '1 2 3 4 5 6 7')}"
    lone = "T1" if "petit_sec" in options else "H8"
    hands = {0: "T3 ...", 1: f"{hand} {lone}", 2: "T4 ...", 3: "T2 T5 ..."}
    deal = written_in(hands)
    two = Two([deal, swapped(deal, (lone, "T2"))], options)
    assert [table.phase for table in two.both] == ["PETIT_SEC", "AUCTION"]
    first = two.both[0].tables.turn(np.array([0]), np.array([0]))
    assert (first.phase[0], first.to_act[0], first.legal.any()) == (1, 0, False)
    assert two.same_to(2)
    say(two.both[0], "pass")
    assert two.same_to(0, 2)
    two.say("pass garde")
    assert two.same_to(0, 2)


def test_a_petit_that_nobody_can_take() -> None:
    """Seat 1 has it alone, or with another trump."""
    hand = f"{suit('D', LOW)} {suit('H', '1 2 3 4 5 6')} T1"
    deal = written_in({0: f"S1 {trumps(21, 12)} ...", 1: f"{hand} H7", 2: "T2 S2 ..."})
    options = {"petit_sec": "imprenable"}
    two = Two([deal, swapped(deal, ("H7", "T2"))], options, (0, "garde_sans")).to("PLAY")
    assert [table.imprenable for table in two.both] == [1, None]
    assert two.same_to(0, 3)
    two.say("S1 T1")
    assert two.same_to(0, 3)
    turn = two.both[0].tables.turn(np.array([0]), np.array([3]))
    assert not turn.void.any(), "a petit that nobody can take may be played at any time"


# --- écarts


@pytest.mark.parametrize("viewer", [1, 2, 3])
def test_the_ecart_is_secret(viewer: int) -> None:
    """Two écarts of the same deal, of plain cards: the same view, until a card shows."""
    deal = written("T1-8 S1-10", "SJ-K H1-K", "T9-17 D1-9", "D10-K C1-10 T18-20", "T21 EX CJ-K")
    one, two = (Pair(deal, (0, "garde")).say(cards) for cards in ("S1-6", "S5-10"))
    assert looks_the_same(one.tables, two.tables, [viewer])
    assert not looks_the_same(one.tables, two.tables, [0])


def test_the_partners_of_six_do_not_see_each_others_ecart() -> None:
    deal = written_in({0: f"{suit('S', LOW)} ...", 3: f"{suit('H', LOW)} ..."}, game=SIX)
    for said, others in (
        (("S1 S2 S3 H1 H2 H3", "S4 S5 S6 H1 H2 H3"), (1, 2, 3, 4, 5)),
        (("S1 S2 S3 H1 H2 H3", "S1 S2 S3 H4 H5 H6"), (0, 1, 2, 4, 5)),
    ):
        two = Two([deal, deal], {"petit_sec": "off"}, (0, "garde"), game=SIX).say("first_half")
        for table, cards in zip(two.both, said, strict=True):
            say(table, cards)
        assert two.same_to(*others)
        assert not two.same_to(*({0, 3} - set(others)))


# --- five players: who is the partner


def test_who_has_the_called_king() -> None:
    """Seat 2, seat 3, the chien or the taker: the others hear no more until it is played."""
    deal = written_in({0: f"S1 {trumps(21, 16)} ...", 2: "HK S2 ...", 3: "D2 S3 ..."},
                      chien="D3 ...", game=FIVE)  # fmt: skip
    places = {"3": ("HK", "D2"), "chien": ("HK", "D3")}
    for place, pair in places.items():
        two = Two([deal, swapped(deal, pair)], {"petit_sec": "off"}, (0, "garde_sans"), game=FIVE)
        two.say("HK").to("PLAY")
        assert two.both[0].partner == 2
        assert two.both[1].partner == (3 if place == "3" else None)
        assert two.same_to(0, 1, 4), "the taker does not know either"
        assert not two.same_to(2)
        two.say("S1")
        assert two.same_to(0, 4)
    own = Two([deal, swapped(deal, ("HK", "T16"))], {"petit_sec": "off"}, (0, "garde_sans"),
              game=FIVE)  # fmt: skip
    own.say("HK")
    assert own.same_to(1, 3, 4)
    known = own.both[1].tables.turn(np.array([0]), np.array([0]))
    assert known.partner[0] == 0, "a taker that holds it knows that it is alone"


# --- two players: what lies face down


def test_covered_cards_are_hidden_from_their_owner_too() -> None:
    """Until they are turned up: as the card on them is played, or after the trick."""
    deal = written_in({0: "S1 S2 ...", 1: "S3 S4 ..."}, rest="D1 D2 D3 D4 ...", game=DECOUVERTE)
    for reveal, shows_at_once in (("immediate", True), ("after_trick", False)):
        two = Two([deal, swapped(deal, ("D2", "D4"))],
                  {"decouverte_reveal": reveal}, (0, "garde_sans"), game=DECOUVERTE)  # fmt: skip
        two.to("PLAY")
        assert two.same_to(0, 1)
        two.say("D1")
        assert two.same_to(0, 1) != shows_at_once
        two.say(two.both[0].legal()[0])
        assert not two.same_to(0)
        assert not two.same_to(1)


def test_the_order_of_the_stock() -> None:
    """A card is seen when it is drawn, the bottom one when the play begins."""
    deal = written_in({0: "SK ...", 1: "S1 ..."}, game=TIRETTE)
    stock = deal["stock"]
    second = swapped(deal, (stock[2], stock[4]))
    two = Two([deal, second], None, (0, "garde_sans"), game=TIRETTE).to("PLAY")
    assert two.same_to(0, 1)
    two.say("SK S1")
    assert two.same_to(0, 1), "the first two cards are the same"
    two.say(two.both[0].legal()[-1])
    two.say(two.both[0].legal()[-1])
    assert not two.same_to(0)
    assert not two.same_to(1)
    bottom = Two([deal, swapped(deal, (stock[2], stock[-1]))], None, (0, "garde_sans"),
                 game=TIRETTE)  # fmt: skip
    assert bottom.same_to(0, 1)
    bottom.say("pass")
    assert not bottom.same_to(0)
    assert not bottom.same_to(1)


@pytest.mark.parametrize("reveal", ["after_first_card", "after_ecart"])
def test_a_dummy_before_it_lies_open(reveal: str) -> None:
    """The dummy and the defender have a card the other way round, and the taker cannot tell."""
    deal = written_in({1: "C1 ...", 2: "C2 ..."}, game=DUMMY)
    options = {"dummy_reveal": reveal}
    two = Two([deal, swapped(deal, ("C1", "C2"))], options, (0, "garde"), game=DUMMY)
    assert two.same_to(0)
    two.to("SLAM")
    assert two.same_to(0) == (reveal == "after_first_card")
    two.say("pass")
    two.say(two.both[0].legal()[0])
    assert not two.same_to(0)


def test_a_dummy_before_the_auction_is_over() -> None:
    """It has a card of the chien, and nobody can tell until the chien is turned up."""
    deal = written_in({2: "C2 ..."}, chien="C3 ...", game=DUMMY)
    two = Two([deal, swapped(deal, ("C2", "C3"))], game=DUMMY)
    assert two.same_to(0, 1)
    two.say("pass")
    assert two.same_to(0, 1)
    two.say("garde")
    assert not two.same_to(0)
