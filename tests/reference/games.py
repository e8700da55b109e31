"""The games: how many play, and how the pack is dealt out (RULES.md 12).

A hand is a place at the table that plays cards. It is a seat's, but for the dummy of two players.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .cards import PACK

Pile = list[str]


@dataclass(frozen=True)
class Game:
    """One of the games.

    Attributes:
        name: None where the number of players says which game it is.
        players: seats that get a score.
        hand_size: cards in a hand that is dealt.
        chien_size: cards in the chien.
        tricks: number of tricks.
        packet: cards dealt at a time.
        stock_size: cards left to draw from (Tirette).
        piles: piles of two cards in front of each seat (Découverte).
    """

    name: str | None
    players: int
    hand_size: int
    chien_size: int
    tricks: int
    packet: int
    stock_size: int = 0
    piles: int = 0

    @property
    def has_dummy(self) -> bool:
        """Two players and a third hand, which the defender plays."""
        return self.name == "dummy"

    @property
    def has_dead_hand(self) -> bool:
        """Five players, of whom the dealer sits out."""
        return self.name == "mort"

    @property
    def has_call(self) -> bool:
        """Five players, the holder of a called card being the taker's partner."""
        return self.name is None and self.players == 5

    @property
    def has_partnerships(self) -> bool:
        """Six players, partners sitting opposite."""
        return self.players == 6

    @property
    def hands(self) -> int:
        return 3 if self.has_dummy else self.players

    def order_of_play(self, dealer: int) -> list[int]:
        """The hands in order, the dealer's right-hand neighbour first."""
        if self.has_dummy:
            return [1 - dealer, 2, dealer]
        to_the_right = [(dealer + place) % self.players for place in range(1, self.players + 1)]
        return to_the_right[:-1] if self.has_dead_hand else to_the_right

    def bidders(self, dealer: int) -> list[int]:
        """The seats that speak in the auction, in order."""
        return [hand for hand in self.order_of_play(dealer) if hand < self.players]

    def hand_sizes(self, dealer: int) -> list[int]:
        """Cards dealt to each hand."""
        playing = self.order_of_play(dealer)
        return [self.hand_size if hand in playing else 0 for hand in range(self.hands)]


GAMES = (
    Game(None, players=3, hand_size=24, chien_size=6, tricks=24, packet=4),
    Game(None, players=4, hand_size=18, chien_size=6, tricks=18, packet=3),
    Game(None, players=5, hand_size=15, chien_size=3, tricks=15, packet=3),
    Game(None, players=6, hand_size=12, chien_size=6, tricks=12, packet=3),
    Game("mort", players=5, hand_size=18, chien_size=6, tricks=18, packet=3),
    Game("decouverte", players=2, hand_size=12, chien_size=6, tricks=36, packet=4, piles=12),
    Game("tirette", players=2, hand_size=24, chien_size=6, tricks=36, packet=4, stock_size=24),
    Game("dummy", players=2, hand_size=24, chien_size=6, tricks=24, packet=4),
)


def find_game(players: int | None = 4, name: str | None = None) -> Game:
    """The game of that name, or the one of so many players.

    Raises:
        ValueError: if there is none.
    """
    for game in GAMES:
        if game.name == name and (name is not None or game.players == players):
            return game
    raise ValueError(f"no game {name!r} with {players} players")


def deal_out(pack: Sequence[str], game: Game, dealer: int) -> dict[str, Any]:
    """A deal from a pack in order: the hands, the chien, then the stock or the piles (design 1.4).

    Returns:
        `hands`, `chien`, `dealer` and where the game has them `stock` or `piles`: what a Referee
        takes.
    """
    rest = list(pack)
    hands = []
    for size in game.hand_sizes(dealer):
        hands.append(rest[:size])
        rest = rest[size:]
    deal: dict[str, Any] = {"hands": hands, "chien": rest[: game.chien_size], "dealer": dealer}
    return {**deal, **lay_out(rest[game.chien_size :], game)}


def lay_out(rest: Sequence[str], game: Game) -> dict[str, Any]:
    """What becomes of the cards beside hands and chien: a stock, or piles seat by seat."""
    if game.stock_size:
        return {"stock": list(rest)}
    if game.piles:
        pairs = [[rest[place], rest[place + 1]] for place in range(0, len(rest), 2)]
        return {"piles": [pairs[: game.piles], pairs[game.piles :]]}
    return {}


def check_deal(
    game: Game,
    hands: Sequence[Pile],
    chien: Pile,
    dealer: int,
    stock: Pile,
    piles: Sequence[Sequence[Pile]],
) -> None:
    """Raises ValueError if these are not the 78 cards in the places of the game."""
    if dealer not in range(game.players):
        raise ValueError(f"no seat {dealer} to deal")
    sizes = [len(hand) for hand in hands]
    if sizes != game.hand_sizes(dealer) or len(chien) != game.chien_size:
        raise ValueError(f"hands of {sizes} and a chien of {len(chien)}")
    if len(stock) != game.stock_size:
        raise ValueError(f"a stock of {len(stock)}")
    expected = [[2] * game.piles] * 2 if game.piles else []
    if [[len(pile) for pile in row] for row in piles] != expected:
        raise ValueError("not two rows of piles, each an upper and a lower card")
    cards = [card for hand in hands for card in hand] + chien + stock
    cards += [card for row in piles for pile in row for card in pile]
    if sorted(cards) != sorted(PACK):
        raise ValueError("not the 78 cards, each once")
