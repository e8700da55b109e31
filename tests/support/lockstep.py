"""The core and the referee side by side: one answer for both, everything compared.

Cards and actions are text here. `Pair` is one deal, written by hand and compared after every
action; `drawn_batch` makes many for the batched core against a referee each.
"""

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from reference import PACK, Referee
from reference.deals import STYLES, draw_contract, draw_deal
from reference.games import find_game

from tarot_env import Bid, Deal, Phase, Rules, Tables
from tarot_env.cards.actions import ACTION_TEXTS, parse_action
from tarot_env.cards.cardsets import from_ids, to_ids
from tarot_env.tables import Turn

RANKS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "N", "Q", "K")


def cards(text: str) -> list[str]:
    """Card texts, runs written out: `S9-J T2-4 EX` is S9 S10 SJ T2 T3 T4 EX."""
    found = []
    for word in text.split():
        run = re.fullmatch(r"([SHDCT])(\w+)-(\w+)", word)
        if run is None:
            found.append(word)
            continue
        letter, first, last = run.groups()
        order = [str(n) for n in range(1, 22)] if letter == "T" else list(RANKS)
        found += [letter + rank for rank in order[order.index(first) : order.index(last) + 1]]
    return found


def ids(texts: Iterable[str]) -> list[int]:
    return sorted(parse_action(text) for text in texts)


def texts(words: np.ndarray) -> list[str]:
    """The members of one set, in the order of the ids."""
    return [ACTION_TEXTS[i] for i in to_ids(words)]


def as_set(members: Iterable[str]) -> np.ndarray:
    return from_ids(parse_action(text) for text in members)


def written(*piles: str, dealer: int = 3) -> tuple[list[list[str]], list[str], int]:
    """Four hands and the chien as text; all 78 cards must be there."""
    *hands, chien = [cards(pile) for pile in piles]
    assert [len(hand) for hand in hands] == [18, 18, 18, 18], [len(hand) for hand in hands]
    dealt = [card for pile in (*hands, chien) for card in pile]
    assert sorted(dealt) == sorted(PACK), set(PACK) ^ set(dealt)
    return hands, chien, dealer


def history_of(referee: Referee) -> list[tuple[int, int]]:
    return [
        (seat, -1 if action is None else parse_action(action)) for seat, action in referee.history
    ]


def assert_same_step(tables: Tables, row: int, legal: Sequence[str], referee: Referee) -> None:
    assert Phase(tables.phase[row]).name == referee.phase
    assert tables.seat_to_act[row] == referee.seat
    assert tables.hand_to_play[row] == referee.hand_to_play
    assert list(legal) == referee.legal()


def _or_none(value: int) -> int | None:
    return None if value < 0 else int(value)


def assert_same_cards(tables: Tables, row: int, referee: Referee) -> None:
    """Where every card lies, and what has been said about it."""
    state, rules = tables.columns, tables.rules
    for hand in range(rules.hands):
        assert set(texts(state.hands[row, hand])) == set(referee.playable(hand))
    ecarts = [texts(cards) for cards in state.ecart[row]]
    attack = (referee.taker, referee.partner)
    if referee.taker is not None:
        for seat, ecart in zip(attack, ecarts, strict=False):
            assert set(ecart) == set(referee.ecart_of(seat))
    names = ("", "poignee", "double_poignee", "triple_poignee")
    for seat in range(rules.players):
        level, shown = referee.poignees.get(seat, ("", []))
        assert names[state.poignee_level[row, seat]] == level
        assert texts(state.poignee_cards[row, seat]) == shown
        lacks = referee.miseres.get(seat, ())
        assert state.misere[row, seat] == ("trumps" in lacks) + 2 * ("courts" in lacks)
    assert state.chien_open[row] == referee.chien_is_public
    if rules.players == 2:
        _assert_same_face_up(tables, row, referee)
    called = None if referee.called is None else parse_action(referee.called)
    assert _or_none(tables.called_card[row]) == called
    if referee.phase != "AUCTION" and referee.taker is not None:
        assert _or_none(tables.partner[row]) == referee.partner
        assert _or_none(state.imprenable[row]) == referee.imprenable
    assert 2 ** state.contra[row] == referee.contra


