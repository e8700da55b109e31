"""A person at the table, through text streams: every game, commands, mistakes, leaving, records."""

import io
import itertools
import json
import re

import numpy as np
import pytest
from support.every_game import GAMES, rules_of
from support.scenes import LOW
from support.unseen import hidden_labels, labels_in

from agents.baselines.uniform import UniformAgent
from agents.heuristic import HeuristicAgent
from tarot_env import Phase, Rules, TarotError
from tarot_env.records import check, check_files
from tarot_env.tables import daily_seed
from training.cli import play
from training.cli.play import play_at_table
from training.cli.screen import Screen

PASSES = "heuristic:bid=pass"


def sit(lines=(), rules=None, agents=("random",), *, rest="1", **arguments):
    """A sitting at which the lines are typed, then `rest` for ever; (sitting, what was shown)."""
    typed = itertools.chain(lines, itertools.repeat(rest) if rest is not None else ())
    out = io.StringIO()
    arguments = {"seed": 5, "deals": 1} | arguments
    sitting = play_at_table(
        rules or Rules.preset(), list(agents), stream_in=Typed(typed), stream_out=out, **arguments
    )
    return sitting, out.getvalue()


class Typed(io.StringIO):
    """A person that types line after line; an exception among them is raised."""

    def __init__(self, lines):
        super().__init__()
        self._lines = iter(lines)

    def readline(self, *_):
        line = next(self._lines, None)
        if isinstance(line, BaseException):
            raise line
        return "" if line is None else f"{line}\n"


def garde_or_pass(turn, actions):
    """The same actions, but in the auction a garde, or a pass where there is a bid as high."""
    call = np.where(turn.legal_mask[:, 81], 81, 78)
    return np.where(turn.phase == Phase.AUCTION, call, actions)


class Takes(HeuristicAgent):
    """Bids a garde if it can."""

    def act(self, turn, rng):
        return garde_or_pass(turn, super().act(turn, rng))


class BidsGarde(UniformAgent):
    """The same, and plays at random."""

    def act(self, turn, rng):
        return garde_or_pass(turn, super().act(turn, rng))


class Terminal(io.StringIO):
    def isatty(self):
        return True


# -- every game


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_deal_is_played_to_its_end(name, seat):
    """By the numbers; the record is a true one, and the score is told."""
    rules = rules_of(name)
    sitting, shown = sit(rules=rules, seat=seat)
    assert not sitting.left
    assert shown.splitlines()[-1].strip().startswith("scores: seat 0")
    for given in sitting.records:
        check(given)
    assert sitting.totals == sitting.records[-1]["scores"]
    assert f"You are seat {seat}." in shown


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_nothing_hidden_is_told(name, monkeypatch):
    """Of what is shown up to each question no line names a card that the person has not seen."""
    tables, shown, checked = [], [], []
    show, read = Screen.show, Screen.read
    deal = play._Table._announce_deal

    def announce(self):
        tables[:] = [self.tables, self.seat]
        shown.clear()
        deal(self)

    def show_(self, line=""):
        shown.append(str(line))
        show(self, line)

    def read_(self, prompt):
        hidden = hidden_labels(tables[0], 0, tables[1])
        calls = tables[0].phase[0] == Phase.CALL
        for line in shown:
            assert calls or not labels_in(line) & hidden, line
        checked.append(len(shown))
        shown.clear()
        return read(self, prompt)

    monkeypatch.setattr(play._Table, "_announce_deal", announce)
    monkeypatch.setattr(Screen, "show", show_)
    monkeypatch.setattr(Screen, "read", read_)
    options = {"poignee_thresholds": LOW[name]} if name in LOW else {}
    rng = np.random.default_rng(0)
    lines = itertools.chain.from_iterable(
        ("table", "last", str(n)) for n in rng.integers(1, 3, 200)
    )
    sit(lines, rules_of(name, **options), agents=(BidsGarde(),), deals=3, seat=1)
    assert sum(checked) > 30


@pytest.mark.parametrize("name", ["mort"])
def test_a_person_who_sits_out_looks_on(name):
    sitting, shown = sit(rules=rules_of(name), seat=0, deals=1)
    assert sitting.records[0]["dealer"] == 0
    assert "You sit out and look on" in shown
    assert "> " not in shown.partition("Deal 2")[0]
    assert len(re.findall(r"^Trick \d", shown, re.M)) == 18


