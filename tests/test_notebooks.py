"""The notebooks run, show what they say they show, and are committed with their output.

Run here in their small setting. `python tests/test_notebooks.py` executes them in full and keeps
the output.
"""

import json
import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tarot_env import records

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
ABSOLUTE_PATH = re.compile(r"(?<![\w./<])/(?:[\w.-]+/)+[\w.-]+|\b[A-Z]:\\")
SIZES = re.compile(r"^[A-Z_]+ = .* if SMALL else ", re.MULTILINE)

PLAY_A_DEAL = """
values = {
    "record": record,
    "refusal": refusal,
    "problems": problems,
    "sum": float(np.abs(crowd.scores.sum(axis=1)).max()),
    "each_pays": float(each_pays),
    "random": earned,
    "hand": sorted(action_text(card) for card in hand_again),
}
"""
TRAIN_AND_CURVES = """
values = {
    "updates": updates,
    "rows": int(len(metrics)),
    "decisions": metrics["decisions"].tolist(),
    "curve": curve["update"].tolist(),
    "card_play": card_play["decisions"].tolist(),
    "ends": [bool((rows[low] <= rows[mean]).all() and (rows[mean] <= rows[high]).all())
        for rows, name in ((curve, "random"), (card_play, "garde"))
        for mean, low, high in [eval_tags(name)]],
    "learned": (folder / "latest.pt").read_bytes() != (folder / "untrained.pt").read_bytes(),
    "events": len(list(folder.glob("events.out.tfevents.*"))),
    "taken": [pair.taken for pair in result.pairs],
    "illegal": sum(pair.illegal + pair.failed for pair in result.pairs),
    "page": (folder / "report.html").stat().st_size,
}
"""
TOURNAMENT = """
values = {
    "ppd": {f"{pair.a} {pair.b}": pair.ppd for pair in result.pairs},
    "off": max(abs(p.as_taker.ppd + p.as_defender.ppd - p.ppd) for p in result.pairs),
    "ratings": sum(agent.rating for agent in result.agents),
    "mirror": [mirror.pairs[0].ppd, *mirror.pairs[0].ci95],
    "forced": [pair.taken for pair in forced.pairs],
    "estimates": [row[0] for row in rows],
    "complaint": complaint,
    "bot": [[a.illegal, a.failed] for a in with_bot.agents if a.agent == "my_bots:TenLines"],
}
"""


def texts(cell: Any) -> list[str]:
    """Source and written output of a cell, without pictures."""
    found = [cell["source"]]
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        found += [str(data[kind]) for kind in data if not kind.startswith("image/")]
        found += [str(output.get("text", "")), " ".join(output.get("traceback", []))]
    return found


def execute(notebook: Any) -> None:
    """Runs all cells in a kernel that finds this checkout; their output is kept in the notebook."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    client = NotebookClient(
        notebook,
        timeout=900,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(ROOT)}},
    )
    client.execute(env={**os.environ, "PYTHONPATH": path})


def keep_output(path: Path) -> None:
    """Executes a notebook in full and writes it back."""
    notebook = nbformat.read(path, as_version=4)
    execute(notebook)
    for cell in notebook.cells:
        cell.metadata.clear()
    notebook.metadata.pop("language_info", None)
    nbformat.write(notebook, path)


def executed(name: str, probe: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a notebook in its small setting, then `probe`; returns the `values` that it makes."""
    monkeypatch.setenv("TAROT_NOTEBOOK_SMALL", "1")
    notebook = nbformat.read(ROOT / "notebooks" / name, as_version=4)
    source = f"import json\n{probe}\nprint(json.dumps(values))"
    notebook.cells.append(nbformat.v4.new_code_cell(source))
    execute(notebook)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    noise = [output["text"] for output in outputs if output.get("name") == "stderr"]
    assert noise == []
    return json.loads(outputs[-1]["text"])


# -- as committed


