"""The referee: one deal, asked question by question, as the rules text says it.

It sees all cards. Whoever drives it reads `phase`, `seat` and `legal()` and answers with `apply`.
"""

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from . import announcements
from .before_play import BeforePlay
from .cards import (
    EXCUSE,
    callable_cards,
    in_action_order,
    is_petit_sec,
    legal_cards,
    legal_discards,
    legal_first_leads,
    trick_winner,
)
from .scoring import (
    ATTACK,
    DEFENCE,
    Facts,
    contract_is_made,
    count_piles,
    petit_au_bout_side,
    score_facts,
    side,
    slam_side,
)


class Referee(BeforePlay):
    """One deal from the first question to the scores; see Table for what it can be asked.

    `Referee(hands, chien, dealer)` is a deal of four under the rules of the FFT; `options` change
    these, `preset` names others, `game` is needed for the games that have a name. `forced` gives
    a seat a contract without an auction and without questions about a redeal.
    """

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        chien: Sequence[str],
        dealer: int,
        options: Mapping[str, Any] | None = None,
        forced: tuple[int, str] | None = None,
        *,
        preset: str = "fft",
        game: str | None = None,
        stock: Sequence[str] = (),
        piles: Sequence[Sequence[Sequence[str]]] = (),
    ) -> None:
        super().__init__(
            hands, chien, dealer, options, preset=preset, game=game, stock=stock, piles=piles
        )
        self._auction = self._new_auction()
        self._may_redeal = ()
        self._stages = ()
        self._asked: frozenset[tuple[int, str]] = frozenset()
        self._awaited = self.order_of_play[0]
        self._level = ""
        self._withheld: list[str] = []
        self._begin(forced)

    def copy(self) -> "Referee":
        """Another referee of the same deal, at the same point."""
        return copy.deepcopy(self)

    def legal(self) -> list[str]:
        """What the seat to act may answer, in the order of the action ids; [] when over."""
        return in_action_order(self._answers())

    def apply(self, action: str) -> None:
        """Take the answer of the seat to act.

        Raises:
            ValueError: if it is not legal; nothing has changed then.
        """
        if action not in self._answers():
            raise ValueError(
                f"illegal {action!r} by seat {self.seat} in {self.phase}: "
                f"may be one of {self.legal()}"
            )
        self.log.append((self.hand_to_play, action))
        take = {
            "PETIT_SEC": self._answer_redeal,
            "AUCTION": self._bid,
            "CALL": self._call,
            "SPLIT": self._split,
            "DISCARD": self._discard,
            "SLAM": self._answer_slam,
            "MISERE": self._answer_misere,
            "POIGNEE": self._answer_poignee,
            "WITHHOLD": self._withhold,
            "PLAY": self._play,
        }
        take[self.phase](action)

    def _answers(self) -> list[str]:
        if self.phase == "PETIT_SEC":
            return ["pass", "throw_in"]
        if self.phase == "AUCTION":
            return self._auction.legal()
        if self.phase == "CALL":
            return callable_cards(self.dealt[self.seat], own=self.options["call_own_king"])
        if self.phase == "SPLIT":
            return ["first_half", "second_half"]
        if self.phase == "DISCARD":
            kept = None if self.options["may_discard_called_card"] else self.called
            return legal_discards(self.hands[self.seat], kept)
        if self.phase == "SLAM":
            return ["pass", "chelem", *(["petit_chelem"] if self.options["petit_chelem"] else [])]
        if self.phase == "MISERE":
            return ["pass", "misere"]
        if self.phase == "POIGNEE":
            return ["pass", *self._levels(self.seat)]
        if self.phase == "WITHHOLD":
            return announcements.may_withhold(
                self._level, self._eligible(self.seat), self._withheld, self.options
            )
        return self._legal_cards() if self.phase == "PLAY" else []

    # The play: what a seat may announce before its first card, then cards.

    def _begin_play(self) -> None:
        for hand, cards in enumerate(self.hands):
            lone_petit = is_petit_sec(cards, excuse_protects=True)
            if lone_petit and self.options["petit_sec"] == "imprenable":
                self.imprenable = hand
        if self.stock:
            self.exposed = self.stock[-1]
        self._await_card(self._first_leader())

    def _first_leader(self) -> int:
        """The first hand, or the taker where the options say so; with a dummy there are none."""
        assert self.taker is not None
        leads_for_slam = self.slam_announced and self.options["slam_announcer_leads"]
        if leads_for_slam or self.options["first_lead"] == "taker":
            return self.taker
        return self.order_of_play[0]

    def _after(self, hand: int) -> int:
        place = self.order_of_play.index(hand)
        return self.order_of_play[(place + 1) % len(self.order_of_play)]

    def _await_card(self, hand: int) -> None:
        self._awaited = hand
        self._ask_what_comes_before()

    def _ask_what_comes_before(self) -> None:
        """The next announcement to ask about, or the card of the hand that is awaited."""
        hands = [self._awaited]
        if self.options["poignee_window"] == "before_first_trick":
            hands += [hand for hand in self._round_from(self._awaited) if hand not in hands]
        for hand in hands:
            for phase in ("MISERE", "POIGNEE"):
                if (hand, phase) not in self._asked:
                    self._asked |= {(hand, phase)}
                    if self._has_to_announce(hand, phase):
                        self._ask(phase, hand)
                        return
        self._ask("PLAY", self._awaited)

    def _round_from(self, hand: int) -> list[int]:
        place = self.order_of_play.index(hand)
        return self.order_of_play[place:] + self.order_of_play[:place]

    def _has_to_announce(self, hand: int, phase: str) -> bool:
        if phase == "MISERE":
            return self.options["misere"] and announcements.misere_of(self.hands[hand]) != ()
        return self._levels(hand) != []

    def _answer_misere(self, action: str) -> None:
        if action == "misere":
            self.history.append((self.seat, action))
            lacks = announcements.misere_of(self.hands[self.seat])
            self.miseres = {**self.miseres, self.seat: lacks}
        self._ask_what_comes_before()

    def _shown_discards_of(self, seat: int) -> list[str]:
        return [card for card in self.ecart_of(seat) if card in self.shown_discards]

    def _eligible(self, seat: int) -> list[str]:
        shown_before = self._shown_discards_of(seat)
        return announcements.eligible(self.hands[seat], shown_before, self.options)

    def _levels(self, seat: int) -> list[str]:
        shown_before = self._shown_discards_of(seat)
        return announcements.levels(self.hands[seat], shown_before, self.options)

    def _answer_poignee(self, action: str) -> None:
        if action == "pass":
            self._ask_what_comes_before()
            return
        self._level = action
        self._withheld = []
        self._withhold_or_show()

    def _withhold(self, card: str) -> None:
        if card == "pass":
            self._show()
        else:
            self._withheld.append(card)
            self._withhold_or_show()

    def _withhold_or_show(self) -> None:
        self._ask("WITHHOLD", self.seat)
        if not self._answers():
            self._show()

    def _show(self) -> None:
        cards = announcements.shown(
            self._level, self._eligible(self.seat), self._withheld, self.options
        )
        self.poignees[self.seat] = (self._level, in_action_order(cards))
        self.history.append((self.seat, self._level))
        self._ask_what_comes_before()

    def _legal_cards(self) -> list[str]:
        hand = self.hand_to_play
        cards = self.playable(hand)
        if not self.tricks and not self.table and self.options["first_lead_bans_called_suit"]:
            assert self.called is not None
            return legal_first_leads(cards, self.called)
        on_table = [card for _hand, card in self.table]
        return legal_cards(cards, on_table, petit_imprenable=hand == self.imprenable)

    def _play(self, card: str) -> None:
        hand = self.hand_to_play
        self.history.append((hand, card))
        self.take_from(hand, card)
        self.table.append((hand, card))
        if self.options["decouverte_reveal"] == "immediate":
            self.turn_up()
        if len(self.table) < len(self.order_of_play):
            self._await_card(self._after(hand))
            return
        winner = self._winner()
        self.tricks.append((self.table[0][0], self.table, winner))
        self.table = []
        self.turn_up()
        if self.stock:
            self.draw(winner)
        if len(self.tricks) == self.game.tricks:
            self._score()
            self._end()
        else:
            self._await_card(winner)

    def _winner(self) -> int:
        for place, (hand, card) in enumerate(self.table):
            if card == EXCUSE and self._excuse_wins(hand, is_led=place == 0):
                return hand
        return self.table[trick_winner([card for _hand, card in self.table])][0]

    def _excuse_wins(self, hand: int, *, is_led: bool) -> bool:
        """True in the last trick, if the side that plays the Excuse has won all the others."""
        if len(self.tricks) < self.game.tricks - 1:
            return False
        if slam_side(self.tricks, self.attack_seats) != side(hand, self.attack_seats):
            return False
        wins = self.options["excuse_wins_slam_trick"]
        return wins == "any_position" or (wins == "led_only" and is_led)

    def _score(self) -> None:
        assert self.taker is not None
        assert self.bid is not None
        unused_chien = [] if self._takes_chien else self.chien
        half, oudlers = count_piles(
            self.bid,
            self.tricks,
            self.ecart,
            unused_chien,
            self.attack_seats,
            self.options,
            self.imprenable,
        )
        self.attack_half, self.defence_half = half[ATTACK], half[DEFENCE]
        self.oudlers = oudlers[ATTACK]
        self.made = contract_is_made(self.attack_half, self.oudlers, self.options)
        self.petit_au_bout = petit_au_bout_side(self.tricks, self.attack_seats, self.options)
        self.slam = slam_side(self.tricks, self.attack_seats)
        won = [winner for _leader, _plays, winner in self.tricks if winner in self.attack_seats]
        facts = Facts(
            bid=self.bid,
            taker=self.taker,
            oudlers=self.oudlers,
            attack_half=self.attack_half,
            partner=self.partner,
            poignees=[level for level, _cards in self.poignees.values()],
            petit_au_bout=self.petit_au_bout,
            slam_announced=self.slam_announced,
            slam=self.slam,
            petit_chelem_announced=self.petit_chelem_announced,
            petit_chelem=len(won) >= self.game.tricks - 3,
            miseres=list(self.miseres),
            contra=self.contra,
            dealer=self.dealer,
        )
        self.scores_half = score_facts(facts, self.game, self.options)