def _assert_same_face_up(tables: Tables, row: int, referee: Referee) -> None:
    state, rules = tables.columns, tables.rules
    exposed = None
    for hand in range(rules.hands):
        if rules.game == "decouverte":
            seen = [card for card in referee.up[hand] if card is not None]
        elif rules.game == "tirette":
            drawn = {card for _tricks, seat, card in referee.draws if seat == hand}
            seen = [card for card in referee.hands[hand] if card in drawn]
            exposed = referee.exposed
        else:
            seen = referee.hands[hand] if hand == 2 and referee.dummy_is_exposed else []
        assert set(texts(state.face_up[row, hand])) == set(seen)
    turn = tables.turn(np.array([row]), np.array([0]))
    assert _or_none(turn.exposed[0]) == (None if exposed is None else parse_action(exposed))


def assert_same_end(tables: Tables, row: int, referee: Referee) -> None:
    """Everything that is known at the end, and on the way there."""
    state = tables.columns
    assert_same_cards(tables, row, referee)
    assert tables.taker[row] == (-1 if referee.taker is None else referee.taker)
    name = Bid(tables.contract[row]).name.lower()
    assert name == (referee.bid or "none")
    assert state.slam_announced[row] == referee.slam_announced
    assert state.petit_chelem_announced[row] == referee.petit_chelem_announced
    assert state.half_scores[row].tolist() == referee.scores_half
    assert tables.scores[row].tolist() == [half / 2 for half in referee.scores_half]
    assert state.attack_half_points[row] == referee.attack_half
    assert tables.points[row] == referee.attack_half / 2
    assert tables.oudlers[row] == referee.oudlers
    assert tables.made[row] == referee.made
    assert state.petit_au_bout[row] == referee.petit_au_bout
    history = state.history[row, : state.history_size[row]]
    assert [tuple(event) for event in history.tolist()] == history_of(referee)
    assert (state.history[row, state.history_size[row] :] == -1).all()
    log = state.log[row, : state.log_size[row]]
    assert [(seat, ACTION_TEXTS[action]) for seat, action in log] == referee.log


