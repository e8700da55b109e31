"""Every game with a rule book that describes it, and the plainest ways to play a deal of it."""

import numpy as np

from tarot_env import Phase, Rules
from tarot_env.cards.actions import GARDE, PASS
from tarot_env.rules.books import PRESETS

GAMES = {
    "3": {"rules": "fft", "players": 3},
    "4": {"rules": "fft", "players": 4},
    "5": {"rules": "fft", "players": 5},
    "mort": {"rules": "fft", "game": "mort"},
    "6": {"rules": "jeu-de-tarot", "players": 6},
    "decouverte": {"rules": "jeu-de-tarot", "game": "decouverte"},
    "tirette": {"rules": "jeu-de-tarot", "game": "tirette"},
    "dummy": {"rules": "jeu-de-tarot", "game": "dummy"},
}
"""Arguments of an environment by the name of the game."""
PAIRS = [(preset, game) for preset, games in PRESETS.items() for game in games]
"""Every rule book with each game that it describes."""
JDT = "jeu-de-tarot"
HOUSE_RULES = {
    "announcements": ("fft", "3", {"misere": True, "petit_chelem": True, "weak_hand_redeal": 9}),
    "a petit that nobody can take": ("fft", "5", {"petit_sec": "imprenable", "misere": True}),
    "no petite": ("fft", "4", {"with_petite": False, "auction": "until_passed"}),
    "free poignées": (
        "fft",
        "5",
        {"poignee_show": "at_least", "poignee_excuse": "free", "poignee_thresholds": (4, 6, 8)},
    ),
    "called card": ("fft", "5", {"may_discard_called_card": True, "call_own_king": False}),
    "weak hands": (JDT, "6", {"weak_hand_redeal": "no_trumps", "petit_chelem": True}),
    "turned later": (JDT, "decouverte", {"decouverte_reveal": "after_trick"}),
    "laid open early": (JDT, "dummy", {"dummy_reveal": "after_ecart", "slam_window": "with_bid"}),
    "loser draws": (JDT, "tirette", {"tirette_draw_first": "loser", "auction": "until_passed"}),
}
"""Rules that no book has: preset, game, options."""


def rules_of(name, **options):
    """The rules of a game, with options overridden."""
    arguments = GAMES[name] | options
    return Rules.preset(arguments.pop("rules"), **arguments)


def rules_by(preset, game, **options):
    """The rules of a game by a rule book, with options overridden."""
    if game.isdigit():
        return Rules.preset(preset, players=int(game), **options)
    return Rules.preset(preset, game=game, **options)


def play(tables, rng):
    """Plays table 0 to its end, at random but for a bid, so that it is not thrown in."""
    while not tables.is_over[0]:
        action = tables.random_actions(rng)
        bids = tables.phase[0] == Phase.AUCTION and tables.taker[0] < 0
        if bids and tables.legal_actions()[0, GARDE]:
            action = np.array([GARDE])
        tables.step(action)


def pass_out(tables):
    """Lets everybody pass at table 0."""
    while not tables.is_over[0]:
        tables.step(np.array([PASS]))
