"""The score sheet: worked examples, its lines for tables and from facts, and impossible facts."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.every_game import GAMES, rules_of
from support.lockstep import Pair, written

from tarot_env import Bid, Deal, Rules, Tables
from tarot_env.cards import EXCUSE, KIND, PETIT, RANK
from tarot_env.cards.actions import BID_TEXTS, POIGNEE_TEXTS, Phase, parse_action
from tarot_env.core.dealing import contracts
from tarot_env.errors import ImpossibleFacts
from tarot_env.score_sheet import ScoreSheet, pile_lines, score_deal, score_lines, thrown_in_text
from tarot_env.score_sheet.calculator import parse_facts
from tarot_env.score_sheet.sheet import sheet

CASES = Path(__file__).parents[1] / "cases"


def examples() -> list[Any]:
    """All worked examples, of four players and of other games."""
    found = []
    for name in ("scoring_4p.json", "scoring_other_games.json"):
        found += json.loads((CASES / name).read_text(encoding="utf-8"))
    return [pytest.param(case, id=str(case["id"])) for case in found]


def slam_words(slam: int, announced: bool) -> dict[str, str]:
    """How a slam is told on a sheet."""
    if slam > 0:
        return {"chelem": "announced" if announced else "unannounced"}
    if slam < 0:
        return {"chelem": "failed" if announced else "unannounced", "chelem_by": "defence"}
    return {"chelem": "failed"} if announced else {}


SIDE_NAMES = {0: None, 1: "attack", -1: "defence"}


@pytest.mark.parametrize("case", examples())
def test_worked_examples(case: dict[str, Any]) -> None:
    players, partner = case.get("players", 4), case.get("partner")
    rules = Rules.preset(players=players, misere="miseres" in case)
    given = {
        "bid": case["bid"],
        "taker": case["taker"],
        "partner": "alone" if partner is None else partner,
        "oudlers": case["oudlers"],
        "points": case["points"],
        "poignees": [f"{shown['by']}:{shown['level']}" for shown in case["poignees"]],
        "petit_au_bout": SIDE_NAMES[case["petit_au_bout"]],
        "misere": case.get("miseres", []),
        **slam_words(case["slam"], case["slam_announced"]),
    }
    assert list(sheet(parse_facts(rules, **given), rules).scores) == case["scores"]
    if case["possible"]:
        assert list(score_deal(rules, **given).scores) == case["scores"]
    else:
        with pytest.raises(ImpossibleFacts):
            score_deal(rules, **given)


# -- lines from facts


def lines(game: str, options: dict[str, Any] | None = None, **given: Any) -> list[str]:
    """The sheet of a garde with two oudlers and 49 points, unless said otherwise."""
    told = {"bid": "garde", "points": 49, "oudlers": 2} | given
    return list(score_deal(rules_of(game, **(options or {})), **told).lines)


def test_the_sheet_of_four() -> None:
    assert lines("4", poignees=["attack:poignee"], petit_au_bout="attack") == [
        "garde by seat 0: 49 points with 2 oudlers, 41 needed: made by 8",
        "what each defender pays the attack (+) or receives from it (-):",
        "contract (25 + 8) x 2 = +66",
        "poignée shown by the attack +20",
        "petit au bout of the attack 10 x 2 = +20",
        "each defender pays 106",
        "scores: seat 0 318, seat 1 -106, seat 2 -106, seat 3 -106",
    ]


def test_scores_are_whole_numbers_where_they_can_be() -> None:
    made = score_deal(Rules.preset(), bid="garde", points=49, oudlers=2, taker=2)
    assert made == ScoreSheet((-66, -66, 198, -66), True, made.lines)
    assert all(type(score) is int for score in made.scores)
    exact = Rules.preset(players=3, half_point="exact")
    failed = score_deal(exact, bid="petite", points=40.5, oudlers=2)
    assert (failed.scores, failed.made) == ((-51, 25.5, 25.5), False)


def test_the_sheet_with_a_partner() -> None:
    assert lines("5", taker=1, partner=3)[-3:] == [
        "each defender pays 66",
        "3 defenders pay 198: seat 1 gets 2 parts, 132, seat 3 1 part, 66",
        "scores: seat 0 -66, seat 1 132, seat 2 -66, seat 3 66, seat 4 -66",
    ]
    assert lines("5", taker=1, partner=3)[0].startswith("garde by seat 1 with seat 3: 49 points")
    lost = lines("5", {"partner_share": (1, 1)}, taker=1, partner=3, points=40)
    assert lost[-2] == "3 defenders get 156: seat 1 and seat 3 pay 78 each"


def test_the_sheet_of_a_taker_alone_among_five() -> None:
    made = lines("5", taker=1, partner="alone")
    assert made[0].startswith("garde by seat 1 alone: 49 points")
    assert made[-2] == "4 defenders pay 264, all to seat 1, who plays alone"
    lost = lines("5", taker=1, partner="alone", points=40.5)
    assert lost[0].endswith("41 needed: failed by 1, the half point rounded")
    assert lost[-2:] == [
        "4 defenders get 208, all from seat 1, who plays alone",
        "scores: seat 0 52, seat 1 -208, seat 2 52, seat 3 52, seat 4 52",
    ]


def test_the_sheet_of_partnerships_and_contra() -> None:
    told = lines("6", taker=4, contra=2, petit_au_bout="defence")
    assert told == [
        "garde by seat 4 with seat 1: 49 points with 2 oudlers, 41 needed: made by 8",
        "what each defender pays the attack (+) or receives from it (-):",
        "contract (25 + 8) x 4 = +132, where 4 is 2 x 2 for the contra",
        "petit au bout of the defence -10 x 4 = -40",
        "each defender pays 92",
        "4 defenders pay 368: seat 4 and seat 1 get 184 each",
        "scores: seat 0 -92, seat 1 184, seat 2 -92, seat 3 -92, seat 4 184, seat 5 -92",
    ]
    assert lines("6", contra=4)[2].endswith("= +264, where 8 is 2 x 4 for the recontra")
    signal = lines("6", {"contra_effect": "signal"}, contra=4)
    assert signal[2].endswith("= +66; the recontra was a signal and changes nothing")


def test_the_sheet_of_a_dead_hand_misere_and_rounding() -> None:
    options = {"misere": True, "score_rounding": 10}
    assert lines("mort", options, taker=1, dealer=0, misere=[3, 1])[-5:] == [
        "seat 0 dealt and sits out: 0",
        "misère of seat 1: +30, 10 from each other player",
        "misère of seat 3: +30, 10 from each other player",
        "before rounding to 10: seat 0 0, seat 1 218, seat 2 -86, seat 3 -46, seat 4 -86; "
        "the taker gets what makes the sum 0",
        "scores: seat 0 0, seat 1 230, seat 2 -90, seat 3 -50, seat 4 -90",
    ]
    round_already = lines("4", {"score_rounding": 10}, points=53, oudlers=2, bid="petite", taker=1)
    assert not any("rounding" in line for line in lines("4", points=53))
    assert any("before rounding to 10: seat 0 -37" in line for line in round_already)
    unchanged = lines("4", {"score_rounding": 10}, points=46, bid="petite")
    assert not any("rounding" in line for line in unchanged)


def test_the_sheet_of_two_players() -> None:
    assert lines("dummy", taker=1, points=40.5)[1:] == [
        "what the defender pays the attack (+) or receives from it (-):",
        "contract -(25 + 1) x 2 = -52",
        "the defender receives 52",
        "scores: seat 0 52, seat 1 -52",
    ]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"petit_chelem": "unannounced"}, ["petit chelem made, not announced +150"]),
        ({"petit_chelem": "announced"}, ["petit chelem announced and made +300"]),
        ({"petit_chelem": "failed"}, ["petit chelem announced and failed -150"]),
        (
            {"petit_chelem": "unannounced", "chelem": "failed"},
            [
                "slam announced and failed -200",
                "petit chelem made, nothing beside a slam that was announced +0",
            ],
        ),
        (
            {"petit_chelem": "announced", "chelem": "unannounced", "points": 87},
            ["petit chelem announced and made, paid instead of the slam that was made, +300"],
        ),
        ({"chelem": "unannounced", "points": 87}, ["slam made, not announced +200"]),
        (
            {"chelem": "unannounced", "points": 87, "petit_chelem": "unannounced"},
            ["slam made, not announced +200"],
        ),
        ({"chelem": "announced", "points": 87}, ["slam made, announced +400"]),
        ({"chelem": "failed"}, ["slam announced and failed -200"]),
        (
            {"chelem": "unannounced", "chelem_by": "defence", "points": 5, "oudlers": 0},
            ["slam by the defence -200"],
        ),
        (
            {"chelem": "failed", "chelem_by": "defence", "points": 5, "oudlers": 0},
            ["slam announced and failed -200", "slam by the defence -200"],
        ),
        (
            {
                "chelem": "unannounced",
                "chelem_by": "defence",
                "points": 5,
                "oudlers": 0,
                "petit_chelem": "failed",
            },
            ["slam by the defence -200", "petit chelem announced and failed -150"],
        ),
    ],
)
def test_slams_in_words(given: dict[str, Any], told: list[str]) -> None:
    found = lines("4", {"petit_chelem": True}, **({"points": 60} | given))
    assert [line for line in found if "slam" in line or "chelem" in line] == told
    bonuses = [int(line.split()[-1]) for line in told]
    made_or_not = float(found[2].split()[-1])
    total = made_or_not + sum(bonuses)
    assert found[-2] == f"each defender {'pays' if total >= 0 else 'receives'} {abs(total):g}"


# -- lines of tables

SLAM_DEAL = written("T1 T13-21 S8-K HK", "T2-11 S1-7 H1", "H2-Q D1-6", "D7-K C1-10", "T12 EX CJ-K")


def lines_of(pair: Pair) -> list[str]:
    return score_lines(pair.tables.columns, 0, pair.rules)


def test_score_lines() -> None:
    pair = Pair(SLAM_DEAL, (0, "garde_sans")).say("chelem poignee S8 poignee").finish("T1")
    assert lines_of(pair) == [
        "garde sans by seat 0: 85 points with 2 oudlers, 41 needed: made by 44",
        "what each defender pays the attack (+) or receives from it (-):",
        "contract (25 + 44) x 4 = +276",
        "poignée shown by seat 0 +20",
        "poignée shown by seat 1 +20",
        "petit au bout of the defence -10 x 4 = -40",
        "slam announced and failed -200",
        "each defender pays 76",
        "scores: seat 0 228, seat 1 -76, seat 2 -76, seat 3 -76",
    ]


def test_both_slam_penalties_are_named_apart() -> None:
    """An announced slam where the defence takes every trick; one oudler; the attack is paid."""
    deal = written("S1-10 H1-8", "T2-19", "T20-21 SJ-K H9-K C1-6", "D1-K C7-10", "T1 EX CJ-K")
    pair = Pair(deal, (0, "garde_contre")).say("chelem").finish()
    assert lines_of(pair) == [
        "garde contre by seat 0: 0 points with 0 oudlers, 56 needed: failed by 56",
        "what each defender pays the attack (+) or receives from it (-):",
        "contract -(25 + 56) x 6 = -486",
        "slam announced and failed -200",
        "slam by the defence -200",
        "each defender receives 886",
        "scores: seat 0 -2658, seat 1 886, seat 2 886, seat 3 886",
    ]


@pytest.mark.parametrize(
    ("announced", "line"),
    [("chelem", "slam made, announced +400"), ("pass", "slam made, not announced +200")],
)
def test_a_slam_made_says_whether_it_was_announced(announced: str, line: str) -> None:
    deal = written("T4-21", "S1-K H1-4", "H5-K D1-8", "D9-K C1-N", "CQ CK T1-3 EX")
    pair = Pair(deal, (0, "garde_sans")).say(announced)
    assert line in lines_of(pair.finish())


def test_a_contra_at_the_table_is_told() -> None:
    tables = Tables(rules_of("6", petit_sec="off"), seed=1)
    for said in ("garde", "contra", "pass", "recontra", *["pass"] * 5):
        tables.step(np.array([parse_action(said)]))
    rng = np.random.default_rng(1)
    while not tables.is_over[0]:
        tables.step(tables.random_actions(rng))
    found = score_lines(tables.columns, 0, tables.rules)
    assert found[0].startswith(f"garde by seat {tables.taker[0]} with seat {tables.partner[0]}: ")
    assert found[2].endswith(", where 8 is 2 x 4 for the recontra")


def test_a_slam_is_a_petit_chelem_too() -> None:
    rules = Rules.preset()
    facts = parse_facts(rules, bid="garde", points=87, oudlers=2, chelem="unannounced")
    assert (facts.slam, facts.petit_chelem) == (1, True)


def test_a_petit_that_nobody_can_take_is_told_with_the_points() -> None:
    """RULES.md 8.6: it comes back to its owner's side, attack or defence, for half a point."""
    deal = written("T1 S1-K H1-3", "T2-11 H4-J", "T12-21 EX D1-7", "D8-K C1-J", "HN-K CN-K")
    taker = Pair(deal, (0, "garde_sans"), petit_sec="imprenable").finish()
    (line,) = pile_lines(taker.tables.columns, 0, taker.rules)
    assert " + the petit 4.5 - 0.5 paid for it = " in line
    defender = Pair(deal, (2, "garde_sans"), petit_sec="imprenable").finish("T1 T21")
    (line,) = pile_lines(defender.tables.columns, 0, defender.rules)
    assert " - the petit 4.5 + 0.5 paid for it = " in line


