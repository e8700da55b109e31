"""The solver against plain minimax over `Tables`, and its scores against `scoring`."""

import numpy as np
import pytest
from support.endings import endings, minimax, paid
from support.every_game import rules_of

from agents.search import solver
from agents.search.solver import UNSOLVED, Solution, most_tricks, solve, solve_rows
from tarot_env import Phase, Rules, Tables, TarotError
from tarot_env.cards import NUM_CARDS
from tarot_env.core import scoring
from tarot_env.core.state import attackers

OPTIONS = {
    "fft": {},
    "trick_winner": {"excuse_last_trick": "trick_winner"},
    "owner_keeps": {"excuse_last_trick": "owner_keeps"},
    "no_refund": {"excuse_last_trick_refund": False},
    "led_only": {"excuse_wins_slam_trick": "led_only"},
    "never": {"excuse_wins_slam_trick": "never", "excuse_last_trick": "trick_winner"},
    "not_second_last": {"petit_au_bout_second_last": False},
    "taker": {"half_point": "taker", "excuse_last_trick_refund": False},
    "exact": {"half_point": "exact", "excuse_last_trick_refund": False},
    "imprenable": {"petit_sec": "imprenable"},
    "petit_chelem": {"petit_chelem": True},
    "slams": {"slam_bonus": (1000, 10, -700), "defence_slam": 350},
    "odd": {"multipliers": (1, 3, -2, 7), "poignee_bonus": (-300, 10, 90)},
    "jeu-de-tarot": {"rules": "jeu-de-tarot"},
}
"""Whatever changes play or the score of the last tricks."""


def changed(players: int, options: dict[str, object]) -> Rules:
    rest = dict(options)
    return Rules.preset(str(rest.pop("rules", "fft")), players=players, **rest)


def everything(tables: Tables) -> np.ndarray:
    return np.arange(tables.num_tables)


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_values_are_those_of_minimax(players: int, name: str) -> None:
    rules = changed(players, OPTIONS[name])
    for left, number in ((1, 60), (2, 60), (3, 40)):
        tables = endings(rules, left, number, seed=left + 10 * list(OPTIONS).index(name))
        found = solve_rows(tables, everything(tables))
        by_minimax = minimax(tables)
        assert found.exact.all()
        assert np.array_equal(found.values, by_minimax)
        attacks = attackers(tables.columns, everything(tables))
        attacks = attacks[everything(tables), tables.hand_to_play]
        legal = by_minimax != UNSOLVED
        best = np.where(attacks, by_minimax.max(1), np.where(legal, by_minimax, 2**62).min(1))
        assert np.array_equal(found.value, best)


@pytest.mark.parametrize(("players", "number"), [(3, 60), (4, 12), (5, 4)])
def test_four_tricks(players: int, number: int) -> None:
    tables = endings(Rules.preset("fft", players=players), 4, number, seed=4)
    found = solve_rows(tables, everything(tables))
    assert np.array_equal(found.values, minimax(tables))


@pytest.mark.parametrize(
    ("players", "number", "seed", "row", "name"),
    [
        # two lines of play come to the same cards, in one the contract is made, in one it is not
        (3, 100, 82, 8, "petit_chelem"),
        (4, 60, 133, 47, "petit_chelem"),
        (5, 40, 61, 38, "petit_chelem"),
        # likewise, but in one the petit chelem is lost
        (4, 60, 66, 37, "petit_chelem"),
        (4, 60, 442, 45, "petit_chelem"),
        # likewise, and half a point below the target is enough
        (3, 100, 1001, 7, "taker"),
        # an Excuse takes the last trick from a trump that nothing else could have beaten
        (4, 60, 22, 45, "fft"),
        (3, 100, 28, 84, "fft"),
    ],
)
def test_where_a_shortcut_is_only_nearly_right(
    players: int, number: int, seed: int, row: int, name: str
) -> None:
    rules = changed(players, OPTIONS[name])
    table = endings(rules, 4, number, seed=seed).take(np.array([row]))
    assert np.array_equal(solve_rows(table, np.array([0])).values, minimax(table))


