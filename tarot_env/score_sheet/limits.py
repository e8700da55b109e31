"""Which facts no deal can have: what each side's pile holds at least, whatever was played.

All amounts are half points. The limits follow from what must lie in a pile (the écart or the chien,
a trick, each oudler) and from what the Excuse pays; facts within them are believed.
"""

from collections.abc import Iterator
from typing import NamedTuple

from tarot_env.cards import NUM_SUITS
from tarot_env.cards.actions import Bid
from tarot_env.core.bits import OUDLER_WORTH
from tarot_env.core.scoring import points_text, points_words
from tarot_env.errors import ImpossibleFacts, count_noun
from tarot_env.rules import Rules
from tarot_env.score_sheet.calculator import DealFacts

PACK = 182
"""All cards; each is worth an odd number."""
_KEPT = OUDLER_WORTH - 1
"""What an oudler brings a side that did not win its trick and pays half a point for it."""
_KINGS, _BELOW_KINGS = [9] * NUM_SUITS, [7] * NUM_SUITS + [5] * NUM_SUITS + [3] * NUM_SUITS
_TRUMP_LIKE = 22


class Limits(NamedTuple):
    """Least and most half points of the attack; between them every second value, or every one."""

    least: int
    most: int
    step: int = 1

    def allows(self, half_points: int) -> bool:
        """Whether a pile can be worth so much."""
        within = self.least <= half_points <= self.most
        return within and (half_points - self.least) % self.step == 0


def check_possible(facts: DealFacts, rules: Rules) -> None:
    """Checks that some deal of these rules could have such facts.

    Raises:
        ImpossibleFacts: none could; the sentence gives the reason.
    """
    _check_half_point(facts, rules)
    _check_petit_au_bout(facts, rules)
    _check_poignees(facts, rules)
    if facts.slam:
        limits = list(_after_a_slam(facts, rules))
    else:
        limits = list(_without_a_slam(facts, rules))
        if facts.petit_chelem_announced and facts.petit_chelem:
            limits += _attack_took_all(facts, rules)
    if not any(found.allows(facts.half_points) for found in limits):
        raise ImpossibleFacts(_refusal(facts, rules, limits))


# -- half points


def _excuse_moves_alone(rules: Rules) -> bool:
    """Whether an Excuse may change sides and nothing come back, which makes half points."""
    return rules.excuse_last_trick == "changes_side" and not rules.excuse_last_trick_refund


def _whole_points_only(rules: Rules) -> bool:
    even = rules.cards_per_trick % 2 == 0 and rules.chien_size % 2 == 0
    return even and not _excuse_moves_alone(rules)


def _check_half_point(facts: DealFacts, rules: Rules) -> None:
    if facts.half_points % 2 and _whole_points_only(rules):
        raise ImpossibleFacts(
            f"{points_words(facts.half_points)}; tricks of {rules.cards_per_trick} "
            f"cards and {rules.chien_size} in the chien make whole points under these rules"
        )


# -- announcements


def _check_petit_au_bout(facts: DealFacts, rules: Rules) -> None:
    """The petit of the last trick lies in the winners' pile, unless nobody can take it."""
    side, imprenable = facts.petit_au_bout, rules.petit_sec == "imprenable"
    if side > 0 and facts.oudlers == 0 and not imprenable:
        raise ImpossibleFacts(
            "petit au bout of the attack, but 0 oudlers: the petit would be in its pile"
        )
    if side < 0 and facts.oudlers == 3 and not imprenable:
        raise ImpossibleFacts(
            "petit au bout of the defence, but the attack has 3 oudlers: the petit would be with "
            "the defence"
        )
    if side * facts.slam < 0:
        winner, loser = ("attack", "defence") if side > 0 else ("defence", "attack")
        raise ImpossibleFacts(f"petit au bout of the {winner}, but the {loser} took every trick")


def _check_poignees(facts: DealFacts, rules: Rules) -> None:
    """There are 22 trumps with the Excuse.

    With four, a poignée and a double one are believed although they need 23 (RULES.md 15.3,
    case 40).
    """
    thresholds = rules.poignee_thresholds
    if thresholds is None or len(facts.poignees) < 2:
        return
    shown = sum(thresholds[level - 1] for _, level in facts.poignees)
    believed = thresholds[0] + thresholds[1] if rules.cards_per_trick == 4 else 0
    if shown > max(_TRUMP_LIKE, believed):
        raise ImpossibleFacts(
            f"{len(facts.poignees)} poignées of {shown} trumps together; there are {_TRUMP_LIKE} "
            "with the Excuse"
        )


# -- points of a pile


