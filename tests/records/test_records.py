"""Records: round trips, and edited ones refused with line, action and reason."""

import copy
import json
from dataclasses import replace

import numpy as np
import pytest
from support.every_game import GAMES, pass_out, play, rules_of

from tarot_env import Bid, Deal, InvalidRecord, Phase, Rules, Tables
from tarot_env.cards.actions import action_text, parse_action
from tarot_env.core.dealing import contracts
from tarot_env.records import (
    check,
    check_files,
    deal_of,
    read_records,
    record,
    replay,
    to_line,
    with_legal,
)
from tarot_env.records.files import check_batch

RULES = Rules.preset()


def played(tables, seed=0):
    rng = np.random.default_rng(seed)
    while not tables.is_over.all():
        tables.step(tables.random_actions(rng))
    return [record(tables, row) for row in range(tables.num_tables)]


@pytest.fixture(scope="module")
def records():
    return played(Tables(RULES, 40, seed=7))


@pytest.fixture
def good(records):
    return copy.deepcopy(records[3])


# -- round trips


@pytest.mark.parametrize(
    "rules",
    [RULES, Rules.preset(poignee_thresholds=(5, 6, 7), with_petite=False, half_point="exact")],
)
def test_random_deals_come_back(rules, tmp_path):
    written = played(Tables(rules, 500, seed=11))
    path = tmp_path / "deals.jsonl"
    path.write_text("".join(to_line(deal) + "\n" for deal in written), encoding="utf-8")
    assert list(read_records(path)) == list(enumerate(written, start=1))
    assert check_files([path]) == (500, [])
    assert Rules.from_dict(written[0]["rules"]) == rules


def test_a_replayed_record_is_the_same_record(records):
    for deal in records[:8]:
        for step in replay(deal):
            tables = step.tables
        assert record(tables, 0) == deal


def test_the_form(good):
    assert list(good) == [
        *("format", "rules", "seed", "deal_id", "dealer", "hands", "chien", "actions"),
        *("taker", "partner", "bid", "points", "oudlers", "scores"),
    ]
    assert good["format"] == "tarot-deal/1"
    assert good["rules"] == {"preset": "fft", "players": 4}
    assert (good["seed"], good["deal_id"], good["dealer"]) == (7, 3, 3)
    assert good["chien"] == [action_text(card) for card in Deal.from_seed(7, 3, RULES).chien]
    assert good["actions"][0][0] == 0
    assert isinstance(good["points"], float)
    assert all(isinstance(score, int) for score in good["scores"])
    assert good["partner"] is None
    assert "\n" not in to_line(good)


def test_given_deals_have_no_name():
    deal = replace(Deal.from_seed(7, 3, RULES), dealer=1, seed=None, deal_id=None)
    written = played(Tables.from_deals(RULES, [deal]))[0]
    assert written["seed"] is None
    assert written["deal_id"] is None
    check(written)
    assert deal_of(written).dealer == 1


def test_given_deals_that_share_a_seed_keep_their_names():
    deals = [Deal.from_seed(7, deal_id, RULES) for deal_id in (3, 9)]
    forced = replace(deals[1], forced=(2, Bid.GARDE))
    written = played(Tables.from_deals(RULES, [deals[0], forced]))
    assert [(line["seed"], line["deal_id"]) for line in written] == [(7, 3), (7, 9)]
    assert check_batch(written) == [None, None]
    again = Tables.from_deals(RULES, [deal_of(line) for line in written])
    assert again.deal_ids.tolist() == [3, 9]


def test_thrown_in_deals():
    tables = Tables(RULES, 1, seed=7, first_deal=434)
    petit_sec = record(tables, 0)
    assert petit_sec["actions"] == []
    tables = Tables(RULES, 1, seed=7)
    for _ in range(4):
        tables.step(np.array([78]))
    passed_out = record(tables, 0)
    assert [action for _, action in passed_out["actions"]] == ["pass"] * 4
    for written in (petit_sec, passed_out):
        check(written)
        for key in ("taker", "bid", "points", "oudlers", "partner"):
            assert written[key] is None
        assert written["scores"] == [0, 0, 0, 0]
    petit_sec["actions"] = [[3, "pass"]]
    with pytest.raises(InvalidRecord, match=r"action 1 .*over after 0 actions"):
        check(petit_sec)
    petit_sec |= {"actions": [], "forced": [1, "garde"]}
    with pytest.raises(InvalidRecord, match=r"forced.*petit"):
        check(petit_sec)


