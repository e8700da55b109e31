"""Simple agents, and those that measure others: `random`, `naive`, `oracle`, a person."""
