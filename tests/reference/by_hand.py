"""Deals written by hand, and ways to bring a deal to the point that a test is about."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from .cards import PACK
from .deals import FOUR, NamedDeal
from .games import Game, find_game, lay_out
from .referee import Referee
from .scoring import Trick

CASES = Path(__file__).parent.parent / "cases"

THREE, FIVE, SIX = find_game(3), find_game(5), find_game(6)
MORT, DECOUVERTE, TIRETTE, DUMMY = (
    find_game(None, name) for name in ("mort", "decouverte", "tirette", "dummy")
)

LOW = "1 2 3 4 5 6 7 8 9 10"


def cases(name: str) -> list[Any]:
    """The worked examples of a file, as pytest parameters."""
    found = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
    return [pytest.param(case, id=str(case["id"])) for case in found]


def trumps(high: int, low: int) -> str:
    """The trumps from `high` down to `low`, as text."""
    return " ".join(f"T{number}" for number in range(high, low - 1, -1))


def suit(letter: str, ranks: str) -> str:
    """Cards of one suit, as text."""
    return " ".join(letter + rank for rank in ranks.split())


def written(
    hands: Mapping[int, str] | None = None,
    *,
    chien: str = "...",
    rest: str = "...",
    dealer: int | None = None,
    game: Game = FOUR,
) -> NamedDeal:
    """A deal from text; `...` stands for cards of no interest, dealt in pack order.

    The hands then get what is left in their order, then the chien, and `rest` (the stock or the
    piles) the end of the pack. Without a dealer the last seat deals, so that seat 0 speaks first.
    """
    by = game.players - 1 if dealer is None else dealer
    sizes = [*game.hand_sizes(by), game.chien_size]
    texts = [(hands or {}).get(hand, "...") for hand in range(game.hands)]
    piles = [text.split() for text in (*texts, chien, rest)]
    mentioned = [card for pile in piles for card in pile]
    left = [card for card in PACK if card not in mentioned]
    for pile, size in zip(piles, (*sizes, len(PACK) - sum(sizes)), strict=True):
        if "..." in pile:
            place, missing = pile.index("..."), size + 1 - len(pile)
            pile[place : place + 1] = left[:missing]
            left = left[missing:]
        assert len(pile) == size, (len(pile), size)
    assert not left
    *dealt, in_chien, in_rest = piles
    return {"hands": dealt, "chien": in_chien, "dealer": by, **lay_out(in_rest, game)}


def play_out(referee: Referee, *, slam: str = "pass", levels: Iterable[str] = ()) -> Referee:
    """Play to the end: each seat sets aside and plays the first legal card that it has.

    Args:
        referee: a deal whose contract is known.
        slam: what the taker announces.
        levels: handfuls to show, in turn; then none.
    """
    to_show = list(levels)
    while referee.phase != "OVER":
        legal = referee.legal()
        if referee.phase == "SLAM":
            referee.apply(slam)
        elif referee.phase == "POIGNEE":
            referee.apply(to_show.pop(0) if to_show else "pass")
        elif referee.phase in ("DISCARD", "PLAY"):
            cards = referee.playable(referee.hand_to_play)
            referee.apply(next(card for card in cards if card in legal))
        else:
            referee.apply(legal[0] if "pass" not in legal else "pass")
    return referee


def contracted(
    deal: NamedDeal,
    bid: str,
    options: Mapping[str, Any] | None = None,
    *,
    preset: str = "fft",
    game: str | None = None,
) -> Referee:
    """Seat 0 has the contract; where a lone petit could stop the deal, it is no reason to."""
    has_petit_sec = find_game(len(deal["hands"]), game).players > 2
    changed = {**({"petit_sec": "off"} if has_petit_sec else {}), **(options or {})}
    return Referee(**deal, options=changed, forced=(0, bid), preset=preset, game=game)


def outcome(
    deal: NamedDeal, bid: str, options: Mapping[str, Any] | None = None, **more: Any
) -> Referee:
    """The deal played out with the contract forced on seat 0."""
    slam = more.pop("slam", "pass")
    return play_out(contracted(deal, bid, options, **more), slam=slam)


def at_phase(referee: Referee, phase: str) -> Referee:
    """Answer `pass`, or the first legal card, until the phase comes."""
    while referee.phase != phase:
        assert referee.phase != "OVER"
        legal = referee.legal()
        referee.apply("pass" if "pass" in legal else legal[0])
    return referee


def say(referee: Referee, actions: str) -> Referee:
    """Give answers in turn."""
    for action in actions.split():
        referee.apply(action)
    return referee


def trick(cards: str, winner: int, leader: int = 0, players: int = 4) -> Trick:
    """A finished trick from text."""
    plays = [((leader + place) % players, card) for place, card in enumerate(cards.split())]
    return leader, plays, winner


def winners(referee: Referee) -> list[int]:
    """Who won each trick."""
    return [winner for _leader, _plays, winner in referee.tricks]


def last_trick(referee: Referee) -> list[str]:
    """The cards of the last trick."""
    return [card for _hand, card in referee.tricks[-1][1]]