def test_the_defender_plays_for_the_dummy():
    _, shown = sit(["pass"], rules_of("dummy"), agents=(Takes(),), seat=0)
    assert "The dummy's hand is laid open: " in shown
    assert "You play for the dummy" in shown
    assert re.search(r"^Hand of the dummy: .*\b1\.[♠♥♦♣T]", shown, re.M)


# -- what is asked and answered


def test_cards_are_typed_by_name_and_refused_with_the_rule():
    _, shown = sit(["garde", "T21", "SK", "petite", "gardd", ""], agents=(PASSES,), rest=None)
    assert "You turn up the chien: " in shown
    assert "T21: " in shown
    assert re.search(r"T21: (kings and oudlers never go into the écart|not a card in hand)", shown)
    assert "petite: no card; a card is set aside now" in shown
    assert re.search(r"unknown answer 'gardd'; allowed: \w+, .* quit", shown)
    assert "did you mean" not in shown
    assert shown.count("Set aside 6 cards\n") == 1


def test_only_cards_behind_the_first_are_more():
    _, shown = sit(["garde", "1", "1"], agents=(PASSES,), rest=None)
    assert "Set aside 6 cards\n" in shown
    assert "Set aside 5 more cards\n" in shown
    assert "6 more" not in shown


def test_only_legal_cards_have_numbers():
    _, shown = sit(["pass", "1", "1"], agents=(Takes(),), seat=1, rest=None)
    hands = [line for line in shown.splitlines() if line.startswith("Your hand: ")]
    assert any(re.search(r"\d\.[♠♥♦♣T]", line) for line in hands)
    assert any(re.search(r" [♠♥♦♣]", line) for line in hands)


def test_an_ecart_on_one_line():
    """Also by the numbers of the list that was shown."""
    _, shown = sit(["garde", "1 2 3 4 5 6", "pass"], agents=(PASSES,), rest=None)
    assert shown.count("Set aside") == 1
    assert "Do you announce a slam?" in shown


def test_poignees_are_offered_and_shown():
    rules = Rules.preset(poignee_thresholds=(2, 3, 22))
    _, shown = sit(["garde", "1 2 3 4 5 6", "pass", "poignee"], rules, agents=(PASSES,))
    assert "You can show a poignée: you hold " in shown
    assert "You show a poignée: T" in shown
    assert "Putting together a poignée of 2 trumps" in shown


def test_house_rules_are_asked_about():
    rules = Rules.preset(players=5, weak_hand_redeal=7)
    _, shown = sit(["throw in"], rules, agents=(PASSES,), seat=1, rest=None)
    assert "With this hand you may have the deal thrown in: 1.pass  2.throw in" in shown
    rules = Rules.preset(players=5, petit_chelem=True)
    _, shown = sit(["garde contre"], rules, agents=(PASSES,))
    assert "Do you announce a slam? 1.pass  2.slam (chelem)  3.petit chelem" in shown


def test_a_king_is_called():
    _, shown = sit(["garde", "HK"], Rules.preset(players=5), agents=(PASSES,), rest=None)
    assert "Call a card, whose holder plays with you: 1.♠K  2.♥K  3.♦K  4.♣K" in shown


def test_six_choose_a_half():
    _, shown = sit(["garde contre"], rules_of("6"), seat=1, rest=None)
    assert "Your partner is seat 4" in shown
    _, shown = sit(["garde"] + ["pass"] * 3 + ["2"], rules_of("6"), agents=(PASSES,), seat=1)
    assert "up the chien, first half: " in shown
    assert "Which half of the chien do you take? Seat 4 takes the other:" in shown


def test_commands():
    lines = ["help", "?", "hand", "table", "last", "score", "HAND", "pass", "1", "last", "score"]
    _, shown = sit(lines, agents=(Takes(),), seat=1, rest=None)
    assert shown.count("  quit   leave the table") == 2
    assert shown.count("Your bid (nobody has bid yet):") == 3
    assert "Seat 1 sees: auction, seat 1 to act" in shown
    assert "No trick has been taken yet" in shown
    assert "No deal is finished yet" in shown
    assert re.search(r"^Trick 1: seat \d .*\*", shown, re.M)
    assert "In tricks so far: attack " in shown


