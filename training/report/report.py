"""Reports: a folder of results as pictures and one HTML page that needs nothing else.

Reads what training (`metrics.csv`, `config.json`, `final/`) and tournaments (`results.json`,
`timing.json`, `deals.csv`) write, and plays nothing.
"""

import base64
import csv
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float64
from matplotlib.figure import Figure

from tarot_env.errors import TarotError, count_noun, plural
from training.files import write_atomically
from training.formatting import interval, milliseconds, number, share
from training.report import figures
from training.tournament.results import BID_NAMES, MatchResult, match_cells, unrated

METRICS, RESULTS, TIMING, DEALS = "metrics.csv", "results.json", "timing.json", "deals.csv"
PAGE = "report.html"


@dataclass(frozen=True)
class Picture:
    """A picture of the report: file name without ending, words beneath it, how it is drawn."""

    name: str
    caption: str
    draw: Callable[[], Figure]


@dataclass(frozen=True)
class Section:
    """A heading with text, pictures and tables (HTML) beneath it."""

    title: str
    source: Path
    """File that it shows."""
    pictures: Sequence[Picture] = ()
    tables: Sequence[str] = ()
    notes: Sequence[str] = ()


def report(path: str | Path) -> list[Path]:
    """Draws the report of a run or a tournament into its folder; returns the files written.

    Raises:
        TarotError: no such folder, nothing in it to report on, or files that cannot be read.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise TarotError(f"{folder} is no folder")
    if (folder / METRICS).exists():
        title, sections = f"Training run {folder.name}", _run_sections(folder)
    elif (folder / RESULTS).exists():
        title, sections = f"Tournament {folder.name}", _tournament_sections(folder)
    else:
        raise TarotError(
            f"{folder} holds neither {METRICS} (a training run) nor {RESULTS} (a tournament that "
            "has finished)"
        )
    images: dict[str, bytes] = {}
    parts = [_section(section, images) for section in sections]
    page = _page(title, "".join(parts)).encode()
    for name, image in images.items():
        write_atomically(folder / f"{name}.png", image)
    write_atomically(folder / PAGE, page)
    return [*(folder / f"{name}.png" for name in images), folder / PAGE]


# -- reading


def read_metrics(file: Path) -> dict[str, Float64[np.ndarray, " u"]]:
    """The columns of `metrics.csv`, nan where a cell is empty; an unfinished last line is left out.

    Raises:
        TarotError: a file that cannot be read, lacks `decisions`, or holds something else.
    """
    try:
        lines = list(csv.reader(_text(file).splitlines()))
    except csv.Error as error:
        raise TarotError(f"{file} is no metrics file: {error}") from error
    if not lines or "decisions" not in lines[0]:
        raise TarotError(f"{file} has no column 'decisions', so it is no metrics file")
    header, rows = lines[0], lines[1:]
    if rows and len(rows[-1]) < len(header):
        rows = rows[:-1]
    values = np.full((len(rows), len(header)), np.nan)
    for index, row in enumerate(rows):
        if len(row) != len(header):
            raise TarotError(f"{file}:{index + 2}: {len(row)} cells; the header has {len(header)}")
        for column, cell in enumerate(row):
            try:
                values[index, column] = value = float(cell or "nan")
            except ValueError:
                value = math.inf
            if abs(value) > _LARGEST:
                where = f"{file}:{index + 2}: {header[column]}"
                raise TarotError(f"{where} must be a number; got {cell[:40]!r}")
    if not len(rows):
        raise TarotError(f"{file} has no rows yet")
    return {name: values[:, column] for column, name in enumerate(header)}


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise TarotError(f"{file} is no text: {error}") from error


_LARGEST = 1e15
"""Nothing that is measured is larger; pictures of larger numbers cannot be drawn."""


def _json(file: Path) -> Any:
    """What a file holds; numbers that are not finite, or beyond reason, are refused."""

    def measured(text: str) -> float:
        if not abs(value := float(text)) <= _LARGEST:
            raise ValueError(f"the number {text[:40]}")
        return value

    try:
        return json.loads(_text(file), parse_float=measured, parse_constant=measured)
    except (ValueError, RecursionError) as error:
        raise TarotError(f"{file} is no JSON: {error}") from error


def contracts_played(file: Path) -> dict[tuple[str, str], tuple[int, int, float]]:
    """By (agent, contract): games as taker, how many were made, and the taker's points in all.

    Raises:
        TarotError: a file that is no `deals.csv`.
    """
    found: dict[tuple[str, str], tuple[int, int, float]] = {}
    with file.open(encoding="utf-8", newline="") as text:
        rows = csv.DictReader(text)
        try:
            for row in rows:
                if row["taker"] == "1":
                    key = (row["agent"], row["contract"])
                    games, made, points = found.get(key, (0, 0, 0.0))
                    found[key] = (games + 1, made + int(row["made"]), points + float(row["score"]))
        except (KeyError, TypeError, ValueError, csv.Error) as error:
            raise TarotError(f"{file}:{rows.line_num}: no row of a tournament: {error}") from error
    return found


# -- what is shown


def _run_sections(folder: Path) -> list[Section]:
    columns, run = read_metrics(folder / METRICS), folder.resolve().name
    pictures = []
    if figures.opponents(columns):
        caption = (
            "Points per deal on fixed duplicate deals, alone among three opponents, with the 95 % "
            "interval over deals. These deals also choose the best checkpoint, so they are no "
            "final evaluation."
        )
        pictures.append(
            Picture("learning_curve", caption, lambda: figures.learning_curve(columns, run))
        )
    file = folder / METRICS
    sections = [Section("Strength while learning", file, pictures, [_last_row(columns)])]
    if figures.has_panels(columns):
        panels = Picture("training", "", lambda: figures.training_panels(columns))
        sections.append(Section("Training", file, [panels]))
    if (folder / "final" / RESULTS).exists():
        sections += _tournament_sections(folder / "final")
    return sections


def _last_row(columns: figures.Columns) -> str:
    """A table of how far the run is and how strong it was last found."""
    rows = []
    for key in ("update", "decisions", "deals", "seconds"):
        if key in columns and not math.isnan(columns[key][-1]):
            rows.append((key, f"{columns[key][-1]:,.0f}"))
    for name in figures.opponents(columns):
        tags = [f"{figures.EVAL}{end}/{name}" for end in ("", "_low", "_high")]
        there = np.flatnonzero(~np.isnan(columns[tags[0]]))
        if len(there) and all(tag in columns for tag in tags):
            mean, low, high = (float(columns[tag][there[-1]]) for tag in tags)
            text = f"{number(mean)} {interval((low, high))}"
            rows.append((f"points per deal among {name}", text))
    return _table(("", "last"), rows)


def _tournament_sections(folder: Path) -> list[Section]:
    file = folder / RESULTS
    results = _json(file)
    try:
        return _standings(folder, results)
    except TarotError:
        raise
    except Exception as error:  # what values of wrong types raise is not bounded
        raise TarotError(f"{file} is no result of a tournament: {error!r}") from error


def _standings(folder: Path, results: dict[str, Any]) -> list[Section]:
    pairs = sorted(results["pairs"], key=lambda pair: -pair["ppd"])
    agents = sorted(results["agents"], key=lambda agent: -(agent["rating"] or 0.0))
    unit = "deal" if results["matches"] is None else "match"
    caption = f"Points per deal with the 95 % interval, clustered by {unit}."
    pictures = [Picture("points_per_deal", caption, lambda: figures.pairs(pairs))]
    if any(agent["rating"] is not None for agent in agents):
        rated = [(agent["rating"], agent["rating_ci95"]) for agent in agents]
        pictures.append(
            Picture(
                "ratings",
                f"Additive rating: i alone among js earns rating i - rating j per {unit}.",
                lambda: figures.means([a["agent"] for a in agents], rated, "rating, points"),
            )
        )
    worst = {pair["a"]: pair for pair in pairs if pair["bids"]}.values()
    if worst:
        words = "Each agent alone among the opponent that it does worst against."
        pictures.append(Picture("bids", words, lambda: figures.bids(list(worst))))
    times = _times(folder)
    tables = [_pair_table(pairs), _agent_table(agents, times)]
    if (folder / DEALS).exists():
        tables.append(_contract_table(contracts_played(folder / DEALS)))
    return [Section("Tournament", folder / RESULTS, pictures, tables, _notes(results))]


def _times(folder: Path) -> dict[str, float]:
    if not (folder / TIMING).exists():
        return {}
    found = _json(folder / TIMING)
    times = found.get("microseconds_per_decision") if isinstance(found, dict) else None
    if not isinstance(times, dict) or any(type(v) not in (int, float) for v in times.values()):
        raise TarotError(f"{folder / TIMING} is no timing of a tournament")
    return times


def _notes(results: dict[str, Any]) -> list[str]:
    rules = ", ".join(f"{key} {value}" for key, value in results["rules"].items())
    played = results["pairs"][0]["deals"]
    one, many = ("deal", "deals") if results["matches"] is None else ("match", "matches")
    unit = plural(one, played, many)
    lines = [f"{played:,} {unit} of seed {results['seed']}, each in every seat; rules: {rules}."]
    if results["force"]:
        contract = results["force"].replace("_", " ")
        lines.append(f"No auction: the best hand of each deal plays {contract}.")
    if results["skipped"]:
        lines.append(f"Skipped for a petit sec: {count_noun(results['skipped'], 'more deal')}.")
    if missing := unrated([(pair["a"], pair["b"]) for pair in results["pairs"]]):
        lines.append(f"{missing[0].upper()}{missing[1:]}.")
    if not results["evaluation_seed"]:
        lines.append("Not an evaluation seed: agents are trained and selected on such seeds.")
    return lines


_PAIR_WORDS = (
    "A game is a deal played once, with the agent in one of the seats. takes: the share of games "
    "in which the agent is the taker; makes: the share of these whose contract it makes.",
    "as taker, as defender: the parts of the points per deal that come from games in which the "
    "agent takes, or defends; every other game counts as 0.",
    "per game taken, per game defended: the mean over only those games, so +100.0 per game taken "
    "means that the agent wins 100 points on average when it is the taker; of few games (see "
    "takes) it says little.",
)
"""What the columns of the table of pairs mean."""


def _pair_table(pairs: Iterable[dict[str, Any]]) -> str:
    heads: tuple[str, ...] = (
        "agent",
        "alone among",
        "points per deal",
        "95 %",
        "takes",
        "makes",
        "as taker",
        "as defender",
        "per game taken",
        "per game defended",
        "passed out",
    )
    pairs = list(pairs)
    if any(pair["match"] is not None for pair in pairs):
        heads = (*heads[:2], "points per match", "wins", *heads[2:])
    rows = []
    for pair in pairs:
        match = None if pair["match"] is None else MatchResult(**pair["match"])
        roles = pair["as_taker"], pair["as_defender"]
        rows.append(
            (
                pair["a"],
                pair["b"],
                *match_cells(match),
                number(pair["ppd"]),
                interval(pair["ci95"]),
                share(pair["taken"]),
                share(pair["made"]),
                *(number(role["ppd"], 1) for role in roles),
                *(number(role["per_game"], 1) for role in roles),
                share(pair["passed_out"]),
            )
        )
    words = "".join(f"<p>{escape(line)}</p>" for line in _PAIR_WORDS)
    return _table(heads, rows, texts=2) + words


def _agent_table(agents: Sequence[dict[str, Any]], times: dict[str, float]) -> str:
    """What each agent did; ratings and times only where there are any."""
    rated = any(agent["rating"] is not None for agent in agents)
    ratings, timings = ("rating", "95 %") if rated else (), ("ms per decision",) if times else ()
    rows = []
    for agent in agents:
        time = times.get(agent["agent"])
        rating = number(agent["rating"]), interval(agent["rating_ci95"])
        timing = "–" if time is None else milliseconds(time)
        rows.append(
            (
                agent["agent"],
                *(rating if rated else ()),
                f"{agent['decisions']:,}",
                str(agent["illegal"]),
                str(agent["failed"]),
                *((timing,) if times else ()),
            )
        )
    return _table(("agent", *ratings, "decisions", "illegal", "failed", *timings), rows)


def _contract_table(played: dict[tuple[str, str], tuple[int, int, float]]) -> str:
    heads = ("taker", "contract", "games", "made", "points per game")
    order = {name: place for place, name in enumerate(BID_NAMES.values())}
    rows = [
        (
            agent,
            name.replace("_", " "),
            f"{games:,}",
            share(made / games),
            number(points / games, 1),
        )
        for (agent, name), (games, made, points) in sorted(
            played.items(), key=lambda item: (item[0][0], order.get(item[0][1], len(order)))
        )
    ]
    return _table(heads, rows, texts=2)


# -- the page


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 1) -> str:
    """A table; the first `texts` columns are text, the others numbers."""

    def line(cells: Sequence[str], tag: str) -> str:
        kinds = [' class="n"' if index >= texts else "" for index in range(len(cells))]
        return "".join(
            f"<{tag}{kind}>{escape(cell)}</{tag}>" for cell, kind in zip(cells, kinds, strict=True)
        )

    body = "".join(f"<tr>{line(row, 'td')}</tr>" for row in rows)
    head = f"<thead><tr>{line(heads, 'th')}</tr></thead>"
    return f'<div class="scroll"><table>{head}<tbody>{body}</tbody></table></div>'


def _page(title: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>"
        f"<body><main><h1>{escape(title)}</h1>{body}</main></body></html>\n"
    )


def _section(section: Section, images: dict[str, bytes]) -> str:
    """A section as HTML; its pictures are drawn, the light ones kept by name."""
    parts = [f"<h2>{escape(section.title)}</h2>"]
    parts += [f"<p>{escape(note)}</p>" for note in section.notes]
    for picture in section.pictures:
        try:
            light, dark = (figures.png(picture.draw, dark=dark) for dark in (False, True))
        except Exception as error:  # what odd values raise in a picture is not bounded
            reason = " ".join(str(error).split())[:200]
            raise TarotError(f"{section.source} cannot be drawn: {reason}") from error
        images[picture.name] = light
        parts.append(_figure(picture, light, dark))
    parts += section.tables
    return f"<section>{''.join(parts)}</section>"


def _figure(picture: Picture, light_image: bytes, dark_image: bytes) -> str:
    """The picture in both colour schemes; the browser shows the one that fits."""
    light, dark = (
        "data:image/png;base64," + base64.b64encode(content).decode()
        for content in (light_image, dark_image)
    )
    words = picture.caption
    name = escape(words or picture.name.replace("_", " "), quote=True)
    caption = f"<figcaption>{escape(words)}</figcaption>" if words else ""
    return (
        f'<figure><picture><source srcset="{dark}" media="(prefers-color-scheme: dark)">'
        f'<img src="{light}" alt="{name}"></picture>{caption}</figure>'
    )


_STYLE = """
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1f2328; --soft: #57606a;
  --line: #d8dee4; --row: #f4f6f8 }
@media (prefers-color-scheme: dark) { :root { --paper: #16191d; --ink: #e3e6ea; --soft: #a3acb6;
  --line: #3a4048; --row: #1e2227 } }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem }
h1 { font-size: 1.6rem; margin: 0 0 1rem } h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem }
p { margin: .3rem 0; max-width: 46rem }
figure { margin: 1rem 0 1.4rem } img { width: 100%; height: auto; display: block }
figcaption { color: var(--soft); font-size: .88rem; margin-top: .3rem; max-width: 46rem }
.scroll { overflow-x: auto; margin: 1rem 0 1.6rem }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums }
th, td { padding: .35rem .6rem; text-align: left; white-space: nowrap;
  border-bottom: 1px solid var(--line) }
th { color: var(--soft); font-weight: 600 } .n { text-align: right }
tbody tr:nth-child(even) { background: var(--row) }
"""
