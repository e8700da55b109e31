"""Reports: files that come out, what they say, and bad input."""

import contextlib
import json
import re
from functools import partial

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from tarot_env import TarotError
from tarot_env.tables.agent import MARK
from training.formatting import milliseconds, number
from training.report import figures, report
from training.report.report import contracts_played, read_metrics
from training.tournament import run_tournament

HEADER = (
    "update,decisions,seconds,charts/SPS,losses/policy_loss,losses/entropy,bids/garde,bids/made,"
    "eval/points_per_deal/<b>bot</b>,eval/points_per_deal_low/<b>bot</b>,"
    "eval/points_per_deal_high/<b>bot</b>"
)
ROWS = [
    "0,0,,,,,,,-3.5,-9,2",
    "1,2000,1.5,1300,0.1,1.2,0.4,0.5,,,",
    "2,4000,3,1300,0.1,1,0.5,0.6,8,4,12",
]


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "metrics.csv").write_text("\n".join([HEADER, *ROWS]) + "\n")
    return folder


def is_png(file):
    return file.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def check_page(file):
    page = file.read_text()
    assert "<script" not in page
    assert not re.search(r"(src|href|srcset)=\"(?!data:)", page)
    assert "http" not in page
    assert "prefers-color-scheme: dark" in page
    return page


def test_run_folder(run):
    files = report(run)
    assert [file.name for file in files] == ["learning_curve.png", "training.png", "report.html"]
    assert all(is_png(file) for file in files[:2])
    page = check_page(files[2])
    assert "+8.00 [+4.00, +12.00]" in page
    assert "<b>bot" not in page
    assert "&lt;b&gt;bot&lt;/b&gt;" in page


def test_pictures_are_the_same_each_time_and_differ_in_the_dark(run):
    columns = read_metrics(run / "metrics.csv")
    draw = partial(figures.learning_curve, columns, "a run")
    first = figures.png(draw)
    assert figures.png(draw) == first
    assert figures.png(draw, dark=True) != first


def test_empty_cells_are_unknown_and_an_unfinished_line_is_left_out(run):
    with (run / "metrics.csv").open("a") as file:
        file.write("3,6000,4")
    columns = read_metrics(run / "metrics.csv")
    assert list(columns["decisions"]) == [0, 2000, 4000]
    assert np.isnan(columns["eval/points_per_deal/<b>bot</b>"][1])


def test_run_with_a_final_tournament(run):
    agents = ["random", "heuristic:play=random", "heuristic:bid=pass"]
    run_tournament(agents, deals=2, seed=5, out=run / "final")
    files = report(run)
    names = ["learning_curve", "training", "points_per_deal", "ratings", "bids"]
    assert [file.name for file in files] == [*(f"{name}.png" for name in names), "report.html"]
    page = check_page(files[-1])
    assert "Strength while learning" in page
    assert "Not an evaluation seed" in page
    assert "2 deals of seed 5" in page


def test_forced_tournament_of_two(tmp_path):
    run_tournament(["random", "random"], deals=1, force="garde", out=tmp_path)
    assert [file.name for file in report(tmp_path)] == ["points_per_deal.png", "report.html"]
    (file,) = tmp_path.glob("*.html")
    assert "the best hand of each deal plays garde" in file.read_text()
    assert "1 deal of seed" in file.read_text()
    games, made, _ = contracts_played(tmp_path / "deals.csv")["random", "garde"]
    assert games == 4
    assert 0 <= made <= 4


def test_deals_with_a_petit_sec_are_told(tmp_path):
    run_tournament(["random", "random"], deals=2, seed=5, force="garde", out=tmp_path)
    results = json.loads((tmp_path / "results.json").read_text())
    for skipped, words in ((0, None), (1, "1 more deal."), (3, "3 more deals.")):
        (tmp_path / "results.json").write_text(json.dumps({**results, "skipped": skipped}))
        page = report(tmp_path)[-1].read_text()
        assert (words is None) == ("petit sec" not in page)
        assert words is None or f"Skipped for a petit sec: {words}" in page


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("metrics.csv", "", "no column 'decisions'"),
        ("metrics.csv", "a,b\n1,2\n", "no column 'decisions'"),
        ("metrics.csv", "update,decisions\n", "no rows yet"),
        ("metrics.csv", "update,decisions\n1,2,3\n1,2\n", "3 cells"),
        ("metrics.csv", "update,decisions\n1,many\n", "decisions must be a number; got 'many'"),
        ("metrics.csv", b"\xff\xfe\x00", "no text"),
        ("results.json", "{", "no JSON"),
        ("results.json", "[]", "no result of a tournament"),
        ("results.json", "{}", "no result of a tournament"),
        ("results.json", json.dumps({"pairs": [{"ppd": "x"}], "agents": []}), "no result of"),
        ("metrics.csv", "update,decisions\n1,inf\n", "decisions must be a number"),
        ("metrics.csv", "update,decisions\n1,1e300\n", "decisions must be a number"),
        ("metrics.csv", "update,decisions\n1," + "9" * 200_000, "no metrics file"),
        ("results.json", '{"pairs": NaN}', "no JSON"),
        ("results.json", '{"pairs": 1e999}', "no JSON"),
        ("results.json", "[" * 100_000, "no JSON"),
        ("notes.txt", "", "holds neither"),
    ],
)
def test_garbled_folders_are_refused_in_a_sentence(tmp_path, name, content, words):
    data = content if isinstance(content, bytes) else content.encode()
    (tmp_path / name).write_bytes(data)
    with pytest.raises(TarotError, match=words):
        report(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    "content", [b"a,b\n1,2\n", b"taker,agent,contract,made,score\n1,a,b,x,3\n", b"\xff\n"]
)
def test_garbled_deals_are_refused(tmp_path, content):
    run_tournament(["random", "random"], deals=1, out=tmp_path)
    (tmp_path / "deals.csv").write_bytes(content)
    with pytest.raises(TarotError, match=r"deals.csv"):
        report(tmp_path)


