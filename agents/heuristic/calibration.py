"""Fits what the auction and the announcements are worth: writes `estimates.toml`.

    python -m agents.heuristic.calibration 3 4 5 6 decouverte tirette dummy

fits the named games anew, all of them if none is named, in about four minutes. The file is
rewritten in place, and the frozen agents play from it: another fit calls for a new version of them
(see agents/frozen.py).

Deals of a training seed are bid by heuristics that follow the published scale. At one call of each
auction, in turn the first, the second and so on, the deal is played to its end once for each call
that might be made, the others bidding on by the scale and everybody playing on as heuristics do;
linear and logistic regressions over what the caller knew then give margins, chances and scores.
Garde sans and garde contre are tried with the better hands alone, as others never come near them.

What a call is worth depends on how the others bid. Estimates that were fitted, in turns, to bidders
by estimates swing from one turn to the next where an auction is long: with six players they lost
3.9 ± 2.5 points a deal to bidders by the scale, where these win (see `bidding`).
"""

import sys
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float32, Float64, Int, Int64

from agents.hand_strength import hand_points_without_chien, known_cards
from agents.heuristic import HeuristicAgent
from agents.heuristic.announcement_fits import announcement_tables, played_from
from agents.heuristic.estimates import (
    FILE,
    OTHER_CALLS,
    SITUATION,
    Contract,
    Estimates,
    OtherCall,
    multiplier_of,
    pass_kinds,
    payment,
    score_columns,
    situation,
    times_of,
)
from agents.heuristic.fitting import (
    FEWEST,
    least_squares,
    logistic_regression,
    table_text,
    weights_text,
    without_rare,
)
from tarot_env.cards.actions import (
    CONTRA,
    GARDE,
    GARDE_CONTRE,
    GARDE_SANS,
    PASS,
    PETITE,
    Bid,
    Phase,
)
from tarot_env.errors import TarotError, unknown_name
from tarot_env.rules import TARGET_POINTS, Rules
from tarot_env.rules.books import GAMES, PRESETS
from tarot_env.tables import Tables

SEED = 101
DEALS = 24576
"""An auction of six has so many calls that it gets twice as many."""
RARE_DEALS = 6144
"""With hands made for slams, and for poignées."""
SHARE_WITHOUT_CHIEN = 0.4
"""Part of the hands with which garde sans and garde contre are tried."""
HEADER = """\
# What bids and announcements are worth, as fitted to simulated deals; read by estimates.py.
# Written by python -m agents.heuristic.calibration.
"""
FITTED = tuple(game for game in GAMES if game != "mort")
"""The games of the file; five with a dead hand play that of four."""


class Samples(NamedTuple):
    """Deals in which one call was made."""

    features: Float32[np.ndarray, "n f"]  # of `SITUATION`
    kind: Int64[np.ndarray, " n"]  # of a pass, number in `OTHER_CALLS`
    times: Int64[np.ndarray, " n"]  # see `times_of`
    plays: Bool[np.ndarray, " n"]  # whether the caller became the taker with that call
    margin: Float64[np.ndarray, " n"]  # of whoever took
    score: Float64[np.ndarray, " n"]  # of the caller


def rules_of(game: str) -> Rules:
    """The first rule book that describes a game.

    Raises:
        UnknownName: no such game.
    """
    if game not in GAMES:
        raise unknown_name("game", game, list(GAMES))
    preset = next(name for name, games in PRESETS.items() if game in games)
    if game.isdigit():
        return Rules.preset(preset, players=int(game))
    return Rules.preset(preset, game=game)


def dealt(rules: Rules, deals: int, seed: int) -> tuple[Tables, Int[np.ndarray, " n"]]:
    """Tables, and those of them where the auction opens: no petit sec, nobody asks for a redeal."""
    tables = Tables(rules, deals, seed=seed)
    opens = (tables.phase == Phase.AUCTION) & (tables.columns.log_size == 0)
    return tables, np.flatnonzero(opens)


