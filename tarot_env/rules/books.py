"""The games and the rule books: sizes, which book describes which game, where they differ.

Plain tables, from RULES.md 1 and 14; what the options mean stands in `options`.
"""

from functools import cache
from typing import NamedTuple


class Game(NamedTuple):
    """The sizes of a game."""

    title: str
    players: int
    hands: int  # one more than the players where there is a dummy
    hand_size: int
    chien_size: int
    tricks: int
    cards_per_trick: int
    packet: int
    thresholds: tuple[int, int, int] | None  # of the poignées


GAMES = {
    "3": Game("three players", 3, 3, 24, 6, 24, 3, 4, (13, 15, 18)),
    "4": Game("four players", 4, 4, 18, 6, 18, 4, 3, (10, 13, 15)),
    "5": Game("five players, a king is called", 5, 5, 15, 3, 15, 5, 3, (8, 10, 13)),
    "mort": Game("five players, the dealer sits out", 5, 5, 18, 6, 18, 4, 3, (10, 13, 15)),
    "6": Game("six players in three partnerships", 6, 6, 12, 6, 12, 6, 3, (6, 8, 11)),
    "decouverte": Game("two players, La Découverte", 2, 2, 12, 6, 36, 2, 4, None),
    "tirette": Game("two players, La Tirette", 2, 2, 24, 6, 36, 2, 4, None),
    "dummy": Game("two players and a dummy", 2, 3, 24, 6, 24, 3, 4, None),
}
"""The games by name: the number of players, or a name of its own."""

DUMMY = 2
"""The hand that the defender plays in the game with a dummy; at everybody's place 2."""

TWO_PLAYERS = ("decouverte", "tirette", "dummy")
WITH_POIGNEES = ("3", "4", "5", "mort", "6")
EVERYWHERE = tuple(GAMES)


PRESETS: dict[str, tuple[str, ...]] = {
    "fft": ("3", "4", "5", "mort"),
    "pagat": ("3", "4", "5"),
    "wikipedia": ("3", "4", "5"),
    "jeu-de-tarot": ("3", "4", "5", "6", "decouverte", "tirette", "dummy"),
    "online": ("4",),
}
"""The rule books and the games that each describes."""

CHANGES: dict[str, dict[str, object]] = {
    "fft": {},
    "pagat": {
        "excuse_last_trick": "trick_winner",
        "excuse_wins_slam_trick": "led_only",
        "poignee_counts_shown_discards": False,
        "shuffle": "gather_and_cut",
        "chien_exclusion": 3,
    },
    "wikipedia": {
        "slam_window": "with_bid",
        "excuse_last_trick_refund": False,
        "poignee_bonus": (20, 40, 60),
        "poignee_show": "at_least",
        "poignee_counts_shown_discards": False,
        "half_point": "exact",
        "auction": "until_passed",
        "shuffle": "gather_and_cut",
        "first_dealer": "drawn",
    },
    "jeu-de-tarot": {
        "first_lead": "taker",
        "slam_bonus": (400, 200, -400),
        "excuse_last_trick": "owner_keeps",
        "petit_au_bout_second_last": False,
        "poignee_window": "before_first_trick",
        "poignee_counts_shown_discards": False,
        "petit_sec": "optional",
        "petit_sec_excuse_protects": False,
        "call_own_king": False,
        "first_lead_bans_called_suit": False,
        "chien_exclusion": 6,
    },
    "online": {
        "excuse_last_trick": "trick_winner",
        "excuse_wins_slam_trick": "never",
        "petit_au_bout_second_last": False,
        "poignee_window": "before_first_trick",
        "poignee_counts_shown_discards": False,
        "half_point": "taker",
        "match_deals": 8,
    },
}
"""What each rule book has otherwise than FFT (RULES.md 14.1)."""

PACKETS = {("wikipedia", "3"): 3, ("jeu-de-tarot", "5"): 5}


@cache
def longest_partnership_auction(
    best: int = 0, contra: int = 0, place: int = 0, passes: int = 0
) -> int:
    """Most calls from here on in an auction of six (RULES.md 4.5).

    Args:
        best: the best bid, 0 for none, 5 for a garde contre.
        contra: 1 when it has been contred, 2 when recontred.
        place: who speaks, counted from the best bidder.
        passes: in a row.
    """
    if passes == (5 if best else 6) or (best, contra) == (5, 2):
        return 0
    partner = place % 3 == 0
    rest = [longest_partnership_auction(best, contra, place + 1, passes + 1)]
    rest += [longest_partnership_auction(bid, 0, 1) for bid in range(best + 1, 6)]
    if best and contra == (1 if partner else 0):
        rest.append(longest_partnership_auction(best, contra + 1, place + 1))
    only_passes = best == 5 and len(rest) == 1
    return max(rest) + (not only_passes)