def test_a_run_without_panels_has_a_page(tmp_path):
    (tmp_path / "metrics.csv").write_text("update,decisions\n1,200\n")
    assert [file.name for file in report(tmp_path)] == ["report.html"]


def test_dollars_in_names_are_dollars(run):
    file = run / "metrics.csv"
    file.write_text(file.read_text().replace("<b>bot</b>", r"$\frac$"))
    assert is_png(report(run)[0])


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("results.json", {"pairs": []}, "results.json"),
        ("results.json", {"rules": 3}, "results.json"),
        ("timing.json", {"microseconds_per_decision": {"random": "x"}}, "timing.json"),
        ("timing.json", {"microseconds_per_decision": 3}, "timing.json"),
    ],
)
def test_odd_values_are_refused_and_nothing_is_written(tmp_path, name, change, words):
    run_tournament(["random", "heuristic:bid=pass"], deals=1, out=tmp_path)
    file = tmp_path / name
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    with pytest.raises(TarotError, match=words):
        report(tmp_path)
    assert not list(tmp_path.glob("*.png"))


@pytest.mark.slow
def test_odd_values_within_are_refused_in_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "_DPI", 20)
    run_tournament(["random", "heuristic:bid=pass"], deals=1, out=tmp_path)
    file = tmp_path / "results.json"
    whole = json.loads(file.read_text())
    for part in ("pairs", "agents"):
        for key in whole[part][0]:
            for odd in ([[]], 10**400):
                changed = json.loads(json.dumps(whole))
                changed[part][0][key] = odd
                file.write_text(json.dumps(changed))
                with contextlib.suppress(TarotError):  # some are shown as they are
                    report(tmp_path)


def test_the_mark_of_an_agent_that_sees_all_hands_stays_in_pictures():
    """Long names are shortened in the middle."""
    name = f"my_rather_long_package.bots:Oracle{MARK}"
    pair = {"a": name, "b": "random"}
    first, second = figures.pair_label(pair).splitlines()
    assert first.endswith(MARK)
    assert len(first) < len(name)
    assert second == "alone among random"


def test_times_per_decision_are_in_milliseconds():
    assert [milliseconds(value) for value in (0.83, 35.1, 9_999, 12_345, 1_234_567)] == [
        "0.0008",
        "0.0351",
        "9.9990",
        "12.3",
        "1,234.6",
    ]


NAN = float("nan")


@pytest.mark.parametrize(
    ("low", "mean", "high", "limits"),
    [
        ([-843, -28, -22, -15], [-784, -22, -16, -9], [-726, -16, -10, -3], (-28, 0)),
        ([-209, 360, 370, 365], [-137, 374, 386, 380], [-65, 389, 402, 396], (360, 402)),
        ([-20, -8, 0, 4], [-15, -4, 4, 8], [-10, 0, 8, 12], (-20, 12)),
        ([-209, 360], [-137, 374], [-65, 389], (-209, 389)),
        ([-9], [-3], [2], (-9, 2)),
        ([NAN] * 3, [900, 40, 50], [NAN] * 3, (40, 50)),
    ],
)
def test_a_learning_curve_shows_what_comes_after_the_start(low, mean, high, limits):
    """The start and 0 only where they lie no further away than the others spread."""
    arrays = (np.array(values, float) for values in (low, mean, high))
    assert figures.limits_of_curve(*arrays) == limits


def curve(values):
    """Metrics with an evaluation of each value, and an interval of 8 about it."""
    tags = {"": 0, "_low": -4, "_high": 4}
    points = {f"{figures.EVAL}{end}/bot": np.add(values, shift) for end, shift in tags.items()}
    return {"decisions": np.arange(len(values)) * 1000.0, **points}


