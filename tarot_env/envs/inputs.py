"""What users hand to an environment, checked: rules, seats, actions, deals, opponents."""

import operator
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from tarot_env.actions import NUM_ACTIONS, Bid, parse_card
from tarot_env.agent import Agent, UniformAgent
from tarot_env.cards import NUM_CARDS
from tarot_env.dealing import Deal, check_contract, check_seed, parse_contract
from tarot_env.errors import IllegalAction, InvalidDeal, InvalidRules, TarotError, unknown_name
from tarot_env.rules import Rules


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

_PARTS = ("hands", "chien", "dealer", "forced")


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
    chien = None if given.get("chien") is None else _cards(given["chien"])
    dealer = base.dealer if given.get("dealer") is None else operator.index(given["dealer"])
    forced = _contract(given["forced"], rules) if given.get("forced") is not None else base.forced
    if chien is None and all(hand is None for hand in hands) and dealer == base.dealer:
        return Deal(base.hands, base.chien, dealer, base.seed, base.deal_id, forced)
    taken = {card for cards in (*hands, chien) if cards is not None for card in cards}
    rest = [card for card in base.pack if card not in taken]
    filled = []
    for hand in hands:
        if hand is None:
            hand, rest = tuple(rest[: rules.hand_size]), rest[rules.hand_size :]
        filled.append(hand)
    return Deal(tuple(filled), tuple(rest) if chien is None else chien, dealer, forced=forced)


def _hands(hands: Any, rules: Rules) -> list[tuple[int, ...] | None]:
    if hands is None:
        return [None] * rules.players
    if isinstance(hands, str) or not isinstance(hands, Sequence) or len(hands) != rules.players:
        raise InvalidDeal(
            f"hands must be a list of {rules.players}, one for each seat; None for a hand that is "
            f"to be filled"
        )
    return [None if hand is None else _cards(hand) for hand in hands]


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
