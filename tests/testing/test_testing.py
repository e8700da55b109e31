"""The checks for users, and the shuffle of hidden cards: they pass what is right, and can fail."""

import numpy as np
import pytest
from reference.by_hand import DECOUVERTE, DUMMY, FIVE, SIX, TIRETTE, at_phase, say, suit, trumps
from reference.by_hand import written as written_in
from support.cheaters import Blind, FailsOnOdd, Liar, Peeps, Vandal
from support.cheaters import Highest as Cheat
from support.lockstep import Both, as_set, rules_of

from tarot_env import Deal, Phase, Rules, Tables, TarotError
from tarot_env.beliefs import public_constraints
from tarot_env.cards import cardsets
from tarot_env.cards.actions import PASS
from tarot_env.core.dealing import STOCK_START, UPPER
from tarot_env.records import record
from tarot_env.records.files import check_batch
from tarot_env.rules.books import PRESETS
from tarot_env.tables import UniformAgent
from tarot_env.testing import (
    CheckFailed,
    check_agent,
    check_rules,
    shuffle_hidden,
    turn_differences,
)

RULES = Rules.preset()
LONG_TRUMPS = Rules.preset(poignee_thresholds=(5, 6, 7))
PAIRS = [(preset, game) for preset, games in PRESETS.items() for game in games]
GAMES = [
    *(("fft", game) for game in ("4", "3", "5", "mort")),
    *(("jeu-de-tarot", game) for game in ("6", "decouverte", "tirette", "dummy")),
]


class Highest:
    name = "highest"

    def act(self, turn, rng):
        return cardsets.highest(turn.legal).astype(np.int64)


class Uniform:
    name = "uniform"

    def act(self, turn, rng):
        return cardsets.random_member(turn.legal, rng)


@pytest.mark.parametrize("agent", [Highest(), Uniform()])
def test_good_agents_pass(agent):
    check_agent(agent, LONG_TRUMPS, deals=12)


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "game"), GAMES[1:])
def test_good_agents_pass_in_every_game(preset, game):
    check_agent(Highest(), rules_of(preset, game, {}), deals=3)


class Illegal(Highest):
    def act(self, turn, rng):
        return np.where(turn.trick_number > 3, 77, super().act(turn, rng))


class OutOfRange(Highest):
    def act(self, turn, rng):
        return super().act(turn, rng) + 100


class Floats(Highest):
    def act(self, turn, rng):
        return super().act(turn, rng).astype(float)


class Short(Highest):
    def act(self, turn, rng):
        return super().act(turn, rng)[1:]


class FailsOnNothing(Highest):
    def act(self, turn, rng):
        return np.array([int(cardsets.highest(turn.legal)[0])] * len(turn))


class Writes(Highest):
    def act(self, turn, rng):
        actions = super().act(turn, rng)
        turn.events[:, 0, 1] = 3
        return actions


class OwnRandomness(Uniform):
    def __init__(self):
        self.rng = np.random.default_rng(0)

    def act(self, turn, rng):
        return super().act(turn, self.rng)


class SeesTheBatch(Highest):
    def act(self, turn, rng):
        rank = np.arange(len(turn)) % cardsets.count(turn.legal)
        return cardsets.kth(turn.legal, rank).astype(np.int64)


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (Illegal(), "legal:"),
        (OutOfRange(), "legal:"),
        (Floats(), "whole numbers"),
        (Short(), "whole numbers"),
        (Writes(), "writes to the turn"),
        (OwnRandomness(), "same generator"),
        (SeesTheBatch(), "beside other rows"),
    ],
)
def test_bad_agents_are_caught(agent, message):
    with pytest.raises(CheckFailed, match=message):
        check_agent(agent, RULES, deals=8)


def test_a_class_is_no_agent():
    with pytest.raises(CheckFailed, match=r"^Highest is a class; give .* such as Highest\(\)$"):
        check_agent(Highest)


def test_an_agent_that_fails_on_an_empty_batch_is_caught():
    with pytest.raises(CheckFailed, match=r"raised IndexError.*an empty batch"):
        check_agent(FailsOnNothing(), RULES, deals=4)


