"""The commands of `tarot` as dataclasses: the options of each, and the one function that it calls.

Whatever a command needs is imported when it runs. `training.cli.main` parses a command line into
one of these.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol, runtime_checkable

import tyro

from tarot_env.errors import TarotError, count_noun
from tarot_env.rules import Rules, parse_override


def _option(metavar: str | None, hint: str | None = None) -> Any:
    """How an option is shown in help: its placeholder, and a hint instead of the default."""
    return tyro.conf.arg(metavar=metavar, help_behavior_hint=hint)


@runtime_checkable
class Command(Protocol):
    """A parsed command line."""

    def run(self) -> int:
        """Does it; returns the exit code."""
        ...


@dataclass(frozen=True, kw_only=True)
class Quiet:
    """What commands that work long have in common."""

    quiet: Annotated[bool, _option(None, "")] = False
    """Show no progress; none is shown either where standard error is no terminal."""


@dataclass(frozen=True, kw_only=True)
class Game:
    """Options that name the rules."""

    rules: Annotated[str, _option("PRESET")] = "fft"
    """Rule book to start from; `tarot variants` lists them."""
    players: Annotated[int | None, _option("P", "(4)")] = None
    """Players at the table."""
    game: Annotated[str | None, _option("G", "")] = None
    """A game with a name of its own: mort, decouverte, tirette or dummy."""
    set: Annotated[tyro.conf.UseAppendAction[tuple[str, ...]], _option("OPTION=VALUE")] = ()
    """Rule option to change, such as half_point=exact or poignee_bonus=10,20,30."""

    def make_rules(self) -> Rules:
        """The rules that the options name."""
        overrides = dict(parse_override(text) for text in self.set)
        return Rules.preset(self.rules, self.players, self.game, **overrides)


@dataclass(frozen=True, kw_only=True)
class Train(Quiet):
    """Train by self-play into RUNS/NAME; started by torchrun, in several processes together."""

    config: Annotated[tyro.conf.Positional[Path], _option("CONFIG [--key value ...]")]
    """Settings of the run, TOML; each is changed by --key value, such as --name NAME."""
    resume: Annotated[bool, _option(None, "")] = False
    """Go on with a stopped run, exactly as if it had not stopped."""
    quiet: Annotated[bool, _option(None, "")] = False
    """Show no progress; where standard error is no terminal, that is a line for each evaluation."""
    overrides: tyro.conf.Suppress[tuple[str, ...]] = ()

    def run(self) -> int:
        """Trains."""
        from training.cli.train import run_experiment
        from training.selfplay.config import load_config
        from training.selfplay.distributed import started_processes

        with started_processes() as processes:
            config = load_config(self.config, self.overrides)
            run_experiment(config, resume=self.resume, progress=not self.quiet, processes=processes)
        return 0


@dataclass(frozen=True, kw_only=True)
class Tournament(Quiet, Game):
    """Play agents against each other on the same deals, once in each seat, with intervals."""

    agents: Annotated[
        tyro.conf.Positional[tuple[str, ...]], _option("AGENT AGENT ...", "(two or more)")
    ] = ()
    """random, naive, heuristic, pimc:worlds=16, ppo:PATH, frozen heuristic@1, my_pkg.bots:MyBot."""
    deals: Annotated[int | None, _option("N", "(required without --matches or --field)")] = None
    """Deals for each ordered pair, ids 0 to N-1 of the seed; in matches: deals of each match."""
    matches: Annotated[int | None, _option("M", "")] = None
    """Play matches as long as the rules say; intervals are over matches."""
    seed: Annotated[int, _option("S")] = 3_000_000
    """Seed of the deals; agents are trained and selected on seeds below 3000000."""
    jobs: Annotated[int | None, _option("J", "(1, or all of the cluster)")] = None
    """Processes; the result is the same for any number."""
    cluster: Annotated[str | None, _option("ADDRESS", "")] = None
    """Play on a Ray cluster: auto, local, ray://HOST:PORT or HOST:PORT; the result is the same."""
    out: Annotated[Path | None, _option("DIR", "")] = None
    """Folder for results; the same command goes on with a stopped tournament."""
    force: Annotated[str | None, _option("CONTRACT", "")] = None
    """No auction: the best hand plays this contract, such as garde; petit-sec deals are skipped."""
    about: Annotated[str | None, _option("AGENT", "")] = None
    """Play only the pairs with this agent, without a rating."""
    first_alone: Annotated[bool, _option(None, "")] = False
    """Play only the first agent alone among each of the others, without a rating."""
    allow_cheating: Annotated[bool, _option(None, "")] = False
    """Let agents play that see all hands; they are marked wherever they are shown."""
    field: Annotated[bool, _option(None, "")] = False
    """Play the fixed field of the benchmark, all pairs, and print its table as Markdown."""
    scale: Annotated[float, _option("X")] = 1.0
    """Of the field: play X times its deals."""

    def run(self) -> int:
        """Plays, then prints the tables."""
        if self.field:
            return self._run_field()
        if self.scale != 1.0:
            raise TarotError("--scale is for --field; say how much to play with --deals N")
        from agents.baselines.human import typed_name
        from training.cli.terminal import print_tournament, progress_if
        from training.tournament import run_tournament

        if self.deals is None and self.matches is None:
            raise TarotError("say how much to play: --deals N or --matches M")

        result = run_tournament(
            self.agents,
            deals=self.deals,
            matches=self.matches,
            seed=self.seed,
            rules=self.make_rules(),
            jobs=self.jobs,
            cluster=self.cluster,
            out=self.out,
            force=None if self.force is None else typed_name(self.force),
            about=self.about,
            first_alone=self.first_alone,
            allow_cheating=self.allow_cheating,
            progress=progress_if(not self.quiet),
        )
        print_tournament(result)
        return 0

    def _run_field(self) -> int:
        from training.cli.terminal import progress_if
        from training.tournament.field import play_field

        given = {
            "AGENT": self.agents,
            "--deals": self.deals is not None,
            "--matches": self.matches is not None,
            "--force": self.force,
            "--about": self.about,
            "--first-alone": self.first_alone,
        }
        for option, value in given.items():
            if value:
                raise TarotError(f"--field says who plays how much; leave {option} out")
        result = play_field(
            scale=self.scale,
            seed=self.seed,
            rules=self.make_rules(),
            jobs=self.jobs,
            cluster=self.cluster,
            out=self.out,
            progress=progress_if(not self.quiet),
        )
        print(result.markdown())
        return 0