def test_the_endings_hold_what_is_hard() -> None:
    """So that the comparison means something."""
    tables = endings(Rules.preset("fft", players=5), 2, 60, seed=2)
    state = tables.columns
    last = solve_rows(tables, everything(tables)).values
    excuse_left = (state.oudler_winner[:, 2] < 0).mean()
    petit_left = (state.oudler_winner[:, 0] < 0).mean()
    assert min(excuse_left, petit_left) > 0.2
    assert (state.partner >= 0).any()
    assert (state.partner < 0).any()
    assert state.slam_announced.any()
    assert len(set(state.contract.tolist())) == 4
    choices = [set(row[row != UNSOLVED].tolist()) for row in last]
    assert sum(len(values) > 1 for values in choices) > 10


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_last_trick_pays_what_the_tables_pay(players: int, name: str) -> None:
    rules = changed(players, OPTIONS[name])
    tables = endings(rules, 1, 250, seed=7)
    found = solve_rows(tables, everything(tables))
    rng = np.random.default_rng(0)
    while not tables.is_over.all():
        tables.step(tables.random_actions(rng))
    assert np.array_equal(found.value, paid(tables))
    scores = scoring.half_scores(
        found.value,
        tables.columns.misere,
        scoring.sides_of(tables.columns, everything(tables), rules),
        rules,
    )
    assert np.array_equal(scores, tables.columns.half_scores)


def test_the_formula_is_that_of_scoring() -> None:
    """Payments of finished deals from what the search has counted when it comes to the end."""
    from agents.search import alpha_beta

    for players, name in ((3, "exact"), (4, "fft"), (4, "odd"), (5, "petit_chelem"), (3, "taker")):
        rules = changed(players, OPTIONS[name])
        tables = endings(rules, 2, 400, seed=players)
        rng = np.random.default_rng(1)
        while not tables.is_over.all():
            tables.step(tables.random_actions(rng))
        rows = everything(tables)
        facts = scoring.facts_of(tables.columns, rows, rules)
        tricks = (tables.columns.tricks_won * attackers(tables.columns, rows)).sum(1)
        terms = solver._terms(tables.columns, facts, rules)
        for row, due in enumerate(paid(tables).tolist()):
            book = alpha_beta.Book(
                points=int(facts.attack_half_points[row]),
                oudlers=int(facts.oudlers[row]),
                lost=min(rules.tricks - int(tricks[row]), alpha_beta.MAX_LOST),
                won=int(tricks[row] > 0),
                petit=int(facts.petit_au_bout[row]),
            )
            assert alpha_beta.payment(terms[row], book) == due


def test_equivalent_cards_are_merged_without_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = endings(Rules.preset("fft", players=4), 5, 60, seed=3)
    merged = solve_rows(tables, everything(tables))
    made = solver._terms

    def apart(*arguments):
        terms = made(*arguments)
        terms["merges"] = 0
        return terms

    monkeypatch.setattr(solver, "_terms", apart)
    unmerged = solve_rows(tables, everything(tables))
    assert np.array_equal(merged.values, unmerged.values)
    assert merged.nodes.sum() < 0.7 * unmerged.nodes.sum()


