"""Every deal that a seat cannot tell from the true one, found by playing each of them again.

Nothing of `beliefs` is used. Cards that the seat has not seen change places in every way; a deal
stays if the public history can be played with it and the seat's Turn comes out the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, factorial, prod

import numpy as np

from tarot_env import Phase, Tables
from tarot_env.cards import cardsets
from tarot_env.cards.actions import PASS
from tarot_env.tables.turn import FIELDS

SECRET = (Phase.PETIT_SEC, Phase.MISERE, Phase.POIGNEE, Phase.WITHHOLD)
Cells = tuple[frozenset[int], ...]
"""Hidden cards by place: hands, the chien (two halves with six), écarts, what lies beside."""


def _ids(cards: np.ndarray) -> frozenset[int]:
    return frozenset(cardsets.to_ids(cards & cardsets.ALL_CARDS))


@dataclass
class Position:
    """A table at which a seat is to act, and how the cards lie that it has not seen."""

    tables: Tables
    row: int
    viewer: int

    def __post_init__(self) -> None:
        state, row, rules = self.tables.columns, self.row, self.tables.rules
        pack = [int(card) for card in state.pack[row]]
        start = (rules.hands - rules.dead_hand) * rules.hand_size
        self.chien = pack[start : start + rules.chien_size]
        self.beside = pack[start + rules.chien_size :]
        self.hands = [_ids(hand) for hand in state.hands[row]]
        self.played = [_ids(cards) for cards in state.played[row]]
        self.owners = [int(state.taker[row]), int(state.partner[row])][: state.ecart.shape[1]]
        self.ecarts = [_ids(cards) for cards in state.ecart[row]]
        is_open = bool(state.chien_open[row])
        half = len(self.chien) // 2 if rules.in_partnerships else len(self.chien)
        parts = [self.chien[:half], self.chien[half:]][: 1 + rules.in_partnerships]
        later = frozenset(self.beside) - frozenset().union(*self.hands, *self.played)
        seen = [state.face_up[row], state.poignee_cards[row], state.hands[row, [self.viewer]]]
        known = frozenset().union(*(_ids(cards) for group in seen for cards in group))
        if is_open:
            known |= frozenset(self.chien) - _ids(cardsets.PLAIN)
        if rules.game == "tirette" and state.phase[row] == Phase.PLAY:
            known |= {self.beside[-1]}
        for owner, ecart in zip(self.owners, self.ecarts, strict=True):
            known |= ecart if owner == self.viewer else ecart & _ids(cardsets.TRUMPS)
        piles = [*self.hands, *([] if is_open else map(frozenset, parts)), *self.ecarts, later]
        if is_open:
            piles[len(self.hands) : len(self.hands)] = [frozenset()] * len(parts)
        self.true: Cells = tuple(pile - known for pile in piles)

    @property
    def size(self) -> int:
        """In how many ways the hidden cards could lie if anything were allowed."""
        sizes = [len(pile) for pile in self.true]
        return factorial(sum(sizes)) // prod(map(factorial, sizes))

    def tells_of_an_ecart(self) -> bool:
        """Whether cards are out that go into an unseen écart, and others; its owner has some."""
        hidden = frozenset().union(*self.true)
        plain = _ids(cardsets.PLAIN)
        ecarts = self.true[-1 - len(self.owners) : -1]
        owned = any(e and self.true[o] for o, e in zip(self.owners, ecarts, strict=True))
        return owned and bool(hidden & plain) and bool(hidden - plain)

    def arrangements(self) -> list[Cells]:
        """All of them."""
        sizes = [len(pile) for pile in self.true]
        return list(_arranged(tuple(sorted(frozenset().union(*self.true))), sizes))

    def imagined(self, cells: Cells) -> tuple[list[int], list[list[int]], float] | None:
        """The pack and the plain cards of the écarts if the cards lay so; how likely that is.

        An owner of an écart chose it among all that were legal. None where somebody would hold a
        card of the chien that another took.
        """
        rules, hands = self.tables.rules, len(self.hands)
        held = [(h - t) | c for h, t, c in zip(self.hands, self.true, cells, strict=False)]
        parts = 1 + rules.in_partnerships
        in_chien = [c for part in cells[hands : hands + parts] for c in sorted(part)] or self.chien
        of_ecarts = slice(hands + parts, -1)
        ecarts = [
            (ecart - true) | cell
            for ecart, true, cell in zip(
                self.ecarts, self.true[of_ecarts], cells[of_ecarts], strict=True
            )
        ]
        had = [held[hand] | self.played[hand] for hand in range(hands)]
        chance = 1.0
        came = set(self.beside) - self.true[-1]
        for owner, ecart in zip(self.owners, ecarts, strict=True):
            if owner >= 0:
                had[owner] |= ecart
                if ecart and owner != self.viewer:
                    chance /= self._legal_ecarts(had[owner] - came, len(ecart))
        is_open = self.tables.columns.chien_open[self.row]
        later = came | (set(self.chien) if is_open else set())
        sizes = [0 if not hand else rules.hand_size for hand in had]
        if [len(hand - later) for hand in had] != sizes:
            return None
        covered = sorted(cells[-1])
        beside = [covered.pop() if card in self.true[-1] else card for card in self.beside]
        dealt = [card for hand in had for card in sorted(hand - later)]
        plain = [sorted(ecart - _ids(cardsets.TRUMPS)) for ecart in ecarts]
        return [*dealt, *in_chien, *beside], plain, chance

    def _legal_ecarts(self, cards: frozenset[int], size: int) -> int:
        plain = _ids(cardsets.PLAIN)
        if self.tables.rules.may_discard_called_card is False:
            plain -= {int(self.tables.columns.called[self.row])}
        number = len(cards & plain)
        if number >= size:
            return comb(number, size)
        trumps = _ids(cardsets.TRUMPS & ~cardsets.OUDLERS)
        return comb(len(cards & trumps), size - number)


def _arranged(cards: tuple[int, ...], sizes: Sequence[int]) -> Iterator[Cells]:
    if not sizes:
        yield ()
        return
    for chosen in combinations(cards, sizes[0]):
        left = tuple(card for card in cards if card not in chosen)
        for rest in _arranged(left, sizes[1:]):
            yield (frozenset(chosen), *rest)


def consistent(positions: Sequence[Position]) -> list[dict[Cells, float]]:
    """For each position the arrangements that the seat cannot rule out, with their chances."""
    arranged = [(number, a) for number, p in enumerate(positions) for a in p.arrangements()]
    imagined = [positions[number].imagined(cells) for number, cells in arranged]
    tries = [tried for tried, deal in zip(arranged, imagined, strict=True) if deal]
    of = np.array([number for number, _cells in tries])
    packs, ecarts, chances = zip(*filter(None, imagined), strict=True)
    fits = _play_again(positions, of, np.array(packs), ecarts)
    found: list[dict[Cells, float]] = [{} for _position in positions]
    for (number, cells), chance, fit in zip(tries, chances, fits, strict=True):
        if fit:
            found[number][cells] = chance
    totals = [sum(chances.values()) for chances in found]
    return [
        {cells: chance / total for cells, chance in chances.items()}
        for chances, total in zip(found, totals, strict=True)
    ]


def _play_again(
    positions: Sequence[Position],
    of: np.ndarray,
    packs: np.ndarray,
    ecarts: Sequence[Sequence[Sequence[int]]],
) -> np.ndarray:
    """Which packs lead to where the position is, with nothing to be noticed by its seat."""
    rules = positions[0].tables.rules
    rows = np.arange(len(of))
    viewers = np.array([p.viewer for p in positions])[of]
    states = [p.tables.columns.take(np.array([p.row])) for p in positions]
    history = np.concatenate([s.history for s in states])[of].astype(np.int64)
    sizes = np.concatenate([s.history_size for s in states])[of]
    shown = np.concatenate([s.poignee_cards for s in states])[of]
    own = [
        [int(a) for by, a in s.log[0] if by == p.viewer]
        for p, s in zip(positions, states, strict=True)
    ]
    most = max(map(len, own)) + 1
    own_actions = np.array([[*actions, *[-2] * (most - len(actions))] for actions in own])[of]
    plain = np.full((len(of), 2, 7), -2)
    for row, cards in enumerate(ecarts):
        for column, ecart in enumerate(cards):
            plain[row, column, : len(ecart)] = ecart

    dealers = np.array([int(s.dealer[0]) for s in states])[of]
    tables = Tables.of_packs(rules, packs.astype(np.uint8), dealers)
    forced = np.array([bool(s.forced[0]) for s in states])[of] & ~tables.is_over
    taker = np.array([int(s.taker[0]) for s in states])[of]
    contract = np.array([int(s.contract[0]) for s in states])[of]
    tables.force(np.flatnonzero(forced), taker[forced], contract[forced])

    done, possible = np.zeros(len(of), np.int64), ~tables.is_over
    arrived = np.zeros(len(of), bool)
    state = tables.columns
    while True:
        acts = tables.seat_to_act == viewers
        heard_so_far = state.history_size
        told = (own_actions[rows, done] == -2) & (heard_so_far >= sizes)
        arrived |= possible & acts & told
        at = np.flatnonzero(possible & ~arrived)
        if not len(at):
            break
        mine = (state.seat == viewers)[at]
        event = history[at, np.minimum(heard_so_far[at], history.shape[1] - 1)]
        event[heard_so_far[at] >= sizes[at]] = -2
        by, said = event.T
        column = (state.seat[at] != state.taker[at]).astype(np.int64) % state.ecart.shape[1]
        aside = cardsets.count(state.ecart[at, column] & ~cardsets.TRUMPS)
        action = np.where(said == -1, plain[at, column, np.minimum(aside, 6)], said)
        secret = np.isin(state.phase[at], SECRET) & ~mine
        legal = tables.legal_sets()[at]
        heard = secret & (by == state.seat[at]) & cardsets.contains(legal, np.maximum(said, -1))
        kept = legal & ~shown[at, np.minimum(state.seat[at], shown.shape[1] - 1)]
        kept = np.where((state.phase[at] == Phase.WITHHOLD)[:, None], kept, 0) & cardsets.ALL_CARDS
        unheard = np.where(cardsets.is_empty(kept), PASS, cardsets.lowest(kept))
        action = np.where(secret & ~heard, unheard, action)
        action = np.where(mine, own_actions[at, done[at]], action)
        allowed = (action >= 0) & cardsets.contains(legal, np.maximum(action, -1))
        possible[at[~allowed]] = False
        done[at[mine]] += 1
        tables.step(action[allowed], rows=at[allowed])
        possible &= ~tables.is_over
    return possible & _looks_the_same(positions, of, tables, viewers, possible)


def _looks_the_same(
    positions: Sequence[Position],
    of: np.ndarray,
    tables: Tables,
    viewers: np.ndarray,
    possible: np.ndarray,
) -> np.ndarray:
    rows = np.flatnonzero(possible)
    got = tables.turn(rows, viewers[rows])
    same = possible.copy()
    true = [p.tables.turn(np.array([p.row]), np.array([p.viewer])) for p in positions]
    for name in FIELDS:
        wanted = np.concatenate([getattr(turn, name) for turn in true])[of[rows]]
        differs = (getattr(got, name) != wanted).reshape(len(rows), -1).any(1)
        same[rows[differs]] = False
    return same
