"""The written rules, `tarot_env/RULES.md`: what is cited exists, its tables are those of the code.

What the text says of play is not tested here but by the tests that cite it.
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tarot_env import Rules
from tarot_env.rules import preset_values, value_text
from tarot_env.rules.books import GAMES, PRESETS
from tarot_env.rules.catalogue import variants
from tarot_env.score_sheet import score_deal

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "tarot_env" / "RULES.md").read_text(encoding="utf-8")
NUMBER = r"\d+(?:\.\d+)*"
HEADINGS = re.findall(rf"^##+ ({NUMBER}) ", TEXT, re.MULTILINE)
CITATION = re.compile(rf"RULES\.md[ \n#\"]+({NUMBER}(?:(?:,| to| and)\s+{NUMBER})*)")
"""`RULES.md 9.3`, and lists such as `RULES.md 3.4 to 3.6, 13.3`."""
OPTIONS = {option.name: option.metadata for option in Rules.options()}
PAIRS = [(preset, game) for preset, games in PRESETS.items() for game in games]


def texts() -> Iterator[tuple[str, str]]:
    """(path, text) of each Python, Markdown and TOML file of the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "*.py", "*.md", "*.toml"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for path in listed.stdout.splitlines():
        if (ROOT / path).exists():
            yield path, (ROOT / path).read_text(encoding="utf-8")


def table(heading: str) -> list[list[str]]:
    """The cells of the Markdown table in a section, its head first."""
    section = re.split(r"^##+ ", TEXT.split(f"\n{heading} ")[1], flags=re.MULTILINE)[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in row] for row in rows]
    return [cells[0], *cells[2:]]


def plain(cell: str) -> str:
    """A cell without its marks."""
    return cell.strip("*†` ")


# -- citations


def test_numbers_rise_without_a_gap():
    chapter = section = 0
    for heading in HEADINGS:
        chapter, section = (chapter, section + 1) if "." in heading else (chapter + 1, 0)
        assert heading == (f"{chapter}.{section}" if section else str(chapter))


def test_every_cited_section_exists():
    cited = {
        (path, number)
        for path, text in texts()
        for found in CITATION.findall(text)
        for number in re.findall(NUMBER, found)
    }
    assert len(cited) > 50
    assert {(path, number) for path, number in cited if number not in HEADINGS} == set()


def test_nobody_cites_other_rules():
    other = re.compile(r"\b[Rr]ules[.]md")
    assert [path for path, text in texts() if other.search(text)] == []