@dataclass(frozen=True, kw_only=True)
class Simulate(Quiet, Game):
    """Play deals and write them down as records, one line each."""

    agents: Annotated[tuple[str, ...], _option("AGENT [AGENT ...]")]
    """One agent for all seats, or one for each seat."""
    deals: Annotated[int | None, _option("N", "(required without --matches or --daily)")] = None
    """Records to write, deal ids 0 to N-1 of the seed; in matches: deals of each match."""
    matches: Annotated[int | None, _option("M", "")] = None
    """Play matches as long as the rules say, with the records of each one's deals."""
    daily: Annotated[str | None, _option("DATE", "")] = None
    """Play the match of a day, such as 2026-07-04; its date is the seed."""
    seed: Annotated[int | None, _option("S", "(0)")] = None
    """Seed of the deals."""
    out: Annotated[Path, _option("FILE")]
    """File to write, JSON Lines."""
    legal: Annotated[bool, _option(None, "")] = False
    """Write the legal actions beside each action."""

    def run(self) -> int:
        """Plays and writes; of matches, prints the totals."""
        from training.cli.terminal import progress_if
        from training.tournament.simulate import simulate, simulate_matches

        rules, seed, deals, matches = self.make_rules(), self.seed, self.deals, self.matches
        if self.daily is not None:
            seed, deals = _daily(self.daily, rules, deals, seed)
            matches = 1 if matches is None else matches
        if matches is None and deals is None:
            raise TarotError("say how much to play: --deals N, --matches M, or --daily DATE")
        common: dict[str, Any] = {
            "seed": 0 if seed is None else seed,
            "out": self.out,
            "rules": rules,
            "legal": self.legal,
            "progress": progress_if(not self.quiet),
        }
        if matches is None:
            simulate(self.agents, deals=deals or 0, **common)
            return 0
        played = simulate_matches(self.agents, matches=matches, deals=deals, **common)
        for number, match in enumerate(played):
            totals = " ".join(f"{total:+g}" for total in match.totals)
            seats = " and ".join(f"seat {seat}" for seat in match.winners)
            length = count_noun(match.played, "deal")
            print(f"match {number}: {length}, totals {totals}, won by {seats}")
        return 0


