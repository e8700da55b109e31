"""`tarot solve`: what the cards of a finished deal could have earned with open cards."""

import json

import pytest

from tarot_env import Rules, TarotError
from tarot_env.records import read_records
from training.analysis.double_dummy import Choice, Review, review
from training.cli.main import main
from training.tournament.simulate import simulate


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Records of deals that somebody took, by rules; made once for each."""
    folder, made = tmp_path_factory.mktemp("records"), {}

    def records(number=1, **arguments):
        rules = Rules.preset(arguments.pop("preset", "fft"), **arguments)
        if rules not in made:
            file = folder / f"{len(made)}.jsonl"
            simulate(["heuristic:play=random"], deals=40, seed=1, out=file, rules=rules)
            made[rules] = [r for _, r in read_records(file) if r["taker"] is not None]
        return made[rules][:number]

    return records


def per_defender(found: Review, choice: Choice, half: int) -> float:
    """What each defender pays by the score of the seat that plays, in a game without extras."""
    record, players = found.record, found.rules.players
    if choice.seat == record["partner"]:
        return half
    if choice.seat != record["taker"]:
        return -half
    return half / (2 if record["partner"] is not None else players - 1)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_what_is_lost_is_what_the_next_card_can_no_longer_get(played, players):
    for record in played(4, players=players):
        found = review(record, tricks=4)
        assert len(found.choices) == 4 * players
        assert [choice.trick for choice in found.choices[::players]] == [
            found.rules.tricks - left for left in (3, 2, 1, 0)
        ]
        value = None
        for choice in found.choices:
            assert choice.exact
            best = max(choice.earned.values())
            if value is not None:
                assert per_defender(found, choice, best) == value
            assert choice.lost == best - choice.earned[choice.card] >= 0
            assert choice.earned[choice.best[0]] == best
            value = per_defender(found, choice, choice.earned[choice.card])
        last = found.choices[-1]
        assert last.earned == {last.card: 2 * record["scores"][last.seat]}
        lost = [sum(c.lost for c in found.choices if c.seat == s) for s in range(players)]
        assert list(found.lost) == lost


@pytest.mark.parametrize(
    "options",
    [
        {"players": 5, "misere": True, "score_rounding": 10, "half_point": "exact"},
        {"players": 5, "partner_share": (1, 1)},
        {"players": 3, "preset": "wikipedia", "misere": True},
        {"players": 4, "preset": "online"},
        {"players": 4, "preset": "jeu-de-tarot", "petit_chelem": True},
    ],
)
def test_the_last_cards_earn_the_score_that_was_written_down(played, options):
    for record in played(6, **options):
        for choice in review(record, tricks=1).choices:
            assert choice.earned == {choice.card: 2 * record["scores"][choice.seat]}
            assert (choice.lost, choice.best) == (0, (choice.card,))


def test_it_goes_back_as_long_as_that_is_quick(played):
    _, record = played(2, players=4)
    short, longer = (review(record, max_nodes=most) for most in (1, 200_000))
    assert short.choices[0].trick == 13
    assert not all(choice.exact for choice in short.choices)
    assert short.choices[-1].exact
    assert longer.choices[0].trick < 13
    assert all(choice.exact for choice in longer.choices)
    asked = review(record, tricks=7, max_nodes=1)
    assert asked.choices[0].trick == 12
    unknown = asked.choices[0]
    assert (unknown.exact, unknown.lost, unknown.best) == (False, None, ())


def test_a_number_of_tricks_out_of_range_is_refused(played):
    (record,) = played(players=5)
    for tricks in (0, 13):
        with pytest.raises(TarotError, match="tricks must be"):
            review(record, tricks=tricks)


@pytest.fixture
def file(tmp_path, played):
    """Two deals that were played, and between them one that nobody took."""
    path, passed = tmp_path / "deals.jsonl", tmp_path / "passed.jsonl"
    simulate(["heuristic:bid=pass"], deals=1, seed=1, out=passed)
    first, second = played(2, players=4)
    lines = [json.dumps(first), passed.read_text().strip(), json.dumps(second)]
    path.write_text("\n".join(lines))
    return str(path)


def test_solve_prints_a_table_for_each_deal(capsys, file):
    assert main(["solve", file, "--tricks", "2"]) == 0
    out = capsys.readouterr().out
    assert out.count("of seed 1: ") == 3
    assert out.count("nobody took, there is nothing to solve") == 1
    assert out.count("Points lost from trick 17 on: seat 0 (") == 2
    lines = out.splitlines()
    assert lines[2].split()[:5] == ["trick", "seat", "played", "best", "lost"]
    assert sum("only card" in line for line in lines) >= 8
    assert sum(line.startswith("  17 ") for line in lines) == 2
    _, record = next(read_records(file))
    first = review(record, tricks=2)
    told = [line for line in lines if "taker" in line and not line.startswith("Points")]
    assert len(told) == 4
    assert f"(taker) {first.lost[record['taker']] / 2:g}" in out


def test_solve_as_json(capsys, file):
    assert main(["solve", file, "--tricks", "3", "--json"]) == 0
    first, passed, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert passed["choices"] == []
    assert passed["lost"] == [0, 0, 0, 0]
    for deal in (first, second):
        assert deal["exact"]
        assert len(deal["choices"]) == 12
        for seat, lost in enumerate(deal["lost"]):
            assert lost == sum(c["lost"] for c in deal["choices"] if c["seat"] == seat)
        for choice in deal["choices"]:
            assert choice["card"] in choice["earned"]
            best = max(choice["earned"].values())
            assert choice["best"] == [c for c, points in choice["earned"].items() if points == best]
            assert choice["lost"] == best - choice["earned"][choice["card"]]
        last = deal["choices"][-1]
        assert last["earned"][last["card"]] == deal["scores"][last["seat"]]


def test_solve_says_what_the_search_did_not_reach(capsys, file):
    assert main(["solve", file, "--tricks", "8", "--max-nodes", "20"]) == 0
    out = capsys.readouterr().out
    assert "where the search was stopped" in out
    assert "  ?  " in out


def test_solve_with_french_letters(capsys, file):
    assert main(["solve", file, "--tricks", "5"]) == 0
    english = capsys.readouterr().out
    assert main(["solve", file, "--tricks", "5", "--french"]) == 0
    french = capsys.readouterr().out
    assert english != french
    assert len(english) == len(french)


def test_what_solve_refuses(capsys, file, tmp_path):
    six = tmp_path / "six.jsonl"
    simulate(["random"], deals=3, seed=7, out=six, rules=Rules.preset("jeu-de-tarot", players=6))
    assert main(["solve", str(six)]) == 2
    assert "six players in three partnerships: cannot be solved" in capsys.readouterr().err
    assert main(["solve", file, "--tricks", "16"]) == 2
    assert "tricks must be 15 or less" in capsys.readouterr().err
    assert main(["solve", file, "--max-nodes", "0"]) == 2
    assert "max_nodes" in capsys.readouterr().err
