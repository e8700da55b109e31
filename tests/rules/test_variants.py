"""The table of presets, games and options, against the presets themselves."""

import pytest

from tarot_env import Rules
from tarot_env.rules import parse_override, value_text
from tarot_env.rules.books import GAMES, PRESETS
from tarot_env.rules.catalogue import SOURCES, variants, variants_text


def option(name):
    (row,) = (row for row in variants().options if row.name == name)
    return row


def defaults(name):
    return {default.preset: default.value for default in option(name).defaults}


def choices(name):
    return {default.preset for default in option(name).defaults if default.is_choice}


def test_everything_is_in_it():
    table = variants()
    assert [row.name for row in table.presets] == list(PRESETS) == list(SOURCES)
    assert [row.name for row in table.games] == list(GAMES)
    assert [row.name for row in table.options] == [field.name for field in Rules.options()]
    assert {row.name: row.presets for row in table.games}["6"] == ("jeu-de-tarot",)
    assert {row.name: row.games for row in table.presets}["fft"] == ("3", "4", "5", "mort")


def test_defaults_stand_where_they_are_not_those_of_fft():
    assert defaults("slam_bonus") == {"fft": "400,200,-200", "jeu-de-tarot": "400,200,-400"}
    assert defaults("excuse_wins_slam_trick") == {
        "fft": "any_position",
        "pagat": "led_only",
        "online": "never",
    }
    assert defaults("defence_slam") == {"fft": "200"}
    assert defaults("match_deals") == {"fft": "none", "online": "8"}
    assert defaults("dummy_reveal") == {"jeu-de-tarot": "after_first_card"}


def test_defaults_by_game():
    assert defaults("poignee_thresholds") == {
        "fft": "13,15,18 (3), 10,13,15 (4, mort), 8,10,13 (5), 6,8,11 (6)"
    }
    assert defaults("packet") == {
        "fft": "4 (3, decouverte, tirette, dummy), 3 (4, 5, mort, 6)",
        "wikipedia": "3 (3)",
        "jeu-de-tarot": "5 (5)",
    }


def test_our_choices_are_told_from_what_a_text_says():
    assert choices("excuse_last_trick_refund") == {"fft"}
    assert choices("half_point") == {"wikipedia", "jeu-de-tarot"}
    assert choices("multipliers") == set()
    assert defaults("poignee_show")["pagat"] == "exact"
    assert choices("contra_effect") == {"jeu-de-tarot"}
    assert "Wikipedia" in option("misere").note
    assert option("defence_slam").note == ""


@pytest.mark.parametrize("row", variants().options, ids=lambda row: row.name)
def test_values_can_be_typed_as_they_are_shown(row):
    field = next(field for field in Rules.options() if field.name == row.name)
    for value in field.metadata["allowed"]:
        text = value_text(value)
        assert text in row.values
        assert parse_override(f"{row.name}={text}") == (row.name, value)
    for default in row.defaults:
        if "(" not in default.value:
            name, value = parse_override(f"{row.name}={default.value}")
            game = next(game for game in PRESETS[default.preset] if game in row.games)
            named = {"players": int(game)} if game.isdigit() else {"game": game}
            rules = Rules.preset(default.preset, **named)
            assert getattr(rules, name) == value


def test_the_text_holds_every_row():
    text = variants_text()
    for name in (*PRESETS, *GAMES):
        assert f"\n  {name}: " in text
    for row in variants().options:
        assert f"\n{row.name} = {' | '.join(row.values)}\n    {row.meaning}\n    " in text
    assert (
        "fft winner; wikipedia exact (our choice); jeu-de-tarot winner (our choice); online" in text
    )
    assert "\n    only with 6\n" in text
    assert "\n    after_ecart is from beuselinck.fr\n" in text
    assert "only with 3, 4, 5, mort, 6, decouverte, tirette, dummy" not in text
