"""The referee's presets and checks of options (RULES.md 14)."""

from typing import Any

import pytest
from reference import Referee, preset_options, read_options
from reference.by_hand import written
from reference.options import DESCRIBED

# The table of RULES.md 14.1, row by row; `=` stands for the value of the FFT.
TABLE: dict[str, tuple[Any, ...]] = {
    "first_lead": ("first_hand", "=", "=", "taker", "="),
    "slam_announcer_leads": (True, "=", "=", "=", "="),
    "slam_window": ("after_ecart", "=", "with_bid", "=", "="),
    "slam_bonus": ((400, 200, -200), "=", "=", (400, 200, -400), "="),
    "defence_slam": (200, "=", "=", "=", "="),
    "excuse_last_trick": ("changes_side", "trick_winner", "=", "owner_keeps", "trick_winner"),
    "excuse_last_trick_refund": (True, True, False, True, True),
    "excuse_wins_slam_trick": ("any_position", "led_only", "=", "=", "never"),
    "petit_au_bout_second_last": (True, "=", "=", False, False),
    "poignee_thresholds": ((10, 13, 15), "=", "=", "=", "="),
    "poignee_bonus": ((20, 30, 40), "=", (20, 40, 60), "=", "="),
    "poignee_window": ("own_first_card", "=", "=", "before_first_trick", "before_first_trick"),
    "poignee_show": ("exact", "=", "at_least", "=", "="),
    "poignee_counts_shown_discards": (True, False, False, False, False),
    "poignee_excuse": ("only_if_no_trump_hidden", "=", "=", "=", "="),
    "half_point": ("winner", "=", "exact", "=", "taker"),
    "petit_sec": ("mandatory", "=", "=", "optional", "="),
    "petit_sec_excuse_protects": (True, "=", "=", False, "="),
    "weak_hand_redeal": ("off", "=", "=", "=", "="),
    "redeal_dealer": ("next", "=", "=", "=", "="),
    "auction": ("single", "=", "until_passed", "=", "="),
    "with_petite": (True, "=", "=", "=", "="),
    "multipliers": ((1, 2, 4, 6), "=", "=", "=", "="),
    "misere": (False, "=", "=", "=", "="),
    "petit_chelem": (False, "=", "=", "=", "="),
    "score_rounding": (0, "=", "=", "=", "="),
    "shuffle": ("full", "gather_and_cut", "gather_and_cut", "full", "full"),
    "packet": (3, "=", "=", "=", "="),
    "chien_exclusion": (1, 3, 1, 6, 1),
    "first_dealer": ("random", "=", "drawn", "=", "="),
    "match_deals": (None, "=", "=", "=", 8),
    "match_target": (None, "=", "=", "=", "="),
    # Fields of other games.
    **dict.fromkeys(("call_own_king", "first_lead_bans_called_suit"), (None, *["="] * 4)),
    **dict.fromkeys(("may_discard_called_card", "partner_share"), (None, *["="] * 4)),
    **dict.fromkeys(("contra_effect", "decouverte_reveal"), (None, *["="] * 4)),
    **dict.fromkeys(("dummy_reveal", "tirette_draw_first"), (None, *["="] * 4)),
}


@pytest.mark.parametrize(
    ("column", "preset"), list(enumerate(["fft", "pagat", "wikipedia", "jeu-de-tarot", "online"]))
)
def test_presets_of_four(column: int, preset: str) -> None:
    expected = {
        field: values[0] if values[column] == "=" else values[column]
        for field, values in TABLE.items()
    }
    assert preset_options(preset) == expected


@pytest.mark.parametrize(
    ("preset", "players", "game", "values"),
    [
        ("fft", 3, None, {"poignee_thresholds": (13, 15, 18), "packet": 4}),
        ("fft", 5, None, {"poignee_thresholds": (8, 10, 13), "packet": 3}),
        ("fft", 5, "mort", {"poignee_thresholds": (10, 13, 15), "packet": 3}),
        ("wikipedia", 3, None, {"packet": 3}),
        ("jeu-de-tarot", 3, None, {"packet": 4}),
        ("jeu-de-tarot", 5, None, {"packet": 5}),
        ("jeu-de-tarot", 6, None, {"poignee_thresholds": (6, 8, 11), "packet": 3}),
        ("jeu-de-tarot", None, "tirette", {"poignee_thresholds": None, "packet": 4}),
        ("fft", 5, None, {"call_own_king": True, "first_lead_bans_called_suit": True}),
        ("fft", 5, None, {"may_discard_called_card": False, "partner_share": (2, 1)}),
        ("jeu-de-tarot", 5, None, {"call_own_king": False, "first_lead_bans_called_suit": False}),
        ("fft", 5, "mort", {"call_own_king": None, "partner_share": None}),
        ("jeu-de-tarot", 6, None, {"contra_effect": "double", "auction": None}),
        ("jeu-de-tarot", 6, None, {"misere": False, "score_rounding": 0, "with_petite": True}),
        ("jeu-de-tarot", None, "decouverte", {"decouverte_reveal": "immediate"}),
        ("jeu-de-tarot", None, "dummy", {"dummy_reveal": "after_first_card", "first_lead": None}),
        ("jeu-de-tarot", None, "tirette", {"tirette_draw_first": "winner", "first_lead": "taker"}),
        (
            "jeu-de-tarot",
            None,
            "tirette",
            {"petit_sec": "off", "misere": False, "dummy_reveal": None},
        ),
    ],
)
def test_values_by_game(
    preset: str, players: int | None, game: str | None, values: dict[str, Any]
) -> None:
    options = preset_options(preset, players, game)
    assert {field: options[field] for field in values} == values


