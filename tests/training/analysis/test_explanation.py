"""`tarot replay --explain`: what an agent expects at each decision, beside what was done."""

import numpy as np
import pytest
from support.every_game import GAMES, play, rules_of

from agents.base import Expectation
from agents.baselines.oracle import OracleAgent
from agents.registry import make_agent
from tarot_env import Phase, Tables, TarotError
from tarot_env.cards import cardsets
from tarot_env.cards.actions import PASS
from tarot_env.records import record, replay, to_line
from tarot_env.render import replay_text
from tarot_env.rules.labels import action_label
from training.analysis.explanation import EXPLAINING, explained, make_explaining_agent
from training.cli.main import main


class Ladder:
    """Expects of the first legal answer 9 points, of each further one 10 fewer."""

    name = "ladder"

    def __init__(self, most=95):
        self.most, self.asked = most, []

    def explain(self, turn, rng):
        self.asked.append((int(turn.seat[0]), float(rng.random())))
        legal = cardsets.to_ids(turn.legal[0])[: self.most]
        deals = [2, 1, *[0] * len(legal)]
        return [
            [
                Expectation(a, 9.0 - 10 * n, 7.5 - 10 * n, 10.5, deals[n])
                for n, a in enumerate(legal)
            ]
        ]

    act = None


class Fails(Ladder):
    name = "fails"

    def explain(self, turn, rng):
        raise ZeroDivisionError("no idea")


def played(game, seed=1_000_003):
    tables = Tables(rules_of(game), 1, seed=seed)
    play(tables, np.random.default_rng(2))
    return record(tables, 0)


def texts(lines):
    return [line.text for line in lines]


@pytest.mark.parametrize("game", GAMES)
def test_each_decision_with_a_choice_is_explained_in_the_telling(game):
    told, agent = played(game), Ladder()
    lines = texts(explained(told, agent))
    kept = [line for line in lines if not line.startswith(("    ", "Expected by "))]
    story = [line for line in replay_text(told).splitlines() if not line.startswith("    ")]
    assert kept == story
    choices, aside = 0, set()
    for tables, _, action in replay(told):
        seat = int(tables.seat_to_act[0])
        if action is None or cardsets.count(tables.legal_sets())[0] < 2:
            continue
        if tables.phase[0] == Phase.DISCARD:
            choices += seat not in aside
            aside.add(seat)
        else:
            choices += 1
    assert choices > 20
    assert len(agent.asked) == choices
    assert sum(line.endswith("<- done") for line in lines) == choices


def test_a_block_shows_question_hand_answers_and_what_was_done():
    told = played("4")
    lines = texts(explained(told, Ladder()))
    assert lines[0].startswith("Deal 0 of seed 1000003: fft, 4 players; seat ")
    (legend,) = (line for line in lines if line.startswith("Expected by"))
    assert legend == (
        "Expected by ladder: points of the deal for the seat, with 95 % intervals; "
        "its choice first, whatever its mean"
    )
    at = lines.index(legend) + 1
    seat = told["actions"][0][0]
    hand = next(line for line in lines if line.startswith(f"  seat {seat}: "))
    assert lines[at] == f"    Seat {seat} is to bid, with {hand.partition(': ')[2]}"
    assert [line.split("  <-")[0].rstrip() for line in lines[at + 1 : at + 6]] == [
        "      pass              +9.0  [+7.5, +10.5] in 2 deals",
        "      petite            -1.0  [-2.5, +10.5] in 1 deal",
        "      garde            -11.0  [-12.5, +10.5]",
        "      garde sans       -21.0  [-22.5, +10.5]",
        "      garde contre     -31.0  [-32.5, +10.5]",
    ]
    assert lines[at + 3].endswith("<- done"), "what `play` bids"
    assert "  Trick 2: seat " in "\n".join(lines)


def test_what_was_done_is_named_where_the_agent_did_not_try_it():
    told = played("4")
    lines = texts(explained(told, Ladder(2)))
    missed = [line for line in lines if line.endswith("not tried  <- done")]
    assert missed
    names = [action_label(action) for _, _, action in replay(told) if action is not None]
    assert all(line.split("not tried")[0].strip() in names for line in missed)


def test_the_others_are_counted():
    """Two of five bids are told, and the third was made: two more are others."""
    lines = texts(explained(played("4"), Ladder(2)))
    first = next(n for n, line in enumerate(lines) if "is to bid" in line)
    shown = [line.split() for line in lines[first + 1 : first + 5]]
    assert shown[2:] == [["garde", "not", "tried", "<-", "done"], ["2", "others", "not", "tried"]]
    whole = texts(explained(played("4"), Ladder()))
    assert not any("tried" in line for line in whole)


