"""Positions of any game for the tests of agents: written deals brought to a question."""

from collections.abc import Mapping

import numpy as np
from every_game import rules_of
from reference.by_hand import written
from reference.games import find_game

from agents.heuristic import HeuristicAgent
from tarot_env import Deal, Rules, Tables
from tarot_env.actions import action_text, parse_action

POIGNEE_GAMES = ("3", "4", "5", "mort", "6")


def table_of(
    game: str,
    hands: Mapping[int, str] | None = None,
    *,
    chien: str = "...",
    rest: str = "...",
    dealer: int | None = None,
    forced: tuple[int, str] | None = None,
    rules: Rules | None = None,
    **options: object,
) -> Tables:
    """One table with a written deal; seat 0 speaks first unless a dealer is named.

    Args:
        game: a key of `GAMES`.
        hands: by hand; `...` stands for cards of no interest.
        chien: its cards.
        rest: the stock or the piles.
        dealer: who deals.
        forced: seat and contract, instead of an auction.
        rules: default: those of `every_game`, where a lone petit is no reason to stop.
        options: overridden options of these.
    """
    players, name = (int(game), None) if game.isdigit() else (None, game)
    deal = written(hands, chien=chien, rest=rest, dealer=dealer, game=find_game(players, name))
    contract = None if forced is None else (forced[0], forced[1])
    if rules is None:
        has_petit_sec = game in POIGNEE_GAMES
        rules = rules_of(game, **({"petit_sec": "off"} if has_petit_sec else {}), **options)
    return Tables.from_deals(rules, [Deal.from_text(**deal, forced=contract)])


def say(tables: Tables, actions: str) -> Tables:
    """Gives answers in turn."""
    for action in actions.split():
        tables.step(np.array([parse_action(action)]))
    return tables


def answer(tables: Tables, agent: HeuristicAgent | None = None) -> str:
    """What the heuristic says or plays at a table."""
    chosen = (agent or HeuristicAgent()).act(tables.turn(), np.random.default_rng(0))
    return action_text(int(chosen[0]))


def ask_until(tables: Tables, phase: int) -> Tables:
    """Lets the heuristic answer until a phase comes."""
    while tables.phase[0] != phase:
        say(tables, answer(tables))
    return tables