def test_forced_contracts():
    tables = Tables(RULES, 2, seed=7)
    tables.force(np.array([0, 1]), np.array([2, 0]), np.array([3, 5]))
    first, second = played(tables)
    assert first["forced"] == [2, "garde"]
    assert second["forced"] == [0, "garde_contre"]
    assert first["actions"][0][0] == 2
    assert check_batch([first, second]) == [None, None]
    assert check_batch([first | {"forced": [1, "garde"]}])[0].startswith("action 1 ")


def test_legal_actions_beside_actions(good):
    legal = with_legal([good])[0]
    assert len(legal["legal"]) == len(good["actions"])
    assert all(
        action in names for (_, action), names in zip(good["actions"], legal["legal"], strict=True)
    )
    check(legal)
    legal["legal"][20].append("T21" if "T21" not in legal["legal"][20] else "S1")
    with pytest.raises(InvalidRecord, match=r"action 21 .*legal actions"):
        check(legal)
    tables = Tables(RULES, 1, seed=7, first_deal=3)
    sets = []
    for _, action in good["actions"]:
        sets.append(tables.legal_sets()[0])
        tables.step(np.array([parse_action(action)]))
    assert record(tables, 0, np.array(sets)) == with_legal([good])[0]


def test_only_finished_deals_have_a_record():
    with pytest.raises(InvalidRecord, match="not over"):
        record(Tables(RULES, 1, seed=1), 0)


def test_a_batch_of_mixed_rules_equals_each_alone(records):
    other = played(Tables(Rules.preset(half_point="exact"), 5, seed=3))
    wrong = copy.deepcopy(records[5])
    wrong["scores"][0] += 1
    mixed = [records[0], other[0], wrong, "garbage", other[1], records[1]]
    alone = [check_batch([deal])[0] for deal in mixed]
    assert check_batch(mixed) == alone
    assert [problem is None for problem in alone] == [True, True, False, False, True, True]


# -- every game


def taken(game, first_deal=0, **options):
    """The record of a deal that was not thrown in."""
    tables = Tables(rules_of(game, **options), 1, seed=7, first_deal=first_deal)
    play(tables, np.random.default_rng(3))
    written = record(tables, 0)
    assert written["taker"] is not None
    return written


@pytest.fixture(scope="module")
def of_games():
    return {game: taken(game) for game in GAMES}


OWN_KEYS = {"5": ["called"], "6": ["contra"], "decouverte": ["piles"], "tirette": ["stock"]}


@pytest.mark.parametrize("game", GAMES)
def test_the_form_in_every_game(game, of_games, good):
    found, rules = of_games[game], rules_of(game)
    assert set(found) == set(good) | set(OWN_KEYS.get(game, []))
    assert found["rules"] == rules.to_dict()
    assert set(found["rules"]) == {"preset", "players" if game.isdigit() else "game"}
    assert len(found["hands"]) == rules.hands
    assert len(found["scores"]) == rules.players
    assert sum(found["scores"]) == 0
    cards = [card for hand in found["hands"] for card in hand] + found["chien"]
    cards += found.get("stock", [])
    cards += [card for piles in found.get("piles", []) for pile in piles for card in pile]
    assert len(set(cards)) == 78
    check(found)