def test_thrown_in_deals_say_why() -> None:
    assert lines_of(Pair(SLAM_DEAL).say("pass pass pass pass")) == [
        "everybody passed: the deal is thrown in, nobody scores"
    ]
    hands = ("T1 S1-K H1-3", "H4-K D1-7", "D8-K C1-J", "T2-19", "CQ CN CK T20 T21 EX")
    assert lines_of(Pair(written(*hands))) == [
        "petit sec: seat 0 holds the petit as only trump, without the Excuse; the deal is void"
    ]
    guarded = ("T1 EX S1-K H1-2", "H3-K D1-6", "D7-K C1-10", "T2-19", "CJ-K T20 T21")
    tables = Pair(written(*guarded), petit_sec_excuse_protects=False).tables
    assert score_lines(tables.columns, 0, tables.rules) == [
        "petit sec: seat 0 holds the petit as only trump; the deal is void"
    ]
    passed = Pair(written(*hands), petit_sec="off").say("pass pass pass pass")
    assert lines_of(passed)[0].startswith("everybody passed")


def test_thrown_in_on_request_says_by_whom_and_why() -> None:
    hands = ("T1 S1-K H1-3", "H4-K D1-7", "D8-K C1-J", "T2-19", "CQ CN CK T20 T21 EX")
    asked = Pair(written(*hands), petit_sec="optional").say("throw_in")
    assert lines_of(asked) == ["petit sec: seat 0 has the deal thrown in, nobody scores"]
    weak = Pair(written(*hands), petit_sec="optional", weak_hand_redeal="no_trumps")
    assert lines_of(weak.say("pass throw_in")) == [
        "weak hand: seat 1 has the deal thrown in, nobody scores"
    ]