# -- simulation


def auction_samples(
    rules: Rules, bidder: HeuristicAgent, *, deals: int, seed: int
) -> dict[int, Samples]:
    """What came of each call, by action id.

    Args:
        rules: of the game.
        bidder: bids for the others, and for the caller in other calls than that.
        deals: how many; a deal counts if its auction comes to the call that it is meant for.
        seed: of the deals; training seeds lie below 1,000,000.
    """
    tables, live = dealt(rules, deals, seed)
    rng = np.random.default_rng(seed)
    calls = rules.auction_size if not rules.in_partnerships else 2 * rules.players
    parts: dict[int, list[Samples]] = {}
    for call in range(calls):
        here = live[live // rules.players % calls == call]
        for action in _tried(rules):
            rows = here[tables.legal_actions()[here, action]]
            if action in (GARDE_SANS, GARDE_CONTRE):
                rows = _better_hands(tables, rows)
            if len(rows):
                parts.setdefault(action, []).append(_branch(tables, rows, action, bidder, rng))
        tables.step(bidder.act(tables.turn(live), rng), live)
        live = live[tables.phase[live] == Phase.AUCTION]
    return {
        action: Samples(*map(np.concatenate, zip(*part, strict=True)))
        for action, part in parts.items()
    }


def _tried(rules: Rules) -> list[int]:
    if rules.in_partnerships:
        return [PASS, GARDE, GARDE_SANS, GARDE_CONTRE, CONTRA]
    return [PASS, PETITE, GARDE, GARDE_SANS, GARDE_CONTRE]


def _better_hands(tables: Tables, rows: Int[np.ndarray, " n"]) -> Int[np.ndarray, " m"]:
    if tables.rules.players == 2 or not len(rows):
        return rows
    hands = tables.columns.hands[rows, tables.seat_to_act[rows]]
    points = hand_points_without_chien(hands, known_cards(tables.rules))
    return rows[points >= np.quantile(points, 1 - SHARE_WITHOUT_CHIEN)]


def _branch(
    tables: Tables,
    rows: Int[np.ndarray, " n"],
    action: int,
    bidder: HeuristicAgent,
    rng: np.random.Generator,
) -> Samples:
    """What comes of a call at the named tables, which stay as they are."""
    turn = tables.turn(rows)
    copies = played_from(tables, rows, np.full(len(rows), action), bidder, rng)
    seat = turn.seat.astype(np.int64)
    margin = copies.points - np.array(TARGET_POINTS)[copies.oudlers]
    kind = pass_kinds(turn)
    return Samples(
        features=situation(turn),
        kind=kind,
        times=times_of(turn, kind),
        plays=(copies.taker == seat) & (copies.contract == action - PASS),
        margin=margin,
        score=copies.scores[np.arange(len(rows)), seat],
    )


# -- regression


def fit_auction(rules: Rules, samples: dict[int, Samples]) -> Estimates:
    """The estimates that fit the samples best; those of announcements are left out."""
    contracts = {}
    for bid in (Bid.GARDE, Bid.GARDE_SANS, Bid.GARDE_CONTRE):
        part = samples[PASS + bid]
        margin, chance = _fit_margin(part)
        contracts[bid] = _with_score(Contract(margin, chance, np.zeros(4)), part, bid, rules)
    if PETITE in samples:
        part = samples[PETITE]
        contracts[Bid.PETITE] = _with_score(contracts[Bid.GARDE], part, Bid.PETITE, rules)
    others = {}
    for number, name in enumerate(OTHER_CALLS):
        action = CONTRA if name == "contra" else PASS
        if action in samples:
            said = samples[action]
            rows = (said.kind == number) if action == PASS else (said.kind > 0)
            rows &= said.times > 0
            if rows.sum() >= FEWEST:
                others[name] = _fit_other(Samples(*(column[rows] for column in said)))
    return Estimates(contracts, others)


def _fit_margin(part: Samples) -> tuple[Float64[np.ndarray, " f"], Float64[np.ndarray, "2"]]:
    """Weights of the margin of who plays, and of the log odds of making it."""
    features, actual = part.features[part.plays], part.margin[part.plays]
    found = least_squares(without_rare(features), actual)
    columns = np.stack([np.ones(len(actual)), features @ found], 1)
    return found, logistic_regression(columns, actual >= 0)


def _with_score(contract: Contract, part: Samples, bid: Bid, rules: Rules) -> Contract:
    """The contract with the bidder's score fitted, who may be overcalled."""
    paid = payment(part.features, contract, multiplier_of(bid, rules))
    return contract._replace(score=_fit_score(paid, part, part.score))


def _fit_other(part: Samples) -> OtherCall:
    each = part.score / part.times
    worth = least_squares(without_rare(part.features), each)
    return OtherCall(worth, _fit_score(part.features @ worth, part, each))


def _fit_score(
    worth: Float64[np.ndarray, " n"], part: Samples, score: Float64[np.ndarray, " n"]
) -> Float64[np.ndarray, "4"]:
    """Weights of `score_columns`."""
    columns = score_columns(worth, part.features[:, SITUATION.index("to_speak")])
    order = [2, 0, 1, 3]  # the column of ones comes first
    found = np.empty(4)
    found[order] = least_squares(columns[:, order], score)
    return found


def calibrate(rules: Rules, *, deals: int = DEALS, seed: int = SEED) -> Estimates:
    """The estimates of a game's auction."""
    deals *= 2 if rules.in_partnerships else 1
    bidder = HeuristicAgent(bid="scale")
    return fit_auction(rules, auction_samples(rules, bidder, deals=deals, seed=seed))


# -- the file


def auction_tables(game: str, estimates: Estimates) -> str:
    """The part of the file about a game's auction."""
    parts = []
    for bid, contract in sorted(estimates.contracts.items()):
        name = f"{game}.{bid.name.lower()}"
        if bid == Bid.PETITE:  # is played as a garde is
            parts.append(table_text(name, {"score": contract.score}))
            continue
        parts.append(table_text(name, {"chance": contract.chance, "score": contract.score}))
        parts.append(weights_text(f"{name}.margin", SITUATION, contract.margin))
    for name, call in estimates.others.items():
        parts.append(table_text(f"{game}.{name}", {"score": call.score}))
        parts.append(weights_text(f"{game}.{name}.worth", SITUATION, call.worth))
    return "\n".join(parts)


def with_game(text: str, game: str, tables: str) -> str:
    """The text of the file with the tables of a game put in place of those it had."""
    sections = text[text.find("[") :].split("\n[") if "[" in text else []
    named = {section.lstrip("[").split("]")[0]: section.lstrip("[").strip() for section in sections}
    kept = {name: body for name, body in named.items() if name.split(".")[0] != game}
    for section in tables.split("\n["):
        body = section.lstrip("[").strip()
        kept[body.split("]")[0]] = body
    in_order = sorted(kept, key=lambda name: FITTED.index(name.split(".")[0]))
    return HEADER + "".join(f"\n[{kept[name]}\n" for name in in_order)


def main(games: Sequence[str]) -> None:
    """Fits the named games, all if none is named, and writes them to the file.

    Raises:
        UnknownName: no such game.
    """
    for game in games:
        if game not in FITTED:
            raise unknown_name("game", game, FITTED)
    for game in games or FITTED:
        rules = rules_of(game)
        estimates = calibrate(rules, deals=DEALS)
        announcements = announcement_tables(rules, estimates, deals=RARE_DEALS, seed=SEED)
        text = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
        tables = auction_tables(game, estimates) + "\n" + announcements
        FILE.write_text(with_game(text, game, tables), encoding="utf-8")
        print(f"{game}: written to {FILE.name}", flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except TarotError as error:
        sys.exit(str(error))
