"""A pack that is not shuffled: gathered after a deal, cut, and dealt in packets."""

import random
from dataclasses import replace

import numpy as np
import pytest
import reference
from reference.match import deal_in_packets as referee_deals
from support.every_game import GAMES, pass_out, play, rules_of

from tarot_env import Bid, Deal, InvalidRules, Phase, Rules, Tables, records
from tarot_env.cards.actions import action_text
from tarot_env.rules.books import PRESETS
from tarot_env.tables import Match, gather
from tarot_env.tables.packet_dealing import chien_shares, deal_in_packets

SHUFFLED = list(range(78))


def followed(tables, rng):
    """Plays a deal; what each side's pile holds as one follows it: (chien or écart, tricks)."""
    aside, tricks = [], []
    while not tables.is_over[0]:
        action = tables.random_actions(rng)
        if tables.phase[0] == Phase.DISCARD:
            aside.append(int(action[0]))
        done = int(tables.columns.trick_number[0])
        tables.step(action)
        if tables.columns.trick_number[0] > done:
            winner = int(tables.columns.last_winner[0])
            tricks.append((winner, tables.columns.last_trick[0].tolist()))
    return aside, tricks


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("bid", [Bid.GARDE, Bid.GARDE_SANS, Bid.GARDE_CONTRE])
def test_the_attacks_pile_is_gathered_first(name, bid):
    rules = rules_of(name)
    deal = replace(Deal.from_seed(11, 1, rules), forced=(0, bid))
    tables = Tables.from_deals(rules, [deal])
    aside, tricks = followed(tables, np.random.default_rng(int(bid)))
    attack = {0, int(tables.partner[0])}
    piles = {
        side: [card for winner, cards in tricks if (winner in attack) == side for card in cards]
        for side in (True, False)
    }
    if bid == Bid.GARDE:
        assert len(aside) == rules.chien_size
        expected = aside + piles[True] + piles[False]
    elif bid == Bid.GARDE_SANS:
        expected = [*deal.chien, *piles[True], *piles[False]]
    else:
        expected = [*piles[True], *deal.chien, *piles[False]]
    assert gather(tables) == expected
    assert sorted(gather(tables)) == SHUFFLED


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_that_nobody_played_is_gathered_hand_by_hand(name):
    rules = rules_of(name)
    deal = Deal.from_seed(11, 3, rules)
    tables = Tables.from_deals(rules, [deal])
    pass_out(tables)
    in_hands = [card for hand in deal.hands for card in hand]
    found = gather(tables)
    assert found[: len(in_hands)] == in_hands
    assert found[len(in_hands) :][: rules.chien_size] == list(deal.chien)
    assert sorted(found) == SHUFFLED


def test_packets_of_four_players():
    deal = deal_in_packets(SHUFFLED, 2, rules_of("4"))
    deal.check(rules_of("4"))
    assert deal.dealer == 2
    assert deal.deal_id is None
    assert deal.hands[3][:6] == (0, 1, 2, 13, 14, 15)
    assert deal.hands[0][:6] == (3, 4, 5, 16, 17, 18)
    assert deal.chien == (6, 19, 32, 45, 58, 71)
    assert deal.hands[1][:6] == (7, 8, 9, 20, 21, 22)
    assert deal.hands[2][-3:] == (75, 76, 77)


def test_packets_of_other_games():
    three = deal_in_packets(SHUFFLED, 0, rules_of("3", packet=3))
    assert three.chien == (6, 16, 26, 36, 46, 56)
    five = deal_in_packets(SHUFFLED, 0, rules_of("5"))
    assert five.chien == (6, 22, 38)
    mort = deal_in_packets(SHUFFLED, 1, rules_of("mort"))
    assert mort.hands[1] == ()
    assert mort.hands[2][:3] == (0, 1, 2)
    assert mort.hands[0][-3:] == (75, 76, 77)
    six = deal_in_packets(SHUFFLED, 5, rules_of("6"))
    assert six.chien == (6, 7, 26, 27, 46, 47)
    dummy = deal_in_packets(SHUFFLED, 0, rules_of("dummy", chien_exclusion=1))
    assert dummy.hands[1][:4] == (0, 1, 2, 3)
    assert dummy.hands[2][:4] == (4, 5, 6, 7)
    assert dummy.chien == (8, 21, 34, 47, 60, 73)
    tirette = deal_in_packets(SHUFFLED, 0, rules_of("tirette"))
    assert tirette.chien == (8, 17, 26, 35, 44, 53)
    assert tirette.stock == tuple(range(54, 78))
    decouverte = deal_in_packets(SHUFFLED, 1, rules_of("decouverte"))
    assert decouverte.hands[0] == (0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23)
    assert decouverte.chien == (8, 9, 18, 19, 28, 29)
    assert decouverte.piles[0][:2] == ((30, 31), (32, 33))
    assert decouverte.piles[1][-1] == (76, 77)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("exclusion", [0, 1, 3, 6, 12, 27])
