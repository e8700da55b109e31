"""`heuristic`: a player that follows the published principles of the game (rules.md E)."""

import numpy as np
from jaxtyping import Int

from agents.heuristic import bidding, discard
from agents.heuristic import play as play_module
from tarot_env import cardsets
from tarot_env.actions import PASS, Phase
from tarot_env.errors import unknown_name
from tarot_env.turn import Turn

BID_OPTIONS = ("scale", "pass")
PLAY_OPTIONS = ("rules", "random")


class HeuristicAgent:
    """Bids by the published scale, sets aside and plays by the published principles.

    Args:
        bid: `scale`, or `pass` to pass in every auction.
        play: `rules`, or `random` to play uniform legal cards to the tricks.

    Raises:
        UnknownName: an option value that does not exist.
    """

    def __init__(self, bid: str = "scale", play: str = "rules") -> None:
        if bid not in BID_OPTIONS:
            raise unknown_name("bid option of heuristic", bid, BID_OPTIONS)
        if play not in PLAY_OPTIONS:
            raise unknown_name("play option of heuristic", play, PLAY_OPTIONS)
        self.bid, self.play = bid, play
        options = [("bid", bid, "scale"), ("play", play, "rules")]
        changed = ",".join(f"{key}={value}" for key, value, usual in options if value != usual)
        self.name = f"heuristic:{changed}" if changed else "heuristic"
        self._answers = {
            Phase.AUCTION: bidding.bid,
            Phase.DISCARD: discard.set_aside,
            Phase.SLAM: bidding.announce_slam,
            Phase.POIGNEE: bidding.show_poignee,
            Phase.WITHHOLD: bidding.withhold,
            Phase.PLAY: play_module.play_card,
        }

    def act(self, turn: Turn, rng: np.random.Generator) -> Int[np.ndarray, " n"]:
        """One legal action for each row; draws from `rng` for `play=random` alone."""
        actions = np.full(len(turn), PASS, np.int64)
        for phase, answer in self._answers.items():
            rows = np.flatnonzero(turn.phase == phase)
            if not len(rows) or (phase == Phase.AUCTION and self.bid == "pass"):
                continue
            if phase == Phase.PLAY and self.play == "random":
                actions[rows] = cardsets.random_member(turn.legal[rows], rng)
            else:
                actions[rows] = answer(turn.take(rows))
        return actions
