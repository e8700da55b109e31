"""Self-play: PPO, by one process or several."""
