"""The event log of a table: every action in order, and what the others saw of it.

An event is one int16: `kind << 12 | seat << 8 | action`.
"""

from typing import Any

from tarot_env.core.compiling import kernel

BOTH, PRIVATE, PUBLIC, FACE_DOWN = range(4)
"""Kinds: an action that all see; one that nobody else sees; what the table learns of earlier
private actions, itself no action; an action of which the others do not see the card."""


@kernel
def log(t: Any, events: Any, seat: int, action: int, kind: int) -> None:
    """Appends an event, unless this table keeps no log."""
    if t.num_events < len(events):
        events[t.num_events] = kind << 12 | seat << 8 | action
        t.num_events += 1


@kernel
def seat_of(event: int) -> int:
    """Who acted."""
    return event >> 8 & 15


@kernel
def action_of(event: int) -> int:
    """What was done."""
    return event & 255


@kernel
def is_action(event: int) -> bool:
    """Whether it is an action of the seat, not only news of it."""
    return event >> 12 != PUBLIC


@kernel
def is_public(event: int) -> bool:
    """Whether everybody at the table noticed it."""
    return event >> 12 != PRIVATE


@kernel
def seen_action(event: int) -> int:
    """What everybody saw of a public event; -1 for a card set aside face down."""
    return -1 if event >> 12 == FACE_DOWN else event & 255