def test_what_the_others_do_is_told():
    _, shown = sit(["pass"], agents=(Takes(),), seat=1)
    assert "Seat 2 bids garde" in shown
    assert "Seat 3 passes" in shown
    assert re.search(r"^Seat 2 turns up the chien: ", shown, re.M)
    assert "Seat 2 sets 6 cards aside" in shown
    assert re.search(r"^  seat 2 \(taker\): ", shown, re.M)
    assert len(re.findall(r"^  (Seat \d takes|You take) it: ", shown, re.M)) == 18
    assert re.search(r"^  points of the attack: ", shown, re.M)


def test_a_partner_is_told_when_it_shows_itself():
    shown = sit(rules=Rules.preset(players=5), agents=(Takes(),), seat=0, deals=3)[1]
    assert re.search(
        r"^  (Seat \d is|You are) (seat \d's|your) partner$|plays? alone$", shown, re.M
    )
    assert re.search(r"^Seat \d calls [♠♥♦♣]K$", shown, re.M)


# -- several deals, records


def test_records_are_added_as_deals_end(tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text('{"no": "newline"}')
    sitting, shown = sit(["pass"] * 4, agents=(Takes(),), deals=3, out=path)
    lines = path.read_text().splitlines()
    assert lines[0] == '{"no": "newline"}'
    assert [json.loads(line) for line in lines[1:]] == sitting.records
    assert len(sitting.records) == 3
    assert [given["dealer"] for given in sitting.records] == [0, 1, 2]
    assert f"3 deals written to {path}." in shown
    path.write_text("\n".join(lines[1:]) + "\n")
    assert check_files([path]).problems == []


def test_totals_and_winner_of_a_match():
    sitting, shown = sit(["pass"], agents=(Takes(),), deals=2)
    total = np.sum([given["scores"] for given in sitting.records], axis=0)
    assert sitting.totals == total.tolist()
    assert re.search(r"^After 1 deal: you -?\d+, seat 1 -?\d+, ", shown, re.M)
    assert re.search(r"^After 2 deals: ", shown, re.M)
    assert re.search(r"^The match is over; won by (you|seat \d)\.$", shown, re.M)


def test_a_deal_that_nobody_plays_is_dealt_again(tmp_path):
    sitting, shown = sit(["pass", "garde"], agents=(PASSES,), out=tmp_path / "r")
    assert [given["bid"] for given in sitting.records] == [None, "garde"]
    assert "everybody passed: the deal is thrown in" in shown
    assert shown.count("Deal 1 (deal ") == 2


def test_the_length_of_a_match_comes_from_the_rules():
    rules = Rules.preset("online", match_deals=2)
    sitting, _ = sit(rules=rules, agents=(Takes(),), deals=None)
    assert len(sitting.records) == 2
    sitting, shown = sit(["pass"] + ["1"] * 25, agents=(Takes(),), deals=None, rest=None)
    assert sitting.left
    assert len(sitting.records) >= 1
    assert "not saved; no file was named" in shown


def test_cards_that_are_gathered_and_cut():
    rules = Rules.preset("pagat", players=4)
    sitting, shown = sit(rules=rules, agents=(Takes(),), deals=2)
    assert [given["deal_id"] is None for given in sitting.records] == [False, True]
    assert "Deal 2 (gathered and cut)" in shown
    for given in sitting.records:
        check(given)


def test_a_drawn_seed_gives_its_game_back():
    for _ in range(4):
        drawn, _ = sit(seed=None)
        seed = drawn.records[0]["seed"]
        assert sit(seed=seed)[0] == drawn


def test_the_length_of_a_match_is_told():
    assert "The match has 2 deals\n" in sit(deals=2, rest=None)[1]
    assert "The match has 1 deal\n" in sit(deals=1, rest=None)[1]
    assert "The match has" not in sit(deals=None, rest=None)[1]


def test_the_same_seed_gives_the_same_sitting():
    seed = daily_seed("2026-07-04")
    first, second = (sit(seed=seed, deals=2) for _ in range(2))
    assert first == second
    assert first[0].records[0]["seed"] == 20260704
    assert "seed 20260704" in first[1]


# -- leaving


@pytest.mark.parametrize("typed", ["quit", "q", "Exit", None])
def test_leaving(typed, tmp_path):
    path = tmp_path / "r.jsonl"
    lines = ["pass", *["1"] * 18, *([typed] if typed else [])]
    sitting, shown = sit(lines, agents=(Takes(),), deals=5, out=path, rest=None)
    assert sitting.left
    assert not sitting.interrupted
    assert len(sitting.records) == 1
    assert "You leave the table; the deal under way is not saved." in shown
    assert f"1 deal written to {path}." in shown
    assert len(path.read_text().splitlines()) == 1


def test_ctrl_c():
    sitting, shown = sit(["pass", KeyboardInterrupt()], rest=None)
    assert sitting.left
    assert sitting.interrupted
    assert "You leave the table; the deal under way is not saved." in shown


def test_an_empty_stream_ends_politely():
    sitting, shown = sit(rest=None)
    assert sitting == ([], [0.0] * 4, True, False)
    assert shown.endswith("> \nYou leave the table; the deal under way is not saved.\n")


# -- agents, files and streams


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"seat": 4}, "seat 4; allowed: 0 to 3"),
        ({"seat": -1}, "seat -1; allowed: 0 to 3"),
        ({"agents": ["random"] * 2}, "2 agents; give one for all, or 3, one for each other seat"),
        ({"agents": []}, "0 agents; give one for all, or 3"),
        ({"agents": ["rando"]}, "did you mean 'random'"),
        ({"agents": [UniformAgent]}, "UniformAgent is a class; give an agent that is made of it"),
        ({"deals": 0}, "deals=0; give a whole number"),
        ({"seed": -1}, "seed -1"),
    ],
)
def test_mistakes_are_named_before_a_card_is_dealt(arguments, told):
    with pytest.raises(TarotError, match=re.escape(told)):
        sit(**arguments)


