"""The heuristic: worked hands of the scale, one position per principle, legality, batches."""

import numpy as np
import pytest
from support.constructed import cards, position

from agents.base import Agent
from agents.hand_strength import hand_points, hand_points_without_chien, strongest_seats
from agents.heuristic import HeuristicAgent
from agents.heuristic.discard import plan_ecart
from agents.heuristic.play import play_card
from agents.heuristic.reading import read
from agents.heuristic.thresholds import FOUR_PLAYERS, NEVER, THRESHOLDS
from tarot_env.cards import cardsets
from tarot_env.cards.actions import (
    CHELEM,
    GARDE,
    GARDE_SANS,
    PASS,
    PETITE,
    POIGNEE,
    Bid,
    Phase,
    action_text,
    parse_card,
)
from tarot_env.errors import UnknownName
from tarot_env.rules import Rules
from tarot_env.tables import Tables, Turn

RULES = Rules.preset("fft", players=4)
WORKED_60 = "T21 T19 T12 T6 T1 EX SK SN S10 S8 S1 HJ H8 DQ DN D7 C6 C4"
WORKED_34 = "T20 T18 T14 T13 T9 T8 T6 SK S10 S5 S4 HK HQ D8 D7 C8 C7 C5"


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def played(turn: Turn, bid: str = "table") -> str:
    return action_text(int(HeuristicAgent(bid=bid).act(turn, rng())[0]))


# -- bidding


def test_scale_on_the_worked_hands() -> None:
    points = hand_points(np.stack([cards(WORKED_60), cards(WORKED_34)]))
    assert points.tolist() == [60, 34]
    assert points.dtype == np.int16


def test_scale_counts_runs_and_short_suits() -> None:
    # 21 (10), Excuse (8), petit of 7 (9), 7 trumps (14), three majors in a run (6 + 3); void 6.
    hand = cards("T21 T20 T19 T5 T4 T1 EX S2 S3 S4 S5 H2 H3 H4 H5 D2 D3 D4")[None]
    assert hand_points(hand).tolist() == [50]
    assert hand_points_without_chien(hand).tolist() == [56]
    singleton = cards("T21 T20 T19 T5 T4 T1 EX S2 S3 S4 H2 H3 H4 H5 D2 D3 D4 C2")[None]
    assert hand_points_without_chien(singleton).tolist() == [53]


def auction(hand: str, **changes: int) -> Turn:
    held = cards(hand)[None]
    contract = np.array([changes.get("contract", 0)], np.int8)
    higher = [a for a in (PETITE, GARDE, GARDE_SANS, GARDE_SANS + 1) if a - PASS > contract[0]]
    legal = cardsets.from_ids([PASS, *higher])[None]
    turn = Tables(RULES, 1, seed=0).turn()
    return turn.replace(hand=held, legal=legal, contract=contract)


def test_the_strongest_seat() -> None:
    tables = Tables(RULES, 40, seed=5)
    rows = np.arange(39, -1, -1)
    found = strongest_seats(tables, rows)
    for row, seat in zip(rows, found, strict=True):
        points = hand_points(tables.columns.hands[row]).tolist()
        in_order = [(int(tables.columns.dealer[row]) + place) % 4 for place in (1, 2, 3, 4)]
        assert seat == max(in_order, key=lambda s: points[s])
    other = strongest_seats(tables, rows, hand_points_without_chien)
    assert 0 < (other != found).sum() < 20


def test_ties_for_the_strongest_seat_go_to_the_first_to_speak() -> None:
    tables = Tables(RULES, 8, seed=1)
    nothing = lambda hands, size: np.zeros(len(hands), np.int16)  # noqa: E731
    assert strongest_seats(tables, np.arange(8), nothing).tolist() == [1, 2, 3, 0, 1, 2, 3, 0]
    assert strongest_seats(tables, np.array([6, 3]), nothing).tolist() == [3, 0]
    assert strongest_seats(tables, np.zeros(0, np.int64)).tolist() == []


@pytest.mark.parametrize("bid", ["table", "scale"])
def test_bids_of_the_worked_hands(bid: str) -> None:
    assert played(auction(WORKED_60), bid) == "garde"
    assert played(auction(WORKED_34), bid) == "pass"
    assert played(auction(WORKED_60, contract=Bid.GARDE), bid) == "pass"
    giant = "T21 T20 T19 T18 T17 T16 T10 T9 T8 T1 EX SK SQ SN SJ HK DK CK"
    assert played(auction(giant), bid) == "garde_contre"


