"""Every game with a rule book that describes it, and the plainest ways to play a deal of it."""

import numpy as np

from tarot_env import Phase, Rules
from tarot_env.actions import GARDE, PASS

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


def rules_of(name, **options):
    """The rules of a game, with options overridden."""
    arguments = GAMES[name] | options
    return Rules.preset(arguments.pop("rules"), **arguments)


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
