"""What phases share: the state of a batch of deals, seats, dealing and the score."""
