"""Worlds drawn from a Turn: every deal that fits, as often as it should come, and ready to play."""

import inspect
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, product
from math import comb

import numpy as np
import pytest
from reference.by_hand import LOW, suit, trumps, written
from reference.deals import draw_options
from reference.games import find_game
from scipy import stats
from support.enumeration import Cells, Position, consistent
from support.every_game import GAMES, rules_of
from support.leak_checks import CASES, positions
from support.lockstep import rules_of as options_of
from test_belief_weights import Bidder

from tarot_env import Bid, Deal, Phase, Rules, Tables, TarotError, Turn, beliefs
from tarot_env.beliefs import Worlds, exact_sampler, sample_worlds, tables_from, weights
from tarot_env.beliefs.constraints import Cells as BeliefCells
from tarot_env.beliefs.exact_sampler import Allocation
from tarot_env.beliefs.sampling import fits
from tarot_env.cards import cardsets
from tarot_env.cards.actions import MISERE, PASS, parse_action, parse_card
from tarot_env.core.seating import SEATINGS
from tarot_env.rules.books import PRESETS
from tarot_env.testing import shuffle_hidden, turn_differences

PAIRS = [(preset, game) for preset, games in PRESETS.items() for game in games]
TABLES, ENDINGS, MOST_ARRANGEMENTS, WORLDS = 40, 14, 2000, 3000


# --- endings, against every deal that there is


HELD_BACK = cardsets.KINGS | cardsets.OUDLERS


def held_back(case: str) -> Iterator[Tables]:
    """Tables before each of their steps; the chien is taken up, kings and oudlers come late."""
    rules, rng = options_of(*CASES[case]), np.random.default_rng(5)
    tables = Tables(rules, TABLES, seed=5)
    rows = np.flatnonzero((tables.phase <= Phase.AUCTION) & (rng.random(TABLES) < 0.8))
    tables.force(rows, (tables.columns.dealer[rows] + 1) % rules.players, Bid.GARDE)
    while not tables.is_over.all():
        yield tables
        legal = tables.legal_sets()
        kept = (tables.phase == Phase.PLAY) & (rng.random(TABLES) < 0.9)
        kept = cardsets.where(kept, HELD_BACK)
        tables.step(cardsets.random_member(cardsets.first_nonempty(legal & ~kept, legal), rng))


