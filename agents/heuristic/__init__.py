"""`heuristic`: a player that follows the published principles of the game (RULES.md 17)."""

from collections.abc import Callable, Mapping

import numpy as np
from jaxtyping import Int

from agents.heuristic import announcing, bidding, calling, discard, scale
from agents.heuristic import play as play_module
from agents.heuristic.estimates import Estimates, estimates_of
from agents.heuristic.thresholds import THRESHOLDS, Thresholds
from tarot_env.cards import cardsets
from tarot_env.cards.actions import PASS, Phase
from tarot_env.errors import unknown_name
from tarot_env.tables import Tables, Turn

BID_OPTIONS = ("table", "scale", "pass")
PLAY_OPTIONS = ("rules", "random")

ANSWERS: dict[Phase, Callable[[Turn], Int[np.ndarray, " n"]]] = {
    Phase.CALL: calling.call_card,
    Phase.SPLIT: calling.choose_half,
    Phase.DISCARD: discard.set_aside,
    Phase.SLAM: scale.announce_slam,
    Phase.MISERE: announcing.declare_misere,
    Phase.WITHHOLD: announcing.withhold,
}
ANSWERS_BY_TABLE: dict[Phase, Callable[[Turn, Estimates], Int[np.ndarray, " n"]]] = {
    Phase.PETIT_SEC: announcing.ask_for_redeal,
    Phase.AUCTION: bidding.bid,
    Phase.SLAM: announcing.announce_slam,
    Phase.POIGNEE: announcing.show_poignee,
}
ANSWERS_BY_SCALE: dict[Phase, Callable[[Turn, Thresholds], Int[np.ndarray, " n"]]] = {
    Phase.PETIT_SEC: scale.ask_for_redeal,
    Phase.AUCTION: scale.bid,
    Phase.POIGNEE: scale.show_poignee,
}


class HeuristicAgent:
    """Bids what is expected to score most, sets aside and plays by the published principles.

    Args:
        bid: `table` for the calls and announcements that are expected to score most; `scale` for
            those of the published scale; `pass` to pass in every auction.
        play: `rules`, or `random` to play uniform legal cards to the tricks.
        thresholds: points of the scale for each bid, by game.
        estimates: what bids and announcements are worth; those of each game if None.

    Raises:
        UnknownName: an option value that does not exist.
    """

    def __init__(
        self,
        bid: str = "table",
        play: str = "rules",
        thresholds: Mapping[str, Thresholds] = THRESHOLDS,
        estimates: Estimates | None = None,
    ) -> None:
        if bid not in BID_OPTIONS:
            raise unknown_name("value of bid", bid, BID_OPTIONS)
        if play not in PLAY_OPTIONS:
            raise unknown_name("value of play", play, PLAY_OPTIONS)
        self.bid, self.play = bid, play
        options = [("bid", bid, "table"), ("play", play, "rules")]
        changed = ",".join(f"{key}={value}" for key, value, usual in options if value != usual)
        self.name = f"heuristic:{changed}" if changed else "heuristic"
        self.thresholds, self.estimates = thresholds, estimates

    def act(self, turn: Turn, rng: np.random.Generator) -> Int[np.ndarray, " n"]:
        """One legal action for each row; draws from `rng` for `play=random` alone."""
        actions = np.full(len(turn), PASS, np.int64)
        for phase in map(Phase, np.unique(turn.phase)):
            rows = np.flatnonzero(turn.phase == phase)
            asked = turn if len(rows) == len(turn) else turn.take(rows)
            actions[rows] = self._answer(phase, asked, rng)
        return actions

    def play_on(self, tables: Tables, rows: Int[np.ndarray, " n"]) -> None:
        """Plays cards at the named tables, for all seats, until something else is asked.

        Exactly as with `act`, only quicker; with `play=random` no card is played.
        """
        if self.play == "rules":
            play_module.play_on(tables, rows)

    def _answer(
        self, phase: Phase, turn: Turn, rng: np.random.Generator
    ) -> Int[np.ndarray, " n"] | int:
        if phase == Phase.AUCTION and self.bid == "pass":
            return PASS
        if phase == Phase.PLAY and self.play == "random":
            return cardsets.random_member(turn.legal, rng)
        if phase == Phase.PLAY:
            return play_module.play_card(turn)
        game = turn.rules.game_name
        if phase in ANSWERS_BY_TABLE and self.bid != "scale":
            return ANSWERS_BY_TABLE[phase](turn, self.estimates or estimates_of(game))
        if phase in ANSWERS_BY_SCALE:
            return ANSWERS_BY_SCALE[phase](turn, self.thresholds[game])
        return ANSWERS[phase](turn)
