"""Copies of everything that holds a game, taken at any moment, go on exactly like the original."""

import copy
import hashlib
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from support.every_game import GAMES, rules_by
from support.scenes import house_rules
from support.shared_memory import through_shared_memory

from tarot_env import Phase, Rules, Tables
from tarot_env.cards.actions import PASS
from tarot_env.observation import observation_layout, state_layout
from tarot_env.tables import FullInformation, Match, Turn, UniformAgent
from tarot_env.tables.turn import FIELDS


def through_cloudpickle(thing: Any) -> Any:
    cloudpickle = pytest.importorskip("cloudpickle")
    return pickle.loads(cloudpickle.dumps(thing))


WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "old pickle": lambda thing: pickle.loads(pickle.dumps(thing, protocol=2)),
    "shared memory": through_shared_memory,
    "cloudpickle": through_cloudpickle,
}
OF_TABLES: dict[str, Callable[[Tables], Tables]] = {
    **WAYS,
    "their own": Tables.copy,
    "taken": lambda tables: tables.take(np.arange(tables.num_tables)),
}
RULES = {
    **{game: house_rules(game) for game in GAMES},
    "online": rules_by("online", "4"),
}
EVERYWHERE = {Phase.AUCTION, Phase.DISCARD, Phase.SLAM, Phase.PLAY, Phase.OVER}
POIGNEES = {Phase.POIGNEE, Phase.WITHHOLD}
PHASES: dict[str, set[Phase]] = {
    "3": POIGNEES | {Phase.PETIT_SEC},
    "4": POIGNEES,
    "5": POIGNEES | {Phase.PETIT_SEC, Phase.MISERE, Phase.CALL},
    "mort": POIGNEES | {Phase.PETIT_SEC, Phase.MISERE},
    "6": POIGNEES | {Phase.SPLIT},
}
"""Beside those that every game has."""


def go_on(tables: Tables, step: int) -> None:
    """A random answer at each table, the same for the same step; most bids are passes."""
    rng = np.random.default_rng([7, step])
    actions = tables.random_actions(rng)
    may_pass = (tables.phase <= Phase.AUCTION) & tables.legal_actions()[:, PASS]
    tables.step(np.where(may_pass & (rng.random(len(actions)) < 0.6), PASS, actions))


def digest(tables: Tables) -> str:
    """All that can be seen of tables, by every seat, and what they are in bytes."""
    rules, every = tables.rules, np.arange(tables.num_tables)
    found = hashlib.sha256()
    for array in tables.arrays().values():
        found.update(array.tobytes())
    for seen in (tables.legal_actions(), tables.scores, tables.seat_to_act, tables.columns.log):
        found.update(seen.tobytes())
    for seat in range(rules.players):
        viewers = np.full(len(every), seat)
        turn, hidden = tables.turn(every, viewers), tables.hidden(every, viewers)
        for seen in (turn.records, turn.history, hidden.records):
            found.update(seen.tobytes())
        found.update(observation_layout(rules).encode(turn).tobytes())
        found.update(state_layout(rules).encode(turn, hidden).tobytes())
    return found.hexdigest()


def played_on(tables: Tables, step: int) -> Iterator[str]:
    """What is seen in every third step to the end, and of the deals that come next."""
    while not tables.is_over.all():
        if step % 3 == 0:
            yield digest(tables)
        go_on(tables, step)
        step += 1
    yield digest(tables)
    tables.reset()
    yield digest(tables)


@pytest.mark.parametrize("way", OF_TABLES)
@pytest.mark.parametrize("game", RULES)
def test_tables_go_on_like_the_original(game: str, way: str) -> None:
    """Copies of each phase, played on at once and kept until the original has been played out."""
    original = Tables(RULES[game], 20, seed=3)
    copied, phases, kept, seen = OF_TABLES[way], set(), [], []
    step = 0
    while not original.is_over.all():
        new = set(original.phase.tolist()) - phases
        if new or step % 30 == 0:
            phases |= new
            before = digest(original)
            kept.append((len(seen), step, copied(original)))
            for _ in played_on(copied(original), step):
                pass
            assert digest(original) == before, "the original noticed what happened to the copy"
        if step % 3 == 0:
            seen.append(digest(original))
        go_on(original, step)
        step += 1
    phases |= set(original.phase.tolist())
    assert phases == EVERYWHERE | PHASES.get("4" if game == "online" else game, set())
    kept.append((len(seen), step, copied(original)))
    seen += played_on(original, step)
    for at, since, tables in kept:
        assert list(played_on(tables, since)) == seen[at:], (at, since)