@cache
def endings(case: str) -> list[tuple[Position, dict[Cells, float]]]:
    """Positions late in a deal, from the seat to act, and the deals that it cannot rule out.

    First some where it matters what an écart was made from: its owner may hold a card that never
    goes, or another.
    """
    rng = np.random.default_rng(0)
    found: tuple[list[Position], list[Position]] = ([], [])
    for tables in chain(held_back(case), positions(f"endings {case}", TABLES, *CASES[case])):
        for row in np.flatnonzero(~tables.is_over):
            position = Position(tables, int(row), int(tables.seat_to_act[row]))
            if not 2 <= position.size <= MOST_ARRANGEMENTS:
                continue
            telling = position.tells_of_an_ecart()
            if telling or rng.random() < 0.2:
                found[telling].append(Position(tables.copy(), int(row), position.viewer))
    others, telling = ([some[at] for at in rng.permutation(len(some))] for some in found)
    chosen = [*telling[: ENDINGS // 2], *others][:ENDINGS]
    return list(zip(chosen, consistent(chosen), strict=True))


def drawn(position: Position, worlds: int, seed: int = 1) -> tuple[Worlds, list[Cells]]:
    """Worlds of a position, and where the cards lie in each that its seat has not seen."""
    tables, rules = position.tables, position.tables.rules
    turn = tables.turn(np.array([position.row]), np.array([position.viewer]))
    found = sample_worlds(turn, worlds, np.random.default_rng(seed))
    places = SEATINGS[rules.game_name].from_viewer[position.viewer, : rules.hands]
    hands = found.hands[0][:, places]
    halves = [found.first_half[0], found.chien[0] & ~found.first_half[0]]
    chien = np.stack(halves if rules.in_partnerships else [found.chien[0]], 1)
    beside = cardsets.of_ids(found.beside[0])[:, None] & ~np.bitwise_or.reduce(
        hands, axis=1, keepdims=True
    )
    cells = np.concatenate([hands, chien, found.ecart[0], beside], 1)
    cells &= cardsets.from_ids(sorted(frozenset().union(*position.true)))
    cells[:, [not pile for pile in position.true]] = 0
    kinds, which = np.unique(cells.reshape(worlds, -1), axis=0, return_inverse=True)
    of_kind = [tuple(frozenset(cardsets.to_ids(c)) for c in k.reshape(-1, 2)) for k in kinds]
    return found, [of_kind[kind] for kind in which.ravel()]


def fit(seen: Sequence[Cells], chances: dict[Cells, float]) -> float:
    """The chance of numbers at least as far from those expected; rare deals are put together."""
    number = dict.fromkeys(chances, 0)
    for cells in seen:
        number[cells] += 1
    expected = np.array(list(chances.values())) * len(seen)
    order = np.argsort(expected)
    groups = np.minimum(np.cumsum(expected[order]) // 8, len(seen) // 16)
    _, group = np.unique(groups, return_inverse=True)
    counted = np.bincount(group, np.array(list(number.values()))[order])
    wanted = np.bincount(group, expected[order])
    return float(stats.chisquare(counted, wanted).pvalue) if len(wanted) > 1 else 1.0


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_every_deal_that_fits_comes_as_often_as_it_should(case: str) -> None:
    """210 endings in all; by chance about 2 of them lie below 0.01."""
    found = [fit(drawn(position, WORLDS)[1], chances) for position, chances in endings(case)]
    assert len(found) == ENDINGS
    assert sum(p < 0.01 for p in found) <= 2, sorted(found)[:4]
    assert min(found) > 1e-5


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_the_true_deal_comes_no_more_often_than_it_should(case: str) -> None:
    excess = variance = 0.0
    for position, chances in endings(case):
        chance = chances[position.true]
        seen = drawn(position, WORLDS)[1].count(position.true)
        assert seen > 0 or chance * WORLDS < 10
        excess += seen - chance * WORLDS
        variance += chance * (1 - chance) * WORLDS
    assert abs(excess) <= 4 * variance**0.5


@pytest.mark.slow
@pytest.mark.parametrize("case", ["4", "5", "6", "imprenable", "dummy"])
def test_fitted_worlds_are_weighted_right(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is too much to count: any sum over the worlds comes out within its own error."""
    monkeypatch.setattr(exact_sampler, "MOST_ROOMS", 0)
    rng, errors = np.random.default_rng(3), []
    for position, chances in endings(case):
        found, seen = drawn(position, WORLDS)
        assert set(seen) <= set(chances)
        value = dict(zip(chances, rng.normal(size=len(chances)), strict=True))
        true = sum(value[cells] * chance for cells, chance in chances.items())
        values = np.array([value[cells] for cells in seen]) - true
        spread = np.sqrt((found.weight[0] ** 2 * values**2).sum())
        errors += [(found.weight[0] * values).sum() / spread] if spread else []
        weight = found.weight[0]
        assert 0.5 < weight.mean() ** 2 / (weight**2).mean() <= 1 + 1e-9
    assert len(errors) > 8
    assert np.abs(errors).max() < 3.5


# --- whole deals


def true_cells(tables: Tables, rows: np.ndarray, viewers: np.ndarray) -> np.ndarray:
    """The hidden cards of some tables where they are, cell by cell."""
    cells, rules = BeliefCells(tables.turn(rows, viewers)), tables.rules
    hidden = tables.hidden(rows, viewers)
    closed = ~tables.columns.chien_open[rows]
    start = (rules.hands - rules.dead_hand) * rules.hand_size
    halves = tables.columns.pack[rows, start : start + rules.chien_size].astype(np.int64)
    halves = halves.reshape(len(rows), 1 + rules.in_partnerships, -1)
    chien = cardsets.where(closed[:, None], cardsets.of_ids(halves))
    ecarts = [
        cardsets.where(owner > 0, hidden.ecart[np.arange(len(rows)), owner])
        for owner in cells.owners.T
    ]
    covered = np.zeros((len(rows), 1, 2), np.uint64)
    if rules.players == 2:
        covered = np.bitwise_or.reduce(hidden.covered, axis=1, keepdims=True)
    return (
        np.concatenate([hidden.hands, chien, np.stack(ecarts, 1), covered], 1)
        & (cells.hidden[:, None])
    )


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize(("preset", "game"), PAIRS)
def test_the_true_deal_is_never_ruled_out(preset: str, game: str, number: int) -> None:
    """At no point of a deal, for no viewer, under drawn rules: its cards fit, cell by cell."""
    name = f"ruled out {preset} {game} {number}"
    named = find_game(*((int(game), None) if game.isdigit() else (None, game)))
    options = draw_options(random.Random(name), preset, named) if number else {}
    rng = np.random.default_rng(number)
    for tables in positions(name, 16, preset, game, options):
        rows = np.flatnonzero(~tables.is_over)
        if not len(rows):
            break
        viewers = rng.integers(0, tables.rules.players, len(rows))
        viewers = np.where(rng.random(len(rows)) < 0.5, tables.seat_to_act[rows], viewers)
        cells, true = BeliefCells(tables.turn(rows, viewers)), true_cells(tables, rows, viewers)
        assert not (true & ~cells.takes).any()
        assert (cardsets.count(true) == cells.room).all()
        whole = Allocation(true[:, None], np.zeros((len(rows), 1)), np.ones((len(rows), 1), bool))
        assert fits(cells, np.arange(len(rows)), whole, rng).all()


def seat_0_leads(deal: Deal) -> Turn:
    """What seat 0 knows when it leads; the others set their lowest cards aside, and say nothing."""
    tables = Tables.from_deals(Rules.preset(petit_sec="off"), [deal])
    while tables.phase[0] != Phase.PLAY or tables.seat_to_act[0] != 0:
        legal = cardsets.to_ids(tables.legal_sets()[0])
        tables.step(np.array([PASS if PASS in legal else legal[0]]))
    return tables.turn()


def comes_as_often(seen: np.ndarray, chances: np.ndarray) -> bool:
    """Whether numbers of worlds are what chance would have; rare ones are put together."""
    expected = chances / chances.sum() * seen.sum()
    rare = expected < 8
    seen, expected = (np.append(x[~rare], x[rare].sum()) for x in (seen, expected))
    return bool(stats.chisquare(seen, expected).pvalue > 1e-3)


def test_an_ecart_says_nothing_of_the_hand_it_came_from() -> None:
    """The taker was dealt any hand; from many plain cards there are more écarts, each less likely.

    Seat 1 took with six plain cards of the chien; seat 0 counts what it may have been dealt.
    """
    deal = Deal.from_text(**written({1: "T2 ..."}, chien="S1 S2 S3 H1 H2 H3"), forced=(1, "garde"))
    turn = seat_0_leads(deal)
    assert turn.taker[0] == 1
    worlds = sample_worlds(turn, 8000, np.random.default_rng(0))
    dealt = (worlds.hands[0, :, 1] | worlds.ecart[0, :, 0]) & ~turn.chien[0]
    unseen = cardsets.ALL_CARDS & ~turn.hand[0] & ~turn.chien[0]
    plain, others = cardsets.count(unseen & np.stack([cardsets.PLAIN, ~cardsets.PLAIN])).tolist()
    seen = np.bincount(cardsets.count(dealt & cardsets.PLAIN), minlength=19)
    assert comes_as_often(seen, stats.hypergeom(plain + others, plain, 18).pmf(np.arange(19)))


def test_nor_do_trumps_in_it() -> None:
    """Seat 1 has five plain cards, all of the chien, and sets one trump aside: any of them all.

    Seat 0 holds none. Of the other cards dealt to the taker, 17 may have gone, and 7 may not.
    """
    hands = {
        0: f"{suit('S', LOW)} {suit('H', LOW.removesuffix(' 9 10'))}",
        1: trumps(20, 4) + " T2",
    }
    deal = Deal.from_text(**written(hands, chien="C1 C2 C3 C4 C5 T3"), forced=(1, "garde"))
    turn = seat_0_leads(deal)
    assert cardsets.to_ids(turn.shown_discards[0]) == [parse_card("T2")]
    worlds = sample_worlds(turn, 8000, np.random.default_rng(0))
    may_go = worlds.hands[0, :, 1] & cardsets.TRUMPS & ~cardsets.OUDLERS
    seen = np.bincount(cardsets.count(may_go) - 1, minlength=18)  # T3 came with the chien
    chances = [comb(17, held) * comb(7, 17 - held) / (held + 2) for held in range(18)]
    assert comes_as_often(seen, np.array(chances))


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("6", [range(72, 75), range(75, 78)]),
        ("tirette", [[54], [55], [77]]),
        ("decouverte", [[31], [33], [77]]),
    ],
)
def test_the_order_of_hidden_cards_is_any(name: str, places: list[Sequence[int]]) -> None:
    """Of a chien in halves, a stock, and cards under others: each card as often in each place."""
    turn = Tables(rules_of(name), 1, seed=3).turn()
    packs = tables_from(turn, sample_worlds(turn, 4000, np.random.default_rng(0))).columns.pack
    hidden = cardsets.to_ids(BeliefCells(turn).hidden[0])
    for place in places:
        seen = np.bincount(packs[:, list(place)].ravel(), minlength=78)
        assert seen[hidden].sum() == seen.sum()
        assert stats.chisquare(seen[hidden]).pvalue > 1e-4


def told_again(tables: Tables) -> Tables:
    """The logs of some tables, played from the deals in their packs."""
    state = tables.columns
    again = Tables.of_packs(tables.rules, state.pack, state.dealer)
    given = np.flatnonzero(state.forced)
    again.force(given, state.taker[given], state.contract[given])
    for number in range(int(state.log_size.max())):
        rows = np.flatnonzero(state.log_size > number)
        assert (again.columns.seat[rows] == state.log[rows, number, 0]).all()
        again.step(state.log[rows, number, 1], rows=rows)
    return again


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_worlds_lie_on_the_tables_as_if_they_had_been_played(case: str) -> None:
    """Seen by the viewer each looks as its Turn does; told again, its state is the same to the bit.

    At any point of a deal, from every seat, whether it is to act or not.
    """
    rng = np.random.default_rng(1)
    for step, tables in enumerate(positions(f"worlds {case}", 12, *CASES[case])):
        live = np.flatnonzero(~tables.is_over)
        if not len(live) or (step > 24 and step % 5):
            continue
        rows = np.repeat(live, tables.rules.players)
        viewers = np.tile(np.arange(tables.rules.players), len(live))
        turn = tables.turn(rows, viewers)
        worlds = sample_worlds(turn, 3, rng)
        imagined = tables_from(turn, worlds)
        of_row = np.repeat(np.arange(len(rows)), 3)
        looks = imagined.turn(np.arange(len(of_row)), viewers[of_row])
        assert turn_differences(looks, turn.take(of_row)) == []
        again = told_again(imagined).arrays()
        differ = [n for n, a in imagined.arrays().items() if not np.array_equal(a, again[n])]
        assert differ == []


@pytest.mark.parametrize("name", GAMES)
def test_worlds_are_played_to_their_end(name: str) -> None:
    rng = np.random.default_rng(2)
    tables = Tables(rules_of(name), 8, seed=1)
    for _step in range(12):
        tables.step(tables.random_actions(rng))
    turn = tables.turn(np.flatnonzero(~tables.is_over))
    imagined = tables_from(turn, sample_worlds(turn, 4, rng))
    assert imagined.num_tables == 4 * len(turn) > 0
    assert (imagined.legal_sets()[::4] == turn.legal).all()
    while not imagined.is_over.all():
        imagined.step(imagined.random_actions(rng))
    assert (imagined.scores.sum(1) == 0).all()


def test_no_world_would_have_been_thrown_in() -> None:
    """Four trumps are out; nobody was dealt the petit alone, for there is a deal to be played."""
    deal = Deal.from_text(**written({0: trumps(20, 3)}))
    turn = Tables.from_deals(Rules.preset(), [deal]).turn()
    worlds, out = sample_worlds(turn, 6000, np.random.default_rng(0)), ["T1", "T2", "T21", "EX"]
    places = np.concatenate([worlds.hands[0, :, 1:], worlds.chien[0, :, None]], 1)
    ids = np.array([parse_card(card) for card in out])
    holds = cardsets.contains(places[:, :, None], ids)
    chances = {}
    for at in product(range(4), repeat=4):
        room = [18, 18, 18, 6]
        chance = 1
        for place in at:
            chance *= room[place]
            room[place] -= 1
        is_alone = at[0] != 3 and at.count(at[0]) == 1
        if not is_alone:
            chances[at] = chance
    seen = Counter(map(tuple, holds.argmax(1).tolist()))
    assert set(seen) <= set(chances)
    counted = np.array([seen[at] for at in chances])
    assert comes_as_often(counted, np.array(list(chances.values()), np.float64))


def test_a_misere_is_of_the_kind_that_was_declared() -> None:
    """Seat 1 has no trump, but a court card, of which one is out."""
    court = "SJ SN SQ SK HJ HN HQ HK DJ DN DQ DK CJ CN CQ"
    deal = written({0: f"{court} T2 T3 T4", 1: f"CK {suit('S', '1 2 3 4 5 6 7 8 9 10')} ..."})
    rules = Rules.preset(misere=True)
    tables = Tables.from_deals(rules, [Deal.from_text(**deal, forced=(2, "garde_sans"))])
    for action in (PASS, 56 + 3, MISERE):
        tables.step(np.array([action]))
    turn = tables.turn(np.array([0]), np.array([0]))
    assert turn.misere.tolist() == [[0, 1, 0, 0]]
    worlds = sample_worlds(turn, 200, np.random.default_rng(0))
    assert (worlds.hands[0, :, 1] & cardsets.KINGS).any(1).all()
    assert not (worlds.hands[0, :, 1] & cardsets.TRUMPS).any()


def after_a_spade(answer: str, *later: str) -> tuple[Turn, np.ndarray]:
    """Seat 0 has led a spade, seat 1 answered, the others followed; worlds of seat 1 as seen by 0.

    A lone petit cannot be taken. Seat 0 holds ten spades and some trumps; seat 3 wins the trick.
    """
    own = f"{suit('S', '1 2 3 4 5 6 7 8 9 10')} {trumps(20, 13)}"
    of_seat_1 = answer if answer == "T1" else f"{answer} T1"
    hands = {0: own, 1: f"{of_seat_1} ...", 2: "SJ ...", 3: "SN C1 ..."}
    deal = written(hands, chien="SQ SK ...")
    tables = Tables.from_deals(
        Rules.preset(petit_sec="imprenable"), [Deal.from_text(**deal, forced=(3, "garde_sans"))]
    )
    for card in ("pass", "S1", answer, "SJ", "SN", *later):
        while tables.phase[0] == Phase.POIGNEE:
            tables.step(np.array([PASS]))
        tables.step(np.array([parse_action(card)]))
    turn = tables.turn(np.array([0]), np.array([0]))
    return turn, sample_worlds(turn, 3000, np.random.default_rng(0)).hands[0, :, 1]


def holds(hands: np.ndarray, cards: np.ndarray) -> np.ndarray:
    return ~cardsets.is_empty(hands & cards)


def test_a_petit_that_did_not_follow() -> None:
    """No spade, or nothing but that petit: no other trump, and no Excuse."""
    turn, hands = after_a_spade("T1")
    spade, trump = holds(hands, cardsets.SUIT[0]), holds(hands, cardsets.TRUMPS | cardsets.EXCUSE)
    assert not (spade & trump).any()
    spades, others = 2, 13
    ways = comb(57 - spades, 17), comb(57 - others, 17), comb(57 - spades - others, 17)
    chance = ways[1] - ways[2], sum(ways[:2]) - ways[2]
    assert not turn.void.any()
    assert abs(spade.mean() - chance[0] / chance[1]) < 0.03
    assert 0 < spade.mean() < 1


def test_a_hand_that_did_not_trump() -> None:
    """It holds the petit alone, or no trump; with the petit no Excuse."""
    _turn, hands = after_a_spade("H2")
    petit, excuse = holds(hands, cardsets.PETIT), holds(hands, cardsets.EXCUSE)
    assert not (petit & excuse).any()
    assert not holds(hands, cardsets.TRUMPS & ~cardsets.PETIT).any()
    one, none = comb(41, 16), comb(41, 17)
    for card in (petit, excuse):
        assert abs(card.mean() - one / (2 * one + none)) < 0.04


def test_a_hand_that_trumps_after_all() -> None:
    """Its petit was alone, when it did not trump: no Excuse was beside it."""
    _turn, hands = after_a_spade("H2", "C1", "T13", "T1")
    assert not holds(hands, cardsets.TRUMPS | cardsets.EXCUSE).any()


def test_a_viewer_that_is_kept_waiting_knows_that_somebody_is_asked() -> None:
    """The leader could play if no other seat had a poignée to show."""
    deal = written({0: f"{suit('S', '1 2 3 4 5 6 7 8 9 10')} {suit('H', '1 2 3 4 5 6 7 8')}",
                    1: f"{trumps(20, 11)} ..."})  # fmt: skip
    rules = Rules.preset(poignee_window="before_first_trick", petit_sec="off")
    tables = Tables.from_deals(rules, [Deal.from_text(**deal, forced=(0, "garde_sans"))])
    tables.step(np.array([PASS]))
    assert (tables.phase[0], tables.seat_to_act[0]) == (Phase.POIGNEE, 1)
    turn = tables.turn(np.array([0]), np.array([0]))
    worlds = sample_worlds(turn, 200, np.random.default_rng(0))
    long = cardsets.count(worlds.hands[0] & (cardsets.TRUMPS | cardsets.EXCUSE)) >= 10
    assert long.any(1).all()
    imagined = tables_from(turn, worlds)
    assert set(imagined.seat_to_act.tolist()) == {1, 2, 3}
    assert (imagined.phase == Phase.POIGNEE).all()


# --- what it must not depend on, and what it refuses


def test_worlds_follow_from_the_turn_and_the_generator_alone() -> None:
    tables = Tables(Rules.preset(), 20, seed=4)
    rng = np.random.default_rng(1)
    for _step in range(20):
        tables.step(tables.random_actions(rng))
    rows = np.flatnonzero(~tables.is_over)
    viewers = tables.seat_to_act[rows]
    others = shuffle_hidden(tables, rows, viewers, rng)
    turns = tables.turn(rows, viewers), others.turn(np.arange(len(rows)), viewers)
    assert not np.array_equal(tables.columns.hands[rows], others.columns.hands)
    found = [sample_worlds(turn, 5, np.random.default_rng(9)) for turn in turns]
    again = sample_worlds(turns[0], 5, np.random.default_rng(8))
    for name in ("hands", "chien", "ecart", "weight"):
        assert np.array_equal(getattr(found[0], name), getattr(found[1], name)), name
    assert not np.array_equal(found[0].hands, again.hands)
    assert list(inspect.signature(sample_worlds).parameters) == ["turn", "worlds", "rng"]


def test_the_turn_is_left_alone() -> None:
    tables = Tables(Rules.preset(), 4, seed=4)
    turn = tables.turn()
    before = turn.take(np.arange(4))
    tables_from(turn, sample_worlds(turn, 2, np.random.default_rng(0)))
    assert turn_differences(before, turn) == []


def test_no_rows() -> None:
    turn = Tables(Rules.preset(), 2, seed=1).turn(np.zeros(0, np.int64))
    worlds = sample_worlds(turn, 3, np.random.default_rng(0))
    assert worlds.hands.shape == (0, 3, 4, 2)
    assert tables_from(turn, worlds).num_tables == 0
    assert weights(turn, worlds, Bidder(), np.random.default_rng(0)).shape == (0, 3)


def test_what_is_refused(wrong_type_error: tuple[type[Exception], ...]) -> None:
    tables = Tables(Rules.preset(petit_sec="off"), 2, seed=1)
    rng = np.random.default_rng(0)
    turn = tables.turn()
    for number in (0, -1, True):
        with pytest.raises(TarotError, match="whole number, 1 and up"):
            sample_worlds(turn, number, rng)
    with pytest.raises(wrong_type_error):
        sample_worlds(turn, 1.5, rng)  # type: ignore[arg-type]
    worlds = sample_worlds(turn, 2, rng)
    for error in (0.0, 1.0, -0.5):
        with pytest.raises(TarotError, match="between 0 and 1"):
            weights(turn, worlds, Bidder(), rng, error=error)
    twice = turn.replace(played=turn.played | turn.hand[:, None])
    with pytest.raises(TarotError, match="row 0 of the turn: no deal was found"):
        sample_worlds(twice, 2, rng)
    nowhere = turn.replace(trump_bound=np.zeros_like(turn.trump_bound))
    nowhere.void[:, :, :4] = True
    with pytest.raises(TarotError, match="no deal was found"):
        sample_worlds(nowhere, 2, rng)
    for _call in range(4):
        tables.step(np.full(2, PASS))
    over = tables.turn(np.arange(2), np.zeros(2, np.int64))
    for refused in (lambda: sample_worlds(over, 2, rng), lambda: tables_from(over, worlds)):
        with pytest.raises(TarotError, match="row 0 of the turn: the deal is over"):
            refused()


def test_the_module_says_what_it_gives() -> None:
    assert set(beliefs.__all__) == {"Worlds", "sample_worlds", "tables_from", "weights"}
