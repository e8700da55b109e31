"""The referee: one deal, asked question by question, as the rules text says it.

It sees all cards. Whoever drives it reads `phase`, `seat` and `legal()` and answers with `apply`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from .cards import (
    BIDS,
    EXCUSE,
    PACK,
    POIGNEES,
    in_action_order,
    is_petit_sec,
    is_trump,
    legal_cards,
    legal_discards,
    trick_winner,
)
from .options import read_options
from .scoring import (
    ATTACK,
    DEFENCE,
    NOBODY,
    Trick,
    count_piles,
    petit_au_bout_side,
    score_deal,
    side,
    slam_side,
)

# Number of players: cards in a hand, cards in the chien.
SHAPES = {4: (18, 6)}


class Referee:
    """One deal from the auction to the scores.

    Attributes:
        phase: AUCTION, DISCARD, SLAM, POIGNEE, WITHHOLD, PLAY or OVER.
        seat: the seat to act, -1 when the deal is over.
        dealt: the hands as dealt.
        hands: the cards held now.
        chien: the chien as dealt, whoever has it now.
        ecart: cards set aside, in order.
        shown_discards: those of them that everybody saw.
        table: the unfinished trick, (seat, card) in order.
        tricks: the finished ones, (leader, [(seat, card), ...], winner).
        taker, bid: None until somebody bids, and for ever if everybody passes.
        slam_announced: whether the taker said he would take every trick.
        poignees: by seat, the level named and the cards shown.
        petit_sec: whether the deal was thrown in for a lone petit.
        log: every (seat, action).
        history: what everybody heard and saw, in order; a hidden discard is (taker, None).
        scores_half, attack_half, defence_half, oudlers, petit_au_bout, slam: the outcome, all
            zero before the deal is over and when it was thrown in. `petit_au_bout` and `slam` are
            1 for the attack, -1 for the defence, 0 for nobody.
    """

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        chien: Sequence[str],
        dealer: int,
        options: Mapping[str, Any] | None = None,
        forced: tuple[int, str] | None = None,
    ) -> None:
        _check_deal(hands, chien, dealer)
        self.players = len(hands)
        self.hand_size = len(hands[0])
        self.options = read_options(self.players, options)
        self.dealer = dealer
        self.dealt = [list(hand) for hand in hands]
        self.hands = [list(hand) for hand in hands]
        self.chien = list(chien)

        self.taker: int | None = None
        self.bid: str | None = None
        self.ecart: list[str] = []
        self.shown_discards: list[str] = []
        self.slam_announced = False
        self.poignees: dict[int, tuple[str, list[str]]] = {}
        self.table: list[tuple[int, str]] = []
        self.tricks: list[Trick] = []
        self.log: list[tuple[int, str]] = []
        self.history: list[tuple[int, str | None]] = []

        self.petit_sec = False
        self.scores_half = [0] * self.players
        self.attack_half = 0
        self.defence_half = 0
        self.oudlers = 0
        self.petit_au_bout = NOBODY
        self.slam = NOBODY

        self._have_spoken = 0
        self._level = ""
        self._withheld: list[str] = []
        self.phase = "AUCTION"
        self.seat = self._next(dealer)
        self._begin(forced)

    def legal(self) -> list[str]:
        """What the seat to act may answer, in the order of the action ids; [] when over."""
        if self.phase == "AUCTION":
            return in_action_order(["pass", *self._higher_bids()])
        if self.phase == "DISCARD":
            return in_action_order(legal_discards(self.hands[self.seat]))
        if self.phase == "SLAM":
            return in_action_order(["pass", "chelem"])
        if self.phase == "POIGNEE":
            return in_action_order(["pass", *self._levels(self.seat)])
        if self.phase == "WITHHOLD":
            trumps = self._trumps_to_show(self.seat)
            return in_action_order(card for card in trumps if card not in self._withheld)
        if self.phase == "PLAY":
            on_table = [card for _seat, card in self.table]
            return in_action_order(legal_cards(self.hands[self.seat], on_table))
        return []

    def apply(self, action: str) -> None:
        """Take the answer of the seat to act.

        Raises:
            ValueError: if it is not legal; nothing has changed then.
        """
        if action not in self.legal():
            raise ValueError(
                f"illegal {action!r} by seat {self.seat} in {self.phase}: "
                f"may be one of {self.legal()}"
            )
        self.log.append((self.seat, action))
        if self.phase == "AUCTION":
            self._bid(action)
        elif self.phase == "DISCARD":
            self._discard(action)
        elif self.phase == "SLAM":
            self._answer_slam(action)
        elif self.phase == "POIGNEE":
            self._answer_poignee(action)
        elif self.phase == "WITHHOLD":
            self._withhold(action)
        else:
            self._play(action)

    # Before the play.

    def _begin(self, forced: tuple[int, str] | None) -> None:
        if forced is not None:
            seat, bid = forced
            if seat not in range(self.players) or bid not in self._higher_bids():
                raise ValueError(f"no such contract: {forced}")
        if self.options["petit_sec"] == "mandatory" and any(
            is_petit_sec(hand, excuse_protects=self.options["petit_sec_excuse_protects"])
            for hand in self.dealt
        ):
            self.petit_sec = True
            self._end()
        elif forced is not None:
            self.taker, self.bid = forced
            self._open_chien()

    def _higher_bids(self) -> list[str]:
        bids = list(BIDS) if self.options["with_petite"] else list(BIDS[1:])
        return bids if self.bid is None else bids[bids.index(self.bid) + 1 :]

    def _bid(self, action: str) -> None:
        self.history.append((self.seat, action))
        self._have_spoken += 1
        if action != "pass":
            self.taker, self.bid = self.seat, action
        if self._have_spoken < self.players and self._higher_bids():
            self.seat = self._next(self.seat)
        elif self.bid is None:
            self._end()
        else:
            self._open_chien()

    def _open_chien(self) -> None:
        assert self.taker is not None
        self.seat = self.taker
        if self.bid in ("petite", "garde"):
            self.hands[self.taker] += self.chien
            self.phase = "DISCARD"
        else:
            self.phase = "SLAM"

    def _discard(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.ecart.append(card)
        if is_trump(card):
            self.shown_discards.append(card)
            self.history.append((self.seat, card))
        else:
            self.history.append((self.seat, None))
        if len(self.ecart) == len(self.chien):
            self.phase = "SLAM"

    def _answer_slam(self, action: str) -> None:
        assert self.taker is not None
        self.history.append((self.seat, action))
        self.slam_announced = action == "chelem"
        taker_leads = self.options["first_lead"] == "taker" or (
            self.slam_announced and self.options["slam_announcer_leads"]
        )
        self._ask_to_play(self.taker if taker_leads else self._next(self.dealer))

    # Handfuls: each seat just before its own first card.

    def _ask_to_play(self, seat: int) -> None:
        self.seat = seat
        has_played = len(self.hands[seat]) < self.hand_size
        self.phase = "PLAY" if has_played or not self._levels(seat) else "POIGNEE"

    def _trumps_to_show(self, seat: int) -> list[str]:
        """Trumps that may be part of a handful: those in hand, and the taker's shown discards."""
        trumps = [card for card in self.hands[seat] if is_trump(card)]
        if seat == self.taker and self.options["poignee_counts_shown_discards"]:
            trumps += self.shown_discards
        return trumps

    def _threshold(self, level: str) -> int:
        threshold: int = self.options["poignee_thresholds"][POIGNEES.index(level)]
        return threshold

    def _levels(self, seat: int) -> list[str]:
        """Handfuls that a seat can show.

        The Excuse says that no trump is hidden, so it helps only where all the trumps together
        are one short; the number of cards is then the same as if it counted like a trump.
        """
        showable = len(self._trumps_to_show(seat)) + (EXCUSE in self.hands[seat])
        return [level for level in POIGNEES if showable >= self._threshold(level)]

    def _answer_poignee(self, action: str) -> None:
        if action == "pass":
            self.phase = "PLAY"
            return
        self._level = action
        self._withheld = []
        self._withhold_or_show()

    def _withhold(self, card: str) -> None:
        self._withheld.append(card)
        self._withhold_or_show()

    def _withhold_or_show(self) -> None:
        threshold = self._threshold(self._level)
        shown = [card for card in self._trumps_to_show(self.seat) if card not in self._withheld]
        if len(shown) > threshold:
            self.phase = "WITHHOLD"
            return
        if len(shown) < threshold:
            shown.append(EXCUSE)
        self.poignees[self.seat] = (self._level, in_action_order(shown))
        self.history.append((self.seat, self._level))
        self.phase = "PLAY"

    # The tricks.

    def _play(self, card: str) -> None:
        self.history.append((self.seat, card))
        self.hands[self.seat].remove(card)
        self.table.append((self.seat, card))
        if len(self.table) < self.players:
            self._ask_to_play(self._next(self.seat))
            return
        winner = self._winner()
        self.tricks.append((self.table[0][0], self.table, winner))
        self.table = []
        if len(self.tricks) == self.hand_size:
            self._score()
            self._end()
        else:
            self._ask_to_play(winner)

    def _winner(self) -> int:
        for place, (seat, card) in enumerate(self.table):
            if card == EXCUSE and self._excuse_wins(seat, is_led=place == 0):
                return seat
        return self.table[trick_winner([card for _seat, card in self.table])][0]

    def _excuse_wins(self, seat: int, *, is_led: bool) -> bool:
        """True in the last trick, if the side that plays the Excuse has won all the others."""
        is_last = len(self.tricks) == self.hand_size - 1
        if not is_last or slam_side(self.tricks, self.attack_seats) != side(
            seat, self.attack_seats
        ):
            return False
        wins = self.options["excuse_wins_slam_trick"]
        return wins == "any_position" or (wins == "led_only" and is_led)

    # The end.

    @property
    def attack_seats(self) -> list[int]:
        return [] if self.taker is None else [self.taker]

    def _score(self) -> None:
        assert self.taker is not None
        assert self.bid is not None
        half, oudlers = count_piles(
            self.bid, self.tricks, self.ecart, self._unused_chien(), self.attack_seats, self.options
        )
        self.attack_half, self.defence_half = half[ATTACK], half[DEFENCE]
        self.oudlers = oudlers[ATTACK]
        self.petit_au_bout = petit_au_bout_side(self.tricks, self.attack_seats, self.options)
        self.slam = slam_side(self.tricks, self.attack_seats)
        self.scores_half = score_deal(
            bid=self.bid,
            taker=self.taker,
            oudlers=self.oudlers,
            attack_half=self.attack_half,
            poignees=[level for level, _cards in self.poignees.values()],
            petit_au_bout=self.petit_au_bout,
            slam_announced=self.slam_announced,
            slam=self.slam,
            players=self.players,
            options=self.options,
        )

    def _unused_chien(self) -> list[str]:
        return [] if self.bid in ("petite", "garde") else self.chien

    def _end(self) -> None:
        self.phase = "OVER"
        self.seat = -1

    def _next(self, seat: int) -> int:
        return (seat + 1) % self.players


def _check_deal(hands: Sequence[Sequence[str]], chien: Sequence[str], dealer: int) -> None:
    if len(hands) not in SHAPES:
        raise ValueError(f"no game here with {len(hands)} hands")
    hand_size, chien_size = SHAPES[len(hands)]
    if any(len(hand) != hand_size for hand in hands) or len(chien) != chien_size:
        sizes = [len(hand) for hand in hands]
        raise ValueError(f"hands of {sizes} and a chien of {len(chien)}")
    if sorted([card for hand in hands for card in hand] + list(chien)) != sorted(PACK):
        raise ValueError("not the 78 cards, each once")
    if dealer not in range(len(hands)):
        raise ValueError(f"no seat {dealer} to deal")