def test_thresholds_of_four_players() -> None:
    assert THRESHOLDS["4"] == FOUR_PLAYERS == (44, 47, 68, 78, 0, NEVER)


def test_bid_pass_never_bids() -> None:
    agent = HeuristicAgent(bid="pass")
    assert agent.act(auction(WORKED_60), rng()).tolist() == [PASS]


def announcement(hand: str, phase: Phase, legal: list[int], taker: int = 0) -> Turn:
    turn = Tables(RULES, 1, seed=0).turn()
    return turn.replace(
        hand=cards(hand)[None],
        legal=cardsets.from_ids(legal)[None],
        phase=np.array([phase], np.int8),
        taker=np.array([taker], np.int8),
    )


def test_slam_by_the_scale_only_at_near_certainty() -> None:
    sure = "T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 T11 T1 EX SK SQ HK DK CK"
    doubtful = sure.replace("SQ", "S4")
    asked = [PASS, CHELEM]
    assert played(announcement(sure, Phase.SLAM, asked), "scale") == "chelem"
    assert played(announcement(doubtful, Phase.SLAM, asked), "scale") == "pass"


def test_poignee_by_the_scale_shown_by_a_strong_taker_and_not_by_a_defender() -> None:
    hand = "T21 T19 T15 T12 T9 T8 T7 T6 T3 T1 EX SK SQ HK D4 D5 C3 C2"
    asked = [PASS, POIGNEE]
    assert played(announcement(hand, Phase.POIGNEE, asked), "scale") == "poignee"
    assert played(announcement(hand, Phase.POIGNEE, asked, taker=2), "scale") == "pass"


def test_withholding_hides_the_petit_first() -> None:
    trumps = "T21 T19 T15 T12 T9 T8 T7 T6 T3 T2 T1"
    legal = cardsets.to_ids(cards(trumps))
    assert played(announcement(trumps, Phase.WITHHOLD, legal)) == "T1"


# -- écart


def test_ecart_saves_points_that_cannot_be_made_and_makes_a_void() -> None:
    held = cards("T21 T20 T17 T12 T9 T8 T5 T1 EX SK SQ S10 S9 S8 S7 HQ H4 H2 DK D9 D3 CQ CN C2")
    ecart = plan_ecart(held[None], 6)[0]
    assert len(cardsets.to_ids(ecart)) == 6
    assert not (ecart & (cardsets.KINGS | cardsets.TRUMPS | cardsets.EXCUSE)).any()
    assert not (ecart & cardsets.SUIT[0]).any(), "the long suit stays whole"
    assert (ecart & cards("CQ CN C2") == cards("CQ CN C2")).all(), "clubs become a void"
    assert (ecart & cards("HQ")).any(), "the short queen is put away"


def test_ecart_keeps_a_long_suit_of_low_cards() -> None:
    held = cards("T21 T20 T17 T12 T9 T8 T5 T1 EX S10 S9 S7 S6 S4 HK H9 H8 DK D10 D9 D3 CK C8 C2")
    assert not (plan_ecart(held[None], 6)[0] & cardsets.SUIT[0]).any()


def test_ecart_takes_every_plain_card_and_then_low_trumps() -> None:
    hand = "T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 T11 T10 T9 T3 T2 T1 SK HK DK CK S2 S3 H4 D5"
    held = cards(hand)[None]
    assert (plan_ecart(held, 6)[0] == cards("S2 S3 H4 D5")).all()
    given = np.zeros_like(held)
    for _ in range(6):
        plain = held & ~given & cardsets.PLAIN
        trumps = held & ~given & cardsets.TRUMPS & ~cardsets.OUDLERS
        turn = announcement("T1", Phase.DISCARD, [])
        turn = turn.replace(
            hand=held & ~given,
            ecart=given,
            legal=cardsets.first_nonempty(plain, trumps),
        )
        given = given | cardsets.BIT[HeuristicAgent().act(turn, rng())]
    assert (given[0] == cards("S2 S3 H4 D5 T2 T3")).all()