def test_what_a_game_adds(of_games):
    assert of_games["5"]["called"] in ("SK", "HK", "DK", "CK")
    partner = of_games["5"]["partner"]
    if partner is not None:
        assert of_games["5"]["called"] in of_games["5"]["hands"][partner]
    six = of_games["6"]
    assert six["partner"] == (six["taker"] + 3) % 6
    assert six["contra"] in (1, 2, 4)
    mort = of_games["mort"]
    assert [len(hand) for hand in mort["hands"]] == [0, 18, 18, 18, 18]
    assert (mort["dealer"], mort["scores"][0], mort["partner"]) == (0, 0, None)
    piles = of_games["decouverte"]["piles"]
    assert [[len(pile) for pile in seat] for seat in piles] == [[2] * 12] * 2
    assert len(of_games["tirette"]["stock"]) == 24
    assert {seat for seat, _ in of_games["dummy"]["actions"]} == {0, 1, 2}
    pack = [action_text(card) for card in Tables(rules_of("tirette"), 1, seed=7).columns.pack[0]]
    assert of_games["tirette"]["stock"] == pack[54:]
    deal = Deal.from_seed(7, 0, rules_of("decouverte"))
    assert piles[1][0] == [action_text(card) for card in deal.piles[1][0]]


EVERY_OPTION = {
    "3": {"misere": True, "petit_chelem": True, "weak_hand_redeal": 14, "petit_sec": "optional"},
    "4": {"auction": "until_passed", "petit_sec": "imprenable", "score_rounding": 10},
    "5": {"slam_window": "with_bid", "poignee_show": "at_least", "poignee_thresholds": (3, 5, 7)},
    "mort": {"misere": True, "poignee_window": "before_first_trick", "petit_sec": "optional"},
    "6": {"contra_effect": "signal", "petit_chelem": True, "weak_hand_redeal": "no_trumps"},
    "decouverte": {"decouverte_reveal": "after_trick"},
    "tirette": {"tirette_draw_first": "loser"},
    "dummy": {"dummy_reveal": "after_ecart", "half_point": "exact"},
}


