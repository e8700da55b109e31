"""The facts of one deal as a scorer is told them, checked one by one.

Knows names and seats; whether a deal can have such facts at all is for `limits` to say.
"""

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import cast

import numpy as np

from tarot_env.cards.actions import POIGNEE_TEXTS, Bid
from tarot_env.core.arguments import as_list, is_int, parse_seat
from tarot_env.core.dealing import check_contract, parse_contract
from tarot_env.core.scoring import Facts, Sides
from tarot_env.errors import ImpossibleFacts, short_repr, unknown_name
from tarot_env.rules import Rules, check_is_rules
from tarot_env.rules.books import GAMES

SIDES = {"attack": 1, "defence": -1}
CHELEMS = ("announced", "unannounced", "failed")
CONTRAS = {1: 0, 2: 1, 4: 2}
"""What a contra or recontra multiplies, and how often the contract was doubled."""


@dataclass(frozen=True, kw_only=True)
class DealFacts:
    """What decides the score of one deal; seats are -1 for nobody, points are half points."""

    bid: Bid
    taker: int
    half_points: int
    oudlers: int
    partner: int = -1
    dealer: int = -1
    poignees: tuple[tuple[str, int], ...] = ()
    """Who showed it, in words, and its level 1 to 3."""
    petit_au_bout: int = 0
    """+1 attack, -1 defence; likewise `slam`, for the side that took every trick."""
    slam: int = 0
    slam_announced: bool = False
    petit_chelem: bool = False
    """The attack took all tricks but three or fewer."""
    petit_chelem_announced: bool = False
    misere: tuple[int, ...] = ()
    """Seats that declared one."""
    contra: int = 0
    """0, 1 contred, 2 recontred."""

    def arrays(self, rules: Rules) -> Facts:
        """The same for `scoring.payment`, a batch of one."""
        bonuses = rules.poignee_bonus or ()
        values = {
            "contract": int(self.bid),
            "attack_half_points": self.half_points,
            "oudlers": self.oudlers,
            "poignee_points": sum(bonuses[level - 1] for _, level in self.poignees),
            "petit_au_bout": self.petit_au_bout,
            "slam": self.slam,
            "slam_announced": int(self.slam_announced),
            "petit_chelem": int(self.petit_chelem),
            "petit_chelem_announced": int(self.petit_chelem_announced),
            "contra": self.contra,
        }
        return Facts(**{name: np.array([value], np.int64) for name, value in values.items()})

    def sides(self, rules: Rules) -> Sides:
        """Who pays whom, a batch of one."""
        plays = np.ones((1, rules.players), bool)
        if rules.dead_hand:
            plays[0, self.dealer] = False
        return Sides(np.array([self.taker]), np.array([self.partner]), plays)


def parse_facts(
    rules: Rules,
    *,
    bid: str,
    points: int | float,
    oudlers: int,
    taker: int = 0,
    partner: int | str | None = None,
    dealer: int | None = None,
    poignees: Iterable[str] = (),
    petit_au_bout: str | None = None,
    chelem: str | None = None,
    chelem_by: str = "attack",
    petit_chelem: str | None = None,
    misere: Iterable[int] = (),
    contra: int = 1,
) -> DealFacts:
    """The facts that a scorer names; arguments as for `score_sheet.score_deal`.

    Raises:
        TarotError: a name that stands for nothing, or a fact that these rules do not have.
    """
    contract = _contract(bid, check_is_rules(rules))
    dealer_seat = _dealer(dealer, rules)
    check_contract(taker, contract, rules, dealer_seat)
    partner_seat = _partner(partner, int(taker), rules)
    num_attack = 1 + (partner_seat >= 0)
    slam, announced = _slam(chelem, chelem_by)
    small, small_announced = _petit_chelem(petit_chelem, slam, announced, rules)
    return DealFacts(
        bid=contract,
        taker=int(taker),
        half_points=_half_points(points),
        oudlers=_oudlers(oudlers),
        partner=partner_seat,
        dealer=dealer_seat,
        poignees=_poignees(poignees, num_attack, rules),
        petit_au_bout=0 if petit_au_bout is None else _side("petit au bout", petit_au_bout),
        slam=slam,
        slam_announced=announced,
        petit_chelem=small or slam > 0,
        petit_chelem_announced=small_announced,
        misere=_miseres(misere, dealer_seat, rules),
        contra=_contra(contra, rules),
    )


def _contract(bid: object, rules: Rules) -> Bid:
    if rules.in_partnerships and isinstance(bid, str) and bid in ("petite", "pousse"):
        raise ImpossibleFacts(
            f"bid {short_repr(bid)}; with six players it is a signal and nobody plays it; "
            "allowed: garde, garde_sans, garde_contre"
        )
    return parse_contract(bid, rules)


def _dealer(dealer: object, rules: Rules) -> int:
    if dealer is not None:
        return parse_seat(dealer, rules, "dealer", ImpossibleFacts)
    if rules.dead_hand:
        raise ImpossibleFacts(f"name the dealer, a seat, which sits out in the game {rules.game}")
    return -1


def _partner(partner: object, taker: int, rules: Rules) -> int:
    opposite = (taker + 3) % 6 if rules.in_partnerships else -1
    if partner is None:
        if rules.calls_king:
            raise ImpossibleFacts("name the taker's partner, a seat or 'alone'")
        return opposite
    if rules.in_partnerships:
        if not is_int(partner) or partner != opposite:
            raise ImpossibleFacts(
                f"partner {short_repr(partner)}; the taker's partner is seat {opposite}"
            )
        return opposite
    if isinstance(partner, str) and partner == "alone":
        return -1
    if not rules.calls_king:
        raise ImpossibleFacts(
            f"partner {short_repr(partner)}; the taker is alone in the game of {rules.sizes.title}"
        )
    if isinstance(partner, str):
        raise ImpossibleFacts(f"partner {short_repr(partner)}; give a seat or 'alone'")
    if parse_seat(partner, rules, "partner", ImpossibleFacts) == taker:
        raise ImpossibleFacts(f"partner {partner} is the taker; one without partner is 'alone'")
    return int(cast(int, partner))


