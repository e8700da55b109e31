"""Two ways to change what a seat cannot see, and what it is told, to be compared byte by byte.

`check_scrambled` fills the record of a table without regard for sense; `check_shuffled` plays the
deal again with other hidden cards, by `shuffle_hidden`. Both must find every leak.
"""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from support.lockstep import drawn_batch, rules_of
from tarot_env import Phase, Rules, Tables
from tarot_env.cards import FIRST_TRUMP, NUM_CARDS, NUM_TRUMPS, cardsets
from tarot_env.cards.actions import NUM_ACTIONS, PASS
from tarot_env.core.dealing import TIRETTE_DRAWS
from tarot_env.core.events import FACE_DOWN, PRIVATE
from tarot_env.core.seating import SEATINGS
from tarot_env.observation import observation_layout, state_layout
from tarot_env.tables.turn import FIELDS
from tarot_env.testing import shuffle_hidden

View = Callable[[Tables, np.ndarray, np.ndarray], list[bytes]]
Check = Callable[[Tables, np.random.Generator, View, np.ndarray], None]
UNHEARD = (Phase.MISERE, Phase.POIGNEE, Phase.WITHHOLD)
SECRET = (Phase.PETIT_SEC, *UNHEARD)

Case = tuple[str, str, dict[str, object]]
OFTEN = {"3": (6, 7, 8), "4": (5, 6, 7), "5": (4, 5, 6), "mort": (5, 6, 7), "6": (3, 4, 5)}
"""Thresholds of poignées that come often."""
CASES: dict[str, Case] = {
    "4": ("fft", "4", {"poignee_thresholds": OFTEN["4"]}),
    "3": ("fft", "3", {"poignee_thresholds": OFTEN["3"], "misere": True}),
    "5": ("fft", "5", {"poignee_thresholds": OFTEN["5"]}),
    "mort": ("fft", "mort", {"poignee_thresholds": OFTEN["mort"]}),
    "6": ("jeu-de-tarot", "6", {"poignee_thresholds": OFTEN["6"]}),
    "decouverte": ("jeu-de-tarot", "decouverte", {}),
    "tirette": ("jeu-de-tarot", "tirette", {}),
    "dummy": ("jeu-de-tarot", "dummy", {}),
    "before the first trick": (
        *("jeu-de-tarot", "4"),
        {"poignee_thresholds": OFTEN["4"], "misere": True, "petit_chelem": True},
    ),
    "redeals": (
        *("wikipedia", "3"),
        {"weak_hand_redeal": 11, "petit_sec": "optional", "poignee_excuse": "free"},
    ),
    "at least": ("wikipedia", "5", {"poignee_thresholds": OFTEN["5"], "misere": True}),
    "imprenable": ("pagat", "5", {"petit_sec": "imprenable", "may_discard_called_card": True}),
    "covered until the trick is over": (
        *("jeu-de-tarot", "decouverte"),
        {"decouverte_reveal": "after_trick", "first_lead": "first_hand"},
    ),
    "dummy before the slam": (
        *("jeu-de-tarot", "dummy"),
        {"dummy_reveal": "after_ecart"},
    ),
    "partner after the slam": (
        *("jeu-de-tarot", "5"),
        {"slam_window": "with_bid", "first_lead_bans_called_suit": True, "misere": True},
    ),
}


# --- what is compared


def view_turn(tables: Tables, rows: np.ndarray, viewers: np.ndarray) -> list[bytes]:
    """Every field of the turns, its mask, and dtype; and the records as they are."""
    found = tables.turn(rows, viewers)
    arrays = [getattr(found, name) for name in FIELDS]
    arrays += [found.legal_mask, found.history, found.records.view(np.uint8)]
    return [array.dtype.str.encode() + array.tobytes() for array in arrays]


def view_observation(tables: Tables, rows: np.ndarray, viewers: np.ndarray) -> list[bytes]:
    """What a network is given."""
    return [observation_layout(tables.rules).encode(tables.turn(rows, viewers)).tobytes()]


def view_oracle(tables: Tables, rows: np.ndarray, viewers: np.ndarray) -> list[bytes]:
    """What an observation would be that held features of the critic's."""
    found, hidden = tables.turn(rows, viewers), tables.hidden(rows, viewers)
    return [state_layout(tables.rules).encode(found, hidden).tobytes()]


# --- the state, scrambled without regard for sense


