"""The benchmark's fixed field: every pair of its agents on evaluation deals, as one table.

Each pair is a tournament of its own, with as many deals as its slower agent has time for. With a
folder each keeps its blocks in `A-B/` there, so a stopped field goes on, an agent that joins the
field leaves the other pairs as they are, and `tarot report DIR/A-B` draws one of them.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from tarot_env.core.dealing import check_seed
from tarot_env.errors import TarotError, plural
from tarot_env.rules import Rules
from tarot_env.tables.agent import MARK
from training.files import json_bytes, write_atomically
from training.formatting import milliseconds, plus_minus
from training.limits import EVALUATION_SEEDS_FROM, MAX_DEALS
from training.progress import Progress, silent
from training.tournament.duplicate import Counts
from training.tournament.results import TournamentResult, notes
from training.tournament.tournament import run_tournament

FIELD = {
    "random": 20_000,
    "naive": 20_000,
    "heuristic@1": 20_000,
    "pimc16@1": 1_500,
    "pimc64@1": 800,
    "oracle@1": 5_000,
}
"""The agents, in the order of the table, with the deals that each has time for; a pair plays the
smaller number. An agent that is added must never change: a frozen name, or one of the first two."""

TABLE, RESULTS = "field.md", "field.json"


@dataclass(frozen=True)
class FieldResult:
    """All pairs of the field."""

    results: Mapping[tuple[str, str], TournamentResult]
    """The tournament of each pair, both ways, by the names of the field in its order."""

    @property
    def names(self) -> dict[str, str]:
        """The agents in the order of the field, each with the name under which it is shown."""
        shown = (name for result in self.results.values() for pair in result.games for name in pair)
        by_text = {name.removesuffix(MARK): name for name in shown}
        return {text: by_text[text] for pair in self.results for text in pair}

    def result(self, a: str, b: str) -> TournamentResult:
        """The tournament of two agents, in either order."""
        return self.results[(a, b) if (a, b) in self.results else (b, a)]

    def microseconds(self, agent: str) -> float:
        """Per decision, over all games of an agent of the field."""
        total = Counts()
        for result in self.results.values():
            for pair, games in result.games.items():
                for name, counts in zip(pair, games.sides, strict=True):
                    total += counts if name == self.names[agent] else Counts()
        return 1e6 * total.seconds / max(total.decisions, 1)

    def markdown(self) -> str:
        """The table: points per deal of each agent alone among each other one, and the notes."""
        agents = self.names
        heads = ["alone", *(f"among {name}" for name in agents.values()), "ms per decision"]
        lines = [_row(heads), _row(["---"] * len(heads))]
        for a in agents:
            cells = []
            for b in agents:
                pair = None if a == b else self.result(a, b).pair(a, b)
                cells.append("–" if pair is None else plus_minus(pair.ppd, pair.ci95))
            lines.append(_row([agents[a], *cells, milliseconds(self.microseconds(a))]))
        return "\n".join([*lines, "", *(f"{note}  " for note in self._notes())])

    def _notes(self) -> list[str]:
        first = next(iter(self.results.values()))
        by_deals: dict[int | None, list[str]] = {}
        for (a, b), result in self.results.items():
            by_deals.setdefault(result.deals, []).append(f"{a} with {b}")
        played = [
            f"{deals:,} {plural('deal', deals or 0)}: "
            f"{', '.join(pairs) if len(by_deals) > 1 else 'each pair'}"
            for deals, pairs in by_deals.items()
        ]
        lines = [
            f"points per deal of one agent alone, over all seats; deals of seed {first.seed}; "
            "intervals are 95 %, clustered by deal",
            *played,
        ]
        for result in self.results.values():
            lines += [note for note in notes(result)[1:] if note not in lines]
        return lines

    def to_dict(self) -> dict[str, Any]:
        """What `field.json` holds."""
        first = next(iter(self.results.values()))
        return {
            "rules": first.rules.to_dict(),
            "seed": first.seed,
            "agents": [
                {"agent": name, "microseconds_per_decision": self.microseconds(text)}
                for text, name in self.names.items()
            ],
            "pairs": [asdict(pair) for result in self.results.values() for pair in result.pairs],
        }


def check_reportable(folder: Path) -> None:
    """Refuses the folder of a field, of which each pair has a report of its own.

    Raises:
        TarotError: it is one; a pair's folder is named.
    """
    pairs = [f"{a}-{b}" for a, b in combinations(FIELD, 2)]
    finished = [folder / pair for pair in pairs if (folder / pair / "results.json").exists()]
    if finished:
        raise TarotError(
            f"{folder} is the folder of a field, whose table is in {TABLE}; a report is of one "
            f"pair, such as: tarot report {finished[0]}"
        )


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def deals_of(a: str, b: str, scale: float = 1.0) -> int:
    """The deals that a pair of the field plays, at least one."""
    return max(1, round(scale * min(FIELD[a], FIELD[b])))


def play_field(
    *,
    scale: float = 1.0,
    seed: int = EVALUATION_SEEDS_FROM,
    rules: Rules | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    out: str | Path | None = None,
    progress: Progress = silent,
) -> FieldResult:
    """Plays all pairs of the field, both ways.

    Args:
        scale: this many times the field's deals.
        out: folder with one of each pair, and `field.md` and `field.json`.

    The others are as for `run_tournament`; agents that see all hands are let in, and marked.

    Raises:
        TarotError: a scale that is out of range, and what `run_tournament` raises.
        KeyboardInterrupt: stopped by the user; the message says how to go on.
    """
    most = MAX_DEALS / max(FIELD.values())
    if not 0 < scale <= most:
        raise TarotError(f"scale must be more than 0 and at most {most:g}; got {scale:g}")
    check_seed(seed)
    results = {}
    for a, b in combinations(FIELD, 2):
        results[a, b] = run_tournament(
            [a, b],
            deals=deals_of(a, b, scale),
            seed=seed,
            rules=rules,
            jobs=jobs,
            cluster=cluster,
            out=None if out is None else Path(out) / f"{a}-{b}",
            allow_cheating=True,
            progress=progress,
        )
    field = FieldResult(results)
    if out is not None:
        write_atomically(Path(out) / TABLE, (field.markdown() + "\n").encode())
        write_atomically(Path(out) / RESULTS, json_bytes(field.to_dict()))
    return field