def _half_points(points: object) -> int:
    is_float = isinstance(points, float | np.floating) and math.isfinite(points)
    if not is_float and not is_int(points):
        raise ImpossibleFacts(f"points {short_repr(points)}; give a number, such as 49 or 40.5")
    half = 2 * (float if is_float else int)(cast(float, points))
    if half != int(half):
        raise ImpossibleFacts(f"points {points}; card points are whole or end in .5")
    if not 0 <= half <= 182:
        given = f"{points:.15g}" if is_float else short_repr(points)
        raise ImpossibleFacts(f"points {given}; the cards of a deal are worth 0 to 91 points")
    return int(half)


def _oudlers(oudlers: object) -> int:
    if not is_int(oudlers) or not 0 <= cast(int, oudlers) <= 3:
        raise ImpossibleFacts(
            f"oudlers {short_repr(oudlers)}; there are three, the petit, the 21 and the Excuse"
        )
    return int(cast(int, oudlers))


def _one_of(what: str, name: object, allowed: Collection[str]) -> str:
    if not isinstance(name, str) or name not in allowed:
        raise unknown_name(what, name, allowed, ImpossibleFacts)
    return name


def _side(what: str, name: object) -> int:
    return SIDES[_one_of(f"side of the {what}", name, SIDES)]


def _poignees(
    poignees: Iterable[str], num_attack: int, rules: Rules
) -> tuple[tuple[str, int], ...]:
    """The poignées as (who in words, level), at most one for each seat."""
    found = [
        _poignee(text) for text in as_list(poignees, "poignees must be a list", ImpossibleFacts)
    ]
    if found and rules.poignee_thresholds is None:
        raise ImpossibleFacts(f"there are no poignées with {rules.sizes.title}")
    num_defence = rules.players - rules.dead_hand - num_attack
    for side, most in (("attack", num_attack), ("defence", num_defence)):
        number = sum(who == f"the {side}" for who, _ in found)
        if number > most:
            hands = "one hand" if most == 1 else f"{most} hands"
            raise ImpossibleFacts(f"{number} poignées of the {side}, which has {hands}")
    return tuple(found)


def _poignee(text: str) -> tuple[str, int]:
    """A poignée written as `attack:double_poignee`."""
    side, colon, name = text.partition(":") if isinstance(text, str) else ("", "", "")
    if not colon:
        raise ImpossibleFacts(
            f"poignée {short_repr(text)}; write who showed it and what: attack:poignee"
        )
    _side("poignée", side)
    level = POIGNEE_TEXTS.index(_one_of("poignée", name, POIGNEE_TEXTS)) + 1
    return f"the {side}", level


def _slam(chelem: object, by: object) -> tuple[int, bool]:
    """Who took every trick (+1 attack, -1 defence, 0 nobody), and whether a slam was announced."""
    side = _side("slam", by)
    if chelem is None:
        if side < 0:
            raise ImpossibleFacts("a slam of the defence: say whether one was announced and failed")
        return 0, False
    _one_of("slam", chelem, CHELEMS)
    if chelem == "announced" and side < 0:
        raise ImpossibleFacts(
            "only the taker announces a slam: the defence makes one unannounced, or where the "
            "taker's failed"
        )
    made = chelem != "failed" or side < 0
    return side if made else 0, chelem != "unannounced"


def _petit_chelem(
    petit_chelem: object, slam: int, slam_announced: bool, rules: Rules
) -> tuple[bool, bool]:
    """Whether a petit chelem was made, and whether one was announced."""
    if petit_chelem is None:
        return False, False
    _one_of("petit chelem", petit_chelem, CHELEMS)
    if not rules.petit_chelem:
        raise ImpossibleFacts("these rules have no petit chelem (petit_chelem is false)")
    made, announced = petit_chelem != "failed", petit_chelem != "unannounced"
    if announced and slam_announced:
        raise ImpossibleFacts("the taker announces a slam or a petit chelem, never both")
    if made and slam < 0:
        raise ImpossibleFacts("a petit chelem, but the defence took every trick")
    if not made and slam > 0:
        raise ImpossibleFacts("a petit chelem that failed, but the attack took every trick")
    return made, announced


def _miseres(misere: Iterable[int], dealer: int, rules: Rules) -> tuple[int, ...]:
    seats = [
        parse_seat(seat, rules, "misère of", ImpossibleFacts)
        for seat in as_list(misere, "misere must be a list of seats", ImpossibleFacts)
    ]
    if seats and not rules.misere:
        raise ImpossibleFacts("these rules have no misère (misere is false)")
    if rules.dead_hand and dealer in seats:
        raise ImpossibleFacts(f"misère of {dealer}; the dealer sits out")
    if len(set(seats)) < len(seats):
        raise ImpossibleFacts("a seat declares a misère once")
    return tuple(sorted(seats))


def _contra(contra: object, rules: Rules) -> int:
    if not is_int(contra) or contra not in CONTRAS:
        raise ImpossibleFacts(
            f"contra {short_repr(contra)}; allowed: 1, 2 for a contra, 4 for a recontra"
        )
    if contra != 1 and not rules.in_partnerships:
        raise ImpossibleFacts(f"contra {contra}; only {GAMES['6'].title} contra a bid")
    return CONTRAS[int(contra)]