def test_links_in_the_text_lead_somewhere():
    titles = re.findall(r"^##+ (.*)$", TEXT, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
    links = re.findall(r"\[([^]]*)\]\(#([^)]*)\)", TEXT)
    assert len(links) > 30
    assert [link for _, link in links if link not in anchors] == []
    for shown, link in links:
        assert link.startswith(shown.replace(".", "") + "-")


def test_edge_cases_are_numbered_through():
    section = TEXT.split("\n## 15 ")[1].split("\n## 16 ")[0]
    assert [int(n) for n in re.findall(r"^(\d+)\. ", section, re.MULTILINE)] == [*range(1, 66)]


# -- options


@pytest.mark.parametrize("name", OPTIONS)
def test_each_option_stands_beside_its_rule(name):
    """Once, with its values as typed and its default, in the section that the table names."""
    (found,) = re.finditer(rf"^> \*\*Option\*\* `{name}`: ", TEXT, re.MULTILINE)
    stated = " ".join(TEXT[found.end() :].split("\n\n")[0].replace("\n> ", " ").split())
    stated = re.split(r"\. |\.$", stated)[0]
    metadata = OPTIONS[name]
    default = value_text(metadata["default"])
    assert f"`{default}` (default)" in stated
    values = {value_text(value) for value in metadata["allowed"]} | {default}
    assert set(re.findall(r"`([^`]*)`", stated)) == values
    words = {0: "", 1: "a whole number", 3: "three whole numbers", 4: "four whole numbers"}
    numbers = words[metadata["ints"]]
    assert ("whole number" in stated) == bool(numbers)
    assert numbers in stated

    section = re.findall(rf"^##+ ({NUMBER}) ", TEXT[: found.start()], re.MULTILINE)[-1]
    (row,) = [row for row in table("### 14.1") if plain(row[0]) == name]
    assert row[1] == section


def test_the_table_has_every_option_in_order():
    assert [plain(row[0]) for row in table("### 14.1")[1:]] == list(OPTIONS)


# -- presets


def games_of(cell: str) -> tuple[str, ...]:
    return tuple(GAMES) if cell == "all" else tuple(cell.split(", "))


def written_value(preset: str, game: str, name: str) -> str | None:
    """What the tables say that an option is in a rule book's game; None where it has no use."""
    head, *rows = table("### 14.1")
    (row,) = [row for row in rows if plain(row[0]) == name]
    if game not in games_of(row[2]):
        return None
    cell = row[head.index(preset)]
    if cell == "14.2":
        head, *rows = table("### 14.2")
        (row,) = [row for row in rows if (plain(row[0]), row[1]) == (name, game)]
        cell = row[head.index(preset)]
    return plain(cell)


@pytest.mark.parametrize(("preset", "game"), PAIRS)
def test_the_tables_hold_the_presets(preset, game):
    values = preset_values(preset, game)
    written = {name: written_value(preset, game, name) for name in OPTIONS}
    used = {name for name in OPTIONS if game in OPTIONS[name]["games"]}
    assert {name for name, value in written.items() if value is not None} == used
    assert {name: written[name] for name in used} == {
        name: value_text(values[name]) for name in used
    }


def test_marks_of_the_table_are_those_of_the_code():
    """Bold where a value is another than fft's, † where it is our choice, a dash for no game."""
    head, *rows = table("### 14.1")
    choices = {
        (row.name, default.preset)
        for row in variants().options
        for default in row.defaults
        if default.is_choice
    }
    for row in rows:
        name, games = plain(row[0]), games_of(row[2])
        for preset in PRESETS:
            cell = row[head.index(preset)]
            described = [game for game in PRESETS[preset] if game in games]
            assert (cell == "–") == (not described)
            if cell in ("–", "14.2"):
                continue
            assert cell.endswith("†") == ((name, preset) in choices)
            other = [preset_values(preset, g)[name] != preset_values("fft", g)[name] for g in games]
            assert cell.startswith("**") == any(other)


def test_the_table_of_games():
    for row in table("### 1.1")[1:]:
        game = re.sub(r'`(players=|game="?)(\w+)"?`', r"\2", row[0])
        sizes = GAMES[game]
        assert sum(map(int, row[2].split("+"))) in (sizes.hand_size, sizes.tricks)
        assert [int(cell) for cell in row[3:6]] == [
            sizes.chien_size,
            sizes.tricks,
            sizes.cards_per_trick,
        ]
        assert row[6] == (", ".join(map(str, sizes.thresholds)) if sizes.thresholds else "none")
    assert len(table("### 1.1")) == len(GAMES) + 1


# -- worked examples


def facts(game: str, besides: str) -> dict[str, object]:
    """What a row of the examples says beside contract, points and oudlers."""
    found: dict[str, object] = {}
    if game == "5":
        found["partner"] = 3 if "partner" in besides else "alone"
    if game == "mort":
        found["dealer"] = 1
    poignee = re.search(r"(double )?poignée(?: of the (defence))?", besides)
    if poignee:
        kind = "double_poignee" if poignee[1] else "poignee"
        found["poignees"] = [f"{poignee[2] or 'attack'}:{kind}"]
    last = re.search(r"petit au bout of the (\w+)", besides)
    if last:
        found["petit_au_bout"] = last[1]
    if "slam announced" in besides:
        found["chelem"] = "failed" if "failed" in besides else "announced"
    if "slam of the defence" in besides:
        found |= {"chelem": "unannounced", "chelem_by": "defence"}
    if "contra" in besides:
        found["contra"] = 2
    return found


@pytest.mark.parametrize("row", table("### 11.9")[1:], ids=lambda row: " ".join(row[:4]))
def test_the_worked_examples_are_what_the_score_sheet_says(row):
    game, contract, oudlers, points, besides, payment, attack = row
    preset = next(preset for preset in PRESETS if game in PRESETS[preset])
    name = {"players": int(game)} if game.isdigit() else {"game": game}
    sheet = score_deal(
        Rules.preset(preset, **name),
        bid=contract.replace(" ", "_"),
        points=float(points),
        oudlers=int(oudlers),
        **facts(game, besides),
    )
    sum_, result = payment.split(" = ")
    assert eval(sum_.replace("x", "*")) == int(result)
    partner = {"5": 3, "6": 3}.get(game)
    expected = [int(score) for score in attack.split(" and ")]
    assert sheet.scores[0] == expected[0]
    if len(expected) == 2:
        assert sheet.scores[partner] == expected[1]
    absent = {1} if game == "mort" else set()
    defence = set(range(len(sheet.scores))) - {0} - absent
    if len(expected) == 2:
        defence -= {partner}
    assert {sheet.scores[seat] for seat in defence} == {-int(result)}
