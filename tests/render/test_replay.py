"""Replays of records: they can be followed, and the points add up."""

import re

import numpy as np
import pytest
from support.every_game import GAMES
from support.lockstep import Pair, written
from support.scenes import OVER, TWELVE, at, house_rules
from support.unseen import labels_in, random_step

from tarot_env import Deal, Phase, Rules, Tables
from tarot_env.cards import cardsets
from tarot_env.cards.actions import parse_card
from tarot_env.records import record
from tarot_env.render import replay_text
from tarot_env.rules import parse_override
from tarot_env.rules.labels import card_label

RULES = Rules.preset()
PETIT_SEC = "petit sec: seat 3 holds the petit as only trump, without the Excuse; the deal is void"


def lines_of(tables):
    return replay_text(record(tables, 0)).splitlines()


def poignee_record():
    """Seat 0 holds twelve trumps and shows ten; seat 3 takes with a garde."""
    hand = [f"T{n}" for n in range(1, 13)] + ["S1", "S2", "S3", "H1", "H2", "H3"]
    base = Deal.from_seed(1, 0, RULES)
    taken = [parse_card(text) for text in hand]
    rest = [card for card in base.pack if card not in taken]
    hands = (tuple(taken), *(tuple(rest[18 * n : 18 * n + 18]) for n in range(3)))
    tables = Tables.from_deals(RULES, [Deal(hands, tuple(rest[54:]), 3)])
    rng = np.random.default_rng(3)
    script = iter([78, 78, 78, 81])
    while not tables.is_over[0]:
        phase, action = tables.phase[0], int(tables.random_actions(rng)[0])
        if phase == Phase.AUCTION:
            action = next(script)
        elif phase == Phase.SLAM:
            action = 78
        elif phase == Phase.POIGNEE:
            action = 89
        tables.step(np.array([action]))
    return record(tables, 0)


def test_options_stand_as_they_are_typed():
    rules = Rules.preset("fft", 4, misere=True, petit_chelem=True, poignee_thresholds=(9, 12, 14))
    tables = Tables(rules, 1, seed=3)
    while not tables.is_over[0]:
        tables.step(tables.random_actions(np.random.default_rng(0)))
    first = lines_of(tables)[0]
    assert "misere=true, petit_chelem=true" in first
    typed = first.split("; seat")[0].split(", ")[2:]
    assert Rules.preset("fft", 4, **dict(map(parse_override, typed))) == rules


def test_replay_can_be_followed():
    text = replay_text(poignee_record())
    lines = text.splitlines()
    assert lines[0] == "A given deal: fft, 4 players; seat 3 deals"
    assert "  seat 3: garde" in lines
    aside = next(line for line in lines if line.startswith("Seat 3 sets aside "))
    assert len(labels_in(aside)) == 6
    assert any(line.startswith("Seat 3 turns up the chien: ") for line in lines)
    assert "Seat 3 announces no slam" in lines
    assert sum(line.startswith("Seat 0 keeps back T") for line in lines) == 2
    assert sum(line.startswith("Trick") for line in lines) == 18
    assert lines[-1].strip().startswith("scores: ")
    assert "♠R" in replay_text(poignee_record(), letters="french")


def test_replay_of_deals_that_are_thrown_in():
    text = replay_text(record(Tables(RULES, 1, seed=7, first_deal=434), 0))
    assert "Deal 434 of seed 7" in text
    assert text.splitlines()[-1] == f"  {PETIT_SEC}"
    assert "Auction" not in text
    assert "Count" not in text
    passed = Tables(RULES, 1, seed=7)
    for _ in range(4):
        passed.step(np.array([78]))
    text = replay_text(record(passed, 0))
    assert text.splitlines()[-1] == "  everybody passed: the deal is thrown in, nobody scores"


def test_a_poignee_stands_where_it_was_shown():
    """Seat 1 is asked when a card lies on the table; the trick itself comes after."""
    pair = Pair(TWELVE, (0, "garde_sans")).say("pass S1 poignee T3 T2").finish()
    lines = replay_text(record(pair.tables, 0)).splitlines()
    at = lines.index("Trick  1 so far: seat 0 ♠1")
    assert lines[at + 1 : at + 5] == [
        "Seat 1 keeps back T3",
        "Seat 1 keeps back T2",
        "Seat 1 shows a poignée: T13 T12 T11 T10 T9 T8 T7 T6 T5 T4",
        "Trick  1: seat 0 ♠1  seat 1 T2  seat 2 T14*  seat 3 ♦7  (2 points to seat 2)",
    ]
    pair = Pair(TWELVE, (0, "garde_sans")).say("pass S1 pass").finish()
    lines = replay_text(record(pair.tables, 0)).splitlines()
    assert lines[lines.index("Trick  1 so far: seat 0 ♠1") + 1] == "Seat 1 shows no poignée"
    assert not any("shows a poignée" in line for line in lines)


