"""Matches: length, dealers, redeals, totals, the drawn dealer, the daily deal."""

import datetime
from dataclasses import replace

import numpy as np
import pytest
from support.every_game import GAMES, pass_out, play, rules_of

from tarot_env import Deal, InvalidDeal, Rules, Tables, TarotError
from tarot_env.cards.actions import PETITE, THROW_IN, parse_card
from tarot_env.tables import Match, daily_seed, match_length
from tarot_env.tables.match import lowest_card


def dealt(match, tables, *, passed=()):
    """Plays a match to its end, the deals of the given numbers passed out; (dealer, id) of each."""
    rng, found = np.random.default_rng(0), []
    while not match.is_over:
        match.deal_to(tables)
        found.append((int(tables.columns.dealer[0]), int(tables.deal_ids[0])))
        if len(found) - 1 in passed:
            pass_out(tables)
        else:
            play(tables, rng)
        match.note(tables)
    return found


# -- length


@pytest.mark.parametrize(
    ("options", "deals", "length"),
    [
        ({}, None, (1, None)),
        ({"match_deals": 8}, None, (8, None)),
        ({"match_target": 1000}, None, (None, 1000)),
        ({"match_deals": 8, "match_target": 1000}, None, (8, 1000)),
        ({"match_deals": 8, "match_target": 1000}, 3, (3, None)),
        ({}, 1, (1, None)),
    ],
)
def test_what_ends_a_match(options, deals, length):
    rules = rules_of("4", **options)
    assert match_length(rules, deals) == length
    assert match_length(rules, deals).is_one_deal == (length == (1, None))


def test_the_online_game_is_eight_deals_whatever_is_passed_out():
    rules = Rules.preset("online")
    match = Match(rules, seed=daily_seed("2026-07-04"))
    tables = Tables(rules, seed=match.seed)
    found = dealt(match, tables, passed=(1, 4))
    assert found == [(n % 4, n) for n in range(10)]
    assert (match.played, match.next_id, match.is_over) == (8, 10, True)


def test_totals_are_the_sums_of_the_deals():
    rules = rules_of("3", match_deals=4)
    match, rng, sums = Match(rules, seed=2), np.random.default_rng(1), np.zeros(3)
    tables = Tables(rules, seed=2)
    while not match.is_over:
        match.deal_to(tables)
        play(tables, rng)
        assert match.note(tables)
        sums += tables.scores[0]
        assert match.totals.tolist() == sums.tolist()
    assert sums.any()
    assert not sums.sum()
    assert match.winners == tuple(np.flatnonzero(sums == sums.max()))
    with pytest.raises(TarotError, match="over after 4 deals"):
        match.next_deal()


def test_a_target_ends_the_match_after_the_deal_that_reaches_it():
    rules = rules_of("4", match_target=300)
    match, rng = Match(rules, seed=5), np.random.default_rng(1)
    tables, highest = Tables(rules, seed=5), []
    while not match.is_over and len(highest) < 40:
        match.deal_to(tables)
        play(tables, rng)
        match.note(tables)
        highest.append(match.totals.max())
    assert match.is_over
    assert highest[-1] >= 300 > max(highest[:-1])
    both = Match(replace(rules, match_deals=1), seed=5)
    dealt(both, tables)
    assert both.played == 1 < len(highest)


def test_ties_are_shared_and_partners_win_together():
    assert Match(rules_of("4")).winners == (0, 1, 2, 3)
    rules = rules_of("6")
    match, tables = Match(rules, seed=1), Tables(rules, seed=1)
    dealt(match, tables)
    first = match.winners[0]
    assert {first, (first + 3) % 6} <= set(match.winners)


# -- who deals, and which deal


@pytest.mark.parametrize("name", GAMES)
def test_the_deal_passes_to_the_right_and_keeps_its_name(name):
    rules = rules_of(name, match_deals=4)
    match = Match(rules, seed=7, first_deal=9)
    found = dealt(match, Tables(rules, seed=7))
    assert found == [(n % rules.players, n) for n in range(9, 13)]


def test_who_deals_again():
    def dealers(name, **options):
        rules = rules_of(name, match_deals=2, **options)
        return dealt(Match(rules, seed=7), Tables(rules, seed=7), passed=(1, 2))

    assert dealers("4") == [(0, 0), (1, 1), (2, 2), (3, 3)]
    assert dealers("4", redeal_dealer="same") == [(0, 0), (1, 1), (1, 5), (1, 9)]
    assert dealers("mort") == [(0, 0), (1, 1), (1, 6), (1, 11)]
    assert dealers("6") == [(0, 0), (1, 1), (2, 2), (3, 3)]


def test_after_a_dummy_bid_of_six_the_same_dealer_deals_again():
    rules = rules_of("6", match_deals=2)
    match, tables = Match(rules, seed=7), Tables(rules, seed=7)
    match.deal_to(tables)
    tables.step(np.array([PETITE]))
    pass_out(tables)
    assert not match.note(tables)
    assert (match.next_deal().dealer, match.next_deal().deal_id) == (0, 6)


