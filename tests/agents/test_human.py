"""A person as an agent: what may be typed, what is refused and why, in any seat of a runner."""

import numpy as np
import pytest
from support.every_game import GAMES, rules_of
from support.lockstep import Pair, written
from support.scenes import at, phase, putting_together

from agents.base import Agent
from agents.baselines.human import HumanAgent, numbered, read_answers
from agents.baselines.uniform import UniformAgent
from agents.play import Player, play_out
from tarot_env import Phase, Rules, Tables, UnknownName
from tarot_env.cards.actions import action_text, parse_action

FORCED = written("S1-K H1-4", "T2-13 D1-6", "H5-K T14-20 C1", "D7-K C2-J", "T1 T21 EX CN-K")


def turn_of(tables):
    return tables.turn(np.array([0]))


def auction():
    return turn_of(Tables(Rules.preset(), 1, seed=7))


class Typist:
    """Types what it was given, and keeps what it was told."""

    def __init__(self, *lines, **arguments):
        self.lines = list(lines)
        self.told = []
        self.agent = HumanAgent(lambda turn: self.lines.pop(0), self.told.append, **arguments)

    def answer(self, turn):
        return [action_text(int(a)) for a in self.agent.act(turn, np.random.default_rng(0))]


def test_it_is_an_agent():
    assert isinstance(Typist().agent, Agent)
    assert Typist().agent.name == "human"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("SK", "SK"),
        ("sk", "SK"),
        ("♠K", "SK"),
        ("♥10", "H10"),
        (" T21 ", "T21"),
        ("ex", "EX"),
        ("Excuse", "EX"),
        ("SR", "SK"),
        ("HD", "HQ"),
        ("DC", "DN"),
        ("CV", "CJ"),
        ("DD", "DQ"),
        ("CC", "CN"),
        ("pass", "pass"),
        ("garde sans", "garde_sans"),
        ("Garde-Sans", "garde_sans"),
        ("garde_sans", "garde_sans"),
        ("double poignée", "double_poignee"),
        ("misère", "misere"),
        ("slam", "chelem"),
        ("throw in", "throw_in"),
    ],
)
def test_words(typed, meant):
    assert [action_text(a) for a in read_answers(typed, auction())] == [meant]


def test_numbers_count_the_answers():
    turn = auction()
    assert [action_text(a) for a in numbered(turn)] == (
        "pass petite garde garde_sans garde_contre".split()
    )
    assert [action_text(a) for a in read_answers("3", turn)] == ["garde"]
    hand = turn_of(Pair(FORCED, (0, "garde_sans")).say("pass").tables)
    assert [action_text(a) for a in numbered(hand)][:3] == ["SK", "SQ", "SN"]


def test_numbers_of_la_decouverte_begin_with_the_piles():
    tables = at("decouverte", phase(Phase.PLAY, 0))
    turn = turn_of(tables)
    up = tables.columns.face_up[0, tables.seat_to_act[0]]
    order = numbered(turn)
    in_piles = [bool(up[a // 56] >> np.uint64(a % 56) & np.uint64(1)) for a in order]
    assert in_piles == sorted(in_piles, reverse=True)
    assert len(set(in_piles)) == 2


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("pas", "unknown answer 'pas'; did you mean 'pass'?"),
        ("gard", "unknown answer 'gard'; did you mean 'garde'"),
        ("S15", "unknown answer 's15'; allowed: pass, petite, garde, garde_sans, garde_contre, "),
        ("h", "unknown answer 'h'; allowed: pass, petite, garde, garde_sans, garde_contre, help"),
        ("first hal", "'first hal': give one answer at a time"),
        ("hlep", "unknown answer 'hlep'; did you mean 'help'"),
        ("garde contr", "unknown answer 'garde_contr'; did you mean 'garde_contre'"),
        ("xyzzy", "unknown answer 'xyzzy'; allowed: pass, petite, garde, "),
        ("0", "no answer 0; they are numbered 1 to 5"),
        ("6", "no answer 6; they are numbered 1 to 5"),
        ("9" * 5000, "no answer 99999999; they are numbered 1 to 5"),
        ("SK HK", "'SK HK': give one answer at a time"),
        ("\x00\udcff", "is no answer; a number of the list is one"),
    ],
)
def test_what_cannot_be_read(typed, told):
    with pytest.raises(UnknownName) as error:
        read_answers(typed, auction(), ("help",))
    assert told in str(error.value)


def test_it_asks_until_the_answer_is_legal():
    typist = Typist("SK", "nonsense", "garde")
    assert typist.answer(auction()) == ["garde"]
    assert len(typist.told) == 2
    assert typist.told[0].startswith("♠K: not allowed now; allowed: pass petite ")
    typist = Typist("SK", "1", explain=lambda action: f"because of {action_text(action)}")
    assert typist.answer(auction()) == ["pass"]
    assert typist.told == ["♠K: because of SK"]


def test_an_ecart_may_be_typed_on_one_line():
    tables = at("4", phase(Phase.DISCARD))
    cards = [action_text(a) for a in numbered(turn_of(tables))[:6]]
    typist = Typist(" ".join(cards))
    for card in cards:
        [answer] = typist.answer(turn_of(tables))
        assert answer == card
        tables.step(np.array([parse_action(answer)]))
    assert tables.phase[0] == Phase.SLAM
    assert typist.told == []


def test_numbers_on_one_line_are_those_of_the_list_shown():
    tables = at("4", phase(Phase.DISCARD))
    wanted = [action_text(a) for a in numbered(turn_of(tables))[:3]]
    typist = Typist("1 2 3")
    for card in wanted:
        [answer] = typist.answer(turn_of(tables))
        assert answer == card
        tables.step(np.array([parse_action(answer)]))


def test_a_card_that_may_not_go_ends_the_line():
    """What stands behind it is forgotten, so that nothing is set aside by mistake."""
    tables = at("4", phase(Phase.DISCARD))
    first, second = (action_text(a) for a in numbered(turn_of(tables))[:2])
    typist = Typist(f"{first} T21 {second}", second)
    [answer] = typist.answer(turn_of(tables))
    tables.step(np.array([parse_action(answer)]))
    assert typist.answer(turn_of(tables)) == [second]
    assert len(typist.told) == 1
    assert typist.told[0].startswith("T21: ")
    assert typist.lines == []


def test_trumps_to_withhold_may_be_typed_on_one_line():
    _, tables = putting_together()
    assert read_answers("T3 T4", turn_of(tables)) == [parse_action("T3"), parse_action("T4")]


@pytest.mark.parametrize("name", GAMES)
def test_it_sits_in_any_seat_of_a_runner(name):
    """It types the first answer; the rows of several tables are asked one by one."""
    rules = rules_of(name)
    tables = Tables(rules, 3, seed=2)
    asked = []
    human = HumanAgent(lambda turn: asked.append(len(turn)) or "1", asked.append)
    players = [
        Player(human, np.random.default_rng(0)),
        Player(UniformAgent(), np.random.default_rng(1)),
    ]
    lineup = np.ones((3, rules.players), np.int64)
    lineup[:, 1] = 0
    play_out(tables, players, lineup, np.random.default_rng(2))
    assert tables.is_over.all()
    assert set(asked) == {1}
