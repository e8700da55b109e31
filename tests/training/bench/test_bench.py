import json

import numpy as np
import pytest

from tarot_env import Rules, Tables
from tarot_env.observation import observation_layout
from tarot_env.rules.books import GAMES
from training.bench import GROUPS, agents, batch, bench, learning, output, plan, playouts
from training.bench import measurement as measurement_module
from training.bench.goals import Goal, compare
from training.bench.measurement import Measurement, Sample, Setting, Unit
from training.bench.names import PROJECTED, SEEN, STATE, STEP
from training.bench.result import rows_of
from training.cli.main import main

QUICK = {"repeats": 1, "seconds": 0.001, "deals": 2}
PEERS = [m for m in plan.MEASUREMENTS if m.is_peer]


def setting(size=4, rules=None, deals=2):
    return Setting(rules or Rules.preset(), size, 0.001, deals)


def row(what, values, size=4096, cpu=(), unit=Unit.DECISIONS):
    """A row with the given value, and value by processor time, in each round."""
    samples = [
        Sample(value, 1.0, value / one if cpu else 1.0)
        for value, one in zip(values, cpu or values, strict=True)
    ]
    entry = Measurement(what, ("core",), lambda s: lambda seed: samples[0], list, unit)
    return rows_of(entry, size, samples)[0]