class Both(Referee):
    """A referee that has the core play along, compared after every answer.

    Arguments as for `Referee`.
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
            hands,
            chien,
            dealer,
            options,
            forced,
            preset=preset,
            game=game,
            stock=stock,
            piles=piles,
        )
        rules = rules_of(preset, game or str(len(hands)), options or {})
        deal = Deal.from_text(hands, chien, dealer, forced, stock, piles)
        self.tables = Tables.from_deals(rules, [deal])
        self._compare()

    def apply(self, action: str) -> None:
        super().apply(action)
        self.tables.step(np.array([parse_action(action)]))
        self._compare()

    def _compare(self) -> None:
        assert_same_step(self.tables, 0, texts(self.tables.legal_sets()[0]), self)
        assert_same_cards(self.tables, 0, self)
        if self.phase == "OVER":
            assert_same_end(self.tables, 0, self)


class Pair:
    """One deal of four on both, with short ways to bring it to where a test needs it.

    Args:
        deal: as `written` returns it.
        forced: the contract given without an auction.
        options: rules that differ from those of the FFT.
    """

    def __init__(
        self,
        deal: tuple[list[list[str]], list[str], int],
        forced: tuple[int, str] | None = None,
        **options: Any,
    ) -> None:
        self.referee = Both(*deal, options, forced)
        self.tables = self.referee.tables
        self.rules = self.tables.rules

    @property
    def legal(self) -> list[str]:
        return texts(self.tables.legal_sets()[0])

    @property
    def phase(self) -> str:
        return Phase(self.tables.phase[0]).name

    @property
    def seat(self) -> int:
        return int(self.tables.seat_to_act[0])

    def turn(self, seat: int) -> Turn:
        return self.tables.turn(np.array([0]), np.array([seat]))

    def say(self, actions: str) -> "Pair":
        """Gives the answers, runs of cards written out."""
        for action in cards(actions):
            self.referee.apply(action)
        return self

    def to(self, phase: str) -> "Pair":
        """Passes, or gives the first legal answer, until the phase comes."""
        while self.phase != phase:
            self.say(self.legal[0] if "pass" not in self.legal else "pass")
        return self

    def trick(self, played: str) -> "Pair":
        """Plays cards, declining poignées on the way."""
        for card in cards(played):
            if self.phase == "POIGNEE":
                self.say("pass")
            self.say(card)
        return self

    def default(self, keep: str = "") -> "Pair":
        """Passes, or gives the lowest legal id; cards to keep are given last."""
        kept = cards(keep)
        legal = self.legal
        if "pass" in legal:
            return self.say("pass")
        return self.say(min(legal, key=lambda card: (card in kept, parse_action(card))))

    def lead(self, led: str, keep: str = "") -> "Pair":
        """Leads tricks with these cards; the others answer by default."""
        for card in cards(led):
            self.trick(card)
            while self.referee.table:
                self.default(keep)
        return self

    def until(self, tricks: int, keep: str = "") -> "Pair":
        """Plays by default until so many tricks are taken."""
        while len(self.referee.tricks) < tricks:
            self.default(keep)
        return self

    def finish(self, keep: str = "") -> "Pair":
        """Plays to the end by default."""
        while self.phase != "OVER":
            self.default(keep)
        return self

    @property
    def outcome(self) -> tuple[float, int]:
        """Card points and oudlers of the attack."""
        return float(self.tables.points[0]), int(self.tables.oudlers[0])

    @property
    def winners(self) -> list[int]:
        return [winner for _leader, _plays, winner in self.referee.tricks]

    def pays(self) -> float:
        """What each defender pays; checks that all pay the same and the taker gets it."""
        scores: list[float] = self.tables.scores[0].tolist()
        taker = int(self.tables.taker[0])
        paid = -scores[taker - 1]
        assert scores == [3 * paid if seat == taker else -paid for seat in range(4)]
        return paid


@dataclass
class Batch:
    """Tables that play the same rules, and what referees each of them."""

    tables: Tables
    referees: list[Referee]
    styles: list[str]
    rngs: list[random.Random]


KIND_WEIGHTS = {
    "fair": 5,
    "trump_heavy": 6,
    "slam_prone": 6,
    "petit_sec": 1,
    "endgame": 3,
    "misere": 1,
    "courts": 2,
}


def rules_of(preset: str, game_name: str, options: Mapping[str, Any]) -> Rules:
    """Rules of a preset's game, named as in `PRESETS`."""
    if game_name.isdigit():
        return Rules.preset(preset, players=int(game_name), **options)
    return Rules.preset(preset, game=game_name, **options)


def drawn_batch(name: str, size: int, rules: Rules, options: Mapping[str, Any]) -> Batch:
    """Drawn deals of every kind, a third of them with a contract given; named by text."""
    game = find_game(rules.players, rules.game)
    deals, referees, styles, rngs = [], [], [], []
    for number in range(size):
        rng = random.Random(f"{name} {number}")
        kind = rng.choices(list(KIND_WEIGHTS), list(KIND_WEIGHTS.values()))[0]
        deal = draw_deal(rng, kind, game)
        forced = draw_contract(rng, deal, game) if rng.random() < 1 / 3 else None
        if forced is not None and forced[1] == "petite" and not rules.with_petite:
            forced = (forced[0], "garde")
        deals.append(Deal.from_text(**deal, forced=forced))
        referee = Referee(
            **deal, options=options, forced=forced, preset=rules.preset_name, game=rules.game
        )
        referees.append(referee)
        styles.append(rng.choice(STYLES))
        rngs.append(rng)
    return Batch(Tables.from_deals(rules, deals), referees, styles, rngs)


def legal_texts(tables: Tables) -> list[list[str]]:
    """Legal actions of every table as text."""
    found: list[list[str]] = [[] for _row in range(tables.num_tables)]
    for row, action in np.argwhere(tables.legal_actions()):
        found[row].append(ACTION_TEXTS[action])
    return found
