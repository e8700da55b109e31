"""`random`: uniform over legal actions."""

from tarot_env.tables import UniformAgent

__all__ = ["UniformAgent"]
