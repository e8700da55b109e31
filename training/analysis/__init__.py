"""What might have been played: exact solutions and agents that explain themselves."""