def test_an_agent_that_sees_hidden_cards_is_caught(monkeypatch):
    def leaky(tables, rows=None, seats=None):
        rows, _viewers = tables.viewers(rows, seats)
        return honest(tables, rows, seats).replace(played=tables.columns.hands[rows])

    class Peeks(Highest):
        def act(self, turn, rng):
            hidden = cardsets.half_points(turn.played).sum(1) + turn.played[:, 0, 0] % np.uint64(7)
            rank = hidden.astype(np.int64) % cardsets.count(turn.legal)
            return cardsets.kth(turn.legal, rank).astype(np.int64)

    honest = Tables.turn
    monkeypatch.setattr(Tables, "turn", leaky)
    with pytest.raises(CheckFailed, match="cannot see"):
        check_agent(Peeks(), RULES, deals=8)


@pytest.mark.parametrize(
    "rules", [RULES, LONG_TRUMPS, Rules.preset(excuse_last_trick="owner_keeps", with_petite=False)]
)
def test_rules_pass(rules):
    check_rules(rules, deals=32)


@pytest.mark.parametrize(("preset", "game"), PAIRS)
def test_rules_of_every_game_pass(preset, game):
    check_rules(rules_of(preset, game, {}), deals=12)


def test_broken_play_is_caught(monkeypatch):
    """A king counts half a point too few in the trick that it falls in."""

    def miscounting(tables, actions, rows=None):
        number = tables.state["trick_number"].copy()
        honest(tables, actions, rows)
        t = tables.state
        falls = (t["trick_number"] > number) & (t["last_trick"] == 13).any(1)
        t["trick_half_points"][falls, t["last_winner"][falls]] -= 1

    honest = Tables.step
    monkeypatch.setattr(Tables, "step", miscounting)
    with pytest.raises(CheckFailed, match=r"91 points.*seed=0 id="):
        check_rules(RULES, deals=8)


def test_a_lost_card_is_caught(monkeypatch):
    def forgetful(tables, actions, rows=None):
        honest(tables, actions, rows)
        tables.columns.played[:] &= ~cardsets.PETIT

    honest = Tables.step
    monkeypatch.setattr(Tables, "step", forgetful)
    for preset, game in GAMES:
        with pytest.raises(CheckFailed, match="two places or none"):
            check_rules(rules_of(preset, game, {}), deals=8)


def test_a_covered_card_that_comes_too_early_is_caught(monkeypatch):
    """Both cards of a pile in hand, and the lower one still under it."""

    def hasty(tables, rows, packs, **named):
        honest(tables, rows, packs, **named)
        under = cardsets.BIT[packs[:, UPPER[:, 0] + 1]]
        tables.columns.hands[rows] |= under
        tables.columns.face_up[rows] |= under

    honest = Tables._deal
    monkeypatch.setattr(Tables, "_deal", hasty)
    with pytest.raises(CheckFailed):
        check_rules(rules_of("jeu-de-tarot", "decouverte", {}), deals=8)


# -- the shuffle

OFTEN = {"3": (6, 7, 8), "4": (5, 6, 7), "5": (4, 5, 6), "mort": (5, 6, 7), "6": (3, 4, 5)}
"""Thresholds of poignées that come often."""
SHUFFLED = [
    *(("fft", game, {"poignee_thresholds": OFTEN[game]}) for game in ("4", "3", "5", "mort")),
    ("jeu-de-tarot", "6", {"poignee_thresholds": OFTEN["6"], "petit_sec": "imprenable"}),
    *(("jeu-de-tarot", game, {}) for game in ("decouverte", "tirette", "dummy")),
    ("wikipedia", "4", {"poignee_thresholds": OFTEN["4"], "poignee_excuse": "free"}),
    (
        "wikipedia",
        "5",
        {"misere": True, "petit_sec": "imprenable", "may_discard_called_card": True},
    ),
    ("jeu-de-tarot", "5", {"poignee_thresholds": OFTEN["5"], "misere": True}),
    ("jeu-de-tarot", "3", {"weak_hand_redeal": 11, "poignee_show": "at_least", "misere": True}),
    ("jeu-de-tarot", "decouverte", {"decouverte_reveal": "after_trick"}),
    ("jeu-de-tarot", "dummy", {"dummy_reveal": "after_ecart", "slam_window": "with_bid"}),
]
SHUFFLED_IDS = [f"{preset}-{game}-{len(options)}" for preset, game, options in SHUFFLED]
ALWAYS = {"AUCTION", "SLAM", "PLAY", "OVER"}


def often_passing(tables, rng):
    """Random actions; a seat passes most of the time, so that low contracts are played too."""
    actions = tables.random_actions(rng)
    bids = (tables.phase == Phase.AUCTION) & (rng.random(len(actions)) < 0.6)
    return np.where(bids & tables.legal_actions()[:, PASS], PASS, actions)