def _daily(date: str, rules: Rules, deals: int | None, seed: int | None) -> tuple[int, int]:
    """Seed and number of deals of a day's match.

    Raises:
        TarotError: no date, or a seed is given beside it.
    """
    from tarot_env.tables import daily_seed
    from tarot_env.tables.match import DAILY_DEALS

    if seed is not None:
        raise TarotError("--daily DATE is the seed of its deals; leave --seed out")
    usual = rules.match_deals or DAILY_DEALS
    return daily_seed(date), usual if deals is None else deals


@dataclass(frozen=True, kw_only=True)
class Play(Game):
    """Sit down at the table: play against agents in the terminal."""

    agents: Annotated[tuple[str, ...], _option("AGENT [AGENT ...]")] = ("heuristic",)
    """One agent for all other seats, or one for each."""
    seat: Annotated[int, _option("SEAT")] = 0
    """Where you sit."""
    seed: Annotated[int | None, _option("S", "(drawn)")] = None
    """Seed of the deals."""
    daily: Annotated[str | None, _option("DATE", "")] = None
    """The match of a day, such as 2026-07-04."""
    deals: Annotated[int | None, _option("N", "(as the rules say, or until you leave)")] = None
    """Deals to play."""
    out: Annotated[Path | None, _option("FILE", "")] = None
    """File to which the records of the deals are added, JSON Lines."""
    french: Annotated[bool, _option(None, "")] = False
    """Court cards with French letters: V C D R instead of J N Q K."""

    def run(self) -> int:
        """Plays."""
        from training.cli.play import play_at_table

        rules, seed, deals = self.make_rules(), self.seed, self.deals
        if self.daily is not None:
            seed, deals = _daily(self.daily, rules, deals, seed)
        letters: Literal["english", "french"] = "french" if self.french else "english"
        sitting = play_at_table(
            rules, self.agents, self.seat, seed, deals, self.out, letters=letters
        )
        return 130 if sitting.interrupted else 0


@dataclass(frozen=True, kw_only=True)
class Check:
    """Replay records: exit code 1 where one disagrees with the rules, 2 for a file without any."""

    files: Annotated[
        tyro.conf.Positional[tuple[Path, ...]], _option("FILE ...", "(one or more)")
    ] = ()
    """Files of records, JSON Lines."""

    def run(self) -> int:
        """Checks; prints each problem with line, action and reason."""
        from tarot_env.records import check_files

        if not self.files:
            raise TarotError("name a file of records to check")
        checked = check_files(self.files)
        for problem in checked.problems:
            print(problem)
        number, wrong = checked.num_records, sum(p.is_record for p in checked.problems)
        strays = len(checked.problems) - wrong
        told = f"{count_noun(number, 'record')}, {wrong or 'none'} wrong"
        print(told + (f"; lines that are no record: {strays}" if strays else ""))
        return 1 if checked.problems else 0


_SLAM = "announced|unannounced|failed"