@pytest.mark.parametrize(
    ("first", "told"), [(-784.0, ["↓ -784.0 at the start"]), (500.0, ["↑ +500.0 at the start"])]
)
def test_a_start_out_of_sight_is_told(first, told):
    (axis,) = figures.learning_curve(curve([first, -22.0, -12.0, -9.0]), "a run").axes
    assert [text.get_text() for text in axis.texts] == told
    low, high = axis.get_ylim()
    assert high - low < 50
    assert axis.get_xlim()[0] < 0


def test_a_start_in_sight_is_drawn_like_the_others():
    (axis,) = figures.learning_curve(curve([-30.0, -22.0, -12.0, -9.0]), "a run").axes
    assert not axis.texts
    assert axis.get_ylim()[0] < -34


def test_a_learning_curve_names_its_run_and_its_band():
    columns = curve([-3.0, 8.0]) | {f"{figures.EVAL}/nobody": np.full(2, np.nan)}
    figure = figures.learning_curve(columns, "my run")
    assert figure.get_suptitle().startswith("my run: ")
    assert "95 % interval" in figure.get_suptitle()
    assert [axis.get_title() for axis in figure.axes] == ["alone among bot"]


def test_what_was_not_measured_is_a_gap():
    columns = {
        "decisions": np.arange(5) * 1000.0,
        "bids/made": np.array([NAN, 0.5, NAN, 0.6, 0.7]),
        "bids/garde": np.full(5, NAN),
    }
    (axis,) = figures.training_panels(columns).axes
    curve, dots = axis.lines
    assert np.isnan(curve.get_ydata()).tolist() == [True, False, True, False, False]
    assert dots.get_ydata().tolist() == [0.5]


def test_the_legend_of_the_contracts_covers_no_curve():
    columns = {"decisions": np.arange(3.0), "losses/entropy": np.ones(3)}
    columns |= {f"bids/{name}": np.ones(3) for name in ("passed_out", "garde", "garde_sans")}
    figure = figures.training_panels(columns)
    FigureCanvasAgg(figure).draw()
    first, last = figure.axes
    assert not last.get_legend().get_window_extent().overlaps(last.get_window_extent())
    assert first.get_xlim() == last.get_xlim()


def a_pair(a, b, **changes):
    role = {"ppd": 4.0, "ci95": [3.0, 5.0]}
    bids = {"pass": 0.5, "garde": 0.5}
    pair = {"a": a, "b": b, "ppd": 8.0, "ci95": [6.5, 9.5], "as_taker": role, "as_defender": role}
    return pair | {"bids": bids} | changes


def test_points_per_deal_are_labelled_and_no_cap_hides_behind_a_dot():
    figure = figures.pairs([a_pair("me", "you"), a_pair("you", "me", ci95=[None, None])])
    left, right = figure.axes
    words = "points per deal, with the 95 % interval"
    assert [axis.get_xlabel() for axis in figure.axes] == [words, words]
    assert right.get_title() == "parts made as taker and as defender"
    assert [text.get_text() for text in left.texts] == ["+8.0 ± 1.5", "+8.0"]
    assert not [line for line in left.lines if line.get_marker() == "|"]
    assert not right.get_legend()
    assert len(figure.legends) == 1


def test_the_picture_of_bids_says_against_whom():
    (axis,) = figures.bids([a_pair("me", "you")]).axes
    assert [tick.get_text() for tick in axis.get_yticklabels()] == ["me\nalone among you"]


def test_contracts_stand_in_the_order_of_the_bids_and_no_column_is_empty(tmp_path):
    run_tournament(["random", "heuristic:play=random"], deals=2, out=tmp_path)
    lines = ["agent,taker,contract,made,score"]
    lines += [f"random,1,{name},1,25" for name in ("garde_contre", "garde_sans", "petite", "garde")]
    (tmp_path / "deals.csv").write_text("\n".join(lines))
    page = report(tmp_path)[-1].read_text()
    names = re.findall(r"<td>(petite|garde[ \w]*)</td>", page)
    assert names == ["petite", "garde", "garde sans", "garde contre"]
    heads = re.findall(r"<th[^>]*>([^<]*)</th>", page)
    assert "ms per decision" in heads
    assert "rating" not in heads
    (tmp_path / "timing.json").unlink()
    assert "ms per decision" not in report(tmp_path)[-1].read_text()


def test_the_columns_of_the_pairs_are_explained(tmp_path):
    result = run_tournament(["random", "heuristic:play=random"], deals=2, out=tmp_path)
    page = report(tmp_path)[-1].read_text()
    for column in ("as taker", "as defender", "per game taken", "per game defended"):
        assert re.search(rf"<th[^>]*>{column}</th>", page)
        assert re.search(rf"<p>[^<]*{column}[^<]*: ", page)
    for pair in result.pairs:
        cells = [number(role.ppd, 1) for role in (pair.as_taker, pair.as_defender)]
        cells.append(number(pair.as_taker.per_game, 1))
        assert "".join(f'<td class="n">{cell}</td>' for cell in cells) in page


def test_missing_folder_is_refused(tmp_path):
    with pytest.raises(TarotError, match="is no folder"):
        report(tmp_path / "nothing")