def sampled(rules, seed, *, num_tables=24, every=11, early=16):
    """Tables at many points of random deals, each seen from every seat."""
    tables, rng = Tables(rules, num_tables, seed=seed), np.random.default_rng(seed)
    rows = np.tile(np.arange(num_tables), rules.players)
    viewers = np.repeat(np.arange(rules.players), num_tables)
    step = 0
    while True:
        if step % every == 0 or step < early:
            yield tables, rows, viewers, shuffle_hidden(tables, rows, viewers, rng)
        if tables.is_over.all():
            return
        tables.step(often_passing(tables, rng))
        step += 1


def differences(tables, rows, viewers, other):
    """Fields in which the turns of tables and shuffled tables differ."""
    return turn_differences(tables.turn(rows, viewers), other.turn(np.arange(len(rows)), viewers))


def test_the_viewer_sees_no_difference_in_any_phase():
    pairs = set()
    for tables, rows, viewers, other in sampled(LONG_TRUMPS, 3):
        assert not differences(tables, rows, viewers, other)
        pairs |= set(zip(tables.phase[rows].tolist(), other.phase.tolist(), strict=True))
    phases = {first for first, _ in pairs}
    assert phases == {1, 4, 5, 7, 8, 9, 10}
    secret = {Phase.POIGNEE, Phase.WITHHOLD, Phase.PLAY}
    assert {(a, b) for a in secret for b in secret} <= pairs


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "game", "options"), SHUFFLED, ids=SHUFFLED_IDS)
def test_the_viewer_sees_no_difference_in_any_game(preset, game, options):
    """And the cards do move, nearly always while there are some to move.

    Beside an open dummy only one hand is hidden, and an écart or a chien.
    """
    rules = rules_of(preset, game, options)
    phases, moved, total = set(), 0, 0
    for tables, rows, viewers, other in sampled(rules, 4, num_tables=10, early=14, every=12):
        assert not differences(tables, rows, viewers, other)
        phases |= {Phase(phase).name for phase in tables.phase}
        live = (~tables.is_over & (tables.columns.trick_number < rules.tricks - 3))[rows]
        moved += (tables.columns.hands[rows] != other.columns.hands).any((1, 2))[live].sum()
        total += live.sum()
    assert phases >= ALWAYS
    assert moved > (0.8 if game == "dummy" else 0.95) * total


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "game", "options"), SHUFFLED, ids=SHUFFLED_IDS)
def test_shuffled_tables_are_true_tables(preset, game, options):
    """Played on to the end, their records hold against every check."""
    rules = rules_of(preset, game, options)
    rng = np.random.default_rng(0)
    for tables, rows, _, other in sampled(rules, 5, num_tables=4, every=41, early=0):
        assert (other.deal_ids == -1).all()
        assert (tables.is_over[rows] == other.is_over).all()
        while not other.is_over.all():
            other.step(other.random_actions(rng))
        problems = check_batch([record(other, row) for row in range(len(rows))])
        assert problems == [None] * len(rows)


def test_original_tables_are_untouched():
    tables = Tables(RULES, 5, seed=1)
    before = {name: array.copy() for name, array in tables.arrays().items()}
    shuffle_hidden(tables, np.arange(5), np.zeros(5, int), np.random.default_rng(0))
    assert all(np.array_equal(before[name], a) for name, a in tables.arrays().items())


def many(tables, viewer, times=400):
    """The first table, shuffled many times."""
    rows = np.zeros(times, int)
    return shuffle_hidden(tables, rows, np.full(times, viewer), np.random.default_rng(0))


def shares(sets):
    """How often each card is in a set."""
    return cardsets.to_mask(sets)[:, :78].mean(0)


