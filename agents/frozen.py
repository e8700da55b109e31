"""Frozen agents: names with a version, such as `heuristic@1`, that play the same for ever.

Published results are against these. `tests/agents/test_frozen.py` holds each to deals that it once
played; where an agent's play changes, a new version is added and the old one is withdrawn, unless
an option still gives the old play.
"""

from tarot_env.errors import TarotError, short_repr, unknown_name

FROZEN = {
    "heuristic@1": "heuristic:bid=table,play=rules",
    "pimc16@1": "pimc:worlds=16,ms=,endings=5,policy=heuristic@1",
    "pimc64@1": "pimc:worlds=64,ms=,endings=5,policy=heuristic@1",
    "oracle@1": "oracle",
}
"""The agents that the frozen names stand for, each option of theirs written out.

`random` and `naive` never change, so they need no version.
"""


def is_frozen(text: str) -> bool:
    """Whether a text is written like a frozen name, `NAME@VERSION`, before its options."""
    return "@" in text.partition(":")[0]


def resolve_alias(text: str) -> str:
    """The agent that a frozen name stands for; any other text comes back as it is.

    Raises:
        UnknownName: no such version.
        TarotError: a frozen name with options.
    """
    if not is_frozen(text):
        return text
    name, colon, _ = text.partition(":")
    if name not in FROZEN:
        kind = name.partition("@")[0]
        versions = [known for known in FROZEN if known.partition("@")[0] == kind]
        raise unknown_name("frozen agent", name, versions or FROZEN)
    if colon:
        raise TarotError(f"agent {short_repr(text)}: {name} is frozen and has no options")
    return FROZEN[name]