def _highest(count: int, worths: list[int]) -> int:
    """The most that so many cards can be worth; cards below the given ones count 1."""
    return sum(sorted(worths, reverse=True)[:count]) + max(0, count - len(worths))


def _chien(oudlers: int, rules: Rules) -> Limits:
    """What a chien with so many oudlers is worth."""
    others = rules.chien_size - oudlers
    worth = oudlers * OUDLER_WORTH
    return Limits(worth + others, worth + _highest(others, _KINGS + _BELOW_KINGS), 2)


def _ecart(rules: Rules) -> Limits:
    """What an écart is worth: no kings and no oudlers lie in it."""
    return Limits(rules.chien_size, _highest(rules.chien_size, _BELOW_KINGS), 2)


class _Kept(NamedTuple):
    """Oudlers that a side without a trick may have from play all the same."""

    excuse: bool
    petit: bool
    worth: int

    @property
    def number(self) -> int:
        return self.excuse + self.petit


def _kept(rules: Rules, own_hands: int, other_hands: int) -> Iterator[_Kept]:
    """The Excuse by paying half a point, or for nothing where it came over in the last trick.

    A petit that nobody can take comes back for half a point; its hand has not the Excuse too.
    """
    yield _Kept(excuse=False, petit=False, worth=0)
    worths = [_KEPT]
    if (
        _excuse_moves_alone(rules)
        and rules.excuse_wins_slam_trick != "any_position"
        and other_hands > 1
    ):
        worths.append(OUDLER_WORTH)
    for worth in worths:
        yield _Kept(excuse=True, petit=False, worth=worth)
    if rules.petit_sec == "imprenable":
        yield _Kept(excuse=False, petit=True, worth=_KEPT)
        if own_hands > 1:
            for worth in worths:
                yield _Kept(excuse=True, petit=True, worth=worth + _KEPT)


def _after_a_slam(facts: DealFacts, rules: Rules) -> Iterator[Limits]:
    """The side without a trick has what was set aside for it, and oudlers that it kept."""
    if facts.slam > 0:
        yield from _attack_took_all(facts, rules)
        return
    attack, defence = _num_hands(facts, rules)
    for kept in _kept(rules, attack, defence):
        aside = facts.oudlers - kept.number
        if facts.bid == Bid.GARDE_SANS:
            if aside >= 0:
                yield _shifted(_chien(aside, rules), kept.worth)
        elif aside == 0:
            nothing = Limits(0, 0)
            yield _shifted(nothing if facts.bid == Bid.GARDE_CONTRE else _ecart(rules), kept.worth)


def _attack_took_all(facts: DealFacts, rules: Rules) -> Iterator[Limits]:
    """All cards, less what the defence keeps of its oudlers, less the chien of a garde contre."""
    attack, defence = _num_hands(facts, rules)
    for kept in _kept(rules, defence, attack):
        in_chien = 3 - facts.oudlers - kept.number
        if facts.bid == Bid.GARDE_CONTRE:
            if in_chien >= 0:
                chien = _chien(in_chien, rules)
                most = PACK - kept.worth - chien.least
                yield Limits(PACK - kept.worth - chien.most, most, 2)
        elif in_chien == 0:
            yield Limits(PACK - kept.worth, PACK - kept.worth)


def _shifted(limits: Limits, by: int) -> Limits:
    return Limits(limits.least + by, limits.most + by, limits.step)


def _num_hands(facts: DealFacts, rules: Rules) -> tuple[int, int]:
    """Hands of the attack and of the defence."""
    attack = 1 + (facts.partner >= 0)
    return attack, rules.hands - rules.dead_hand - attack


def _without_a_slam(facts: DealFacts, rules: Rules) -> Iterator[Limits]:
    """Both sides have a trick; with whom the Excuse is decides who may have paid for it."""
    for has_excuse in (False, True):
        others = facts.oudlers - has_excuse
        if 0 <= others <= 2 and _petit_fits(others, facts, rules):
            most = PACK - _defence_least(facts, rules, has_excuse)
            yield Limits(_attack_least(facts, rules, has_excuse), most)


def _petit_fits(others: int, facts: DealFacts, rules: Rules) -> bool:
    """Whether the petit can be where a petit au bout says, among oudlers that are no Excuse."""
    if rules.petit_sec == "imprenable" or not facts.petit_au_bout:
        return True
    return others > 0 if facts.petit_au_bout > 0 else others < 2


