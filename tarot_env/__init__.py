"""French Tarot as a research environment: rules, tables, observations, environments.

from tarot_env import Rules, Tables, tarot_v0
"""

import importlib
from typing import TYPE_CHECKING

from tarot_env.cards import cardsets
from tarot_env.cards.actions import Bid, Phase
from tarot_env.core.dealing import Deal
from tarot_env.envs import register
from tarot_env.errors import (
    IllegalAction,
    InvalidDeal,
    InvalidRecord,
    InvalidRules,
    TarotError,
    UnknownName,
)
from tarot_env.rules import Rules
from tarot_env.tables import Match, Tables, Turn, daily_seed

if TYPE_CHECKING:
    from tarot_env.envs import tarot_v0 as tarot_v0

register()

__all__ = [
    "Bid",
    "Deal",
    "IllegalAction",
    "InvalidDeal",
    "InvalidRecord",
    "InvalidRules",
    "Match",
    "Phase",
    "Rules",
    "Tables",
    "TarotError",
    "Turn",
    "UnknownName",
    "cardsets",
    "daily_seed",
    "tarot_v0",
]


def __getattr__(name: str) -> object:
    if name == "tarot_v0":
        return importlib.import_module("tarot_env.envs.tarot_v0")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
