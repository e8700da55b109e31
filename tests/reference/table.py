"""The table: every card and every word of one deal, and who may know what of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from .games import check_deal, find_game
from .options import read_options
from .scoring import NOBODY, Trick


class Table:
    """What lies on the table, what was said, and what came of it.

    Attributes:
        phase: PETIT_SEC, AUCTION, CALL, SPLIT, DISCARD, SLAM, MISERE, POIGNEE, WITHHOLD, PLAY or
            OVER.
        seat: the seat to act, -1 when the deal is over.
        hand_to_play: the hand it acts for: 2 where that is the dummy's, else the same.
        dealt: the hands as dealt.
        hands: the cards held now.
        chien: the chien as dealt, whoever has it now.
        ecart: cards set aside, in order; with six the taker's three, then his partner's.
        shown_discards: those of them that everybody saw.
        table: the unfinished trick, (hand, card) in order.
        tricks: the finished ones, (leader, [(hand, card), ...], winner).
        taker, bid: None until somebody bids, and for ever if everybody passes.
        contra: with six, 1, 2 after a contra, 4 after a recontra.
        called: the card called with five.
        partner: the seat that has it, None if there is none; with six the seat opposite the taker.
        slam_announced, petit_chelem_announced: what the taker said he would take.
        miseres: by seat, what its hand lacks: `trumps`, `courts` or both.
        poignees: by seat, the level named and the cards shown.
        imprenable: the hand whose lone petit cannot be taken, None if there is none.
        stock: Tirette's cards to draw, the top one first, the exposed one last.
        exposed: the card that lies face up beside it.
        draws: who drew what after which trick, (tricks played, seat, card), all public.
        piles: Découverte's piles as dealt, `[seat][pile]` is [up, down].
        up, covered: the cards of the piles that lie face up and face down, None where none does.
        reveals: the cards turned up, (tricks finished, seat, pile, card), all public.
        petit_sec: whether the deal was thrown in because a lone petit must be.
        thrown_in_by: the seat that asked for a redeal.
        ended_on_dummy_bid: whether the auction of six did not get beyond petite and pousse.
        log: every (hand, action).
        history: what everybody heard and saw, in order; a hidden discard is (taker, None).
        scores_half, attack_half, defence_half, oudlers, petit_au_bout, slam, made: the outcome,
            all zero before the deal is over and when it was thrown in. `petit_au_bout` and `slam`
            are 1 for the attack, -1 for the defence, 0 for nobody.
    """

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        chien: Sequence[str],
        dealer: int,
        options: Mapping[str, Any] | None = None,
        *,
        preset: str = "fft",
        game: str | None = None,
        stock: Sequence[str] = (),
        piles: Sequence[Sequence[Sequence[str]]] = (),
    ) -> None:
        self.game = find_game(len(hands), game)
        self.players = self.game.players
        self.hand_size = self.game.hand_size
        self.options = read_options(options, preset=preset, players=self.players, game=game)
        self.dealer = dealer
        self.dealt = [list(hand) for hand in hands]
        self.hands = [list(hand) for hand in hands]
        self.chien = list(chien)
        self.stock = list(stock)
        self.piles = [[list(pile) for pile in row] for row in piles]
        check_deal(self.game, self.hands, self.chien, dealer, self.stock, self.piles)

        self.taker: int | None = None
        self.bid: str | None = None
        self.contra = 1
        self.called: str | None = None
        self.partner: int | None = None
        self.ecart: list[str] = []
        self.shown_discards: list[str] = []
        self.slam_announced = False
        self.petit_chelem_announced = False
        self.miseres: dict[int, tuple[str, ...]] = {}
        self.poignees: dict[int, tuple[str, list[str]]] = {}
        self.imprenable: int | None = None
        self.exposed: str | None = None
        self.draws: list[tuple[int, int, str]] = []
        self.up: list[list[str | None]] = [[up for up, _down in row] for row in self.piles]
        self.covered: list[list[str | None]] = [[down for _up, down in row] for row in self.piles]
        self.reveals: list[tuple[int, int, int, str]] = []
        self.table: list[tuple[int, str]] = []
        self.tricks: list[Trick] = []
        self.log: list[tuple[int, str]] = []
        self.history: list[tuple[int, str | None]] = []

        self.petit_sec = False
        self.thrown_in_by: int | None = None
        self.ended_on_dummy_bid = False
        self.scores_half = [0] * self.players
        self.attack_half = 0
        self.defence_half = 0
        self.oudlers = 0
        self.petit_au_bout = NOBODY
        self.slam = NOBODY
        self.made = False

        self.order_of_play = self.game.order_of_play(dealer)
        self.chien_is_open = False
        self.phase = ""
        self.seat = self.hand_to_play = -1

    # Who is on which side, and whose cards are whose.

    @property
    def attack_seats(self) -> list[int]:
        """The taker, and his partner where he has one."""
        return [seat for seat in (self.taker, self.partner) if seat is not None]

    @property
    def alone(self) -> bool:
        """True if the taker has no partner; with five, once he has called."""
        if self.taker is None or (self.game.has_call and self.called is None):
            return False
        return self.partner is None

    def ecart_of(self, seat: int) -> list[str]:
        """What a seat set aside."""
        if self.game.has_partnerships:
            halves = {self.taker: self.ecart[:3], self.partner: self.ecart[3:]}
            return halves.get(seat, [])
        return self.ecart if seat == self.taker else []

    def playable(self, hand: int) -> list[str]:
        """The cards of a hand, and those that lie face up in front of it."""
        face_up = self.up[hand] if self.up else []
        return self.hands[hand] + [card for card in face_up if card is not None]

    # What everybody knows.

    @property
    def chien_is_public(self) -> bool:
        """True once the chien is turned up, and at the end."""
        return self.chien_is_open or (self.phase == "OVER" and self.taker is not None)

    @property
    def partner_is_public(self) -> bool:
        """True once everybody knows with whom the taker plays, or that he is alone."""
        if self.taker is None or not self.game.has_call:
            return self.taker is not None
        played = [card for _leader, plays, _winner in self.tricks for _seat, card in plays]
        seen = played + [card for _seat, card in self.table]
        seen += self.chien if self.chien_is_public else []
        return self.phase == "OVER" or self.called in seen

    @property
    def dummy_is_exposed(self) -> bool:
        """True once the dummy lies open: after the first card, or after the ecart."""
        if not self.game.has_dummy:
            return False
        if self.table or self.tricks:
            return True
        follows_the_ecart = ["PLAY"]
        if self.options["slam_window"] == "after_ecart":
            follows_the_ecart.append("SLAM")
        return self.options["dummy_reveal"] == "after_ecart" and self.phase in follows_the_ecart

    # What the games of two add to the play.

    def take_from(self, hand: int, card: str) -> None:
        """A hand plays a card, from the hand or from the top of a pile."""
        if card in self.hands[hand]:
            self.hands[hand].remove(card)
        else:
            self.up[hand][self.up[hand].index(card)] = None

    def turn_up(self) -> None:
        """Turn up every card of the piles on which none lies any more (RULES.md 12.6)."""
        for seat, row in enumerate(self.covered):
            for pile, card in enumerate(row):
                if card is not None and self.up[seat][pile] is None:
                    self.up[seat][pile], row[pile] = card, None
                    self.reveals.append((len(self.tricks), seat, pile, card))

    def draw(self, winner: int) -> None:
        """Both draw after a trick; the last of these wins the exposed card (RULES.md 12.7)."""
        if len(self.stock) > 2:
            first = winner if self.options["tirette_draw_first"] == "winner" else 1 - winner
            drawn = [(first, self.stock.pop(0)), (1 - first, self.stock.pop(0))]
        else:
            drawn = [(winner, self.stock.pop()), (1 - winner, self.stock.pop())]
            self.exposed = None
        for seat, card in drawn:
            self.hands[seat].append(card)
            self.draws.append((len(self.tricks), seat, card))