def _attack_least(facts: DealFacts, rules: Rules, has_excuse: bool) -> int:
    """The least that the attack has: a trick, what lies aside for it, and its oudlers.

    Every card counts 1 or more, an oudler 8 above that. An oudler that comes back from a lost trick
    is paid for with a card's worth, so that a side has that of as many cards as were set aside for
    it and lie in its tricks; one fewer where its Excuse goes over for nothing.
    """
    aside = 0 if facts.bid == Bid.GARDE_CONTRE else rules.chien_size
    lost = _excuse_moves_alone(rules) and not has_excuse
    least = aside + rules.cards_per_trick - lost + facts.oudlers * (OUDLER_WORTH - 1)
    if facts.petit_chelem:  # three tricks of the defence, and what it keeps of its oudlers
        cards = 3 * rules.cards_per_trick + (rules.chien_size if aside == 0 else 0)
        most = (3 - facts.oudlers) * OUDLER_WORTH + _highest(cards, _KINGS + _BELOW_KINGS)
        least = max(least, PACK - most - 2)
    return least


def _defence_least(facts: DealFacts, rules: Rules, has_excuse: bool) -> int:
    oudlers = 3 - facts.oudlers
    others = oudlers - (not has_excuse)
    paid = (not has_excuse) + (rules.petit_sec == "imprenable" and others > 0)
    is_contre = facts.bid == Bid.GARDE_CONTRE
    aside = rules.chien_size if is_contre else 0
    announced_no_slam = rules.petit_chelem and not facts.slam_announced
    tricks = 4 if announced_no_slam and not facts.petit_chelem else 1
    return aside + _least_in_tricks(oudlers, paid, tricks, rules, in_chien=is_contre)


def _least_in_tricks(oudlers: int, paid: int, tricks: int, rules: Rules, *, in_chien: bool) -> int:
    """What the defence is believed to have from its tricks and its oudlers, beside a chien of ones.

    Somewhat less than it can have, since a published example leaves it 13 points with its three
    oudlers and a trick.

    Args:
        oudlers: how many it has.
        paid: half points that it may have paid for oudlers which it played.
        tricks: how many it has at least.
        rules: what is played.
        in_chien: its oudlers may lie in its chien instead, in the place of cards worth 1.
    """
    of_tricks = tricks * rules.cards_per_trick - _excuse_moves_alone(rules)
    if in_chien:
        return max(oudlers * (OUDLER_WORTH - 1), of_tricks)
    with_another_card = oudlers == 1  # a trick has more than this one
    return max(oudlers * OUDLER_WORTH - paid + with_another_card, of_tricks)


# -- in words


def _refusal(facts: DealFacts, rules: Rules, limits: list[Limits]) -> str:
    """Why the points cannot be what they are said to be."""
    oudlers = count_noun(facts.oudlers, "oudler")
    given = f"{points_words(facts.half_points)} with {oudlers}"
    if facts.slam > 0:
        if not limits:
            return f"{given}: the attack took every trick and can lack no oudler but the Excuse"
        chien = " but the chien" if facts.bid == Bid.GARDE_CONTRE else ""
        return f"{given}: the attack took every trick, and all cards{chien} make {_listed(limits)}"
    if facts.slam < 0:
        if not limits:
            return f"{given}: the attack took no trick and can have no oudler but the Excuse"
        return f"{given}: the attack took no trick, so it has {_listed(limits)} points"
    least, most = min(found.least for found in limits), max(found.most for found in limits)
    if _whole_points_only(rules):
        least, most = least + least % 2, most - most % 2
    if facts.half_points > most:
        has = _defence_has(facts, rules)
        return f"{given}: the defence has {has}, so the attack has {points_text(most)} at most"
    has = "its oudlers and a trick" if facts.oudlers else "a trick"
    if facts.petit_chelem:
        has = "all tricks but three"
    elif facts.bid != Bid.GARDE_CONTRE:
        has = f"{'the chien' if facts.bid == Bid.GARDE_SANS else 'the écart'}, {has}"
    return f"{given}: with {has} the attack has {points_text(least)} at least"


def _defence_has(facts: DealFacts, rules: Rules) -> str:
    """What makes the pile of the defence, in words."""
    few = rules.petit_chelem and not facts.petit_chelem and not facts.slam_announced
    has = "four tricks unless a petit chelem was made" if few else "a trick unless a slam was made"
    if facts.oudlers < 3:
        has = f"the other {'oudler' if facts.oudlers == 2 else 'oudlers'} and {has}"
    return f"the chien, {has}" if facts.bid == Bid.GARDE_CONTRE else has


def _listed(limits: list[Limits]) -> str:
    """The points that are possible, `87` or `1.5, 2.5 .. 10.5`."""
    texts = []
    for least, most, step in sorted(set(limits)):
        shown = [least] if least == most else [least, least + step]
        more = f" .. {points_text(most)}" if most > shown[-1] else ""
        texts.append(", ".join(map(points_text, shown)) + more)
    return " or ".join(texts)
