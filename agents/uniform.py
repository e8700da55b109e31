"""`random`: uniform over legal actions."""

from tarot_env.agent import UniformAgent

__all__ = ["UniformAgent"]