@pytest.mark.parametrize(("preset", "game"), GAMES)
def test_every_hidden_card_can_go_everywhere_in_the_auction(preset, game):
    """As often as there is room: hands, chien, second stock, covered cards."""
    rules = rules_of(preset, game, {"petit_sec": "off"} if preset == "fft" else {})
    tables = Tables(rules, 1, seed=1)
    viewer = 1
    other = many(tables, viewer)
    beside = public_constraints.beside(other.columns, np.arange(400), rules)
    held = np.bitwise_or.reduce(other.columns.hands, axis=1)
    places = [other.columns.hands[:, hand] for hand in range(rules.hands) if hand != viewer]
    places += [other.columns.chien, beside & ~held]
    open_cards = tables.columns.hands[0, viewer]
    if rules.players == 2:
        open_cards = open_cards | np.bitwise_or.reduce(tables.columns.face_up[0])
    hidden = np.setdiff1d(np.arange(78), cardsets.to_ids(open_cards))
    for place in places:
        share = cardsets.count(place & ~open_cards).mean() / len(hidden)
        assert np.allclose(shares(place)[hidden], share, atol=0.12)
    assert (other.columns.hands[:, viewer] == tables.columns.hands[0, viewer]).all()
    assert (other.columns.face_up == tables.columns.face_up[0]).all()


@pytest.mark.parametrize(
    ("game", "places"),
    [
        ("tirette", np.arange(STOCK_START, 78)),
        ("decouverte", (UPPER + 1).ravel()),
        ("6", np.arange(72, 78)),
    ],
)
def test_the_order_of_hidden_cards_is_hidden(game, places):
    """Of the stock, of the cards under others, of the halves of the chien."""
    tables = Tables(rules_of("jeu-de-tarot", game, {}), 1, seed=1)
    other = many(tables, 0, 300)
    for place in places:
        assert len(set(other.columns.pack[:, place].tolist())) > 25


def test_a_lone_petit_stays_what_it_was():
    tables = Tables(RULES, 1, seed=7, first_deal=434)
    rows = np.zeros(20, int)
    other = shuffle_hidden(tables, rows, np.full(20, 1), np.random.default_rng(0))
    assert other.is_over.all()
    assert not (other.columns.hands == tables.columns.hands).all()


def test_the_chien_of_a_garde_stays_and_its_kings_stay_with_the_taker():
    rules = RULES
    base = Deal.from_seed(5, 0, rules)
    chien = (13, 27, 76, 0, 1, 2)
    rest = [card for card in base.pack if card not in chien]
    hands = tuple(tuple(rest[18 * n : 18 * n + 18]) for n in range(4))
    tables = Tables.from_deals(rules, [Deal(hands, chien, 0)])
    tables.force(np.array([0]), 3, 3)
    for card in (0, 1, 2):
        tables.step(np.array([card]))
    rows = np.zeros(200, int)
    other = shuffle_hidden(tables, rows, np.zeros(200, int), np.random.default_rng(0))
    assert (other.columns.chien == tables.columns.chien[0]).all()
    for card in (13, 27, 76):
        assert cardsets.contains(other.columns.hands[:, 3], np.full(200, card)).all()
    for card in (0, 1, 2):
        held = cardsets.contains(other.columns.hands[:, 3], np.full(200, card))
        aside = cardsets.contains(other.columns.ecart[:, 0], np.full(200, card))
        assert (held ^ aside).all()
        assert 0 < held.sum() < 200


@pytest.mark.parametrize(("preset", "game"), GAMES)
def test_voids_and_bounds_are_kept(preset, game):
    rules = rules_of(preset, game, {})
    for tables, rows, viewers, other in sampled(rules, 8, num_tables=8, every=23, early=0):
        for hand in range(rules.hands):
            hidden = viewers != hand
            for kind in range(5):
                void = tables.columns.void[rows, hand, kind] & hidden
                held = other.columns.hands[:, hand] & cardsets.SUIT[kind]
                assert cardsets.is_empty(held)[void].all()
            bound = tables.columns.trump_bound[rows, hand]
            over = other.columns.hands[:, hand] & cardsets.ABOVE[bound]
            assert cardsets.is_empty(over)[hidden].all()


# -- the shuffle, where a game hides something of its own


def five(hand, contract, *, chien="...", **options):
    deal = written_in({0: hand}, chien=chien, game=FIVE)
    return Both(**deal, options={"petit_sec": "off", **options}, forced=(0, contract))


def test_the_partner_may_be_anybody_who_does_not_know_better():
    table = say(five(f"{suit('S', '1 2 3')} {trumps(21, 12)} ...", "garde_sans"), "HK").tables
    holder = int(table.partner[0])
    assert holder > 0
    for viewer in range(5):
        other = many(table, viewer)
        found = set(other.partner.tolist())
        if viewer == holder:
            assert found == {holder}
        elif viewer == 0:
            assert found == {-1, 1, 2, 3, 4}, "-1: it lies in the chien"
        else:
            assert found == {-1, 1, 2, 3, 4} - {viewer}
            own = cardsets.contains(other.columns.hands[:, 0], np.full(400, 27))
            assert own.any(), "the taker may have called its own king"