@pytest.mark.parametrize(
    ("first_deal", "options", "following"),
    [
        (0, {"weak_hand_redeal": 30}, (1, 1)),
        (434, {"petit_sec": "optional"}, (2, 438)),
        (434, {"petit_sec": "optional", "weak_hand_redeal": 1}, (2, 438)),
        (434, {"petit_sec": "imprenable", "weak_hand_redeal": 30}, (3, 435)),
    ],
)
def test_who_deals_after_a_hand_that_was_thrown_in(first_deal, options, following):
    rules = rules_of("4", redeal_dealer="same", **options)
    match, tables = Match(rules, 7, first_deal), Tables(rules, seed=7)
    match.deal_to(tables)
    tables.step(np.array([THROW_IN]))
    assert not match.note(tables)
    assert (match.next_deal().dealer, match.next_deal().deal_id) == following


PETIT_SEC = 434
"""A deal of seed 7 with a lone petit; fft, four players."""


def test_a_petit_sec_is_dealt_again_and_does_not_count():
    rules = rules_of("4")
    match = Match(rules, seed=7, first_deal=PETIT_SEC)
    assert dealt(match, Tables(rules, seed=7)) == [(2, 434), (3, 435)]
    match = Match(rules, seed=7, first_deal=PETIT_SEC, redeal=False)
    assert dealt(match, Tables(rules, seed=7)) == [(2, 434)]
    assert match.played == 1


def test_a_seat_that_is_left_out_never_deals():
    rules = rules_of("mort", match_deals=6)
    match = Match(rules, seed=7, left_out=0)
    found = dealt(match, Tables(rules, seed=7), passed=(0,))
    assert found == [(1, 1), (1, 6), (2, 7), (3, 8), (4, 9), (1, 11), (2, 12)]
    assert Match(rules_of("4"), seed=7, left_out=0).next_deal().dealer == 0


def test_an_opening_deal_uses_up_no_id():
    rules = rules_of("4", match_deals=3)
    opening = replace(Deal.from_seed(99, 2, rules), seed=None, deal_id=None)
    match = Match(rules, seed=7, opening=opening)
    assert dealt(match, Tables(rules, seed=7)) == [(2, -1), (3, 3), (0, 4)]


def test_the_next_deal_stays_the_same_until_it_is_noted():
    match = Match(rules_of("4"), seed=3)
    assert match.next_deal() is match.next_deal()
    assert match.next_deal() == Deal.from_seed(3, 0, match.rules)


def test_what_is_not_the_deal_of_the_match_is_not_noted():
    rules = rules_of("4", match_deals=2)
    match, tables = Match(rules, seed=7), Tables(rules, seed=8)
    play(tables, np.random.default_rng(0))
    with pytest.raises(TarotError, match="does not hold the deal of the match"):
        match.note(tables)
    match.deal_to(tables)
    with pytest.raises(TarotError, match="not over yet"):
        match.note(tables)
    play(tables, np.random.default_rng(0))
    with pytest.raises(TarotError, match="no table 1"):
        match.note(tables, 1)
    match.note(tables)
    with pytest.raises(TarotError, match="does not hold the deal of the match"):
        match.note(tables)
    assert match.played == 1


def test_matches_side_by_side():
    rules = rules_of("4", match_deals=2)
    tables = Tables(rules, 2, seed=7)
    matches = [Match(rules, 7, first_deal=40 * lane) for lane in range(2)]
    for row, match in enumerate(matches):
        match.deal_to(tables, row)
    assert tables.deal_ids.tolist() == [0, 40]
    rng = np.random.default_rng(0)
    while not tables.is_over.all():
        tables.step(tables.random_actions(rng))
    for row, match in enumerate(matches):
        match.note(tables, row)
        assert np.array_equal(match.totals, tables.scores[row])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"deals": 0}, "deals=0; give a whole number, 1 and up"),
        ({"first_deal": -1}, "first_deal -1; give a whole number"),
        ({"seed": -1}, "seed -1"),
        ({"opening": Deal((), (), 0)}, "0 hands; this game has 4"),
        ({"opening": "S1"}, "a str is no Deal: 'S1'"),
        ({"redeal": "x"}, "redeal='x'; allowed: True, False"),
        ({"left_out": 99}, "left_out 99; allowed: seats 0 to 3"),
    ],
)
def test_matches_that_cannot_be(arguments, message, wrong_type_error):
    with pytest.raises((TarotError, *wrong_type_error)) as refused:
        Match(rules_of("4"), **arguments)
    if isinstance(refused.value, TarotError):
        refused.match(message)


# -- the first dealer


