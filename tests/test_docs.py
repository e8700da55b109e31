"""The reference page: nothing is missing from it, and it is what the code makes."""

from pathlib import Path

import pytest

import tarot_env
from tarot_env.cards.actions import ACTION_TEXTS, PASS, Phase
from tarot_env.docs import PHASES, page
from tarot_env.observation import observation_layout, state_layout
from tarot_env.rules import Rules
from tarot_env.rules.books import GAMES, PRESETS

PAGE = page()


def test_the_page_is_that_of_the_code() -> None:
    written = Path(tarot_env.__file__).with_name("README.md").read_text(encoding="utf-8")
    assert written == PAGE, "run: python -m tarot_env.docs"


def test_everything_has_its_line() -> None:
    for option in Rules.options():
        assert f"| `{option.name}` |" in PAGE
    for game, sizes in GAMES.items():
        named = f"players={game}" if game.isdigit() else f'game="{game}"'
        assert f"| `{named}` | {sizes.title} |" in PAGE
    for preset in PRESETS:
        assert f"| `{preset}` |" in PAGE
    for action, text in enumerate(ACTION_TEXTS[PASS:], start=PASS):
        assert f"{action} `{text}`" in PAGE
    assert list(PHASES) == list(Phase)
    for phase in Phase:
        assert f"| {phase.value} `{phase.name}` |" in PAGE


@pytest.mark.parametrize("make", [observation_layout, state_layout])
def test_every_field_of_every_game_is_told(make) -> None:
    for preset, games in PRESETS.items():
        for game in games:
            house_rules = {"misere": True} if game in ("3", "4", "5", "mort") else {}
            number = int(game) if game.isdigit() else None
            name = None if game.isdigit() else game
            layout = make(Rules.preset(preset, players=number, game=name, **house_rules))
            for field in layout.fields:
                assert f"`{field.name}`" in PAGE
        sizes = [make(Rules.preset("fft", players=players)).size for players in (3, 4, 5)]
        assert all(f" {size} " in PAGE for size in sizes)