@dataclass(frozen=True, kw_only=True)
class Score(Game):
    """Explain the score of one deal, from its facts, line by line."""

    bid: Annotated[str, _option("B")]
    """Contract: petite, garde, garde_sans or garde_contre."""
    taker: Annotated[int, _option("SEAT")] = 0
    """Seat of the taker."""
    partner: Annotated[str | None, _option("SEAT|alone", "(required with five)")] = None
    """Seat of the taker's partner."""
    dealer: Annotated[int | None, _option("SEAT", "(required with mort)")] = None
    """Seat of the dealer, who sits out."""
    oudlers: Annotated[int, _option("K")]
    """Oudlers in the attack's final pile."""
    points: Annotated[float, _option("X")]
    """Card points in the attack's final pile."""
    poignee: Annotated[
        tyro.conf.UseAppendAction[tuple[str, ...]], _option("SIDE:LEVEL", "(repeatable)")
    ] = ()
    """A poignée that was shown, such as attack:poignee, or defence:double_poignee."""
    petit_au_bout: Annotated[str | None, _option("attack|defence", "")] = None
    """Who won the last trick with the petit in it."""
    chelem: Annotated[str | None, _option(_SLAM, "")] = None
    """A slam that was made, or announced and failed."""
    chelem_by: Annotated[str, _option("attack|defence")] = "attack"
    """Whose slam; of the defence it is unannounced, or the announced one of the taker failed."""
    petit_chelem: Annotated[str | None, _option(_SLAM, "")] = None
    """A petit chelem, where the rules have it."""
    misere: Annotated[
        tyro.conf.UseAppendAction[tuple[int, ...]], _option("SEAT", "(repeatable)")
    ] = ()
    """A seat that declared a misère, where the rules have it."""
    contra: Annotated[int, _option("1|2|4")] = 1
    """2 after a contra, 4 after a recontra (six players)."""
    json: Annotated[bool, _option(None, "")] = False
    """Print scores, made and lines as JSON."""

    def run(self) -> int:
        """Prints the sheet."""
        from agents.baselines.human import typed_name
        from tarot_env.score_sheet import score_deal

        poignees = (text.partition(":") for text in self.poignee)
        partner = self.partner
        sheet = score_deal(
            self.make_rules(),
            bid=typed_name(self.bid),
            points=self.points,
            oudlers=self.oudlers,
            taker=self.taker,
            partner=int(partner)
            if partner and partner.isdecimal() and len(partner) < 4
            else partner,
            dealer=self.dealer,
            poignees=[side + colon + typed_name(name) for side, colon, name in poignees],
            petit_au_bout=self.petit_au_bout,
            chelem=self.chelem,
            chelem_by=self.chelem_by,
            petit_chelem=self.petit_chelem,
            misere=self.misere,
            contra=self.contra,
        )
        result = {"scores": sheet.scores, "made": sheet.made, "lines": sheet.lines}
        print(json.dumps(result) if self.json else "\n".join(sheet.lines))
        return 0


@dataclass(frozen=True, kw_only=True)
class Replay(Quiet):
    """Show records step by step, as text."""

    file: Annotated[tyro.conf.Positional[Path], _option("FILE")]
    """File of records, JSON Lines."""
    explain: Annotated[str | None, _option("AGENT", "")] = None
    """Tell at each decision what this agent expects of the answers: pimc:worlds=64, or oracle."""
    seat: Annotated[int | None, _option("S", "(all)")] = None
    """Whose decisions are explained."""
    french: Annotated[bool, _option(None, "")] = False
    """Court cards with French letters: V C D R instead of J N Q K."""

    def run(self) -> int:
        """Prints each record of the file."""
        from tarot_env.records import read_records
        from tarot_env.render import replay_text
        from training.analysis.explanation import make_explaining_agent
        from training.cli.analysis import print_explained
        from training.cli.terminal import progress_if

        if self.explain is None and self.seat is not None:
            raise TarotError("--seat names whose decisions are explained: add --explain AGENT")
        agent = None if self.explain is None else make_explaining_agent(self.explain)
        letters: Literal["english", "french"] = "french" if self.french else "english"
        number = 0
        for number, (_, record) in enumerate(read_records(self.file), start=1):
            print(end="\n" * (number > 1))
            if agent is None:
                print(replay_text(record, letters=letters))
            else:
                print_explained(
                    record,
                    agent,
                    seat=self.seat,
                    letters=letters,
                    progress=progress_if(not self.quiet),
                )
        if not number:
            raise TarotError(f"{self.file}: holds no records")
        return 0


