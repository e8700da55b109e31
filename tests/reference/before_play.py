"""What is asked before the play: redeals, the auction, the call, the chien, the slam."""

from .auction import Auction, PartnershipAuction
from .cards import BIDS, DUMMY_BIDS, is_petit_sec, is_trump, is_weak
from .table import Table


class BeforePlay(Table):
    """A deal up to the moment when the play begins.

    Which question comes next is decided here; what may be answered is for the Referee to say.
    """

    _auction: Auction | PartnershipAuction
    _may_redeal: tuple[int, ...]
    _stages: tuple[str, ...]

    def _ask(self, phase: str, hand: int) -> None:
        """Put a question to the seat of a hand; the defender answers for the dummy."""
        self.phase = phase
        self.hand_to_play = hand
        self.seat = hand
        if hand >= self.players:
            assert self.taker is not None
            self.seat = 1 - self.taker

    def _end(self) -> None:
        self.phase = "OVER"
        self.seat = self.hand_to_play = -1

    def _new_auction(self) -> Auction | PartnershipAuction:
        order = tuple(self.game.bidders(self.dealer))
        if self.game.has_partnerships:
            return PartnershipAuction(order, order[0])
        bids = BIDS if self.options["with_petite"] else BIDS[1:]
        return Auction(order, bids, self.options["auction"] == "until_passed", order[0])

    def _begin(self, forced: tuple[int, str] | None) -> None:
        if forced is not None:
            seat, bid = forced
            may_be_bid = bid in self._auction.higher_bids() and not self._is_dummy_bid(bid)
            if seat not in self.game.bidders(self.dealer) or not may_be_bid:
                raise ValueError(f"no such contract: {forced}")
        order = self.game.bidders(self.dealer)
        lone_petits = [seat for seat in order if self.has_petit_sec(seat)]
        if lone_petits and self.options["petit_sec"] == "mandatory":
            self.petit_sec = True
            self._end()
        elif forced is not None:
            self.taker, self.bid = forced
            self._go_on_with_contract()
        else:
            limit = self.options["weak_hand_redeal"]
            weak = [seat for seat in order if is_weak(self.dealt[seat], limit)]
            asked = lone_petits if self.options["petit_sec"] == "optional" else []
            self._may_redeal = (*asked, *(seat for seat in weak if seat not in asked))
            self._ask_for_redeal()

    def has_petit_sec(self, seat: int) -> bool:
        """True if a seat was dealt the petit as its only trump."""
        protects = self.options["petit_sec_excuse_protects"]
        return is_petit_sec(self.dealt[seat], excuse_protects=protects)

    def _ask_for_redeal(self) -> None:
        if self._may_redeal:
            self._ask("PETIT_SEC", self._may_redeal[0])
        else:
            self._ask("AUCTION", self.order_of_play[0])

    def _answer_redeal(self, action: str) -> None:
        if action == "throw_in":
            self.history.append((self.seat, action))
            self.thrown_in_by = self.seat
            self._end()
        else:
            self._may_redeal = self._may_redeal[1:]
            self._ask_for_redeal()

    def _is_dummy_bid(self, bid: str | None) -> bool:
        return self.game.has_partnerships and bid in DUMMY_BIDS

    def _bid(self, action: str) -> None:
        self.history.append((self.seat, action))
        self._auction = self._auction.say(action)
        self.taker, self.bid = self._auction.taker, self._auction.bid
        self.contra = self._auction.contra
        if self._auction.seat is not None:
            self._ask("AUCTION", self._auction.seat)
        elif self.bid is None or self._is_dummy_bid(self.bid):
            self.ended_on_dummy_bid = self.bid is not None
            self.taker, self.bid, self.contra = None, None, 1
            self._end()
        else:
            self._go_on_with_contract()

    def _go_on_with_contract(self) -> None:
        """The questions between the auction and the play, in their order."""
        assert self.taker is not None
        stages = ["CALL"] if self.game.has_call else []
        if self.game.has_partnerships:
            self.partner = (self.taker + 3) % 6
        if self._takes_chien and self.game.has_partnerships:
            stages.append("SPLIT")
        if self._takes_chien:
            stages.append("DISCARD")
        stages.insert(0 if self.options["slam_window"] == "with_bid" else len(stages), "SLAM")
        self._stages = tuple(stages)
        self._next_stage()

    @property
    def _takes_chien(self) -> bool:
        return self.bid in ("petite", "garde")

    def _next_stage(self) -> None:
        assert self.taker is not None
        if not self._stages:
            self._begin_play()
            return
        stage, self._stages = self._stages[0], self._stages[1:]
        self.chien_is_open |= stage in ("SPLIT", "DISCARD")
        if stage == "DISCARD" and not self.game.has_partnerships:
            self.hands[self.taker] += self.chien
        self._ask(stage, self.taker)

    def _call(self, card: str) -> None:
        self.history.append((self.seat, card))
        self.called = card
        holders = [seat for seat, hand in enumerate(self.dealt) if card in hand]
        self.partner = next((seat for seat in holders if seat != self.taker), None)
        self._next_stage()

    def _split(self, action: str) -> None:
        assert self.partner is not None
        self.history.append((self.seat, action))
        halves = [self.chien[:3], self.chien[3:]]
        chosen = 0 if action == "first_half" else 1
        self.hands[self.seat] += halves[chosen]
        self.hands[self.partner] += halves[1 - chosen]
        self._next_stage()

    def _discard(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.ecart.append(card)
        if is_trump(card):
            self.shown_discards.append(card)
        self.history.append((self.seat, card if is_trump(card) else None))
        if len(self.ecart) == len(self.chien):
            self._next_stage()
        elif self.game.has_partnerships and len(self.ecart) == 3:
            assert self.partner is not None
            self._ask("DISCARD", self.partner)

    def _answer_slam(self, action: str) -> None:
        self.history.append((self.seat, action))
        self.slam_announced = action == "chelem"
        self.petit_chelem_announced = action == "petit_chelem"
        self._next_stage()

    def _begin_play(self) -> None:
        raise NotImplementedError
