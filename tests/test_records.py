"""Records: round trips, and edited ones refused with line, action and reason."""

import copy
import json
from dataclasses import replace

import numpy as np
import pytest

from tarot_env import Bid, Deal, InvalidRecord, Rules, Tables
from tarot_env.actions import action_text, parse_action
from tarot_env.records import (
    check,
    check_batch,
    check_files,
    deal_of,
    read_records,
    record,
    replay,
    to_line,
    with_legal,
)

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
    assert again.state.deal_id.tolist() == [3, 9]


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
    ("rules", {"preset": "fft", "players": 10}, "allowed: 4"),
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
    ("scores", [10**400, 0, 0, 0], "scores is"),
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