def test_ecart_card_by_card_is_the_plan() -> None:
    tables = Tables(RULES, 300, seed=3)
    rows = np.flatnonzero(~tables.is_over)
    tables.force(rows, 1, Bid.GARDE)
    held = tables.columns.hands[rows, 1]
    plan = plan_ecart(held, 6)
    plain_enough = cardsets.count(held & cardsets.PLAIN) >= 6
    for _ in range(6):
        actions = np.zeros(300, np.int64)
        actions[rows] = HeuristicAgent().act(tables.turn(rows), rng())
        tables.step(actions)
    assert (tables.columns.ecart[rows, 0][plain_enough] == plan[plain_enough]).all()


# -- card play: following


def test_defender_loads_a_trick_that_a_partner_wins() -> None:
    # Seat 1, the taker, led the five; partner 2 has put the king on it.
    turn = position(
        "HQ H2 S4 T5", "H5 HK H7", leader=1, taker=1, unseen="S5 S6 S7 S8 T2 T9 D4 D5 D6 C2 C3 C4"
    )
    assert played(turn) == "HQ"


def test_defender_wastes_nothing_on_a_trick_of_the_taker() -> None:
    turn = position(
        "HQ H2 S4 T5", "H5 HK H7", leader=1, taker=2, unseen="S5 S6 S7 S8 T2 T9 D4 D5 D6 C2 C3 C4"
    )
    assert played(turn) == "H2"


def test_defender_does_not_load_where_the_taker_will_ruff() -> None:
    unseen = "S5 S6 S7 S8 S9 T2 T9 T10 T11 T12 D4 D5 C2 C3 C4 H9"
    turn = position("HQ H2 S4 T5 D2", "HK", leader=3, taker=1, unseen=unseen, voids=((1, 1),))
    assert played(turn) == "H2"


def test_last_to_play_wins_as_cheaply_as_it_can() -> None:
    turn = position(
        "T5 T12 T20 D2", "HQ HK H7", leader=1, taker=0, unseen="S5 S6 S7 S8 T2 T9 D4 D5 D6"
    )
    assert played(turn) == "T5"


def test_petit_ruffs_where_nobody_can_overruff() -> None:
    turn = position(
        "T1 T12 T20 D2", "HQ H9 H7", leader=1, taker=0, unseen="S5 S6 S7 S8 T2 T9 D4 D5 D6"
    )
    assert played(turn) == "T1"


def test_petit_stays_home_where_it_would_be_overruffed() -> None:
    unseen = "S5 S6 S7 S8 T2 T9 T10 T11 D4 D5 D6 H9"
    turn = position("T1 T12 T20 D2", "HQ H8", leader=2, taker=0, unseen=unseen, voids=((1, 1),))
    assert played(turn) != "T1"


def test_defender_slips_the_petit_under_a_partners_trump() -> None:
    # Partner 2 holds the trick with the 20; the taker, seat 1, has played.
    turn = position(
        "T1 T9 S4 D2", "T12 T20 T3", leader=1, taker=1, unseen="S5 S6 T13 T14 T16 T2 D4 D5 D6"
    )
    assert played(turn) == "T1"


def test_defender_keeps_the_petit_from_the_takers_trump() -> None:
    turn = position(
        "T1 T9 S4 D2", "T12 T20 T3", leader=1, taker=2, unseen="S5 S6 T13 T14 T16 T2 D4 D5 D6"
    )
    assert played(turn) == "T9"


# -- the Excuse


def test_excuse_saves_a_high_trump_from_a_lost_trick() -> None:
    unseen = "T18 T16 T15 T14 S5 S6 S7 S8 D4 D5 D6 D7"
    turn = position("EX T19 S4 SK", "T21 T2 T3", leader=1, taker=0, unseen=unseen)
    assert played(turn) == "EX"


def test_excuse_is_not_spent_to_save_a_low_card() -> None:
    unseen = "T18 T16 T15 T14 S5 S6 S7 S8 D4 D5 D6 D7 C4 C5 C6 C7 C8 C9 C10 CK CQ CJ CN"
    turn = position("EX H2 H3 S4 SK T7 T8 D2", "HK H5 H6", leader=1, taker=0, unseen=unseen)
    assert played(turn) == "H2"


@pytest.mark.parametrize("taker", [0, 2])
def test_excuse_goes_before_the_last_trick(taker: int) -> None:
    turn = position("EX S4", "H3", leader=3, taker=taker, unseen="H4 H5 D4 D5 T5")
    assert played(turn) == "EX"