def test_there_are_three() -> None:
    assert [path.stem[:2] for path in NOTEBOOKS] == ["01", "02", "03"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_committed_executed_from_top_to_bottom(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    kinds = {(output.output_type, output.get("name")) for cell in code for output in cell.outputs}
    assert kinds <= {("stream", "stdout"), ("display_data", None), ("execute_result", None)}
    assert any(cell.outputs for cell in code)
    assert notebook.metadata.kernelspec.name == "python3"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_committed_without_absolute_paths(path: Path) -> None:
    for cell in nbformat.read(path, as_version=4).cells:
        for text in texts(cell):
            assert not ABSOLUTE_PATH.search(text)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_begins_with_words_and_sizes(path: Path) -> None:
    first, second = nbformat.read(path, as_version=4).cells[:2]
    assert first.cell_type == "markdown"
    assert first.source.startswith("# ")
    assert SIZES.search(second.source)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("runs/first/latest.pt", False),
        ("ppo:runs/first/latest.pt", False),
        ("</td>\n</tr>", False),
        ("see https://pettingzoo.farama.org/api/aec", False),
        ("ppo:/somewhere/runs/latest.pt", True),
        ('File "/opt/python/site.py"', True),
        ("C:\\Users", True),
    ],
)
def test_an_absolute_path_is_recognised(text: str, found: bool) -> None:
    assert bool(ABSOLUTE_PATH.search(text)) is found


# -- run again


@pytest.mark.slow
def test_play_a_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    values = executed("01_play_a_deal.ipynb", PLAY_A_DEAL, monkeypatch)
    record = values["record"]
    records.check(record)
    assert record["taker"] is not None
    assert values["refusal"].startswith("HK at table 0 (deal seed=1 id=0, DISCARD, seat 1): kings")
    assert len(values["problems"]) == 1
    assert "deals.jsonl:2: points is" in values["problems"][0]
    assert values["sum"] == 0
    assert 3 * values["each_pays"] == record["scores"][record["taker"]]
    assert sum(values["random"].values()) == 0
    assert len(values["hand"]) == 18
    assert set(values["hand"]) <= {*record["hands"][record["taker"]], *record["chien"]}


@pytest.mark.slow
def test_train_and_curves(monkeypatch: pytest.MonkeyPatch) -> None:
    values = executed("02_train_and_curves.ipynb", TRAIN_AND_CURVES, monkeypatch)
    updates = values["updates"]
    assert values["rows"] == len(updates) + 1
    assert values["decisions"] == [0, *(row["decisions"] for row in updates)]
    assert values["decisions"][-1] >= 1500
    assert values["curve"] == [0, *(row["update"] for row in updates)]
    assert values["card_play"] == values["decisions"]
    assert values["ends"] == [True, True]
    assert all(row["losses/entropy"] > 0 for row in updates)
    assert values["learned"]
    assert values["events"] == 1
    assert values["taken"] == [0.25] * 6
    assert values["illegal"] == 0
    assert values["page"] > 10_000


@pytest.mark.slow
def test_tournament(monkeypatch: pytest.MonkeyPatch) -> None:
    values = executed("03_tournament.ipynb", TOURNAMENT, monkeypatch)
    ppd = values["ppd"]
    assert len(ppd) == 12
    assert ppd["heuristic random"] > 0 > ppd["random heuristic"]
    assert ppd["heuristic:bid=pass,play=random random"] > 100
    assert values["off"] < 1e-9
    assert abs(values["ratings"]) < 1e-9
    assert values["mirror"] == [0, 0, 0]
    assert values["forced"] == [0.25] * 6
    assert values["estimates"][-1] == 4 * values["estimates"][-2]
    assert "wrong answered 0 in row 0" in values["complaint"]
    assert values["bot"] == [[0, 0]]


if __name__ == "__main__":
    for notebook_path in NOTEBOOKS:
        keep_output(notebook_path)
