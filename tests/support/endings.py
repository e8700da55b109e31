"""Endings for the tests of the solver, and what they are worth by plain minimax over `Tables`."""

import numpy as np

from tarot_env import Bid, Phase, Rules, Tables
from tarot_env.cards import cardsets
from tarot_env.core import scoring
from tarot_env.core.state import Columns, attackers
from tarot_env.rules import TARGET_POINTS

CONTRACTS = (Bid.PETITE, Bid.GARDE, Bid.GARDE_SANS, Bid.GARDE_CONTRE)
NO_VALUE = -(2**62)


def endings(rules: Rules, left: int, number: int, *, seed: int) -> Tables:
    """Tables in card play with so many tricks left, the first of them begun or not.

    Play is at random, but a hand plays an oudler only where it has nothing else, so that the
    last tricks hold them; and much hangs on these, see `sharpen`.
    """
    tables = Tables(rules, number, seed=seed)
    rng = np.random.default_rng(seed)
    rows = np.flatnonzero(~tables.is_over)
    takers = rng.integers(rules.players, size=len(rows))
    contracts = rng.choice(CONTRACTS, size=len(rows))
    tables.force(rows, takers, contracts)
    begun = rng.integers(rules.players, size=number)
    while True:
        state = tables.columns
        number_now = state.trick_number[rows]
        early = (state.phase[rows] != Phase.PLAY) | (number_now < rules.tricks - left)
        early |= (number_now == rules.tricks - left) & (state.trick_size[rows] < begun[rows])
        here = rows[early]
        if not len(here):
            break
        legal = tables.legal_sets()[here]
        in_play = state.phase[here] == Phase.PLAY
        common = cardsets.where(in_play, legal & ~cardsets.OUDLERS, legal)
        chosen = cardsets.first_nonempty(common, legal)
        tables.step(cardsets.random_member(chosen, rng), here)
    taken = tables.take(rows)
    sharpen(taken, rng)
    return Tables.of_state(rules, taken.state, taken.events)  # what is legal may be otherwise now


def sharpen(tables: Tables, rng: np.random.Generator) -> None:
    """Tells another story of the tricks before: a slam or the contract still hangs in the balance.

    At a quarter of the tables the attack has won all of them, or all but a few where a petit
    chelem counts, at another quarter the defence has; at a quarter the attack has as many points
    as make the contract if it gets half of those that are left.
    """
    state, rules = tables.columns, tables.rules
    attack = attackers(state, np.arange(tables.num_tables))
    for row in range(tables.num_tables):
        story = rng.integers(4)
        if story < 2:
            few = int(rng.integers(4)) if story and rules.petit_chelem else 0
            give_tricks(state, row, attack[row] == bool(story), but=few)
        elif story == 2:
            balance(tables, row, attack[row])
        state.slam_announced[row] = rng.random() < 0.4
        if rules.petit_chelem and not state.slam_announced[row]:
            state.petit_chelem_announced[row] = rng.random() < 0.5
        if rules.petit_sec == "imprenable":
            holds = ((state.hands[row] & cardsets.PETIT) != 0).any(1)
            state.imprenable[row] = int(holds.argmax()) if holds.any() else -1


def give_tricks(state: Columns, row: int, side: np.ndarray, *, but: int) -> None:
    """One side has won all tricks so far but a few, and all their points."""
    seat, other = int(np.flatnonzero(side)[0]), int(np.flatnonzero(~side)[0])
    half_points = state.trick_half_points[row].sum()
    few = min(but, int(state.trick_number[row]))
    state.tricks_won[row], state.trick_half_points[row] = 0, 0
    state.tricks_won[row, seat] = state.trick_number[row] - few
    state.tricks_won[row, other] = few
    state.trick_half_points[row, seat] = half_points
    won = state.oudler_winner[row]
    state.oudler_winner[row] = np.where(won >= 0, seat, -1)


def balance(tables: Tables, row: int, attack: np.ndarray) -> None:
    """The attack needs about half of the points that are left; the others lose the rest."""
    state, rows = tables.columns, np.array([row])
    (left,) = cardsets.half_points(np.bitwise_or.reduce(state.hands[rows], axis=1))
    facts = scoring.facts_of(state, rows, tables.rules)
    missing = 2 * TARGET_POINTS[2] - int(left) // 2 - int(facts.attack_half_points[0])
    seat = int(np.flatnonzero(attack)[0])
    state.trick_half_points[row, seat] = max(0, state.trick_half_points[row, seat] + missing)


def paid(tables: Tables) -> np.ndarray:
    """What each defender pays the attack at finished tables, in half points."""
    rows = np.arange(tables.num_tables)
    facts = scoring.facts_of(tables.columns, rows, tables.rules)
    return scoring.payment(facts, tables.rules).total


def minimax(tables: Tables) -> np.ndarray:
    """The value of each legal card [n, 78] by playing out everything, `NO_VALUE` for the others.

    Depth by depth: all tables that can come about from all tables, without any shortcut.
    """
    depths = []
    now = tables
    while not now.is_over.all():
        legal = now.legal_actions()
        legal[now.is_over, 0] = True  # a finished table goes on as it is, and takes no step
        parents, cards = np.nonzero(legal)
        rows = np.arange(now.num_tables)
        attacks = attackers(now.columns, rows)[rows, now.columns.seat]
        depths.append((parents, cards, attacks))
        now = now.take(parents)
        now.step(cards)
    values = paid(now)
    for parents, _cards, attacks in reversed(depths):
        children = values
        most, least = np.full(len(attacks), -(2**62)), np.full(len(attacks), 2**62)
        np.maximum.at(most, parents, children)
        np.minimum.at(least, parents, children)
        values = np.where(attacks, most, least)
    by_card = np.full((tables.num_tables, 78), NO_VALUE)
    by_card[depths[0][0], depths[0][1]] = children
    return by_card