def test_excuse_waits_for_the_last_trick_of_a_slam() -> None:
    turn = position(
        "EX T4", leader=0, taker=0, unseen="H4 H5 D4 D5 S4 S5", tricks_won=(16, 0, 0, 0)
    )
    assert played(turn) == "T4"


# -- leads


def test_taker_keeps_the_petit_for_the_last_trick() -> None:
    turn = position("T1 T4 SK", leader=0, taker=0, unseen="H4 H5 D4 D5 S4 S5 D7 D8 C9")
    assert played(turn) != "T1"


def test_defender_makes_the_taker_ruff() -> None:
    unseen = "S5 S6 S7 S8 S9 T2 T9 T10 T11 T12 D4 D5 C2 C3 C4 H9 H10 HJ C8 C9 CQ SK"
    turn = position("H2 S4 D2 C5 T5", leader=0, taker=2, unseen=unseen, voids=((2, 1),))
    assert played(turn) == "H2"


def test_long_suit_of_the_taker_is_left_alone() -> None:
    # Both suits look the same to this seat, but the taker has led spades before.
    unseen = "S5 S6 S7 S8 S9 T2 T9 T10 T11 D5 D6 D7 D8 D9 C2 C3"
    turn = position("S4 S3 D4 D3", leader=0, taker=2, unseen=unseen)
    led = np.copy(turn.suits_led)
    led[0, 2, 0] = True
    turn = turn.replace(suits_led=led)
    assert played(turn)[0] == "D"


def test_hunts_the_petit_with_many_majors() -> None:
    unseen = "T1 T15 T14 T13 T12 T11 T10 S5 S6 S7 S8 S9 S10 D5 D6 D7 D8 D9 D10 C2 C3 C4 C5 C6 C7"
    unseen += " H2 H3 H4 H5"
    turn = position("T21 T20 T19 T18 T17 T9 T8 SK DK HK", leader=0, taker=0, unseen=unseen)
    assert played(turn) == "T21"


# -- reading the hidden cards


def test_reading_respects_voids_bounds_and_the_chien() -> None:
    unseen = "S5 S6 S7 S8 S9 T2 T9 T10 T11 T12 D4 D5 C2 C3 C4 H9"
    turn = position("H2 S4 D2 C5 T5", leader=0, taker=2, unseen=unseen, voids=((1, 0),))
    bound = np.full((1, 4), 21, np.int8)
    bound[0, 3] = 9
    turn = turn.replace(trump_bound=bound, chien=cards("T10 D4")[None])
    holds = read(turn).holds[..., 0]
    assert (holds[0, :14] == 0).all()
    assert holds[2, parse_card("T11")] == 0
    assert holds[2, parse_card("T9")] > 0
    assert holds[:, parse_card("T10")].tolist() == [0, 1, 0]
    assert holds[[0, 2], parse_card("D4")].tolist() == [0, 0]
    assert (holds.sum(0)[cardsets.to_mask(turn.hand)[0, :78]] == 0).all()


# -- the agent as a whole


def play_out(tables: Tables, agent: Agent, seed: int = 0) -> list[Turn]:
    """Plays all tables to their end (`step` refuses illegal cards); the turns on the way."""
    generator = np.random.default_rng(seed)
    turns = []
    while not tables.is_over.all():
        rows = np.flatnonzero(~tables.is_over)
        turn = tables.turn(rows)
        actions = np.full(tables.num_tables, -1, np.int64)
        actions[rows] = agent.act(turn, generator)
        turns.append(turn)
        tables.step(actions)
    return turns


def mixed_tables(number: int) -> Tables:
    """Tables at every stage: forced contracts of all kinds, random play of 0 to 60 actions."""
    tables = Tables(RULES, number, seed=5)
    rows = np.flatnonzero(~tables.is_over & (np.arange(number) % 5 > 0))
    contracts = np.array([Bid.PETITE, Bid.GARDE, Bid.GARDE_SANS, Bid.GARDE_CONTRE])
    tables.force(rows, rows % 4, contracts[rows % 5 - 1])
    return tables


@pytest.mark.parametrize("agent", [HeuristicAgent(), HeuristicAgent(play="random")])
def test_always_legal(agent: HeuristicAgent) -> None:
    tables = mixed_tables(1000)
    play_out(tables, agent)
    assert (tables.scores.sum(1) == 0).all()
    assert (tables.contract == Bid.GARDE_CONTRE).sum() > 150