def test_games_that_a_preset_describes() -> None:
    named = {"mort": 5, "decouverte": 2, "tirette": 2, "dummy": 2}
    every = [(players, None) for players in (3, 4, 5, 6)]
    every += [(players, name) for name, players in named.items()]  # type: ignore[misc]
    described = {
        "fft": {3, 4, 5, "mort"},
        "pagat": {3, 4, 5},
        "wikipedia": {3, 4, 5},
        "jeu-de-tarot": {3, 4, 5, 6, "decouverte", "tirette", "dummy"},
        "online": {4},
    }
    for preset, games in described.items():
        for players, name in every:
            if (name or players) in games:
                assert preset_options(preset, players, name)
            else:
                with pytest.raises(ValueError, match="no preset"):
                    preset_options(preset, players, name)
    assert set(DESCRIBED) == set(described)
    with pytest.raises(ValueError, match="no preset 'house'"):
        preset_options("house")


TWO = {"preset": "jeu-de-tarot", "players": 2, "game": "dummy"}
SIX = {"preset": "jeu-de-tarot", "players": 6}
FIVE = {"players": 5}


@pytest.mark.parametrize(
    ("rules", "options", "message"),
    [
        pytest.param(FIVE, {"partner_share": (1, 1), "half_point": "exact"}, "quarters", id="11"),
        pytest.param(SIX, {"misere": True}, "in this game", id="six misere"),
        pytest.param(SIX, {"score_rounding": 10}, "in this game", id="six rounding"),
        pytest.param(SIX, {"with_petite": False}, "in this game", id="six without petite"),
        pytest.param(SIX, {"auction": "single"}, "in this game", id="six auction"),
        pytest.param(TWO, {"petit_sec": "mandatory"}, "in this game", id="two petit sec"),
        pytest.param(TWO, {"weak_hand_redeal": "no_trumps"}, "in this game", id="two weak hand"),
        pytest.param(TWO, {"misere": True}, "in this game", id="two misere"),
        pytest.param(TWO, {"petit_chelem": True}, "in this game", id="two petit chelem"),
        pytest.param(TWO, {"poignee_show": "exact"}, "in this game", id="two handfuls"),
        pytest.param(TWO, {"poignee_thresholds": (1, 2, 3)}, "in this game", id="two thresholds"),
        pytest.param({}, {"call_own_king": True}, "in this game", id="no use"),
        pytest.param({}, {"contra_effect": "signal"}, "in this game", id="no use"),
        pytest.param({}, {"slam_bonuses": (1, 2, 3)}, "unknown option", id="unknown"),
        pytest.param({}, {"half_point": "defence"}, "cannot be", id="value"),
        pytest.param({}, {"misere": 1}, "cannot be", id="no flag"),
        pytest.param({}, {"slam_bonus": (1, 2)}, "cannot be", id="too few numbers"),
        pytest.param({}, {"weak_hand_redeal": True}, "cannot be", id="no number"),
        pytest.param({}, {"match_deals": "many"}, "cannot be", id="no limit"),
    ],
)
def test_refused_options(rules: dict[str, Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_options(options, **rules)


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        ({}, {"match_deals": 8, "match_target": 1000, "weak_hand_redeal": 5}),
        ({}, {"call_own_king": None, "slam_bonus": [1, 2, 3]}),
        ({"players": 3}, {"misere": True, "petit_chelem": True, "score_rounding": 10}),
        (FIVE, {"partner_share": [1, 1]}),
        (SIX, {"petit_chelem": True, "weak_hand_redeal": "no_trumps", "petit_sec": "imprenable"}),
        (TWO, {"score_rounding": 10, "auction": "until_passed", "half_point": "exact"}),
    ],
)
def test_allowed_options(rules: dict[str, Any], options: dict[str, Any]) -> None:
    found = read_options(options, **rules)
    for field, value in options.items():
        assert found[field] == (tuple(value) if isinstance(value, list) else value)


def test_a_full_set_of_options_is_read_as_it_is() -> None:
    for preset, games in DESCRIBED.items():
        for game in games:
            rules = {"players": game} if isinstance(game, int) else {"players": 2, "game": game}
            options = preset_options(preset, **rules)  # type: ignore[arg-type]
            assert read_options(options, preset=preset, **rules) == options  # type: ignore[arg-type]


def test_the_referee_refuses_them_too() -> None:
    deal = written()
    with pytest.raises(ValueError, match="unknown option"):
        Referee(**deal, options={"slam_bonuses": (1, 2, 3)})
    with pytest.raises(ValueError, match="no preset"):
        Referee(**deal, preset="online", game="mort")
    with pytest.raises(ValueError, match="no such contract"):
        Referee(**deal, forced=(0, "pousse"))
    with pytest.raises(ValueError, match="no such contract"):
        Referee(**deal, forced=(0, "petite"), options={"with_petite": False})
