"""The loops over rows that move tables on: the only way in which Python reaches the rules.

Beside the tables lie two words each, what is legal there: masks, draws and checks read these
alone, and whatever moves a table on writes them anew. Every argument is an array of one dtype,
C-contiguous, so that each loop is compiled once; `rules` is an array of one record.
"""

from typing import Any

from tarot_env.cards import FIRST_TRUMP
from tarot_env.cards.actions import NUM_ACTIONS
from tarot_env.core.bits import bit_of, contains, kth, popcount
from tarot_env.core.compiling import kernel, loop
from tarot_env.core.dealing import NUM_PILES
from tarot_env.core.state import actor
from tarot_env.phases import phase_order
from tarot_env.phases.two_player import upper_place


@loop
def deal_all(
    tables: Any,
    legal: Any,
    events: Any,
    blank: Any,
    rules: Any,
    rows: Any,
    packs: Any,
    dealers: Any,
) -> None:
    """Deals packs, uint8 [n, 78], to the named tables; `blank` is `BLANK`."""
    for i in range(len(rows)):
        tables[rows[i]] = blank[0]
        events[rows[i]] = 0
        t = tables[rows[i]]
        t.dealer = dealers[i]
        for place in range(78):
            t.pack[place] = packs[i, place]
        _deal(t, rules[0])
        phase_order.begin(t, rules[0])
        legal[rows[i], 0], legal[rows[i], 1] = phase_order.legal(t, rules[0])


@kernel
def _deal(t: Any, rules: Any) -> None:
    """Gives the hands their cards: seat after seat, none to a dealer who sits out."""
    place = 0
    for hand in range(rules.hands):
        if rules.dead_hand and hand == t.dealer:
            continue
        for _ in range(rules.hand_size):
            _give(t, hand, int(t.pack[place]))
            place += 1
    if rules.decouverte:
        for hand in range(2):
            for pile in range(NUM_PILES):
                card = int(t.pack[upper_place(hand, pile)])
                suits, rest = bit_of(card)
                _give(t, hand, card)
                t.face_up[hand, 0] |= suits
                t.face_up[hand, 1] |= rest


@kernel
def _give(t: Any, hand: int, card: int) -> None:
    suits, rest = bit_of(card)
    t.hands[hand, 0] |= suits
    t.hands[hand, 1] |= rest


@loop
def force_all(tables: Any, legal: Any, rules: Any, rows: Any, takers: Any, contracts: Any) -> None:
    """Gives contracts without an auction."""
    for i in range(len(rows)):
        t = tables[rows[i]]
        phase_order.force(t, rules[0], takers[i], contracts[i])
        legal[rows[i], 0], legal[rows[i], 1] = phase_order.legal(t, rules[0])


@loop
def legal_all(tables: Any, legal: Any, rules: Any) -> None:
    """What is legal at each table, for tables that did not come from here."""
    for row in range(len(tables)):
        legal[row, 0], legal[row, 1] = phase_order.legal(tables[row], rules[0])


@loop
def first_refused(legal: Any, rows: Any, actions: Any) -> int:
    """The first place whose table goes on and does not allow its action, -1 for none."""
    for i in range(len(rows)):
        suits, rest = legal[rows[i], 0], legal[rows[i], 1]
        known = 0 <= actions[i] < NUM_ACTIONS
        if suits | rest and not (known and contains(suits, rest, actions[i])):
            return i
    return -1


@loop
def step_all(tables: Any, legal: Any, events: Any, rules: Any, rows: Any, actions: Any) -> None:
    """Plays a legal action at each of the named tables; those that are over are passed over."""
    for i in range(len(rows)):
        row = rows[i]
        if legal[row, 0] | legal[row, 1]:
            t = tables[row]
            phase_order.apply(t, events[row], rules[0], actions[i])
            legal[row, 0], legal[row, 1] = phase_order.legal(t, rules[0])


@loop
def mask_all(legal: Any, out: Any) -> None:
    """Legal actions of all tables as masks, bool [b, 95]."""
    for row in range(len(legal)):
        suits, rest = legal[row, 0], legal[row, 1]
        for action in range(FIRST_TRUMP):
            out[row, action] = suits >> action & 1
        for action in range(NUM_ACTIONS - FIRST_TRUMP):
            out[row, FIRST_TRUMP + action] = rest >> action & 1


@loop
def random_all(legal: Any, numbers: Any, out: Any) -> None:
    """A uniform legal action for each table by a number in [0, 1); -1 where over."""
    for row in range(len(legal)):
        suits, rest = legal[row, 0], legal[row, 1]
        size = popcount(suits) + popcount(rest)
        out[row] = kth(suits, rest, int(numbers[row] * size)) if size else -1


@loop
def actors_all(tables: Any, rules: Any, rows: Any, out: Any) -> None:
    """Seats to act, -1 where over."""
    for i in range(len(rows)):
        out[i] = actor(tables[rows[i]], rules[0])