def test_a_row_alone_is_played_as_in_a_batch() -> None:
    agent = HeuristicAgent()
    turns = play_out(mixed_tables(40), HeuristicAgent(play="random"))
    for turn in turns[::6]:
        together = agent.act(turn, rng())
        for row in range(0, len(turn), 7):
            assert agent.act(turn.take(np.array([row])), rng())[0] == together[row]


def test_playing_on_is_playing_card_by_card() -> None:
    """To the end of the deal, or to a question before a first card."""
    agent = HeuristicAgent()
    tables = mixed_tables(60)
    alone, asked = tables.copy(), 0
    while not tables.is_over.all():
        rows = np.flatnonzero(tables.phase == Phase.PLAY)
        agent.play_on(tables, rows)
        assert not (tables.phase == Phase.PLAY).any()
        while len(rows := np.flatnonzero(alone.phase == Phase.PLAY)):
            alone.step(play_card(alone.turn(rows)), rows)
        assert tables.state.tobytes() == alone.state.tobytes()
        assert np.array_equal(tables.events, alone.events)
        assert np.array_equal(tables.legal_sets(), alone.legal_sets())
        live = np.flatnonzero(~tables.is_over)
        actions = agent.act(tables.turn(live), rng()) if len(live) else np.zeros(0, np.int64)
        tables.step(actions, live)
        alone.step(actions, live)
        asked += len(live)
    assert asked > 100


def test_mixed_phases_in_one_batch() -> None:
    tables = mixed_tables(60)
    generator = rng()
    agent = HeuristicAgent()
    most_phases = 0
    for step in range(40):
        late = np.arange(60) % 3 <= step % 3
        rows = np.flatnonzero(~tables.is_over & late)
        actions = tables.random_actions(generator)
        turn = tables.turn(rows)
        actions[rows] = agent.act(turn, generator)
        most_phases = max(most_phases, len(np.unique(turn.phase)))
        tables.step(actions)
    assert most_phases >= 4


def test_options_and_names() -> None:
    assert HeuristicAgent().name == "heuristic"
    assert HeuristicAgent(bid="pass").name == "heuristic:bid=pass"
    assert HeuristicAgent(bid="scale").name == "heuristic:bid=scale"
    assert HeuristicAgent(play="random").name == "heuristic:play=random"
    both = HeuristicAgent(bid="pass", play="random")
    assert both.name == "heuristic:bid=pass,play=random"
    assert isinstance(both, Agent)
    with pytest.raises(UnknownName, match="did you mean 'random'"):
        HeuristicAgent(play="randon")
    with pytest.raises(UnknownName, match="value of bid 'never'"):
        HeuristicAgent(bid="never")


def test_play_random_draws_and_play_rules_does_not() -> None:
    turn = position("H2 H3 H4 H5 H6 H7 H8", leader=0, taker=2, unseen="H9 H10 HJ S4 S5 S6")
    drawn = {int(HeuristicAgent(play="random").act(turn, np.random.default_rng(s))[0])
             for s in range(40)}  # fmt: skip
    assert len(drawn) == 7
    fixed = {int(HeuristicAgent().act(turn, np.random.default_rng(s))[0]) for s in range(5)}
    assert len(fixed) == 1
    assert fixed == {int(play_card(turn)[0])}


def test_beats_random_card_play() -> None:
    """Fixed deals, garde to the strongest hand: alone against three that play at random."""
    deals, seats = 60, np.arange(4)
    ids = np.repeat(np.arange(deals), 4)
    tables = Tables(RULES, 4 * deals, seed=17)
    tables.reset(deal_ids=ids)
    live = np.flatnonzero(~tables.is_over)
    points = hand_points(tables.columns.hands.reshape(-1, 2)).reshape(-1, 4)
    tables.force(live, points.argmax(1)[live], Bid.GARDE)
    mine = np.tile(seats, deals)
    agents = (HeuristicAgent(), HeuristicAgent(play="random"))
    generator = rng()
    while not tables.is_over.all():
        actions = np.full(4 * deals, -1, np.int64)
        for agent, turn_of in zip(agents, (True, False), strict=True):
            rows = np.flatnonzero(~tables.is_over & ((tables.seat_to_act == mine) == turn_of))
            if len(rows):
                actions[rows] = agent.act(tables.turn(rows), generator)
        tables.step(actions)
    gained = tables.scores[np.arange(4 * deals), mine]
    assert gained.mean() > 30
