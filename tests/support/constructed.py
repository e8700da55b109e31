"""Positions of any game for the tests of agents: written deals brought to a question."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from reference.by_hand import written
from reference.games import find_game

from agents.base import Agent
from agents.hand_strength import strongest_seats
from agents.heuristic import HeuristicAgent
from support.every_game import rules_of
from support.legal_cards import legal_cards
from tarot_env import Deal, Rules, Tables
from tarot_env.cards import ANY, KIND, RANK, TRUMP, cardsets
from tarot_env.cards.actions import PASS, Bid, Phase, action_text, parse_action, parse_card
from tarot_env.tables import Turn


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
    described = find_game(players, name)
    deal = written(hands, chien=chien, rest=rest, dealer=dealer, game=described)
    if rules is None:
        has_petit_sec = described.players > 2
        rules = rules_of(game, **({"petit_sec": "off"} if has_petit_sec else {}), **options)
    return Tables.from_deals(rules, [Deal.from_text(**deal, forced=forced)])


def cards(text: str) -> np.ndarray:
    return cardsets.from_ids(parse_card(card) for card in text.split())


def position(
    hand: str,
    trick: str = "",
    *,
    leader: int,
    taker: int,
    unseen: str,
    voids: tuple[tuple[int, int], ...] = (),
    tricks_won: tuple[int, int, int, int] = (0, 4, 4, 4),
) -> Turn:
    """A turn of the play with four players, seats counted from the viewer.

    Args:
        hand: what the viewer holds.
        trick: cards on the table, the leader's first.
        unseen: cards in the other hands or the écart; every other card was played.
        voids: (seat, kind) that play has shown, kind 4 for trumps.
    """
    turn = Tables(Rules.preset(), 1, seed=0).turn()
    copied = ("played", "void", "trick_cards", "on_table")
    changed: dict[str, Any] = {name: np.copy(getattr(turn, name)) for name in copied}
    led, best_trump, best_rank, best_seat = ANY, 0, 0, -1
    for place, text in enumerate(trick.split()):
        card, seat = parse_card(text), (leader + place) % 4
        kind, rank = KIND[card], RANK[card]
        changed["trick_cards"][0, place] = changed["on_table"][0, seat] = card
        changed["played"][0, seat] |= cardsets.BIT[card]
        led = kind if led == ANY else led
        if kind == TRUMP and rank > best_trump:
            best_trump, best_seat = rank, seat
        elif kind == led and best_trump == 0 and rank > best_rank:
            best_rank, best_seat = rank, seat
    gone = cardsets.ALL_CARDS & ~cards(f"{hand} {trick} {unseen}")
    changed["played"][0, 1] |= gone
    for seat, kind in voids:
        changed["void"][0, seat, kind] = True
    held = cards(hand)[None]
    small = {
        "leader": leader, "taker": taker, "led": led, "best_trump": best_trump,
        "best_rank": best_rank, "best_seat": best_seat, "trick_size": len(trick.split()),
        "trick_number": 18 - len(hand.split()), "to_act": 0, "contract": Bid.GARDE,
        "phase": Phase.PLAY,
    }  # fmt: skip
    changed |= {name: np.array([value], np.int8) for name, value in small.items()}
    changed["tricks_won"] = np.array([tricks_won], np.int8)
    legal = legal_cards(held, changed["led"], changed["best_trump"])
    return turn.replace(hand=held, legal=legal, **changed)


def say(tables: Tables, actions: str) -> Tables:
    """Gives answers in turn."""
    for action in actions.split():
        tables.step(np.array([parse_action(action)]))
    return tables


def answer(tables: Tables, agent: Agent | None = None) -> str:
    """What an agent says or plays at a table, the heuristic if none is named."""
    chosen = (agent or HeuristicAgent()).act(tables.turn(), np.random.default_rng(0))
    return action_text(int(chosen[0]))


def ask_until(tables: Tables, phase: int) -> Tables:
    """Lets the heuristic answer until a phase comes."""
    while tables.phase[0] != phase:
        say(tables, answer(tables))
    return tables


def ending(hands: Mapping[int, str], *, leader: int, taker: int) -> Tables:
    """A table with four players and a garde of which these cards are left.

    Of the tricks before, which have no history, the seats won about the same number of points.
    """
    number, left = len(hands[0].split()), " ".join(hands.values())
    dealt = {seat: f"{held} ..." for seat, held in hands.items()}
    tables = table_of("4", dealt, forced=(taker, "garde"))
    state = tables.columns
    while tables.phase[0] != Phase.PLAY:
        may_go = tables.legal_sets() & ~cards(left)
        plain = cardsets.first_nonempty(may_go & cardsets.PLAIN, may_go)
        is_discard = tables.phase[0] == Phase.DISCARD
        tables.step(cardsets.lowest(plain).astype(np.int64) if is_discard else np.array([PASS]))
    for seat, held in hands.items():
        state.played[0, seat] = state.hands[0, seat] & ~cards(held)
        state.hands[0, seat] &= cards(held)
    state.trick_number[0] = 18 - number
    state.leader[0] = state.seat[0] = leader
    state.tricks_won[0] = np.bincount(np.arange(18 - number) % 4, minlength=4)
    gone = np.bitwise_or.reduce(state.played[0])
    state.trick_half_points[0] = cardsets.half_points((gone & ~cardsets.EXCUSE)[None])[0] // 4
    for column, oudler in enumerate((cardsets.PETIT, cards("T21"), cardsets.EXCUSE)):
        player = (state.played[0] & oudler).any(1)
        if player.any():
            for array in (state.oudler_player, state.oudler_winner):
                array[0, column] = player.argmax()
            state.oudler_trick[0, column] = 0
    return Tables.of_state(tables.rules, tables.state, tables.events)


def after(
    hands: Mapping[int, str],
    plays: str = "",
    *,
    taker: int,
    leader: int = 0,
    game: str = "4",
    called: str = "",
) -> Tables:
    """A table after these cards of a garde sans, in which nothing was announced.

    Args:
        hands: by seat; `...` stands for cards of no interest.
        plays: cards in order of play.
        leader: who leads to the first trick.
        called: the king that the taker named.
    """
    dealer = (leader - 1) % int(game)
    tables = table_of(game, hands, dealer=dealer, forced=(taker, "garde_sans"))
    for said in (called, *plays.split()):
        say(tables, said)
        while tables.phase[0] != Phase.PLAY:
            say(tables, "pass")
    return tables


def turns_of_play(
    rules: Rules, number: int = 24, seed: int = 1_000_017
) -> Iterator[tuple[Tables, np.ndarray, Turn]]:
    """Rows at a card to play, before each action of deals played at random, all contracts."""
    tables = Tables(rules, number, seed=seed)
    rows = np.flatnonzero((tables.phase == Phase.AUCTION) & (tables.columns.log_size == 0))
    contracts = np.array([Bid.GARDE, Bid.GARDE_SANS, Bid.GARDE_CONTRE])
    tables.force(rows, strongest_seats(tables, rows), contracts[rows % 3])
    rng = np.random.default_rng(0)
    while not tables.is_over.all():
        rows = np.flatnonzero(tables.phase == Phase.PLAY)
        if len(rows):
            yield tables, rows, tables.turn(rows)
        tables.step(tables.random_actions(rng))
