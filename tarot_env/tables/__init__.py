"""Tables to play at, what a seat to act sees of them, whole matches, and agents."""

from tarot_env.tables.agent import Agent, AnyAgent, CheatingAgent, UniformAgent
from tarot_env.tables.full_information import FullInformation
from tarot_env.tables.match import Match, daily_seed, match_length
from tarot_env.tables.packet_dealing import gather
from tarot_env.tables.tables import MOST_TABLES, Tables, check_is_tables
from tarot_env.tables.turn import Turn

__all__ = [
    "MOST_TABLES",
    "Agent",
    "AnyAgent",
    "CheatingAgent",
    "FullInformation",
    "Match",
    "Tables",
    "Turn",
    "UniformAgent",
    "check_is_tables",
    "daily_seed",
    "gather",
    "match_length",
]