@pytest.mark.parametrize("with_options", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_comes_back(game, with_options, tmp_path):
    rules = rules_of(game, **(EVERY_OPTION[game] if with_options else {}))
    tables = Tables(rules, 60, seed=11)
    rng = np.random.default_rng(1)
    rows = np.flatnonzero(~tables.is_over)[::2]
    taker = (tables.columns.dealer[rows].astype(int) + 1) % rules.players
    tables.force(rows, taker, rng.choice(contracts(rules), len(rows)))
    written = played(tables)
    path = tmp_path / "deals.jsonl"
    path.write_text("".join(to_line(deal) + "\n" for deal in written), encoding="utf-8")
    assert [deal for _, deal in read_records(path)] == written
    assert check_files([path]) == (60, [])
    assert Rules.from_dict(written[0]["rules"]) == rules
    assert sum("forced" in deal for deal in written) == len(rows)
    legal = with_legal(written[:4])
    assert check_batch(legal) == [None] * 4
    again = Tables.from_deals(rules, [deal_of(deal) for deal in written])
    assert (again.columns.pack[:, rules.hands * rules.hand_size :] >= 0).all()
    assert (again.columns.chien == tables.columns.chien).all()
    assert [deal_of(deal) for deal in legal] == [deal_of(deal) for deal in written[:4]]


@pytest.mark.parametrize(
    ("game", "options", "contract", "said"),
    [
        ("3", EVERY_OPTION["3"], None, "throw_in petite garde_contre petit_chelem chelem T1"),
        ("5", EVERY_OPTION["5"], Bid.GARDE, "SK HK DK CK poignee triple_poignee pass EX"),
        ("5", {"misere": True}, Bid.PETITE, "misere chelem"),
        ("6", {}, None, "pousse contra recontra garde_contre poignee"),
        ("6", {}, Bid.GARDE, "first_half second_half chelem double_poignee"),
    ],
)
def test_every_action_of_a_deal_stands_in_it(game, options, contract, said):
    tables = Tables(rules_of(game, **options), 200, seed=1)
    if contract is not None:
        rows = np.flatnonzero(~tables.is_over)
        tables.force(rows, 0, contract)
    found = {action for deal in played(tables) for _, action in deal["actions"]}
    assert set(said.split()) <= found
    for row in range(200):
        log = tables.columns.log[row, : tables.columns.log_size[row]].tolist()
        assert record(tables, row)["actions"] == [[s, action_text(a)] for s, a in log]


def test_cards_set_aside_and_withheld_stand_in_a_record_in_their_order():
    tables = Tables(rules_of("5", poignee_thresholds=(2, 3, 4)), 1, seed=7)
    tables.force(np.array([0]), 0, Bid.GARDE)
    phases, names = [], []
    rng = np.random.default_rng(2)
    while not tables.is_over[0]:
        phases.append(Phase(tables.phase[0]))
        legal = tables.legal_actions()[0]
        shows = tables.phase[0] == Phase.POIGNEE
        action = parse_action("poignee") if shows else int(rng.choice(np.flatnonzero(legal)))
        names.append(action_text(action))
        tables.step(np.array([action]))
    written = record(tables, 0)
    assert phases[:5] == [Phase.CALL, *[Phase.DISCARD] * 3, Phase.SLAM]
    assert phases.count(Phase.WITHHOLD) > 1
    assert [action for _, action in written["actions"]] == names
    discards = [names[n] for n in (1, 2, 3)]
    dealt = written["hands"][0] + written["chien"]
    assert set(discards) < set(dealt)
    check(written)


def test_a_declined_redeal_question_stands_in_a_record():
    rules = rules_of("4", weak_hand_redeal=22)
    tables = Tables(rules, 1, seed=7)
    assert tables.phase[0] == Phase.PETIT_SEC
    asked = int(tables.seat_to_act[0])
    pass_out(tables)
    written = record(tables, 0)
    assert written["actions"][0] == [asked, "pass"]
    assert len(written["actions"]) > 4
    check(written)
    written["actions"][0][1] = "throw_in"
    with pytest.raises(InvalidRecord, match=r"action 2 .*over after 1 action$"):
        check(written)


def test_a_contract_is_given_before_any_redeal_question():
    rules = rules_of("4", weak_hand_redeal=22)
    tables = Tables(rules, 1, seed=7)
    tables.force(np.array([0]), 2, Bid.GARDE)
    (written,) = played(tables)
    assert written["forced"] == [2, "garde"]
    assert written["actions"][0][0] == 2
    check(written)


def test_deals_of_other_games_that_are_thrown_in():
    signals = Tables(rules_of("6", petit_sec="off"), 1, seed=7)
    for said in ("petite", "contra", *["pass"] * 5):
        signals.step(np.array([parse_action(said)]))
    five = Tables(rules_of("5"), 1, seed=7)
    mort = Tables(rules_of("mort"), 1, seed=7)
    two = Tables(rules_of("dummy"), 1, seed=7)
    for tables in (five, mort, two):
        pass_out(tables)
    for tables in (signals, five, mort, two):
        written = record(tables, 0)
        for key in ("taker", "partner", "bid", "points", "oudlers"):
            assert written[key] is None
        assert written["scores"] == [0] * tables.rules.players
        check(written)
    assert record(five, 0)["called"] is None
    assert record(signals, 0)["contra"] == 1
    assert len(record(signals, 0)["actions"]) == 7


def test_given_deals_of_two_players_keep_stock_and_piles():
    for game in ("tirette", "decouverte"):
        rules = rules_of(game)
        deal = replace(Deal.from_seed(7, 3, rules), dealer=0, seed=None, deal_id=None)
        (written,) = played(Tables.from_deals(rules, [deal]))
        check(written)
        again = deal_of(written)
        assert (again.stock, again.piles, again.chien) == (deal.stock, deal.piles, deal.chien)


def edit(game, **changes):
    """An edit that puts other values in, each made from the record."""

    def change(deal):
        for key, value in changes.items():
            deal[key] = value(deal) if callable(value) else value

    return game, change


def swap(first, second):
    """An edit that swaps the cards of two places, each a list and an index in it."""

    def change(deal):
        (here, i), (there, j) = first(deal), second(deal)
        here[i], there[j] = there[j], here[i]

    return change


def other_king(deal):
    return next(king for king in ("SK", "HK", "DK", "CK") if king != deal["called"])


def play_of(deal, hand):
    """Where the last card of a hand stands among the actions."""
    return max(n for n, (seat, _) in enumerate(deal["actions"]) if seat == hand)


def illegal_lead(deal):
    """The hand that opens the last trick but one plays a card that it played before."""
    hand = deal["actions"][-6][0]
    first = next(n for n, (seat, _) in enumerate(deal["actions"]) if seat == hand)
    before = [card for seat, card in deal["actions"][first:-6] if seat == hand]
    deal["actions"][-6][1] = before[-1]


GAME_EDITS = [
    (*edit("5", called=other_king), r'called is ".K" in the record, ".K" by the rules'),
    (*edit("5", called=None), "called is null in the record"),
    (*edit("5", called=3), "called must be a card or null; got 3"),
    (*edit("5", partner=lambda deal: deal["taker"]), "partner is . in the record, . by the rules"),
    (*edit("5", partner=None), "partner is null in the record"),
    (*edit("5", stock=[]), "stock has no place in a record of five players, a king is called"),
    (*edit("6", partner=None), "partner is null in the record"),
    (*edit("6", contra=lambda deal: 3 - min(deal["contra"], 2)), "contra is . in the record"),
    (*edit("6", contra="2"), "contra must be 1, 2 or 4; got '2'"),
    (*edit("6", called="SK"), "called has no place in a record of six players"),
    (*edit("4", contra=1), "contra has no place in a record of four players"),
    (*edit("4", piles=[]), "piles has no place in a record of four players"),
    (*edit("4", hands=lambda deal: [*deal["hands"], []]), "5 hands; this game has 4"),
    (*edit("mort", dealer=1), r"hand of seat 0 has 0 cards; it must have 18"),
    (*edit("mort", hands=lambda deal: deal["hands"][1:]), "4 hands; this game has 5"),
    (*edit("mort", taker=0), "taker is 0 in the record"),
    (*edit("dummy", hands=lambda deal: deal["hands"][:2]), "2 hands; this game has 3"),
    (*edit("tirette", stock=lambda deal: deal["stock"][::-1]), "the stock is not that of deal"),
    (*edit("tirette", stock=lambda deal: deal["stock"][1:]), "stock has 23 cards; it must have 24"),
    (*edit("tirette", stock=lambda deal: ["S1", *deal["stock"][1:]]), "not a pack of 78: twice S1"),
    (*edit("tirette", stock=[["S1"]]), "stock must be a list of cards; got .* as entry 1"),
    (*edit("tirette", stock=lambda deal: ["S0", *deal["stock"][1:]]), "unknown card 'S0'"),
    (*edit("decouverte", piles=lambda deal: deal["piles"][::-1]), "the piles are not that of deal"),
    (*edit("decouverte", piles=lambda deal: deal["piles"][:1]), "piles: .12.; wanted: 12 for each"),
    (*edit("decouverte", piles=[[["S1"]]]), "piles must be for each seat a list of .*; got"),
    (*edit("decouverte", piles="S1"), "piles must be"),
    (
        "decouverte",
        lambda deal: deal["piles"][0].pop(),
        r"piles: \[11, 12\]; wanted: 12 for each of two seats",
    ),
    (
        "decouverte",
        lambda deal: deal["piles"][0][0].reverse(),
        "the piles .* not that of deal seed=7 id=0, in",
    ),
    (
        "decouverte",
        swap(lambda deal: (deal["hands"][0], 0), lambda deal: (deal["piles"][1][3], 1)),
        "the hand of seat 0 is not that of deal seed=7 id=0",
    ),
    (
        "tirette",
        swap(lambda deal: (deal["chien"], 0), lambda deal: (deal["stock"], 5)),
        "the chien is not that of deal seed=7 id=0",
    ),
    (
        "dummy",
        swap(lambda deal: (deal["hands"][0], 0), lambda deal: (deal["hands"][2], 1)),
        "the hand of seat 0 is not that of deal",
    ),
    (
        "dummy",
        lambda deal: deal["actions"][play_of(deal, 2)].__setitem__(0, 0),
        "turn of the dummy",
    ),
    ("dummy", lambda deal: deal["actions"].pop(), "stops after action .* is to act"),
    *((game, illegal_lead, r"action \d+ .*not a card in hand") for game in GAMES),
    *(
        (game, lambda deal: deal["scores"].__setitem__(-1, 7), r"scores is \[.*by the rules")
        for game in GAMES
    ),
    *(
        (game, lambda deal: deal["hands"][-1].pop(), "hand of seat . has .* cards")
        for game in GAMES
    ),
    *(
        (game, lambda deal, key=key: deal.pop(key), f"missing with .*: {key}")
        for game, (key,) in OWN_KEYS.items()
    ),
]


@pytest.mark.parametrize(("game", "change", "message"), GAME_EDITS)
def test_edited_records_of_every_game_are_refused(game, change, message, of_games):
    deal = copy.deepcopy(of_games[game])
    change(deal)
    with pytest.raises(InvalidRecord, match=message) as caught:
        check(deal)
    assert "\n" not in str(caught.value)
    assert str(caught.value) == check_batch([of_games["4"], deal])[1]


# -- edited records


def edit_illegal_card(deal):
    index = len(deal["actions"]) - 3
    deal["actions"][index][1] = deal["actions"][index - 8][1]
    return rf"action {index + 1} .*not a card in hand"


def edit_seat(deal):
    deal["actions"][1][0] = 3
    return r"action 2 \(\[3, .*it is the turn of seat 1"


def edit_swapped(deal):
    actions = deal["actions"]
    actions[-1], actions[-2] = actions[-2], actions[-1]
    return rf"action {len(actions) - 1} .*turn of seat"


def edit_missing(deal):
    deal["actions"].pop()
    return rf"stops after action {len(deal['actions'])}.*is to act"


def edit_extra(deal):
    deal["actions"].append([0, "pass"])
    return rf"action {len(deal['actions'])} .*over after"


def edit_unknown_action(deal):
    deal["actions"][4][1] = "gardr"
    return "action 5: unknown action 'gardr'; did you mean"


def edit_bid(deal):
    deal["actions"][0][1] = "garde_contre"
    return "action "


def edit_score(deal):
    deal["scores"][2] += 2
    return r"scores is \[.*by the rules"


def edit_points(deal):
    deal["points"] = 12.5
    return "points is 12.5 in the record"


def edit_no_points(deal):
    deal["points"] = None
    return "points is null in the record"


def edit_taker(deal):
    deal["taker"] = (deal["taker"] + 1) % 4
    return "taker is"


def edit_partner(deal):
    deal["partner"] = 2
    return "partner is 2 in the record, null by the rules"


def edit_contract(deal):
    deal["bid"] = "pousse"
    return 'bid is "pousse"'


def edit_oudlers(deal):
    deal["oudlers"] = 3 - deal["oudlers"]
    return "oudlers is"


def edit_hand_swap(deal):
    deal["hands"][0][0], deal["hands"][1][0] = deal["hands"][1][0], deal["hands"][0][0]
    return "hand of seat 0 is not that of deal seed=7 id=3"


def edit_chien_order(deal):
    deal["chien"].reverse()
    return "chien is not that of deal seed=7 id=3"


def edit_deal_id(deal):
    deal["deal_id"] = 4
    return "hand of seat 0 is not that of deal seed=7 id=4"


def edit_dealer(deal):
    deal["dealer"] = 2
    return "dealer 2; deal seed=7 id=3 is dealt by seat 3"


def edit_card_missing(deal):
    deal["hands"][1].pop()
    return "hand of seat 1 has 17 cards"


def edit_card_twice(deal):
    deal["hands"][1][0] = deal["hands"][1][1]
    return "twice"


def edit_unknown_card(deal):
    deal["hands"][1][0] = "S15"
    return "unknown card 'S15'"


def edit_no_seed(deal):
    deal["seed"] = None
    return "without a seed"


EDITS = [value for name, value in list(globals().items()) if name.startswith("edit_")]


@pytest.mark.parametrize("edit", EDITS)
def test_edited_records_are_refused_with_the_reason(edit, good):
    message = edit(good)
    with pytest.raises(InvalidRecord, match=message):
        check(good)


TYPES = [
    ("format", "tarot-deal/2", "this program reads"),
    ("format", None, "this program reads"),
    ("rules", [], "rules must be"),
    ("rules", {}, "name a preset"),
    ("rules", {"preset": "fft"}, "players or the game"),
    ("rules", {"preset": "fft", "players": 4.0}, "whole number"),
    ("rules", {"preset": "fft", "players": True}, "whole number"),
    ("rules", {"preset": "fft", "players": 10}, "allowed: players 3, 4, 5, game 'mort'"),
    ("rules", {"preset": "fft", "players": 6}, "allowed: players 3, 4, 5, game 'mort'"),
    ("rules", {"preset": "fft", "game": "mort", "players": 4}, "it has 5"),
    ("rules", {"preset": "fft", "game": "morte"}, "did you mean 'mort'"),
    ("rules", {"preset": "fft", "game": 5}, "game must be a name; got 5"),
    ("rules", {"preset": ["fft"], "players": 4}, "name a preset"),
    ("rules", {"preset": "ftf", "players": 4}, "did you mean 'fft'"),
    ("rules", {"preset": "fft", "players": 4, "name": "x"}, "unknown rule option 'name'"),
    ("rules", {"preset": "fft", "players": 4, "half_point": 3}, "allowed: winner|JSON"),
    ("rules", {"preset": "fft", "players": 4, "slam_bonus": [1, [2], 3]}, "whole numbers|JSON"),
    ("rules", {"preset": "fft", "players": 4, "slam_bonus": {1: {2}}}, "JSON"),
    ("seed", "7", "seed must be"),
    ("seed", 7.0, "seed must be"),
    ("seed", -1, "seed must be"),
    ("seed", True, "seed must be"),
    ("seed", 10**50, "seed must be"),
    ("deal_id", 10**50, "deal_id must be"),
    ("deal_id", -3, "deal_id must be"),
    ("dealer", "3", "dealer must be"),
    ("dealer", None, "dealer must be"),
    ("dealer", 10**30, "dealer must be"),
    ("dealer", 7, "dealer 7"),
    ("hands", {}, "hands must be"),
    ("hands", [["S1"], "S2"], "hands must be .* as entry 2"),
    ("hands", [], "0 hands"),
    ("hands", [[1, 2]], "hands must be"),
    ("chien", "S1", "chien must be"),
    ("chien", [None], "chien must be"),
    ("chien", [], "chien has 0 cards"),
    ("actions", None, "actions must be"),
    ("actions", [[0]], "actions must be"),
    ("actions", [["0", "pass"]], "actions must be"),
    ("actions", [[0, 78]], "actions must be"),
    ("actions", [[0, "pass", 1]], "actions must be"),
    ("actions", [[True, "pass"]], "actions must be"),
    ("actions", [[0, "x" * 10**6]], "actions must be"),
    ("actions", [[0, ["pass"]]], "actions must be"),
    ("taker", "1", "taker must be"),
    ("taker", 1.0, "taker must be"),
    ("partner", "x", "partner must be"),
    ("bid", 3, "bid must be"),
    ("points", "49", "points must be"),
    ("points", float("nan"), "points must be"),
    ("points", float("inf"), "points must be"),
    ("points", True, "points must be"),
    ("oudlers", 2.0, "oudlers must be"),
    ("scores", None, "scores must be"),
    ("scores", [1, 2, 3], "scores is"),
    ("scores", ["0", 0, 0, 0], "scores must be .*'0' as entry 1"),
    ("scores", [float("nan"), 0, 0, 0], "scores must be"),
    ("scores", [10**400, 0, 0, 0], "scores must be a list of numbers"),
    ("scores", [True, 0, 0, 0], "scores must be"),
    ("forced", [0], "forced must be"),
    ("forced", [0, "gardd"], "did you mean 'garde'"),
    ("forced", [9, "garde"], "seats 0 to 3"),
    ("forced", None, "forced must be"),
    ("legal", [], "0 lists of legal actions"),
    ("legal", [["pass", 3]], "legal must be"),
    ("legal", None, "legal must be"),
    ("scroes", [0], "did you mean 'scores'"),
]


@pytest.mark.parametrize(("key", "value", "message"), TYPES)
def test_wrong_types_are_refused(key, value, message, good):
    good[key] = value
    with pytest.raises(InvalidRecord, match=message):
        check(good)


@pytest.mark.parametrize("key", ["format", "rules", "seed", "hands", "actions", "scores", "bid"])
def test_missing_keys_are_named(key, good):
    del good[key]
    with pytest.raises(InvalidRecord, match=f"missing: {key}"):
        check(good)


@pytest.mark.parametrize("value", [None, 3, "x", [], [{}], {}])
def test_what_is_no_record(value):
    with pytest.raises(InvalidRecord):
        check(value)


def test_whole_numbers_may_be_written_as_floats_in_points_and_scores(good):
    good["scores"] = [float(score) for score in good["scores"]]
    good["points"] = int(good["points"]) if good["points"].is_integer() else good["points"]
    check(good)


# -- files

LINES = [
    (b"[1, 2]", "JSON object"),
    (b"3", "JSON object"),
    (b"null", "JSON object"),
    (b"hello", "not JSON"),
    (b'{"format": "tarot-deal/1"', "not JSON"),
    (b'{"format": "tarot-deal/1"} x', "not JSON"),
    (b'{"a": NaN}', "NaN is no number"),
    (b'{"a": -Infinity}', "-Infinity is no number"),
    (b'{"a": 1, "a": 2}', "stands twice"),
    (b"\xff\xfe{}", "not UTF-8"),
    (b'{"a": "\xc3"}', "not UTF-8"),
    (b"\xef\xbb\xbf{}", "not JSON"),
    (b'{"a": ' + b"9" * 5000 + b"}", "too many digits"),
    (b'{"a": ' + b"[" * 100_000 + b"}", "nested too deeply"),
    (b'{"format": "\\ud800"}', "this program reads"),
    (b"\x00", "not JSON"),
]


def test_one_file_is_no_list_of_files(tmp_path, wrong_type_error):
    """Its name would be taken letter by letter."""
    with pytest.raises((InvalidRecord, *wrong_type_error)):
        check_files(str(tmp_path))


def test_a_wrong_result_is_shown_cut(records):
    with pytest.raises(InvalidRecord) as refused:
        check(records[0] | {"scores": [0] * 5000})
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(("line", "message"), LINES)
def test_garbage_lines_are_named(line, message, records, tmp_path):
    path = tmp_path / "deals.jsonl"
    good = [to_line(deal).encode() for deal in records[:3]]
    path.write_bytes(b"\n".join([good[0], b"", line, good[1], good[2], b""]))
    result = check_files([path])
    assert [problem.line for problem in result.problems] == [3]
    is_record = message == "this program reads"
    assert (result.num_records, result.problems[0].is_record) == (3 + is_record, is_record)
    assert message in result.problems[0].reason
    assert str(result.problems[0]).startswith(f"{path}:3: ")
    assert "\n" not in str(result.problems[0])
    reader = read_records(path)
    assert next(reader)[1] == records[0]
    with pytest.raises(InvalidRecord, match=rf"{path}:3: .*"):
        next(reader)


def test_every_wrong_line_of_a_file_is_found(records, tmp_path):
    path = tmp_path / "deals.jsonl"
    deals = copy.deepcopy(records[:6])
    deals[1]["scores"][0] += 1
    edit_illegal_card(deals[4])
    path.write_text("\n".join(map(to_line, deals)))
    done = []
    result = check_files([path, path], progress=done.append)
    assert result.num_records == 12
    assert [problem.line for problem in result.problems] == [2, 5, 2, 5]
    assert "action" in result.problems[1].reason
    assert sum(done) == 12


@pytest.mark.parametrize("content", [b"", b"\n\n", b"hello\nworld\n", b"[]\n", b"\x00\xff"])
def test_a_file_without_records(content, tmp_path):
    path = tmp_path / "deals.jsonl"
    path.write_bytes(content)
    with pytest.raises(InvalidRecord, match=r"deals\.jsonl: holds no records"):
        check_files([path])


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(InvalidRecord, match="cannot be read"):
        check_files([tmp_path / "none.jsonl"])
    with pytest.raises(InvalidRecord, match="cannot be read"):
        check_files([tmp_path])


def test_lines_are_plain_json(good):
    assert json.loads(to_line(good)) == good


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_rules_with_a_number_that_json_has_not_are_refused(value: object) -> None:
    given = played(Tables(Rules.preset(), 1, seed=7))[0]
    given["rules"] = {"preset": "fft", "players": 4, "packet": value}
    with pytest.raises(InvalidRecord, match="rules hold a value that JSON has not"):
        check(given)