def test_every_card_is_dealt_once_as_the_referee_deals_it(name, exclusion):
    rng = random.Random(exclusion)
    for packet in range(1, rules_of(name).hand_size + 1):
        rules = rules_of(name, packet=packet, chien_exclusion=exclusion)
        game = reference.find_game(rules.players, rules.game)
        pack, dealer = rng.sample(SHUFFLED, 78), rng.randrange(rules.players)
        texts = [action_text(card) for card in pack]
        options = {"packet": packet, "chien_exclusion": exclusion}
        try:
            expected = referee_deals(texts, game, dealer, options)
        except ValueError:
            with pytest.raises(InvalidRules, match=f"chien_exclusion={exclusion}"):
                deal_in_packets(pack, dealer, rules)
            continue
        deal = deal_in_packets(pack, dealer, rules)
        deal.check(rules)
        assert deal == Deal.from_text(**expected)
        assert not {pack.index(card) for card in deal.chien} - set(range(exclusion, 78 - exclusion))


@pytest.mark.parametrize("preset", PRESETS)
def test_the_packets_of_every_preset_fit(preset):
    for name in PRESETS[preset]:
        game = {"players": int(name)} if name.isdigit() else {"game": name}
        rules = Rules.preset(preset, **game)
        shares = chien_shares(rules)
        assert sum(shares) == rules.chien_size
        assert len(shares) * rules.packet == rules.hand_size


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"packet": 19}, "packet=19; hands have 18 cards"),
        ({"chien_exclusion": 40}, "chien_exclusion=40: dealt in packets of 3, the chien cannot"),
    ],
)
def test_packets_that_cannot_be_are_refused(options, message):
    with pytest.raises(InvalidRules, match=message):
        Match(rules_of("4", shuffle="gather_and_cut", **options))
    Match(rules_of("4", **options))


def undealt(deal, rules):
    """The pack that a deal was dealt from: what `deal_in_packets` did, the other way round."""
    places = deal_in_packets(SHUFFLED, deal.dealer, rules).pack
    pack = [-1] * 78
    for place, card in zip(places, deal.pack, strict=True):
        pack[place] = card
    return pack


@pytest.mark.parametrize("name", GAMES)
def test_cards_are_gathered_and_cut_from_the_second_deal_on(name):
    rules = rules_of(name, shuffle="gather_and_cut", match_deals=4)
    match, tables = Match(rules, seed=7), Tables(rules, seed=7)
    rng, gathered, dealers, cuts = np.random.default_rng(0), None, [], set()
    for number in range(5):
        match.deal_to(tables)
        deal = match.next_deal()
        deal.check(rules)
        dealers.append(deal.dealer)
        assert deal.deal_id == (0 if number == 0 else None)
        if gathered is not None:
            pack = undealt(deal, rules)
            cut = gathered.index(pack[0])
            assert pack == gathered[cut:] + gathered[:cut]
            assert 4 <= cut <= 74
            cuts.add(cut)
        pass_out(tables) if number == 1 else play(tables, rng)
        gathered = gather(tables)
        match.note(tables)
    assert match.is_over
    assert match.next_id == 1
    again = [0, 1, 1, 2, 3] if name == "mort" else [0, 1, 2, 3, 4]
    assert dealers == [dealer % rules.players for dealer in again]
    assert len(cuts) > 1


def test_cuts_are_uniform_and_the_same_on_every_machine():
    rules = rules_of("4", shuffle="gather_and_cut", match_deals=2)
    tables = Tables.from_deals(rules, [Deal.from_seed(7, 0, rules)])
    pass_out(tables)
    cuts = []
    for seed in range(1500):
        match = Match(rules, seed, opening=Deal.from_seed(7, 0, rules))
        match.note(tables)
        cuts.append(gather(tables).index(undealt(match.next_deal(), rules)[0]))
    times = np.bincount(cuts, minlength=75)
    assert not times[:4].any()
    assert times[4:].min() > 0
    assert len(times) == 75
    assert cuts[:6] == [15, 21, 44, 73, 44, 17]


def test_a_gathered_match_is_the_same_again():
    def packs():
        rules = rules_of("5", shuffle="gather_and_cut", match_deals=3)
        match, tables = Match(rules, seed=4), Tables(rules, seed=4)
        rng, found = np.random.default_rng(0), []
        while not match.is_over:
            match.deal_to(tables)
            found.append(match.next_deal().pack)
            play(tables, rng)
            match.note(tables)
        return found

    assert packs() == packs()


@pytest.mark.parametrize("name", GAMES)
def test_every_deal_of_a_match_has_a_record(name):
    rules = rules_of(name, shuffle="gather_and_cut", match_deals=2)
    match, tables, rng = Match(rules, seed=7), Tables(rules, seed=7), np.random.default_rng(0)
    while not match.is_over:
        match.deal_to(tables)
        play(tables, rng)
        record = records.record(tables, 0)
        records.check(record)
        assert record["deal_id"] == match.next_deal().deal_id
        assert record["seed"] == (7 if match.played == 0 else None)
        match.note(tables)