@pytest.mark.parametrize("way", OF_TABLES)
def test_copies_keep_what_tables_are_made_with(way: str) -> None:
    tables = Tables(RULES["4"], 3, seed=2**100, first_deal=8, threads=3, log=False)
    tables.reset(np.array([1]))
    copied = OF_TABLES[way](tables)
    assert (copied.seed, copied.threads, copied.rules) == (2**100, 3, tables.rules)
    assert copied.deal_ids.tolist() == [8, 12, 10]
    assert copied.next_ids.tolist() == [11, 15, 13]
    assert copied.events.shape == (3, 0)
    none = OF_TABLES[way](Tables(RULES["4"], 0, seed=1))
    assert (none.num_tables, len(none.turn())) == (0, 0)


def moments(game: str) -> Iterator[Tables]:
    """Tables in every phase, and now and then."""
    tables, phases, step = Tables(RULES[game], 20, seed=3), set[int](), 0
    while not tables.is_over.all():
        new = set(tables.phase.tolist()) - phases
        if new or step % 30 == 0:
            yield tables
        phases |= new
        go_on(tables, step)
        step += 1
    yield tables


def answers_of(turn: Turn) -> list[np.ndarray]:
    """All that a turn can be asked."""
    names = np.random.default_rng(1).permuted(np.tile(np.arange(4), (len(turn), 1)), axis=1)
    renamed = turn.permute_suits(names)
    return [
        *(getattr(turn, name) for name in FIELDS),
        *(turn.legal_mask, turn.history, turn.unseen, turn.attack, turn.defence),
        *(turn.takes_lead, turn.masters, turn.playing_hand),
        *(renamed.records, renamed.events, turn.take(slice(1, None, 2)).unseen),
        turn.take(np.array([2, 0])).records,
        turn.replace(phase=turn.phase).records,
        observation_layout(turn.rules).encode(turn),
    ]


