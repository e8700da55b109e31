"""What users hand to an environment, checked: rules, seats, actions, deals, opponents."""

import inspect
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import islice
from typing import Any, cast

import numpy as np

from tarot_env.cards import NUM_CARDS
from tarot_env.cards.actions import NUM_ACTIONS, Bid, parse_card
from tarot_env.core.arguments import (
    card_ids,
    forced_pair,
    is_int,
    is_sequence,
    parse_seat,
    pile_ids,
)
from tarot_env.core.dealing import NUM_PILES, Deal, check_contract, check_seed, parse_contract
from tarot_env.errors import (
    IllegalAction,
    InvalidDeal,
    InvalidRules,
    TarotError,
    count_noun,
    short_repr,
    unknown_name,
)
from tarot_env.rules import Rules, is_exactly
from tarot_env.tables import Agent, UniformAgent
from tarot_env.tables.agent import check_fair, check_game, check_is_made


def parse_rules(
    rules: object,
    players: int | None,
    game: str | None,
    options: Mapping[str, object],
    environment: Callable[..., object],
) -> Rules:
    """The rules that an environment's arguments name.

    Args:
        rules: a preset's name, or a finished `Rules` value.
        players: number of players; 4 if nothing says otherwise.
        game: a game of the preset that is not named by its number of players.
        options: overridden options.
        environment: it, whose own arguments are suggested beside options for unknown ones.

    Raises:
        InvalidRules: what is wrong, and what is allowed; also players or a game that are not those
            of a `Rules` value.
    """
    known = [*_argument_names(environment), *(option.name for option in Rules.options())]
    for name in options:
        if name not in known:
            raise unknown_name("argument or rule option", name, known, InvalidRules)
    if isinstance(rules, str):
        return Rules.preset(rules, players, game, **cast(dict[str, Any], options))
    if not isinstance(rules, Rules):
        raise InvalidRules(f"rules={short_repr(rules)}; give a preset's name or a Rules value")
    said = {"players": (players, rules.players), "game": (game, rules.game)}
    for name, (given, played) in said.items():
        if given is not None and not is_exactly(given, played):
            raise InvalidRules(
                f"{name}={short_repr(given)}, but the rules are those of {rules.sizes.title}; "
                f"with a Rules value leave it out"
            )
    return Rules.from_dict(rules.to_dict() | dict(options)) if options else rules


def _argument_names(function: Callable[..., object]) -> list[str]:
    parameters = inspect.signature(function).parameters.values()
    return [p.name for p in parameters if p.kind is not p.VAR_KEYWORD]


def parse_action(action: object) -> int:
    """An action as handed to `step`: a Python or numpy whole number.

    Whether it is legal, the table says.

    Raises:
        IllegalAction: anything else, or a number that is no action of any game.
    """
    if isinstance(action, bool | np.bool_):
        raise IllegalAction(f"{short_repr(action)} is no action; give a whole number")
    try:
        number = operator.index(cast(Any, action))
    except TypeError:
        raise IllegalAction(f"{short_repr(action)} is no action; give a whole number") from None
    if not -(2**62) < number < 2**62:
        raise IllegalAction(
            f"action {short_repr(number)} is none; actions are 0 to {NUM_ACTIONS - 1}"
        )
    return number


def check_render_mode(render_mode: object, allowed: Sequence[str]) -> None:
    """Checks that a render mode is None or an allowed one.

    Raises:
        InvalidRules: no such render mode.
    """
    if render_mode is not None and not (isinstance(render_mode, str) and render_mode in allowed):
        raise unknown_name("render_mode", render_mode, allowed, InvalidRules)


def check_reset(seed: object, options: object) -> tuple[int | None, Mapping[str, Any]]:
    """What is handed to `reset`: the seed, and the options, empty for None.

    Keys that mean nothing here are left to others, such as wrappers, but not a misspelt `deal`, nor
    a part of one that does not stand in it.

    Raises:
        InvalidDeal: a seed that is none, or options that are no dict or would be lost.
    """
    given = {} if options is None else options
    if not isinstance(given, Mapping):
        raise InvalidDeal(f"options={short_repr(options)}; give a dict such as {{'deal': ..}}")
    for key in given:
        if isinstance(key, str) and key != "deal":
            if key in _PARTS:
                raise InvalidDeal(f"{key!r} is a part of a deal; write {{'deal': {{{key!r}: ..}}}}")
            if get_close_matches(key.lower(), ["deal"]):
                raise unknown_name("option of reset", key, ["deal"], InvalidDeal)
    return None if seed is None else check_seed(seed), given


# -- deals

_PARTS = ("hands", "chien", "stock", "piles", "dealer", "forced")