def test_a_taker_who_may_not_call_its_own_king_does_not_hold_it():
    table = five(f"{suit('S', '1 2 3')} {trumps(21, 12)} ...", "garde_sans", call_own_king=False)
    other = many(say(table, "HK").tables, 3)
    assert not cardsets.contains(other.columns.hands[:, 0], np.full(400, 27)).any()


def test_a_called_queen_says_who_has_the_kings():
    hand = f"SK HK DK CK {trumps(21, 15)} ..."
    other = many(say(five(hand, "garde_sans"), "HQ").tables, 2)
    assert (other.columns.hands[:, 0] & cardsets.KINGS == cardsets.KINGS).all()


def test_halves_of_the_chien_and_ecarts_of_six():
    """A partner's écart is hidden from the taker too; each has its own half of the chien."""
    hands = {0: f"S4 S5 S6 {trumps(21, 16)} ...", 3: f"H4 H5 H6 {trumps(15, 10)} ..."}
    deal = written_in(hands, chien="S1 S2 S3 H1 H2 H3", game=SIX)
    table = Both(**deal, preset="jeu-de-tarot", options={"petit_sec": "off"}, forced=(0, "garde"))
    say(table, "first_half S4 S1 S5 H1 H4 H2")
    halves = as_set(["S1", "S2", "S3"]), as_set(["H1", "H2", "H3"])
    for viewer in (0, 1, 3):
        other = many(table.tables, viewer)
        for column, (seat, half) in enumerate(zip((0, 3), halves, strict=True)):
            together = other.columns.hands[:, seat] | other.columns.ecart[:, column]
            assert ((together & half) == half).all()
            same = (other.columns.ecart[:, column] == table.tables.columns.ecart[0, column]).all(1)
            assert same.all() == (viewer == seat)


def test_a_dummy_is_hidden_until_it_lies_open():
    deal = written_in(game=DUMMY)
    table = Both(**deal, preset="jeu-de-tarot", game="dummy", forced=(0, "garde_sans"))
    at_phase(table, "PLAY")
    for viewer in (0, 1):
        other = many(table.tables, viewer)
        assert shares(other.columns.hands[:, 2]).max() < 0.6
    say(table, table.legal()[0])
    for viewer in (0, 1):
        other = many(table.tables, viewer)
        assert (other.columns.hands[:, 2] == table.tables.columns.hands[0, 2]).all()


def test_what_lies_open_in_the_games_for_two():
    """The exposed card of a stock, cards drawn from it, cards turned up."""
    table = Both(**written_in(game=TIRETTE), preset="jeu-de-tarot", game="tirette",
                 forced=(0, "garde_sans"))  # fmt: skip
    assert len(set(many(table.tables, 0).columns.pack[:, -1].tolist())) > 25
    at_phase(table, "PLAY")
    assert len(set(many(table.tables, 0).columns.pack[:, -1].tolist())) == 1
    for _card in range(4):
        say(table, table.legal()[0])
    other = many(table.tables, 0).columns
    assert (other.face_up == table.tables.columns.face_up[0]).all()
    assert len(set(other.pack[:, STOCK_START + 3].tolist())) == 1
    assert len(set(other.pack[:, STOCK_START + 4].tolist())) > 25

    table = Both(**written_in(game=DECOUVERTE), preset="jeu-de-tarot", game="decouverte",
                 forced=(0, "garde_sans"))  # fmt: skip
    at_phase(table, "PLAY")
    up = table.tables.columns.face_up[0, table.seat]
    say(table, next(card for card in table.legal() if (as_set([card]) & up).any()))
    other = many(table.tables, 0).columns
    assert (other.face_up == table.tables.columns.face_up[0]).all()
    turned = [len(set(column.tolist())) == 1 for column in other.pack[:, (UPPER + 1).ravel()].T]
    assert sum(turned) == 1