@pytest.mark.slow
def test_json_holds_every_row_and_round(capsys):
    groups = ["core", "observation", "mixed", "memory", "dealing", "one_table", "playouts"]
    argv = ["bench", "--sizes", "1", "4", "--repeats", "2", "--seconds", "0.001", "--json"]
    assert main([*argv, "--only", *groups, "agents"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert list(result) == ["machine", "rules", "rows", "comparisons", "missing"]
    assert {row["group"] for row in result["rows"]} == {*groups, "agents"}
    assert all(len(row["values"]) == 2 for row in result["rows"])
    assert all(row["low"] <= row["median"] <= row["high"] for row in result["rows"])
    assert all(row["median"] > 0 for row in result["rows"])
    by_name = {(row["what"], row["size"]): row for row in result["rows"]}
    assert {size for what, size in by_name if what == STEP} == {1, 4}
    assert all(size == 4 for what, size in by_name if what == STATE)
    step = by_name[STEP, 4]
    assert (step["unit"], step["peer"], step["contracts"]) == ("decisions/s", False, {"garde": 1})
    assert 78 <= step["decisions_per_deal"] < 90
    assert len(step["cpu_values"]) == 2
    assert result["missing"] == []
    keys = "what size unit median low high at_least goal aim is_met".split()
    assert all(list(found) == keys for found in result["comparisons"])


@pytest.mark.slow
def test_tables_name_the_unit_the_deals_and_the_machine(capsys):
    assert main(["bench", "--sizes", "4", "--repeats", "1", "--seconds", "0.001", *ONLY]) == 0
    out = capsys.readouterr().out
    assert all(words in out for words in (STEP, SEEN, STATE, "decisions/s", "garde 100.0 %"))
    assert "per deal" in out
    assert "processor" in out


ONLY = ["--only", "core", "observation", "memory"]


def test_the_plan_has_one_entry_a_name_in_a_known_group():
    entries = plan.MEASUREMENTS
    assert len({entry.name for entry in entries}) == len(entries)
    assert all(set(entry.groups) <= set(GROUPS) for entry in entries)
    assert {entry.groups[0] for entry in entries} == set(GROUPS)
    named = {entry.name for entry in entries} | {learning.ENVIRONMENT, PROJECTED}
    assert all(goal.of in named and (goal.to is None or goal.to in named) for goal in plan.GOALS)


@pytest.mark.slow
def test_groups_are_chosen():
    assert {row.group for row in bench([4], only=["memory"], **QUICK).rows} == {"memory"}
    both = bench([4], only=["memory"], games=True, **QUICK).rows
    assert {row.group for row in both} == {"memory", "games"}
    assert len(bench([4], only=["games"], **QUICK).rows) == len(GAMES)


def test_a_measurement_runs_once_in_every_round(monkeypatch):
    ran = []

    def entry(name):
        def start(given):
            ran.append(f"start {name}")
            return lambda seed: ran.append(f"{name} {seed}") or Sample(1.0, 1.0, 1.0)

        return Measurement(name, ("core",), start, lambda sizes: [1])

    entries = [entry("a"), entry("b")]
    monkeypatch.setattr("training.bench.rounds.MEASUREMENTS", entries)
    bench([1], repeats=2)
    assert ran == ["start a", "start b", "a 0", "b 0", "a 1", "b 1"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["5", "dummy"])
def test_other_games(name):
    preset, arguments = ("fft", {"players": 5}) if name == "5" else ("jeu-de-tarot", {"game": name})
    rules = Rules.preset(preset, **arguments)
    only = [group for group in GROUPS if group not in ("training", "tournament")]
    result = bench([4], only=only, rules=rules, **QUICK)
    assert result.rules == rules.to_dict()
    assert all(row.median > 0 for row in result.rows)


def test_decisions_are_those_of_live_tables():
    tables = Tables(Rules.preset(), 16, 0)
    batch.give_contracts(tables, np.arange(16))
    made = batch.play(tables, np.random.default_rng(0))
    assert made == tables.columns.log_size.sum()
    sample = batch.lockstep(setting(16))(0)
    assert 78 * sample.deals <= sample.amount < 90 * sample.deals


def test_observations_are_written_into_the_buffers():
    tables, look = Tables(Rules.preset(), 3, 0), batch.Observer(setting(3))
    rows = np.array([0, 2])
    look(tables, rows)
    turn = tables.turn(rows)
    assert (look.observations[:2] == observation_layout(Rules.preset()).encode(turn)).all()
    assert (look.masks[:2] == tables.legal_actions()[rows]).all()


def test_tables_are_spread_over_a_deal():
    tables = Tables(Rules.preset(), 8, 0)
    ages = batch._spread(tables, np.random.default_rng(0), 80)
    assert ages.tolist() == [0, 10, 20, 30, 40, 50, 60, 70]
    assert (tables.columns.log_size == ages).all()
    sample = batch.mixed(setting(8))(0)
    assert sample.amount >= 8 * 70
    assert 78 <= sample.deal_decisions / sample.deals < 90


def test_playouts_count_the_cards():
    sample = playouts.playouts(setting())(1)
    assert sample.deals % 4 == 0
    assert sample.amount == 72 * sample.deals


def test_bytes_of_a_table():
    arrays = Tables(Rules.preset(), 2, 0).arrays()
    plain, logged = (batch.state_bytes(setting(), log=log)(0).amount for log in (False, True))
    seen = batch.state_bytes(setting(), log=True, observation=True)(0).amount
    assert logged == sum(array.nbytes for array in arrays.values()) / 2
    log = sum(array.nbytes for name, array in arrays.items() if name == "events")
    assert plain == logged - log / 2
    assert seen == logged + observation_layout(Rules.preset()).size + 95


def test_ratios_are_taken_round_by_round_in_processor_time():
    rows = [row("a", [1.0, 9.0, 9.0], cpu=[20.0, 6.0, 8.0]), row("b", [5.0] * 3, size=1)]
    (found,) = compare([Goal("a", "b", goal={4096: 1.5}, aim={4096: 3.0})], rows)
    assert (found.what, found.size, found.unit) == ("a : b", 4096, "")
    assert (found.low, found.median, found.high) == (6 / 5, 8 / 5, 4.0)
    assert (found.goal, found.aim, found.is_met) == (1.5, 3.0, True)


def test_work_on_several_cores_is_compared_by_wall_time():
    entry = Measurement("a", ("core",), lambda s: lambda seed: Sample(1), list, one_core=False)
    (found,) = rows_of(entry, 1, [Sample(6.0, 2.0, 4.0)])
    assert (found.values, found.cpu_values, found.compared) == ((3.0,), (1.5,), (3.0,))
    (found,) = rows_of(entry, 1, [Sample(6.0, 2.0)])
    assert (found.cpu_values, found.cpu_median, found.compared) == ((), None, (3.0,))


def test_sizes_are_compared_with_their_like():
    rows = [row("a", [4.0], 256), row("a", [8.0], 4096), row("b", [2.0], 256), row("b", [16.0])]
    found = compare([Goal("a", "b", goal={256: 3.0, 4096: 0.4})], rows)
    assert [(c.size, c.median, c.is_met) for c in found] == [(256, 2.0, False), (4096, 0.5, True)]
    (found,) = compare([Goal("a", "b", goal={16: 1.0})], rows[1::2])
    assert (found.size, found.goal, found.is_met) == (4096, None, None)
    assert compare([Goal("a", "c"), Goal("c")], rows) == []


def test_costs_of_larger_batches():
    rows = [row("a", [8.0], 4096), row("a", [4.0], 65_536), row("a", [1.0], 1)]
    (found,) = compare([Goal("a", "a", "cost", to_size=4096, cost=True)], rows)
    assert (found.what, found.size, found.median) == ("cost", 65_536, 2.0)


def test_a_largest_value():
    rows = [row("a", [512.0], unit=Unit.BYTES)]
    (found,) = compare([Goal("a", at_least=False, goal={4096: 512.0})], rows)
    assert (found.unit, found.is_met) == ("bytes a table", True)


def test_missing_peers_are_named_in_one_line(capsys, monkeypatch):
    monkeypatch.setattr(measurement_module, "find_spec", lambda name: None)
    argv = ["bench", "--sizes", "1", "--repeats", "1", "--seconds", "0.001"]
    assert main([*argv, "--only", "core", "one_table", "--peers"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (line,) = [line for line in lines if line.startswith("peers not installed")]
    assert "open-spiel, pettingzoo[classic], rlcard" in line
    assert "pip install -e '.[peers]'" in line


@pytest.mark.slow
@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_a_peer_is_measured(peer):
    if peer.missing:
        pytest.skip(f"not installed: {', '.join(peer.missing)}")
    sample = peer.start(setting(1))(0)
    assert sample.amount > 0
    cards = {"OpenSpiel tarok": 48, "OpenSpiel spades": 56}.get(peer.name.partition(",")[0])
    if cards:
        assert sample.amount == cards * sample.deals


@pytest.fixture
def small_training(monkeypatch):
    monkeypatch.setattr(learning, "HIDDEN", (8,))
    monkeypatch.setattr(learning, "THREADS", 1)


@pytest.mark.slow
def test_updates_with_and_without_the_environment(small_training):
    sample = learning.updates(setting(96))(0)
    assert sample.amount > 0
    share, unit = sample.also[learning.ENVIRONMENT]
    assert 0 < share < 100
    assert unit is Unit.PERCENT
    assert learning.updates_without_environment(setting(96))(0).amount > 0


@pytest.mark.slow
def test_a_replay_asks_and_gives_what_the_collector_did(small_training):
    trainer = learning.make_trainer(setting(96))
    trainer.update()
    replay = learning.Replay(trainer.collector, 0.5)
    assert len({id(network) for network, _ in replay.asked}) > 1
    learned = sum(len(shown) for network, shown in replay.asked if network is trainer.actor)
    again = replay.collect(0.5)
    assert 0 < learned <= sum(len(shown) for _, shown in replay.asked)
    assert len(again.rows) == len(again.buffer.lane) > 0
    trainer.collector = replay
    before = trainer.decisions
    trainer.update()
    assert trainer.decisions - before == len(again.rows)


@pytest.mark.slow
def test_the_tournament_is_projected(monkeypatch):
    monkeypatch.setattr(agents, "JOBS", 1)
    sample = agents.tournament(setting(deals=3))(0)
    minutes, unit = sample.also[PROJECTED]
    assert sample.amount == 3
    assert minutes == pytest.approx(20_000 * sample.seconds / 3 / 60)
    assert unit is Unit.MINUTES


def test_a_folder_gets_the_json_and_the_picture(capsys, tmp_path):
    argv = ["bench", "--sizes", "1", "4", "--repeats", "1", "--seconds", "0.001", "--out"]
    assert main([*argv, str(tmp_path / "new" / "one"), *ONLY]) == 0
    files = sorted(path.name for path in (tmp_path / "new" / "one").iterdir())
    assert files == [output.RESULTS, output.PICTURE]
    out = capsys.readouterr().out
    assert all(name in out for name in files)
    written = json.loads((tmp_path / "new" / "one" / output.RESULTS).read_text())
    assert {STEP, SEEN} <= {row["what"] for row in written["rows"]}
    picture = (tmp_path / "new" / "one" / output.PICTURE).read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert main([*argv, str(tmp_path / "two"), "--only", "memory"]) == 0
    assert [path.name for path in (tmp_path / "two").iterdir()] == [output.RESULTS]
