"""Agents that a network plays."""
