"""The order of the phases: what a table asks next, for every game and rule.

    redeal questions -> auction -> [slam] -> call -> split -> écart -> [slam]
                     -> before a first card: misère -> poignée -> withholding
                     -> play -> score

The slam question comes with the bid or after the écart, the questions before a first card come
just before it or all before the first trick, by rule. What a phase allows and does stands in its
module; this one alone knows where it leads.
"""

from typing import Any

from tarot_env.cards.actions import THROW_IN
from tarot_env.core import scoring
from tarot_env.core.bits import EXCUSE, PETIT, TRUMPS
from tarot_env.core.compiling import kernel
from tarot_env.core.state import (
    AUCTION,
    CALL,
    DISCARD,
    GARDE,
    MISERE,
    OVER,
    PETIT_SEC,
    PLAY,
    POIGNEE,
    SLAM,
    SPLIT,
    WITHHOLD,
    chien,
    choice,
)
from tarot_env.phases import (
    auction,
    call,
    discard,
    misere,
    partnership_auction,
    play,
    poignee,
    redeal,
    slam,
    split,
    withhold,
)

_WITH_BID = choice("slam_window", "with_bid")
_TAKER = choice("first_lead", "taker")
_OWN_FIRST_CARD = choice("poignee_window", "own_first_card")
_BEFORE_FIRST_TRICK = choice("poignee_window", "before_first_trick")
_IMPRENABLE = choice("petit_sec", "imprenable")
_AFTER_ECART = choice("dummy_reveal", "after_ecart")


@kernel
def legal(t: Any, rules: Any) -> tuple[int, int]:
    """Legal actions as a set (suits, rest); empty where over."""
    if t.phase == PLAY:
        return play.legal(t, rules)
    if t.phase == AUCTION:
        if rules.in_partnerships:
            return partnership_auction.legal(t, rules)
        return auction.legal(t, rules)
    if t.phase == DISCARD:
        return discard.legal(t, rules)
    if t.phase == POIGNEE:
        return poignee.legal(t, rules)
    if t.phase == WITHHOLD:
        return withhold.legal(t, rules)
    if t.phase == SLAM:
        return slam.legal(t, rules)
    if t.phase == CALL:
        return call.legal(t, rules)
    if t.phase == SPLIT:
        return split.legal(t, rules)
    if t.phase == MISERE:
        return misere.legal(t, rules)
    if t.phase == PETIT_SEC:
        return redeal.legal(t, rules)
    return 0, 0


@kernel
def apply(t: Any, events: Any, rules: Any, action: int) -> None:
    """Does a legal action, and moves on to what is asked next.

    Args:
        t: the table.
        events: its log; an empty one where none is kept.
        rules: what is played.
        action: a legal one.
    """
    if t.phase == PLAY:
        if play.apply(t, events, rules, action):
            if play.finish_trick(t, rules):
                scoring.finish(t, rules)
                end(t)
        elif t.trick_number == 0:
            _before_first_card(t, rules)
    elif t.phase == AUCTION:
        if rules.in_partnerships:
            done = partnership_auction.apply(t, events, rules, action)
        else:
            done = auction.apply(t, events, rules, action)
        if done:
            _after_auction(t, rules)
    elif t.phase == DISCARD:
        if discard.apply(t, events, rules, action):
            _after_ecart(t, rules)
    elif t.phase == POIGNEE:
        poignee.apply(t, events, rules, action)
        if t.poignee_declared == 0:
            _after_questions(t, rules)
        elif withhold.surplus(t, rules) > 0:
            t.phase = WITHHOLD
        else:
            withhold.show(t, events, rules)
            _after_questions(t, rules)
    elif t.phase == WITHHOLD:
        if withhold.apply(t, events, rules, action):
            withhold.show(t, events, rules)
            _after_questions(t, rules)
    elif t.phase == SLAM:
        slam.apply(t, events, rules, action)
        _after_slam(t, rules)
    elif t.phase == CALL:
        call.apply(t, events, rules, action)
        _open_chien(t, rules)
    elif t.phase == SPLIT:
        split.apply(t, events, rules, action)
        t.phase = DISCARD
    elif t.phase == MISERE:
        misere.apply(t, events, rules, action)
        _ask_poignee(t, rules)
        _pass_over_the_silent(t, rules)
    elif t.phase == PETIT_SEC:
        question = redeal.question_asked(t, rules)
        redeal.apply(t, events, rules, action)
        if action == THROW_IN:
            end(t)
        else:
            _open_auction(t, rules, question + 1)


@kernel
def begin(t: Any, rules: Any) -> None:
    """Opens a freshly dealt table: a petit sec may void the deal, or a redeal be asked for."""
    if redeal.is_void(t, rules):
        end(t)
    else:
        _open_auction(t, rules, 0)