def test_a_file_that_cannot_be_written_is_named_before_a_card_is_dealt(tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        sit(out=tmp_path / "nowhere" / "r.jsonl")


def test_each_seat_has_its_agent():
    _, shown = sit(agents=("random", UniformAgent(), "heuristic"), seat=1, rest=None)
    assert "You are seat 1. The others: seat 0 random, seat 2 random, seat 3 heuristic" in shown


def test_an_agent_that_fails_is_named_and_the_deal_goes_on():
    class Fails(UniformAgent):
        name = "fails"

        def act(self, turn, rng):
            raise ValueError("no idea")

    sitting, shown = sit(agents=(Fails(),))
    assert not sitting.left
    assert re.search(r"\(the agent of seat 1 failed: ValueError: no idea; it answers", shown)


def test_colours_on_a_terminal_only(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" not in sit(["pass"], rest=None)[1]
    out = Terminal()
    play_at_table(Rules.preset(), ["random"], 1, 5, 1, None, Typed(["garde"]), out)
    assert "\x1b[31m♥" in out.getvalue() or "\x1b[31m♦" in out.getvalue()
    assert "\x1b[1m1." in out.getvalue()


def test_a_terminal_waits_between_deals():
    class Person(Typed):
        def isatty(self):
            return True

    out = io.StringIO()
    typed = ["pass", *["1"] * 18, "score", "", "quit"]
    play_at_table(Rules.preset(), [Takes()], 0, 5, 2, None, Person(typed), out)
    assert out.getvalue().count("Enter for the next deal, or quit: ") == 2
    assert "Deal 2" in out.getvalue()


def test_a_stream_that_knows_no_symbols():
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    play_at_table(Rules.preset(), ["random"], 0, 5, 1, None, Typed(["garde", "♠é", "help"]), out)
    out.flush()
    text = raw.getvalue().decode("ascii")
    assert "For an ecart several" in text
    assert re.search(r"Your hand: .*\bSN\b", text)


def test_bytes_that_are_no_text():
    typed = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n\xff pass\n"), encoding="utf-8")
    out = io.StringIO()
    sitting = play_at_table(Rules.preset(), ["random"], 1, 5, 1, None, typed, out)
    assert sitting.left
    assert "is no answer" in out.getvalue()


def test_french_letters():
    _, shown = sit(["SD", "garde", "SD"], agents=(PASSES,), rest=None, letters="french")
    assert re.search(r"[♠♥♦♣][RDC]\b", shown)
    assert not re.search(r"[♠♥♦♣][QKN]\b", shown)


def test_an_agent_that_sees_all_hands_may_sit_down_and_is_marked():
    sitting, shown = sit(agents=("random", "support.cheaters:Highest", "random"))
    assert len(sitting.records) == 1
    assert "seat 2 highest (sees all hands), seat 3 random" in shown