def test_six_players_who_only_signal_are_thrown_in() -> None:
    tables = Tables(rules_of("6", petit_sec="off"), seed=1)
    for said in ("petite", "pousse", "contra", *["pass"] * 5):
        tables.step(np.array([parse_action(said)]))
    assert tables.is_over[0]
    assert thrown_in_text(tables.columns, 0, tables.rules) == (
        "no bid above the signals: the deal is thrown in, nobody scores"
    )


@pytest.mark.parametrize(
    ("half_point", "end"),
    [
        ("winner", "failed by 1, the half point rounded"),
        ("taker", "made by 0, the half point rounded"),
        ("exact", "failed by 0.5"),
    ],
)
def test_a_half_point_is_explained(half_point: str, end: str) -> None:
    rules = Rules.preset(players=3, half_point=half_point)
    assert score_deal(rules, bid="garde", points=40.5, oudlers=2).lines[0].endswith(end)


# -- the sheet of a table is the sheet of its facts

TRIED = {
    "excuse_last_trick": ("changes_side", "trick_winner", "owner_keeps"),
    "excuse_last_trick_refund": (True, False),
    "excuse_wins_slam_trick": ("any_position", "led_only", "never"),
    "petit_au_bout_second_last": (True, False),
    "half_point": ("winner", "taker", "exact"),
    "petit_sec": ("imprenable", "off"),
    "misere": (True, False),
    "petit_chelem": (True, False),
    "score_rounding": (0, 10),
    "contra_effect": ("double", "signal"),
    "partner_share": ((2, 1), (1, 1)),
}