def scrambled(tables: Tables, row: int, viewer: int, rng: np.random.Generator) -> Tables:
    """One table with everything that the viewer cannot see replaced.

    Cards in hidden places change places, trumps that were shown excepted; names of the deal, what
    of the log nobody heard, and what is hidden of the pack become noise; an unknown partner may be
    anybody; another seat may just as well be answering a question that only it hears.
    """
    other = tables.take(np.array([row]))
    t, rules = other.state[0], tables.rules
    t.forced = rng.random() < 0.5
    for seat in range(rules.players):
        if seat != viewer:
            t.withheld[seat] = np.bitwise_or.reduce(1 << rng.integers(0, NUM_TRUMPS, 3))
    own = {viewer, int(t.seat)} if tables.seat_to_act[row] == viewer else {viewer}
    if t.imprenable not in own:
        t.imprenable = rng.choice([hand for hand in range(-1, rules.hands) if hand not in own])
    _scramble_questions(other, viewer, rng)
    _scramble_partner(other, viewer, rng)
    _scramble_log(other, rng)
    _scramble_cards(other, viewer, rng)
    _scramble_pack(other, rng)
    other = Tables.of_state(rules, other.state, other.events)
    other.deal_ids[0] = rng.integers(1000)
    return other


def _scramble_questions(tables: Tables, viewer: int, rng: np.random.Generator) -> None:
    """A seat that is about to act may be answering an unheard question, and the other way round."""
    t, rules = tables.state[0], tables.rules
    if tables.seat_to_act[0] in (viewer, -1):
        return
    t.poignee_declared = rng.integers(4)
    phase, nothing_said = t.phase, tables.columns.history_size[0] == 0
    others = [seat for seat in range(rules.players) if seat != viewer]
    if phase <= Phase.AUCTION and nothing_said and rules.asks_for_redeals:
        first = SEATINGS[rules.game_name].speakers[t.dealer, 0]
        is_auction = first != viewer and rng.random() < 0.5
        t.phase = Phase.AUCTION if is_auction else Phase.PETIT_SEC
        t.seat = first if is_auction else rng.choice(others)
    elif phase in (*UNHEARD, Phase.PLAY) and rules.poignee_window == "own_first_card":
        t.phase = rng.choice([*UNHEARD, Phase.PLAY])
    elif rules.poignee_window == "before_first_trick" and _waits_for_first_lead(tables):
        plays = t.leader != viewer and rng.random() < 0.5
        t.phase = Phase.PLAY if plays else rng.choice(UNHEARD)
        t.seat = t.leader if plays else rng.choice(others)


def _waits_for_first_lead(tables: Tables) -> bool:
    t = tables.state[0]
    no_card_yet = t.trick_number == 0 and t.trick_size == 0
    return bool(no_card_yet and t.phase in (*UNHEARD, Phase.PLAY))


def _scramble_partner(tables: Tables, viewer: int, rng: np.random.Generator) -> None:
    """Whoever cannot see the called card knows no partner."""
    t, state = tables.state[0], tables.columns
    if not tables.rules.calls_king:
        return
    seen = np.bitwise_or.reduce(state.played[0]) | state.hands[0, viewer]
    if t.chien_open:
        seen = seen | state.chien[0]
    if t.taker == viewer:
        seen = seen | state.ecart[0, 0]
    if not (seen & cardsets.BIT[t.called]).any():
        others = [seat for seat in range(-1, 5) if seat not in (viewer, t.taker)]
        t.partner = rng.choice(others)


def _scramble_log(tables: Tables, rng: np.random.Generator) -> None:
    """Answers that nobody heard are others, by others, more or fewer; cards set aside too."""
    t, events = tables.state[0], tables.events[0]
    told: list[int] = []
    for event in events[: t.num_events].tolist():
        kind = event >> 12
        if kind == FACE_DOWN:
            told.append(event & ~255 | int(rng.integers(NUM_CARDS)))
        elif kind != PRIVATE:
            told.append(event)
    for _ in range(rng.integers(min(8, len(events) - len(told)) + 1)):
        unheard = PRIVATE << 12 | int(rng.integers(6)) << 8 | int(rng.integers(NUM_ACTIONS))
        told.insert(int(rng.integers(len(told) + 1)), unheard)
    t.num_events = len(told)
    events[: len(told)] = told
    events[len(told) :] = rng.integers(0, 2**14, len(events) - len(told))