EXCUSE_OPTIONS = [
    {},
    {"excuse_last_trick_refund": False, "half_point": "exact"},
    {"excuse_last_trick": "trick_winner"},
    {"excuse_last_trick": "owner_keeps"},
]


def played_with_the_excuse_kept(rules, deals):
    """Random play of every contract; two tables of three keep the Excuse as long as they can."""
    tables, rng = Tables(rules, deals, seed=3), np.random.default_rng(4)
    rows = np.arange(deals)
    tables.force(rows, rows % 4, np.array([1, 3, 4, 5])[rows * 4 // deals])
    while not tables.is_over.all():
        legal, actions = tables.legal_sets(), tables.random_actions(rng)
        keeps = (rows % 3 > 0) & (tables.phase == Phase.PLAY) & (actions == 77)
        others = legal & ~cardsets.EXCUSE
        keeps &= ~cardsets.is_empty(others)
        tables.step(np.where(keeps, cardsets.lowest(others), actions))
    return tables


def added_up(lines, taker):
    """Points of the attack by the trick lines alone; and what they say of the Excuse."""
    points, said = 0.0, ""
    for line in lines:
        found = re.search(r"^Trick.* \(([\d.]+) points to seat (\d)(?:; (.*))?\)$", line)
        if found is None:
            continue
        worth, seat, excuse = found.groups()
        points += float(worth) if int(seat) == taker else 0.0
        if excuse:
            said = excuse
            is_ours = re.search("attack|defence", excuse)[0] == "attack"
            half = 0.5 if "half a point" in excuse else 0.0
            points += 4.5 - half if is_ours else half
    return points, said


@pytest.mark.parametrize("options", EXCUSE_OPTIONS)
def test_a_replay_adds_up(options):
    """The trick lines and the line of the count both give the points of the attack."""
    tables = played_with_the_excuse_kept(Rules.preset(petit_sec="off", **options), 40)
    heard = set()
    for row in range(40):
        lines = replay_text(record(tables, row)).splitlines()
        count = lines[lines.index("Count") + 1]
        in_tricks, said = added_up(lines, int(tables.taker[row]))
        aside = re.search(r"(?:écart|chien) ([\d.]+)", count)
        assert in_tricks + (float(aside[1]) if aside else 0.0) == tables.points[row]
        left, total = count.split(": ")[1].split(" = ")
        terms = re.findall(r"(^|[-+])[^\d+-]*([\d.]+)", left)
        assert sum(float(f"{sign}{number}") for sign, number in terms) == float(total)
        assert float(total) == tables.points[row]
        assert f": {total} points with" in lines[lines.index("Score") + 1]
        heard.add(re.sub("attack|defence", "X", said))
    stays, over = (
        f"the Excuse {what} the X with 4.5 points" for what in ("stays with", "goes over to")
    )
    wanted = {stays, f"{stays}, half a point goes to the X"}
    if not options:
        wanted |= {f"{over}, half a point comes back"}
    assert wanted <= heard
    assert ("" if options.get("excuse_last_trick") == "owner_keeps" else over) in " ".join(heard)


def test_the_chien_of_a_garde_contre_is_counted_for_the_defence():
    pair = Pair(TWELVE, (0, "garde_contre")).say("pass").finish()
    lines = replay_text(record(pair.tables, 0)).splitlines()
    at = lines.index("Count")
    assert lines[at + 1 : at + 3] == [
        "  points of the attack: tricks 0 = 0",
        "  the chien, 24 points, counts for the defence",
    ]


def test_an_excuse_that_wins_the_last_trick():
    deal = written("T4-20 EX", "S1-K H1-4", "H5-K D1-8", "D9-K C1-N", "T21 T1-3 CQ CK")
    pair = Pair(deal, (0, "garde_sans")).say("chelem").finish("EX")
    text = replay_text(record(pair.tables, 0))
    assert "the Excuse wins the trick, its 4.5 points are the attack's)" in text
    assert "slam made, announced +400" in text


def test_replay_of_a_forced_contract():
    tables = Tables(RULES, 1, seed=7)
    tables.force(np.array([0]), 2, 4)
    rng = np.random.default_rng(0)
    while not tables.is_over[0]:
        tables.step(tables.random_actions(rng))
    assert "Seat 2 plays garde sans without an auction" in replay_text(record(tables, 0))


# -- every game


def played(name, *, seed=1, **options):
    """A deal of a game with everything that may be asked in it."""
    tables = at(name, OVER, seed=seed, **options)
    return tables, lines_of(tables)


@pytest.mark.parametrize("name", GAMES)
def test_every_trick_has_its_winner(name):
    tables, lines = played(name)
    rules = tables.rules
    tricks = [line for line in lines if re.match(r"Trick +\d+: ", line)]
    assert len(tricks) == rules.tricks
    for line in tricks:
        cards, _, worth = line.partition("  (")
        assert len(labels_in(cards)) == rules.cards_per_trick
        winner = re.search(r"(seat \d|the dummy) \S+\*", cards)[1]
        assert cards.count("*") == 1
        assert worth.partition(" to ")[2].startswith(winner)
    assert lines[-1].strip().startswith("scores: seat 0 ")


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_question_of_every_game_can_be_told(name):
    """Also house rules, and auctions of six with contra."""
    tables, rng = Tables(house_rules(name), 8, seed=2), np.random.default_rng(1)
    while not tables.is_over.all():
        random_step(tables, rng)
    for row in range(8):
        text = replay_text(record(tables, row))
        assert len(labels_in(text)) == 78
        assert "\nScore\n" in text


def test_a_called_king_and_its_holder():
    tables, lines = played("5")
    card, partner = card_label(int(tables.called_card[0])), int(tables.partner[0])
    called = next(line for line in lines if "calls" in line)
    where = {
        True: f"which seat {partner} holds: they are partners",
        False: "the taker plays alone",
    }[partner >= 0]
    assert called.startswith(f"Seat 1 calls {card}, ")
    assert called.endswith(where)
    assert (
        lines[0].endswith("fft, five players, a king is called; seat 0 deals")
        or "deals" in lines[0]
    )


def test_six_split_the_chien_and_set_aside_twice():
    _, lines = played("6")
    halves = next(n for n, line in enumerate(lines) if "turns up the chien, first half" in line)
    assert lines[halves + 1] in (
        "Seat 1 takes the first half, seat 4 the other",
        "Seat 1 takes the second half, seat 4 the other",
    )
    aside = [line for line in lines if "sets aside" in line]
    assert [line[:6] for line in aside] == ["Seat 1", "Seat 4"]
    assert [len(labels_in(line)) for line in aside] == [3, 3]


def test_a_dead_hand_sits_out():
    tables, lines = played("mort", taker=None)
    assert f"  seat {tables.columns.dealer[0]}: sits out" in lines


def test_cards_are_turned_up_and_drawn():
    _, lines = played("decouverte")
    turned = [line for line in lines if " turns up " in line and line.startswith("    ")]
    assert sum(len(labels_in(line)) for line in turned) == 24
    assert sum("piles of seat" in line for line in lines) == 2
    _, lines = played("tirette")
    drawn = [line for line in lines if " draws " in line]
    assert [len(labels_in(line)) for line in drawn] == [2] * 12
    winner = re.search(r"(seat \d) \S+\*", lines[lines.index(drawn[0]) - 1])[1]
    assert drawn[0].strip().startswith(f"{winner} draws ")
    stock = next(line for line in lines if line.startswith("  stock: "))
    assert len(labels_in(stock)) == 24


def test_a_dummy_is_laid_open_when_the_first_card_lies():
    _, lines = played("dummy")
    assert lines.count("The dummy's hand is laid open") == 1
    assert lines[lines.index("The dummy's hand is laid open") - 1].startswith("Trick  1 so far: ")
    assert "the dummy" in next(line for line in lines if line.startswith("Trick  1:"))


def test_a_misere_and_a_redeal_are_told():
    declared = lambda t: t.phase[0] == Phase.OVER and t.columns.misere[0].any()  # noqa: E731
    tables = at("5", declared, misere=True)
    lines = lines_of(tables)
    seat = int(np.flatnonzero(tables.columns.misere[0])[0])
    assert any(line.startswith(f"Seat {seat} declares a misère: no ") for line in lines)
    tables = at("4", lambda t: t.phase[0] == Phase.PETIT_SEC, taker=None, weak_hand_redeal=9)
    seat = int(tables.seat_to_act[0])
    tables.step(np.array([94]))
    lines = lines_of(tables)
    assert f"Seat {seat} throws the deal in" in lines
    assert "Auction" not in lines