def drawn_rules(game: str, rng: np.random.Generator) -> Rules:
    """Rules with some options that touch the score changed."""
    metadata = {option.name: option.metadata for option in Rules.options()}
    options = {
        name: values[rng.integers(len(values))]
        for name, values in TRIED.items()
        if game in metadata[name]["games"]
    }
    if options.get("partner_share") == (1, 1):
        options["half_point"] = "winner"
    return rules_of(game, **options)


def lopsided_deal(rules: Rules, rng: np.random.Generator) -> Deal:
    """A deal with a contract given to a seat that has the best or the worst cards."""
    dealer = int(rng.integers(rules.players))
    seats = [seat for seat in range(rules.players) if not (rules.dead_hand and seat == dealer)]
    taker = int(rng.choice(seats))
    strength = 20 * np.isin(KIND, KIND[PETIT]) + RANK + rng.normal(0, rng.choice([2, 8, 40]), 78)
    pack = np.argsort(strength if rng.random() < 0.5 else -strength)
    size, place = rules.hand_size, seats.index(taker)
    others = rng.permutation(pack[size:])
    pack = np.concatenate([others[: place * size], pack[:size], others[place * size :]])
    deal = Deal.of_pack([int(card) for card in pack], rules, dealer=dealer)
    return replace(deal, forced=(taker, Bid(rng.choice(contracts(rules)))))