@pytest.mark.parametrize(("players", "left"), [(3, 7), (4, 6), (5, 5)])
def test_nothing_is_remembered_wrongly(
    players: int, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = endings(Rules.preset("fft", players=players, petit_chelem=True), left, 60, seed=8)
    remembered = solve_rows(tables, everything(tables))
    monkeypatch.setattr(solver, "_memory_size", lambda *_: 1)
    forgotten = solve_rows(tables, everything(tables), max_nodes=10**9)
    assert np.array_equal(remembered.values, forgotten.values)
    assert remembered.nodes.sum() < 0.9 * forgotten.nodes.sum()


@pytest.mark.parametrize(("players", "left"), [(3, 7), (4, 6), (5, 5)])
def test_best_cards_keep_the_value(players: int, left: int) -> None:
    """After a best card the table is worth what it was, after another one what that was said."""
    tables = endings(Rules.preset("fft", players=players), left, 12, seed=1)
    rng = np.random.default_rng(2)
    while True:
        rows = np.flatnonzero(~tables.is_over)
        before = solve_rows(tables, rows)
        assert before.exact.all()
        chosen = tables.random_actions(rng)[rows]
        if rng.random() < 0.5:
            chosen = np.array([before.one(index).best[0] for index in range(len(rows))])
        said = before.values[np.arange(len(rows)), chosen]
        tables.step(chosen, rows)
        if tables.is_over.all():
            assert np.array_equal(paid(tables)[rows], said)
            return
        goes_on = ~tables.is_over[rows]
        after = solve_rows(tables, rows[goes_on])
        assert np.array_equal(after.value, said[goes_on])


def test_a_limit_of_nodes_is_told_and_what_is_known_is_true() -> None:
    tables = endings(Rules.preset("fft", players=4), 6, 40, seed=5)
    rows = everything(tables)
    true = solve_rows(tables, rows)
    attacks = attackers(tables.columns, rows)[rows, tables.hand_to_play]
    assert true.exact.all()
    stopped = 0
    for most in (1, 30, 300, 3000):
        found = solve_rows(tables, rows, max_nodes=most)
        assert (found.nodes <= most).all()
        assert np.array_equal(found.exact, true.nodes <= most)
        known = found.values != UNSOLVED
        assert np.array_equal(found.values[known], true.values[known])
        assert np.array_equal(found.value[found.exact], true.value[found.exact])
        assert (np.where(attacks, 1, -1) * (true.value - found.value) >= 0).all()
        stopped += (~found.exact & known.any(1)).sum()
        nothing = found.one(int(np.flatnonzero(~found.exact)[0]))
        assert not nothing.exact
    assert stopped > 0


def test_one_table_and_many_give_the_same() -> None:
    tables = endings(Rules.preset("fft", players=4), 4, 20, seed=6)
    arrays = {name: array.copy() for name, array in tables.arrays().items()}
    rows = np.array([3, 0, 3, 11])
    together = solve_rows(tables, rows)
    assert len(together) == 4
    for index, row in enumerate(rows.tolist()):
        alone = solve(tables, row)
        assert isinstance(alone, Solution)
        assert alone == together.one(index)
        legal = np.flatnonzero(tables.legal_actions()[row]).tolist()
        assert list(alone.values) == legal
        assert set(alone.best) == {c for c, value in alone.values.items() if value == alone.value}
    assert solve(tables) == solve(tables, 0)
    assert all(np.array_equal(arrays[name], now) for name, now in tables.arrays().items())
    assert len(solve_rows(tables, np.array([], np.int64))) == 0
    assert together.values.shape == (4, NUM_CARDS)


def refused(words: str, tables: Tables, row: int = 0, **options: int) -> None:
    with pytest.raises(TarotError) as caught:
        solve(tables, row, **options)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_cannot_be_solved_is_refused() -> None:
    rules = Rules.preset("fft", players=4)
    tables = endings(rules, 2, 3, seed=1)
    refused("no table 3", tables, 3)
    refused("no table -1", tables, -1)
    refused("max_nodes=0", tables, max_nodes=0)
    refused("is in AUCTION", Tables(rules, 1, seed=1))
    while not tables.is_over[0]:
        tables.step(tables.random_actions(np.random.default_rng(0)))
    refused("table 0 is over", tables)
    early = endings(rules, 17, 3, seed=1)
    refused("cards left; 62 or fewer can be solved", early)
    assert Phase(early.phase[0]) == Phase.PLAY
    for game in ("6", "mort", "decouverte", "tirette", "dummy"):
        refused("cannot be solved; what can be: three players", Tables(rules_of(game), 1, seed=1))
    assert [most_tricks(Rules.preset("fft", players=p)) for p in (3, 4, 5)] == [20, 15, 12]


def test_copies_of_a_table_are_worth_the_same_anywhere_in_a_batch() -> None:
    """Memory of one table is of no use to another."""
    tables = endings(Rules.preset("fft", players=4), 5, 8, seed=9)
    rows = np.tile(everything(tables), 3)
    found = solve_rows(tables.take(rows), np.arange(len(rows)))
    first = solve_rows(tables, everything(tables))
    assert np.array_equal(found.values, np.tile(first.values, (3, 1)))
