"""What users hand to an environment, checked: rules, seats, actions, deals, opponents."""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, TypeVar, cast

import numpy as np

from tarot_env.actions import NUM_ACTIONS, Bid, parse_card
from tarot_env.agent import Agent, UniformAgent
from tarot_env.cards import NUM_CARDS
from tarot_env.dealing import NUM_PILES, Deal, check_contract, check_seed, parse_contract
from tarot_env.errors import IllegalAction, InvalidDeal, InvalidRules, TarotError, unknown_name
from tarot_env.rules import Rules

_T = TypeVar("_T")


def parse_rules(
    rules: object, players: int, game: str | None, options: Mapping[str, object]
) -> Rules:
    """The rules that an environment's arguments name.

    Args:
        rules: a preset's name, or a finished `Rules` value, with which `players` is not looked at.
        players: number of players, unless `game` sets it.
        game: a game of the preset that is not named by its number of players.
        options: overridden options.

    Raises:
        InvalidRules: what is wrong, and what is allowed.
    """
    if isinstance(rules, Rules):
        return Rules.from_dict(rules.to_dict() | dict(options)) if options else rules
    if not isinstance(rules, str):
        raise InvalidRules(f"rules={rules!r}; give a preset's name or a Rules value")
    if game is not None:
        return Rules.preset(rules, game=game, **cast(dict[str, Any], options))
    return Rules.preset(rules, players, **cast(dict[str, Any], options))


def parse_action(action: object) -> int:
    """An action as handed to `step`: a Python or numpy whole number.

    Whether it is legal, the table says.

    Raises:
        IllegalAction: anything else, or a number that is no action of any game.
    """
    if isinstance(action, bool | np.bool_):
        raise IllegalAction(f"{action!r} is no action; give a whole number")
    try:
        number = operator.index(cast(Any, action))
    except TypeError:
        raise IllegalAction(f"{action!r} is no action; give a whole number") from None
    if not -(2**62) < number < 2**62:
        raise IllegalAction(f"action {number:.3e} is none; actions are 0 to {NUM_ACTIONS - 1}")
    return number


def parse_seat(seat: object, rules: Rules) -> int:
    """A seat of the table.

    Raises:
        InvalidRules: no such seat.
    """
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < rules.players:
        raise InvalidRules(f"seat={seat!r}; allowed: 0 to {rules.players - 1}")
    return seat


def check_render_mode(render_mode: object, allowed: Sequence[str]) -> None:
    """Checks that a render mode is None or an allowed one.

    Raises:
        InvalidRules: no such render mode.
    """
    if render_mode is not None and render_mode not in allowed:
        raise unknown_name("render_mode", str(render_mode), allowed, InvalidRules)


def check_flags(**flags: object) -> None:
    """Checks that arguments that say yes or no are True or False.

    Raises:
        InvalidRules: another value.
    """
    for name, flag in flags.items():
        if not isinstance(flag, bool | np.bool_):
            raise InvalidRules(f"{name}={flag!r}; allowed: True, False")


def check_reset(seed: object, options: object) -> tuple[int | None, Mapping[str, Any]]:
    """What is handed to `reset`: the seed, and the options, empty for None.

    Raises:
        InvalidDeal: a seed that is none, or options that are no dict.
    """
    if options is not None and not isinstance(options, Mapping):
        raise InvalidDeal(f"options={options!r}; give a dict such as {{'deal': ..}}")
    return None if seed is None else check_seed(seed), options or {}


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
    except (TarotError, TypeError) as error:
        raise InvalidDeal(f"deal: {error}") from error
    deal.check(rules)
    return deal


def _completed(given: Any, base: Deal, rules: Rules) -> Deal:
    if not isinstance(given, Mapping):
        raise InvalidDeal(f"give a Deal or an object with any of {', '.join(_PARTS)}")
    for key in given:
        if key not in _PARTS:
            raise unknown_name("part", str(key), _PARTS, InvalidDeal)
    hands = _hands(given.get("hands"), rules)
    chien, stock = _optional(_cards, given.get("chien")), _optional(_cards, given.get("stock"))
    piles = _optional(_piles, given.get("piles"))
    dealer = _optional(operator.index, given.get("dealer"))
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


def _optional(parse: Callable[[Any], _T], given: Any) -> _T | None:
    return None if given is None else parse(given)


def _hands(hands: Any, rules: Rules) -> list[tuple[int, ...] | None]:
    if hands is None:
        return [None] * rules.hands
    if isinstance(hands, str) or not isinstance(hands, Sequence) or len(hands) != rules.hands:
        what = "seat" if rules.hands == rules.players else "seat, and the dummy's"
        raise InvalidDeal(
            f"hands must be a list of {rules.hands}, one for each {what}; None for a hand that is "
            f"to be filled"
        )
    return [_optional(_cards, hand) for hand in hands]


def _piles(piles: Any) -> tuple[tuple[tuple[int, int], ...], ...]:
    if isinstance(piles, str) or not isinstance(piles, Sequence):
        raise InvalidDeal("piles must be a list for each seat, of pairs (upper, covered)")
    by_seat = [[_cards(pile) for pile in seat] for seat in piles]
    if any(len(pile) != 2 for seat in by_seat for pile in seat):
        raise InvalidDeal("piles must be pairs (upper, covered)")
    return tuple(tuple((upper, covered) for upper, covered in seat) for seat in by_seat)


def _cards(cards: Any) -> tuple[int, ...]:
    if isinstance(cards, str):
        raise InvalidDeal(f"{cards!r}: give a list of cards")
    return tuple(_card(card) for card in cards)


def _card(card: Any) -> int:
    if isinstance(card, str):
        return parse_card(card)
    number = operator.index(card)
    if not 0 <= number < NUM_CARDS:
        raise InvalidDeal(f"card {number}; allowed: 0 to {NUM_CARDS - 1}, or texts such as S1")
    return number


def _contract(forced: Any, rules: Rules) -> tuple[int, Bid]:
    if isinstance(forced, str) or not isinstance(forced, Sequence) or len(forced) != 2:
        raise InvalidDeal("forced must be (seat, bid)")
    seat, bid = operator.index(forced[0]), forced[1]
    if isinstance(bid, str):
        return seat, parse_contract(bid, rules)
    check_contract(seat, operator.index(bid), rules)
    return seat, Bid(operator.index(bid))


# -- opponents


def parse_opponents(opponents: Any, rules: Rules) -> list[Agent]:
    """The opponents by place, the first to the right of the learner.

    Args:
        opponents: one agent for all other seats, one for each in the order of play, or None for
            uniformly random ones.
        rules: what is played.

    Raises:
        InvalidRules: a wrong number, or something that is no agent.
    """
    others = rules.players - 1
    given = UniformAgent() if opponents is None else opponents
    listed = list(given) if isinstance(given, list | tuple) else [given] * others
    if len(listed) != others:
        raise InvalidRules(f"{len(listed)} opponents; give one agent, or {others}")
    for opponent in listed:
        if isinstance(opponent, str):
            raise InvalidRules(
                f"opponents={opponent!r}: give an agent itself; agents.registry makes one of a text"
            )
        if not callable(getattr(opponent, "act", None)):
            raise InvalidRules(f"{opponent!r} is no agent: it has no act(turn, rng)")
    return listed