@pytest.mark.parametrize(
    ("cards", "lowest"),
    [
        ("S1 H1 D1 C1", "C1"),
        ("S1 H1 D1", "D1"),
        ("S1 H1", "H1"),
        ("S1 C2", "S1"),
        ("SK T1", "SK"),
        ("T21 T2 T3", "T2"),
        ("C10 SJ HK", "C10"),
        ("HQ HN HK", "HN"),
    ],
)
def test_the_lowest_card_deals(cards, lowest):
    ids = [parse_card(card) for card in cards.split()]
    assert lowest_card(ids) == parse_card(lowest)
    assert lowest_card(ids[::-1]) == parse_card(lowest)


@pytest.mark.parametrize("name", ["3", "mort", "6", "dummy"])
def test_the_first_dealer_is_drawn(name):
    rules = rules_of(name, first_dealer="drawn")
    dealers = set()
    for seed in range(60):
        match = Match(rules, seed)
        assert len(set(match.drawn)) == rules.players
        assert parse_card("EX") not in match.drawn
        deal = match.next_deal()
        assert match.drawn[deal.dealer] == lowest_card(match.drawn)
        assert deal.deal_id == deal.dealer
        assert Match(rules, seed).drawn == match.drawn
        dealers.add(deal.dealer)
    assert dealers == set(range(rules.players))
    assert Match(rules, 3, first_deal=1).drawn != Match(rules, 3).drawn
    assert Match(rules_of(name), 3).drawn == ()


def test_whoever_draws_the_excuse_draws_again(monkeypatch):
    drawn = [parse_card(card) for card in ("H5", "EX", "C5", "T1", "S5")]
    keys = np.full(78, 78, np.uint64)
    keys[drawn] = np.arange(5)
    monkeypatch.setattr(Match, "_keys", lambda match, number, n: keys)
    match = Match(rules_of("4", first_dealer="drawn"), 0)
    assert match.drawn == tuple(drawn[:1] + drawn[2:])
    assert match.next_deal().dealer == 1


# -- the daily deal


def test_the_seed_of_a_day():
    assert daily_seed("2026-07-04") == 20260704
    assert daily_seed(datetime.date(2025, 12, 31)) == 20251231
    west = datetime.timezone(datetime.timedelta(hours=-5))
    assert daily_seed(datetime.datetime(2026, 7, 4, 22, tzinfo=west)) == 20260705
    today = datetime.datetime.now(datetime.UTC).date()
    assert daily_seed() in (daily_seed(today), daily_seed(today + datetime.timedelta(days=1)))


@pytest.mark.parametrize("date", ["2026-02-30", "today", "04/07/2026", ""])
def test_what_is_no_date_is_refused(date):
    with pytest.raises(InvalidDeal, match="write it as YYYY-MM-DD"):
        daily_seed(date)


def test_a_date_of_the_wrong_type(wrong_type_error):
    with pytest.raises((InvalidDeal, *wrong_type_error)):
        daily_seed(20260704)


def test_a_match_that_nobody_plays_is_given_up():
    rules = Rules.preset("fft", players=4)
    match, tables = Match(rules, seed=1), Tables(rules, 1, seed=1)
    for _ in range(999):
        match.deal_to(tables)
        pass_out(tables)
        match.note(tables)
    match.deal_to(tables)
    pass_out(tables)
    with pytest.raises(TarotError, match="1000 deals in a row that nobody played"):
        match.note(tables)
    assert match.played == 0
    with pytest.raises(TarotError, match="nobody played"):
        match.note(tables)


NOTHING_PAID = {
    "multipliers": (0, 0, 0, 0),
    "slam_bonus": (0, 0, 0),
    "defence_slam": 0,
    "poignee_bonus": (0, 0, 0),
}


@pytest.mark.parametrize(
    ("options", "arguments", "end", "why"),
    [
        (NOTHING_PAID, {}, play, "3 deals in a row that brought nobody a point"),
        ({}, {"redeal": False}, lambda tables, rng: pass_out(tables), "that nobody played"),
    ],
)
def test_a_match_to_a_target_that_nobody_comes_nearer_to_is_given_up(
    monkeypatch, options, arguments, end, why
):
    monkeypatch.setattr("tarot_env.tables.match.MOST_IN_VAIN", 3)
    rules, rng = rules_of("4", match_target=100, **options), np.random.default_rng(0)
    match, tables = Match(rules, seed=1, **arguments), Tables(rules, 1, seed=1)
    for _ in range(2):
        match.deal_to(tables)
        end(tables, rng)
        assert match.note(tables)
    match.deal_to(tables)
    end(tables, rng)
    deal = match.next_deal()
    with pytest.raises(TarotError, match=f"{why}; the match would not end"):
        match.note(tables)
    assert (match.played, match.is_over, match.next_deal()) == (2, False, deal)


def test_a_number_of_deals_is_played_though_nobody_scores(monkeypatch):
    monkeypatch.setattr("tarot_env.tables.match.MOST_IN_VAIN", 3)
    rules = rules_of("4", match_deals=4, **NOTHING_PAID)
    assert len(dealt(Match(rules, seed=1), Tables(rules, 1, seed=1))) == 4