class Pairs(Ladder):
    """Takes all cards that may be played for equal, and names the first."""

    def explain(self, turn, rng):
        legal = cardsets.to_ids(turn.legal[0])
        told = Expectation(legal[0], 3.0, 1.0, 5.0, alike=tuple(legal))
        return [[told, Expectation(PASS, 1.0, 0.0, 2.0)]]


def test_a_card_worth_the_same_as_one_that_was_tried_is_named_there():
    told = played("4")
    lines = texts(explained(told, Pairs()))
    others = []
    for tables, _, action in replay(told):
        if action is not None and tables.phase[0] == Phase.PLAY:
            legal = cardsets.to_ids(tables.legal_sets()[0])
            others += [action] * (action != legal[0])
    said = [line for line in lines if line.endswith(", worth the same")]
    assert others
    assert [line.split("done: ")[1] for line in said][-len(others) :] == [
        f"{action_label(a)}, worth the same" for a in others
    ]


def test_one_answer_worth_trying_is_no_decision():
    lines = texts(explained(played("4"), Ladder(1)))
    assert not any("<- done" in line or ", with ♠" in line for line in lines)


def test_a_seat_alone_is_explained_as_among_all():
    told, agent, alone = played("4"), Ladder(), Ladder()
    every, one = texts(explained(told, agent)), texts(explained(told, alone, seat=2))
    assert {seat for seat, _ in alone.asked} == {2}
    assert [asked for asked in agent.asked if asked[0] == 2] == alone.asked
    assert len({draw for _, draw in agent.asked}) == len(agent.asked)
    assert len(one) < len(every)
    assert set(one) <= set(every)


def test_the_dummys_cards_are_the_defenders_decisions():
    told, agent = played("dummy"), Ladder()
    lines = texts(explained(told, agent, seat=1 - told["taker"]))
    assert any(": the dummy plays on" in line or ": the dummy leads" in line for line in lines)
    assert {seat for seat, _ in agent.asked} == {1 - told["taker"]}


def test_progress_is_told_action_by_action():
    steps = []
    told = played("5")
    explained(told, Ladder(), seat=0, done=steps.append)
    assert steps == [1] * len(told["actions"])


def test_what_cannot_be_explained_is_one_sentence():
    with pytest.raises(TarotError, match="'naive' cannot explain; those that can are pimc"):
        make_explaining_agent("naive")
    with pytest.raises(TarotError, match="'fails' raised ZeroDivisionError: no idea at action 0"):
        explained(played("4"), Fails())
    with pytest.raises(TarotError, match="--seat 4; allowed: seats 0 to 3"):
        explained(played("4"), Ladder(), seat=4)


def test_those_that_are_named_can_explain():
    for text in EXPLAINING:
        assert make_explaining_agent(text).name == make_agent(text).name


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["pimc:worlds=2,endings=0", "oracle"])
def test_the_command_prints_text_the_same_each_time(capsys, tmp_path, agent):
    file, told = tmp_path / "deals.jsonl", played("6")
    file.write_text(to_line(told) + "\n")
    assert main(["replay", str(file), "--explain", agent, "--seat", "1"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "\x1b" not in out
    assert out.count("<- done") > 5
    assert ("(sees all hands)" in out) == (agent == "oracle")
    assert ("[" in out) == (agent != "oracle")
    again = texts(explained(told, make_agent(agent), seat=1))
    assert out.splitlines() == again


class OnOnlyEcarts(OracleAgent):
    """Has nothing to say on other questions."""

    def explain_on(self, tables, rows, rng):
        if tables.phase[0] != Phase.DISCARD:
            return [[]]
        return super().explain_on(tables, rows, rng)


def test_an_ecart_is_compared_as_a_whole():
    """The heuristic's own écart is among the plans, and one line of them is marked."""
    tables = Tables(rules_of("4"), 1, seed=1_000_003)
    agent = make_agent("heuristic")
    while not tables.is_over[0]:
        tables.step(agent.act(tables.turn(), np.random.default_rng(0)))
    told = record(tables, 0)
    lines = texts(explained(told, OnOnlyEcarts()))
    (at,) = (n for n, line in enumerate(lines) if " sets cards aside, with " in line)
    block = []
    for line in lines[at + 1 :]:
        if not line.startswith("      "):
            break
        block.append(line)
    assert len(block) > 1
    assert sum(line.endswith("<- done") for line in block) == 1
    (aside,) = (line for line in lines if " sets aside " in line)
    (done,) = (line for line in block if line.endswith("<- done"))
    assert aside.partition(" aside ")[2] in done