def _scramble_cards(tables: Tables, viewer: int, rng: np.random.Generator) -> None:
    """Hidden hands, a face-down chien and the plain cards of écarts change places."""
    t, state, rules = tables.state[0], tables.columns, tables.rules
    hands, ecarts = [], []
    for hand in range(rules.hands):
        if hand != viewer:
            lies_open = state.face_up[0, hand] if rules.players == 2 else cardsets.EMPTY
            hands.append((state.hands[0, hand], lies_open))
    if not t.chien_open:
        hands.append((state.chien[0], cardsets.EMPTY))
    owners = (t.taker, t.partner)
    for column in range(state.ecart.shape[1]):
        if owners[column] != viewer:
            ecarts.append((state.ecart[0, column], cardsets.TRUMPS))
    piles = ecarts + hands
    hidden = [cardsets.to_ids(pile & ~stays) for pile, stays in piles]
    pool = rng.permutation([card for cards in hidden for card in cards]).tolist()
    for (pile, stays), cards in zip(piles, hidden, strict=True):
        fits = [card for card in pool if card < FIRST_TRUMP or stays is not cardsets.TRUMPS]
        chosen = [int(card) for card in fits[: len(cards)]]
        pool = [card for card in pool if card not in chosen]
        pile &= stays
        pile |= cardsets.from_ids(chosen)
    if not t.chien_open:  # whose set is made from the pack at each look
        t.pack[_chien_places(rules)] = cardsets.to_ids(hands[-1][0])


def _chien_places(rules: Rules) -> slice:
    start = (rules.hands - rules.dead_hand) * rules.hand_size
    return slice(start, start + rules.chien_size)


def _scramble_pack(tables: Tables, rng: np.random.Generator) -> None:
    """The pack but for what has been seen: stock, piles, an open chien with its halves."""
    t, state, rules = tables.state[0], tables.columns, tables.rules
    hidden = np.ones(NUM_CARDS, bool)
    if rules.game in ("decouverte", "tirette"):
        seen = np.bitwise_or.reduce(state.face_up[0] | state.played[0])
        hidden = ~cardsets.contains(seen, t.pack.astype(np.int64))
    if rules.game == "tirette":
        hidden[-1] &= not (t.phase == Phase.PLAY and t.trick_number < TIRETTE_DRAWS)
    there = _chien_places(rules)
    hidden[there] = False
    if not (t.chien_open and rules.in_partnerships):  # then it is known which half is the first
        t.pack[there] = rng.permutation(t.pack[there])
    t.pack[hidden] = rng.permutation(t.pack[hidden])


def check_scrambled(tables: Tables, rng: np.random.Generator, view: View, rows: np.ndarray) -> None:
    """Every seat is told the same of a table and of a scrambled one."""
    for row in rows:
        for viewer in range(tables.rules.players):
            other = scrambled(tables, int(row), viewer, rng)
            here = np.array([row]), np.array([viewer])
            there = np.array([0]), np.array([viewer])
            assert view(tables, *here) == view(other, *there), (row, viewer)


# --- the deal, played again with other cards


def check_shuffled(tables: Tables, rng: np.random.Generator, view: View, rows: np.ndarray) -> None:
    """Every seat is told the same of a table and of one with other hidden cards."""
    players = tables.rules.players
    viewers = np.tile(np.arange(players), len(rows))
    rows = np.repeat(rows, players)
    other = shuffle_hidden(tables, rows, viewers, rng)
    assert view(tables, rows, viewers) == view(other, np.arange(len(rows)), viewers)


# --- where it is tried


def positions(
    name: str, size: int, preset: str, game: str, options: Mapping[str, object]
) -> Iterator[Tables]:
    """Tables of a drawn batch before each of their steps, and at the end.

    Seats pass most of the time, so that low contracts are played too.
    """
    rules = rules_of(preset, game, options)
    tables = drawn_batch(name, size, rules, options).tables
    rng = np.random.default_rng(size)
    while not tables.is_over.all():
        yield tables
        actions = tables.random_actions(rng)
        may_pass = (tables.phase == Phase.AUCTION) & tables.legal_actions()[:, PASS]
        tables.step(np.where(may_pass & (rng.random(size) < 0.6), PASS, actions))
    yield tables


def in_secret(tables: Tables, most: int) -> np.ndarray:
    """Tables at which a seat answers a question that only it hears."""
    return np.flatnonzero(np.isin(tables.phase, SECRET))[:most]