def highest_first(tables: Tables, rng: np.random.Generator) -> np.ndarray:
    """Plays the highest card but the petit and the Excuse; any answer to a question."""
    actions = tables.random_actions(rng)
    for row in np.flatnonzero(tables.phase == Phase.PLAY):
        legal = np.flatnonzero(tables.legal_actions()[row])
        order = np.lexsort(
            (RANK[legal], KIND[legal] == KIND[PETIT], ~np.isin(legal, (PETIT, EXCUSE)))
        )
        actions[row] = legal[order[-1]]
    return actions


def facts_told(tables: Tables, row: int) -> dict[str, Any]:
    """What a scorer would say of a finished table."""
    state, rules = tables.columns, tables.rules
    taker, partner = int(tables.taker[row]), int(tables.partner[row])
    won = state.tricks_won[row]
    attack = int(won[taker]) + (int(won[partner]) if partner >= 0 else 0)
    slam = 1 if attack == rules.tricks else -1 if attack == 0 else 0
    given = {
        "bid": BID_TEXTS[Bid(tables.contract[row])],
        "points": float(tables.points[row]),
        "oudlers": int(tables.oudlers[row]),
        "taker": taker,
        "dealer": int(state.dealer[row]),
        "poignees": [
            f"{'attack' if seat in (taker, partner) else 'defence'}:{POIGNEE_TEXTS[level - 1]}"
            for seat, level in enumerate(state.poignee_level[row].tolist())
            if level
        ],
        "petit_au_bout": SIDE_NAMES[int(state.petit_au_bout[row])],
        "misere": np.flatnonzero(state.misere[row]).tolist(),
        "contra": 2 ** int(state.contra[row]),
        **slam_words(slam, bool(state.slam_announced[row])),
    }
    if rules.calls_king:
        given["partner"] = partner if partner >= 0 else "alone"
    if rules.petit_chelem:
        made = attack >= rules.tricks - 3
        announced = bool(state.petit_chelem_announced[row])
        words = {(True, True): "announced", (True, False): "failed", (False, True): "unannounced"}
        given["petit_chelem"] = words.get((announced, made))
    return given


def compare_deals(game: str, batches: int, choose: Callable[..., np.ndarray]) -> set[Any]:
    """Plays lopsided deals and gives their facts to the sheet; returns the slams that came."""
    slams = set()
    for batch in range(batches):
        rng = np.random.default_rng([batch, len(game), *map(ord, game)])
        rules = drawn_rules(game, rng)
        tables = Tables.from_deals(rules, [lopsided_deal(rules, rng) for _ in range(8)])
        while not tables.is_over.all():
            tables.step(choose(tables, rng))
        for row in np.flatnonzero(tables.taker >= 0).tolist():
            given = facts_told(tables, row)
            slams.add((given.get("chelem"), given.get("chelem_by")))
            found = score_deal(rules, **given)
            assert list(found.scores) == tables.scores[row].tolist(), given
            assert found.made == tables.made[row]
            of_table = score_lines(tables.columns, row, rules)
            assert [line for line in of_table if "poignée shown" not in line] == [
                line for line in found.lines if "poignée shown" not in line
            ]
            assert len(of_table) == len(found.lines)
    return slams


@pytest.mark.parametrize("game", GAMES)
def test_tables_and_sheets_agree(game: str) -> None:
    """Also: no facts that a deal has had are called impossible."""
    compare_deals(game, 2, highest_first)
    compare_deals(game, 1, Tables.random_actions)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_tables_and_sheets_agree_on_many_deals(game: str) -> None:
    slams = compare_deals(game, 16, highest_first)
    compare_deals(game, 5, Tables.random_actions)
    if game not in ("decouverte", "tirette"):  # 36 tricks are too many
        assert slams >= {
            (None, None),
            ("failed", None),
            ("announced", None),
            ("unannounced", None),
            ("failed", "defence"),
            ("unannounced", "defence"),
        }