@kernel
def force(t: Any, rules: Any, taker: int, contract: int) -> None:
    """Gives the contract of a freshly dealt table without an auction."""
    auction.force(t, taker, contract)
    _after_auction(t, rules)


@kernel
def end(t: Any) -> None:
    """Ends a deal, played or not."""
    t.phase, t.seat = OVER, -1


# -- what comes next


@kernel
def _open_auction(t: Any, rules: Any, question: int) -> None:
    """Asks the next redeal question from that number on, or for the first bid."""
    question = redeal.next_question(t, rules, question)
    t.phase = AUCTION if question < 0 else PETIT_SEC
    t.seat = rules.speakers[t.dealer, max(question, 0) % rules.num_speakers]


@kernel
def _after_auction(t: Any, rules: Any) -> None:
    """The slam question or the call; with six, the seat opposite the taker is its partner."""
    if t.taker < 0:
        end(t)
        return
    if rules.in_partnerships:
        t.partner = (t.taker + 3) % 6
    t.seat = t.taker
    if rules.slam_window == _WITH_BID:
        t.phase = SLAM
    else:
        _call(t, rules)


@kernel
def _call(t: Any, rules: Any) -> None:
    """Asks the taker for a card, before the chien is seen; or opens the chien."""
    if rules.calls_king:
        t.phase = CALL
    else:
        _open_chien(t, rules)


@kernel
def _open_chien(t: Any, rules: Any) -> None:
    """The attack picks the chien up on a petite or a garde; else it stays face down."""
    if t.contract > GARDE:
        _after_ecart(t, rules)
        return
    t.chien_open = 1
    if rules.in_partnerships:
        t.phase = SPLIT
        return
    suits, rest = chien(t, rules)
    t.hands[t.taker, 0] |= suits
    t.hands[t.taker, 1] |= rest
    t.phase = DISCARD


@kernel
def _after_ecart(t: Any, rules: Any) -> None:
    """The slam question, or play."""
    if rules.dummy_reveal == _AFTER_ECART:
        t.dummy_open = 1
    t.seat = t.taker
    if rules.slam_window == _WITH_BID:
        _begin_play(t, rules)
    else:
        t.phase = SLAM


@kernel
def _after_slam(t: Any, rules: Any) -> None:
    """The call, or play."""
    if rules.slam_window == _WITH_BID:
        _call(t, rules)
    else:
        _begin_play(t, rules)


@kernel
def _begin_play(t: Any, rules: Any) -> None:
    """Hands the lead to the first hand, or to the taker who announced a slam (or by rule)."""
    leader = rules.order[t.dealer, 0]
    if rules.first_lead == _TAKER or (rules.slam_announcer_leads == 1 and t.slam_announced):
        leader = t.taker
    t.leader = leader
    t.seat = leader
    if rules.petit_sec == _IMPRENABLE:
        note_imprenable(t, rules)
    if rules.poignee_window == _BEFORE_FIRST_TRICK:
        _ask(t, rules)
        _pass_over_the_silent(t, rules)
    else:
        _before_first_card(t, rules)


@kernel
def note_imprenable(t: Any, rules: Any) -> None:
    """Notes the hand whose petit nobody can take, when play begins (RULES.md 8.6)."""
    t.imprenable = -1
    for hand in range(rules.hands):
        if t.imprenable < 0 and t.hands[hand, 1] & (TRUMPS | EXCUSE) == PETIT:
            t.imprenable = hand


@kernel
def _before_first_card(t: Any, rules: Any) -> None:
    """Lets the seat to act play its first card, or answer the questions before it."""
    t.phase = PLAY
    if rules.poignee_window == _OWN_FIRST_CARD:
        _ask(t, rules)


@kernel
def _ask(t: Any, rules: Any) -> None:
    """The next question to the seat to act: misère, then poignée, or to play."""
    if misere.is_asked(t, rules):
        t.phase = MISERE
    else:
        _ask_poignee(t, rules)


@kernel
def _ask_poignee(t: Any, rules: Any) -> None:
    t.phase = POIGNEE if poignee.is_asked(t, rules) else PLAY


@kernel
def _after_questions(t: Any, rules: Any) -> None:
    """The seat to act has answered its last question."""
    t.phase = PLAY
    _pass_over_the_silent(t, rules)


@kernel
def _pass_over_the_silent(t: Any, rules: Any) -> None:
    """Before the first trick: goes on to the next seat with a question, once round the table."""
    while t.phase == PLAY and rules.poignee_window == _BEFORE_FIRST_TRICK:
        t.seat = rules.next_hand[t.dealer, t.seat]
        if t.seat == t.leader:
            return
        _ask(t, rules)