def given_deal(options: Mapping[str, Any], base: Deal, rules: Rules) -> Deal | None:
    """The deal that `reset(options={"deal": ...})` asks for; None where it asks for none.

    Args:
        options: as handed to `reset`; keys other than `deal` are not looked at.
        base: supplies the parts that are not given. Cards that are given leave it, and the rest of
            its pack fills the places that are left, in order.
        rules: what is played.

    Raises:
        InvalidDeal: what is given makes no deal of this game.
    """
    given = options.get("deal")
    if given is None:
        return None
    try:
        deal = given if isinstance(given, Deal) else _completed(given, base, rules)
    except TarotError as error:
        raise InvalidDeal(f"deal: {error}") from error
    deal.check(rules)
    return deal


def _completed(given: Any, base: Deal, rules: Rules) -> Deal:
    if not isinstance(given, Mapping):
        raise InvalidDeal(f"give a Deal or an object with any of {', '.join(_PARTS)}")
    for key in given:
        if key not in _PARTS:
            raise unknown_name("part", key, _PARTS, InvalidDeal)
    hands = _hands(given.get("hands"), rules)
    chien, stock = _cards(given.get("chien"), "the chien"), _cards(given.get("stock"), "the stock")
    piles = None if given.get("piles") is None else pile_ids(given["piles"], _card)
    dealer = given.get("dealer")
    if dealer is not None:
        dealer = parse_seat(dealer, rules, "dealer", InvalidDeal)
    forced = _contract(given["forced"], rules) if given.get("forced") is not None else base.forced
    changed = dealer not in (None, base.dealer)
    if not changed and not any(part is not None for part in (*hands, chien, stock, piles)):
        return replace(base, forced=forced)
    dealer = base.dealer if dealer is None else dealer
    in_piles = tuple(card for seat in piles or () for pile in seat for card in pile)
    taken = {card for part in (*hands, chien, stock, in_piles) for card in part or ()}
    rest = (card for card in base.pack if card not in taken)

    def filled(cards: tuple[int, ...] | None, size: int) -> tuple[int, ...]:
        return tuple(islice(rest, size)) if cards is None else cards

    sits_out = dealer if rules.dead_hand else -1
    sizes = [0 if seat == sits_out else rules.hand_size for seat in range(rules.hands)]
    return Deal(
        tuple(filled(hand, size) for hand, size in zip(hands, sizes, strict=True)),
        filled(chien, rules.chien_size),
        dealer,
        forced=forced,
        stock=filled(stock, len(base.stock)),
        piles=tuple(_pairs(filled(None, 2 * NUM_PILES)) for _ in base.piles)
        if piles is None
        else piles,
    )


def _pairs(cards: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Piles of an upper and a covered card."""
    return tuple(zip(cards[::2], cards[1::2], strict=False))


def _hands(hands: Any, rules: Rules) -> list[tuple[int, ...] | None]:
    if hands is None:
        return [None] * rules.hands
    if not is_sequence(hands) or len(hands) != rules.hands:
        what = "seat" if rules.hands == rules.players else "seat, and the dummy's"
        raise InvalidDeal(
            f"hands must be a list of {rules.hands}, one for each {what}; None for a hand that is "
            f"to be filled"
        )
    return [_cards(hand, f"hand of seat {seat}") for seat, hand in enumerate(hands)]


def _cards(cards: Any, what: str) -> tuple[int, ...] | None:
    return None if cards is None else card_ids(cards, what, _card)


def _card(card: Any) -> int:
    if isinstance(card, str):
        return parse_card(card)
    if not is_int(card) or not 0 <= card < NUM_CARDS:
        raise InvalidDeal(
            f"card {short_repr(card)}; allowed: 0 to {NUM_CARDS - 1}, or texts such as S1"
        )
    return int(card)


def _contract(forced: Any, rules: Rules) -> tuple[int, Bid]:
    seat, bid = forced_pair(forced)
    contract = parse_contract(bid, rules) if isinstance(bid, str) else bid
    check_contract(seat, contract, rules)
    return seat, Bid(contract)


# -- opponents


def parse_opponents(opponents: Any, rules: Rules) -> list[Agent]:
    """The opponents by place, the first to the right of the learner.

    Args:
        opponents: one agent for all other seats, one for each in the order of play, or None for
            uniformly random ones.
        rules: what is played.

    Raises:
        InvalidRules: a wrong number, or something that is no agent or sees all hands.
        TarotError: an agent that does not play the game.
    """
    others = rules.players - 1
    given = UniformAgent() if opponents is None else opponents
    listed = list(given) if isinstance(given, list | tuple) else [given] * others
    if len(listed) != others:
        raise InvalidRules(f"{count_noun(len(listed), 'opponent')}; give one agent, or {others}")
    for opponent in listed:
        if isinstance(opponent, str):
            raise InvalidRules(
                f"opponents={short_repr(opponent)}; give an agent itself, such as "
                f"agents.registry.make_agent({short_repr(opponent)})"
            )
        check_is_made(opponent, InvalidRules)
        name = str(getattr(opponent, "name", type(opponent).__name__))
        check_fair(name, opponent, "an environment", InvalidRules)
        if not callable(getattr(opponent, "act", None)):
            raise InvalidRules(f"{short_repr(opponent)} is no agent: it has no act(turn, rng)")
        check_game(opponent, rules)
    return listed