def same(one: list[np.ndarray], other: list[np.ndarray]) -> bool:
    return all(a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", RULES)
def test_turns_and_full_information(game: str, way: str) -> None:
    """Before and after something has been worked out of them."""
    rules, agent = RULES[game], UniformAgent()
    observation, state = observation_layout(rules), state_layout(rules)
    copied_layouts = WAYS[way](observation), WAYS[way](state)
    for tables in moments(game):
        every = np.arange(tables.num_tables)
        viewers = np.maximum(tables.seat_to_act.astype(np.int64), 0)
        turn, hidden = tables.turn(every, viewers), tables.hidden(every, viewers)
        early, full = WAYS[way](turn), WAYS[way](hidden)
        wanted = answers_of(turn)
        late = WAYS[way](turn)
        live = np.flatnonzero(~tables.is_over)
        chosen = agent.act(turn.take(live), np.random.default_rng(1))
        for other in (early, late, WAYS[way](early)):
            assert isinstance(other, Turn)
            assert other.rules == rules
            assert same(answers_of(other), wanted)
            again = agent.act(other.take(live), np.random.default_rng(1))
            assert again.tolist() == chosen.tolist()
        assert isinstance(full, FullInformation)
        assert full.records.tobytes() == hidden.records.tobytes()
        known, whole = observation.encode(turn), state.encode(turn, hidden)
        assert np.array_equal(state.encode(early, full), whole)
        assert np.array_equal(copied_layouts[0].encode(early), known)
        assert np.array_equal(copied_layouts[1].encode(early, full), whole)
        out, mask = np.empty_like(known), np.empty((len(turn), 95), np.bool_)
        copied_layouts[0].observe(tables, out, mask, every, viewers)
        assert np.array_equal(out, known)
        names = np.tile([3, 1, 0, 2], (len(turn), 1))
        renamed = full.permute_suits(names).records
        assert renamed.tobytes() == hidden.permute_suits(names).records.tobytes()


@pytest.mark.parametrize("way", ["deepcopy", "pickle", "old pickle", "cloudpickle"])
def test_what_is_written_to_a_copy_of_a_turn_stays_there(way: str) -> None:
    for tables in moments("5"):
        every = np.arange(tables.num_tables)
        turn, hidden = tables.turn(every, every % 5), tables.hidden(every, every % 5)
        before = turn.records.tobytes(), turn.events.tobytes(), hidden.records.tobytes()
        other, full = WAYS[way](turn), WAYS[way](hidden)
        for array in (other.records.view(np.uint8), other.events, full.records.view(np.uint8)):
            array[...] = 1
        assert (turn.records.tobytes(), turn.events.tobytes(), hidden.records.tobytes()) == before


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", RULES)
def test_layouts(game: str, way: str) -> None:
    for layout in (observation_layout(RULES[game]), state_layout(RULES[game])):
        other = WAYS[way](layout)
        assert other == layout
        assert (other.size, other.offsets, other.table()) == (
            layout.size,
            layout.offsets,
            layout.table(),
        )
        assert np.array_equal(other.highs, layout.highs)
        assert np.array_equal(other.suit_columns, layout.suit_columns)


# --- matches

MATCHES: dict[str, Rules] = {
    **RULES,
    "gathered": rules_by("jeu-de-tarot", "4"),
    "gathered, six": rules_by("jeu-de-tarot", "6"),
    "gathered, a dealer sits out": rules_by("fft", "mort", shuffle="gather_and_cut"),
    "the same dealer again": rules_by("fft", "4", redeal_dealer="same", weak_hand_redeal=9),
    "drawn dealer": rules_by("fft", "5", first_dealer="drawn", petit_sec="optional"),
}


def noted(match: Match) -> list[Any]:
    """What a match says of itself."""
    return [match.totals.tolist(), match.winners, match.is_over, match.played, match.next_id]


def to_the_end(match: Match, tables: Tables, step: int) -> list[Any]:
    """What comes of a match in the middle of a deal."""
    found = []
    while not match.is_over:
        match.deal_to(tables)
        while not tables.is_over.all():
            go_on(tables, step)
            step += 1
        match.note(tables)
        found += [*noted(match), tables.columns.pack.tobytes(), tables.scores.tobytes()]
    return found


def to_the_end_of_deal(match: Match, tables: Tables, step: int) -> list[Any]:
    """The same for a match whose deal lies on the table."""
    while not tables.is_over.all():
        go_on(tables, step)
        step += 1
    match.note(tables)
    found = [*noted(match), tables.columns.pack.tobytes(), tables.scores.tobytes()]
    return found + to_the_end(match, tables, step)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", MATCHES)
def test_matches(kind: str, way: str) -> None:
    """Before a deal, with it on the table, and when it is over but not noted."""
    copied = WAYS[way]
    match, tables = Match(MATCHES[kind], seed=4, deals=3), Tables(MATCHES[kind], 1, seed=4)
    found: list[Any] = []
    kept = [(0, to_the_end, 0, copied(match), copied(tables))]
    step = 0
    while not match.is_over:
        match.deal_to(tables)
        begun = step
        while not tables.is_over.all():
            if step in (begun, begun + 7, begun + 60):
                kept.append((len(found), to_the_end_of_deal, step, copied(match), copied(tables)))
                before = noted(match), digest(tables)
                to_the_end_of_deal(copied(match), copied(tables), step)
                assert (noted(match), digest(tables)) == before, "the original noticed"
            go_on(tables, step)
            step += 1
        kept.append((len(found), to_the_end_of_deal, step, copied(match), copied(tables)))
        match.note(tables)
        found += [*noted(match), tables.columns.pack.tobytes(), tables.scores.tobytes()]
        kept.append((len(found), to_the_end, step, copied(match), copied(tables)))
    for at, way_on, since, one, other in kept:
        assert way_on(one, other, since) == found[at:]
