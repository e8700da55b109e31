"""Two ways to change what a seat cannot see, and what it is told, to be compared byte by byte.

`check_scrambled` fills the arrays of the state without regard for sense; `check_shuffled` plays the
deal again with other hidden cards, by `shuffle_hidden`. Both must find every leak.
"""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from support.lockstep import drawn_batch, rules_of
from tarot_env import Phase, Tables
from tarot_env.cards import FIRST_TRUMP, NUM_CARDS, cardsets
from tarot_env.cards.actions import PASS
from tarot_env.core.dealing import TIRETTE_DRAWS
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

    Cards in hidden places change places, trumps that were shown excepted; names of the deal, the
    log and what is hidden of the pack become noise; an unknown partner may be anybody; another
    seat may just as well be answering a question that only it hears.
    """
    other = tables.copy()
    other.columns = state = tables.columns.take(np.array([row]))
    state.deal_id[0] = rng.integers(1000)
    state.forced[0] = rng.random() < 0.5
    state.log[0] = rng.integers(-1, 78, state.log[0].shape)
    state.log_size[0] = rng.integers(100)
    for seat in range(tables.rules.players):
        if seat != viewer:
            trumps = rng.integers(FIRST_TRUMP, FIRST_TRUMP + 21, 3)
            state.withheld[0, seat] = cardsets.from_ids(trumps.tolist())
    if state.imprenable[0] != viewer:
        others = [hand for hand in range(-1, tables.rules.hands) if hand != viewer]
        state.imprenable[0] = rng.choice(others)
    _scramble_questions(other, viewer, rng)
    _scramble_partner(other, viewer, rng)
    _scramble_cards(other, viewer, rng)
    _scramble_pack(other, rng)
    other._legal = None
    return other


def _scramble_questions(tables: Tables, viewer: int, rng: np.random.Generator) -> None:
    """A seat that is about to act may be answering an unheard question, and the other way round."""
    state, rules = tables.columns, tables.rules
    if tables.seat_to_act[0] in (viewer, -1):
        return
    state.poignee_declared[0] = rng.integers(4)
    phase, nothing_said = state.phase[0], state.history_size[0] == 0
    others = [seat for seat in range(rules.players) if seat != viewer]
    if phase <= Phase.AUCTION and nothing_said and rules.asks_for_redeals:
        first = SEATINGS[rules.game_name].speakers[state.dealer[0], 0]
        is_auction = first != viewer and rng.random() < 0.5
        state.phase[0] = Phase.AUCTION if is_auction else Phase.PETIT_SEC
        state.seat[0] = first if is_auction else rng.choice(others)
    elif phase in (*UNHEARD, Phase.PLAY) and rules.poignee_window == "own_first_card":
        state.phase[0] = rng.choice([*UNHEARD, Phase.PLAY])
    elif rules.poignee_window == "before_first_trick" and _waits_for_first_lead(tables):
        plays = state.leader[0] != viewer and rng.random() < 0.5
        state.phase[0] = Phase.PLAY if plays else rng.choice(UNHEARD)
        state.seat[0] = state.leader[0] if plays else rng.choice(others)


def _waits_for_first_lead(tables: Tables) -> bool:
    state = tables.columns
    no_card_yet = state.trick_number[0] == 0 and state.trick_size[0] == 0
    return bool(no_card_yet and state.phase[0] in (*UNHEARD, Phase.PLAY))


def _scramble_partner(tables: Tables, viewer: int, rng: np.random.Generator) -> None:
    """Whoever cannot see the called card knows no partner."""
    state = tables.columns
    if not tables.rules.calls_king:
        return
    seen = np.bitwise_or.reduce(state.played[0]) | state.hands[0, viewer]
    if state.chien_open[0]:
        seen = seen | state.chien[0]
    if state.taker[0] == viewer:
        seen = seen | state.ecart[0, 0]
    if not (seen & cardsets.BIT[state.called[0]]).any():
        others = [seat for seat in range(-1, 5) if seat not in (viewer, state.taker[0])]
        state.partner[0] = rng.choice(others)


def _scramble_cards(tables: Tables, viewer: int, rng: np.random.Generator) -> None:
    """Hidden hands, a face-down chien and the plain cards of écarts change places."""
    state, rules = tables.columns, tables.rules
    hands, ecarts = [], []
    for hand in range(rules.hands):
        if hand != viewer:
            lies_open = state.face_up[0, hand] if rules.players == 2 else cardsets.EMPTY
            hands.append((state.hands[0, hand], lies_open))
    if not state.chien_open[0]:
        hands.append((state.chien[0], cardsets.EMPTY))
    owners = (state.taker[0], state.partner[0])
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


def _scramble_pack(tables: Tables, rng: np.random.Generator) -> None:
    """The pack but for what has been seen: stock, piles, the halves of a chien."""
    state, rules = tables.columns, tables.rules
    hidden = np.ones(NUM_CARDS, bool)
    if rules.game in ("decouverte", "tirette"):
        seen = np.bitwise_or.reduce(state.face_up[0] | state.played[0])
        hidden = ~cardsets.contains(seen, state.pack[0].astype(np.int64))
    if rules.game == "tirette":
        is_play = state.phase[0] == Phase.PLAY
        hidden[-1] &= not (is_play and state.trick_number[0] < TIRETTE_DRAWS)
    if rules.in_partnerships and state.chien_open[0]:
        hidden[72:] = False
    state.pack[0, hidden] = rng.permutation(state.pack[0, hidden])


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