@dataclass(frozen=True, kw_only=True)
class Solve(Quiet):
    """Tell what each card of the last tricks could have earned with open cards."""

    file: Annotated[tyro.conf.Positional[Path], _option("FILE")]
    """File of records, JSON Lines."""
    tricks: Annotated[int | None, _option("N", "(6, and more where that is quick)")] = None
    """Look at the last N tricks."""
    max_nodes: Annotated[int, _option("N")] = 2_000_000
    """Cards played in each search before it stops."""
    french: Annotated[bool, _option(None, "")] = False
    """Court cards with French letters: V C D R instead of J N Q K."""
    json: Annotated[bool, _option(None, "")] = False
    """Print one line of JSON for each record."""

    def run(self) -> int:
        """Solves and prints each record of the file."""
        from tarot_env.records import read_records
        from training.analysis.double_dummy import as_json, review
        from training.cli.analysis import review_text
        from training.cli.terminal import progress_if

        records = list(read_records(self.file))
        if not records:
            raise TarotError(f"{self.file}: holds no records")
        letters: Literal["english", "french"] = "french" if self.french else "english"
        shown = not self.quiet
        with progress_if(shown and len(records) > 1)("solving", len(records)) as done:
            for _, record in records:
                found = review(record, tricks=self.tricks, max_nodes=self.max_nodes)
                print(json.dumps(as_json(found)) if self.json else review_text(found, letters))
                done(1)
        return 0


@dataclass(frozen=True, kw_only=True)
class Bench(Quiet, Game):
    """Measure tables, observations, environments, agents and training on this machine."""

    sizes: Annotated[tuple[int, ...], _option("B [B ...]")] = (1, 256, 4096)
    """Numbers of tables played side by side."""
    repeats: Annotated[int, _option("R")] = 3
    """Rounds, in each of which everything is measured once; the median counts."""
    seconds: Annotated[float, _option("S")] = 0.3
    """Least time of each measurement in a round."""
    only: Annotated[tuple[str, ...], _option("GROUP [GROUP ...]", "(all but games)")] = ()
    """Measure these: core, observation, mixed, memory, dealing, one_table, playouts, agents,
    training, tournament, games."""
    games: Annotated[bool, _option(None, "")] = False
    """Measure every game, too."""
    peers: Annotated[bool, _option(None, "")] = False
    """Measure OpenSpiel, RLCard, PettingZoo's games and sb3-contrib beside, where installed."""
    deals: Annotated[int, _option("N")] = 512
    """Deals of the tournament."""
    json: Annotated[bool, _option(None, "")] = False
    """Print JSON instead of tables."""
    out: Annotated[Path | None, _option("DIR", "")] = None
    """Folder for the JSON and a picture of throughput by number of tables."""

    def run(self) -> int:
        """Measures and prints."""
        from training.bench import bench, write_bench
        from training.cli.bench import print_bench
        from training.cli.terminal import progress_if

        if self.out is not None:
            self.out.mkdir(parents=True, exist_ok=True)
        result = bench(
            self.sizes,
            repeats=self.repeats,
            seconds=self.seconds,
            deals=self.deals,
            rules=self.make_rules(),
            only=self.only,
            games=self.games,
            peers=self.peers,
            progress=progress_if(not self.quiet),
        )
        print_bench(result, as_json=self.json)
        for file in write_bench(result, self.out) if self.out else ():
            if not self.json:
                print(file)
        return 0


@dataclass(frozen=True, kw_only=True)
class Report:
    """Draw learning curves or tournament tables: pictures and one HTML page."""

    folder: Annotated[tyro.conf.Positional[Path], _option("DIR")]
    """Folder of a training run or of a tournament."""

    def run(self) -> int:
        """Draws; prints the files written."""
        from training.report import report
        from training.tournament.field import check_reportable

        check_reportable(self.folder)
        for file in report(self.folder):
            print(file)
        return 0


@dataclass(frozen=True, kw_only=True)
class Variants:
    """List every preset, game and option with its values, defaults and sources."""

    def run(self) -> int:
        """Prints the list."""
        from tarot_env.rules.catalogue import variants_text

        print(variants_text())
        return 0


COMMANDS: dict[str, type[Command]] = {
    "train": Train,
    "tournament": Tournament,
    "simulate": Simulate,
    "play": Play,
    "check": Check,
    "score": Score,
    "replay": Replay,
    "solve": Solve,
    "bench": Bench,
    "report": Report,
    "variants": Variants,
}
"""The commands by name, in the order of the help."""