def test_a_declared_misere_stays_what_it_is():
    """No trump, but a court card; no court card, but a trump."""
    hands = {1: f"{suit('S', '1 2 3 4 5 6 7 8 9 10 J N Q K')} H1 H2 H3 H4",
             2: f"T2 {suit('D', '1 2 3 4 5 6 7 8 9 10')} {suit('C', '1 2 3 4 5 6 7')}"}  # fmt: skip
    options = {"misere": True, "petit_sec": "off", "poignee_window": "before_first_trick"}
    table = Both(**written_in(hands), options=options, forced=(0, "garde_sans"))
    at_phase(table, "MISERE")
    while table.phase != "PLAY":
        say(table, "misere" if table.seat in (1, 2) and table.phase == "MISERE" else "pass")
    for viewer in (0, 3):
        other = many(table.tables, viewer)
        assert (other.columns.hands != table.tables.columns.hands[0]).any((1, 2)).mean() > 0.9
        assert cardsets.is_empty(other.columns.hands[:, 1] & cardsets.TRUMPS).all()
        assert cardsets.is_empty(other.columns.hands[:, 2] & cardsets.COURT).all()
        assert (other.columns.misere[:, 1:3] == [1, 2]).all()


def test_a_redeal_that_was_asked_for_keeps_its_reason():
    hands = {1: f"{suit('S', '1 2 3 4 5 6 7 8 9 10')} {suit('H', '1 2 3 4 5 6 7 8')}"}
    table = Both(**written_in(hands), options={"weak_hand_redeal": "no_trumps"})
    while table.seat != 1:
        say(table, "pass")
    say(table, "throw_in")
    other = many(table.tables, 2)
    assert (other.columns.hands != table.tables.columns.hands[0]).any((1, 2)).all()
    assert cardsets.is_empty(other.columns.hands[:, 1] & cardsets.TRUMPS).all()
    assert (other.columns.history[:, 0] == [1, 94]).all()


@pytest.mark.parametrize("answer", [[[1], [1, 2]], "pass", None, 1.0])
def test_answers_of_any_kind_are_caught(answer):
    class Answers:
        name = "odd"

        def act(self, turn, rng):
            return answer

    with pytest.raises(CheckFailed, match="'odd' must answer 0 whole numbers"):
        check_agent(Answers(), RULES, deals=2)


def test_what_is_no_agent_and_no_deals(wrong_type_error):
    with pytest.raises((CheckFailed, *wrong_type_error)):
        check_agent(object(), RULES)
    for deals in (0, -1):
        with pytest.raises(TarotError, match="give a whole number, 1 and up"):
            check_rules(RULES, deals=deals)
        with pytest.raises(TarotError, match="give a whole number, 1 and up"):
            check_agent(UniformAgent(), RULES, deals=deals)


# -- agents that see all hands


class CountsTables(Cheat):
    """Its answer depends on how many tables there are."""

    def act_on(self, tables, rows, rng):
        legal = tables.legal_sets()[rows]
        pick = cardsets.lowest if len(rows) % 2 else cardsets.highest
        return pick(legal).astype(np.int64)


class CountsAndRuins(Vandal):
    """The same, and leaves its tables in ruins: the next question is not about these."""

    name = "counts and ruins"

    def act_on(self, tables, rows, rng):
        actions = CountsTables().act_on(tables, rows, rng)
        super().act_on(tables, rows, rng)
        return actions


class Draws(Cheat):
    """Draws from a generator of its own."""

    own = np.random.default_rng(1)

    def act_on(self, tables, rows, rng):
        return cardsets.random_member(tables.legal_sets()[rows], self.own)


class LooksAround(Cheat):
    """Plays by the next seat's hand, which no honest agent may."""

    def act_on(self, tables, rows, rng):
        legal = tables.legal_sets()[rows]
        other = (tables.seat_to_act[rows] + 1) % tables.rules.players
        odd = cardsets.count(tables.columns.hands[rows, other] & cardsets.TRUMPS) % 2 == 1
        return np.where(odd, cardsets.highest(legal), cardsets.lowest(legal)).astype(np.int64)


@pytest.mark.parametrize("agent", [Cheat(), Peeps(), Vandal(), LooksAround()], ids=lambda a: a.name)
def test_agents_that_cheat_may_look_and_touch(agent):
    check_agent(agent, deals=4, seed=1_000_001)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (Liar(), "liar answered 94 in row 0"),
        (FailsOnOdd(), "fails on odd raised RuntimeError: no idea"),
        (CountsTables(), "answers a row differently beside other rows"),
        (CountsAndRuins(), "answers a row differently beside other rows"),
        (Draws(), "answers differently when asked again"),
        (Blind(), r"must have a name and act_on\(tables, rows, rng\)"),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_what_agents_that_cheat_owe_all_the_same(agent, words):
    with pytest.raises(CheckFailed, match=words):
        check_agent(agent, deals=4, seed=1_000_001)
