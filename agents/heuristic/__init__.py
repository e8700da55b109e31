"""`heuristic`: a player that follows the published principles of the game (rules.md E)."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Int

from agents.heuristic import announcing, bidding, calling, discard
from agents.heuristic import play as play_module
from agents.heuristic.estimates import Estimates, estimates_of
from tarot_env import cardsets
from tarot_env.actions import PASS, Phase
from tarot_env.errors import unknown_name
from tarot_env.turn import Turn

BID_OPTIONS = ("score", "pass")
PLAY_OPTIONS = ("rules", "random")

ANSWERS: dict[Phase, Callable[[Turn], Int[np.ndarray, " n"]]] = {
    Phase.CALL: calling.call_card,
    Phase.SPLIT: calling.choose_half,
    Phase.DISCARD: discard.set_aside,
    Phase.MISERE: announcing.declare_misere,
    Phase.WITHHOLD: announcing.withhold,
    Phase.PLAY: play_module.play_card,
}
ANSWERS_BY_ESTIMATE: dict[Phase, Callable[[Turn, Estimates], Int[np.ndarray, " n"]]] = {
    Phase.PETIT_SEC: announcing.ask_for_redeal,
    Phase.AUCTION: bidding.bid,
    Phase.SLAM: announcing.announce_slam,
    Phase.POIGNEE: announcing.show_poignee,
}


class HeuristicAgent:
    """Makes the call that is expected to score most, plays by the published principles.

    Args:
        bid: `score`, or `pass` to pass in every auction.
        play: `rules`, or `random` to play uniform legal cards to the tricks.
        estimates: what bids and announcements are worth; those of each game if None.

    Raises:
        UnknownName: an option value that does not exist.
    """

    def __init__(
        self,
        bid: str = "score",
        play: str = "rules",
        estimates: Estimates | None = None,
    ) -> None:
        if bid not in BID_OPTIONS:
            raise unknown_name("bid option of heuristic", bid, BID_OPTIONS)
        if play not in PLAY_OPTIONS:
            raise unknown_name("play option of heuristic", play, PLAY_OPTIONS)
        self.bid, self.play = bid, play
        options = [("bid", bid, "score"), ("play", play, "rules")]
        changed = ",".join(f"{key}={value}" for key, value, usual in options if value != usual)
        self.name = f"heuristic:{changed}" if changed else "heuristic"
        self.estimates = estimates

    def act(self, turn: Turn, rng: np.random.Generator) -> Int[np.ndarray, " n"]:
        """One legal action for each row; draws from `rng` for `play=random` alone."""
        actions = np.full(len(turn), PASS, np.int64)
        for phase in Phase:
            rows = np.flatnonzero(turn.phase == phase)
            if len(rows):
                actions[rows] = self._answer(phase, turn.take(rows), rng)
        return actions

    def _answer(
        self, phase: Phase, turn: Turn, rng: np.random.Generator
    ) -> Int[np.ndarray, " n"] | int:
        if phase == Phase.AUCTION and self.bid == "pass":
            return PASS
        if phase == Phase.PLAY and self.play == "random":
            return cardsets.random_member(turn.legal, rng)
        if phase in ANSWERS_BY_ESTIMATE:
            estimates = self.estimates or estimates_of(turn.rules.game_name)
            return ANSWERS_BY_ESTIMATE[phase](turn, estimates)
        return ANSWERS[phase](turn)
