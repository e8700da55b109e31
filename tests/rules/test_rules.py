"""Rules: presets, overrides, checks, and what a record or a command line says of them."""

import re
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from tarot_env import InvalidRules, Rules, TarotError
from tarot_env.rules import TARGET_POINTS, parse_override
from tarot_env.rules.books import PRESETS

FFT = Rules.preset("fft", players=4)
PAIRS = [(preset, game) for preset, games in PRESETS.items() for game in games]


def rules_of(preset: str, game: str, **options: Any) -> Rules:
    if game.isdigit():
        return Rules.preset(preset, players=int(game), **options)
    return Rules.preset(preset, game=game, **options)


# --- RULES.md 14: what each rule book says, "=" where it says what the FFT does

BOOKS = ("fft", "pagat", "wikipedia", "jeu-de-tarot", "online")
TABLE: dict[str, tuple[object, ...]] = {
    "first_lead": ("first_hand", "=", "=", "taker", "="),
    "slam_announcer_leads": (True, "=", "=", "=", "="),
    "slam_window": ("after_ecart", "=", "with_bid", "=", "="),
    "slam_bonus": ((400, 200, -200), "=", "=", (400, 200, -400), "="),
    "defence_slam": (200, "=", "=", "=", "="),
    "excuse_last_trick": ("changes_side", "trick_winner", "=", "owner_keeps", "trick_winner"),
    "excuse_last_trick_refund": (True, "=", False, "=", "="),
    "excuse_wins_slam_trick": ("any_position", "led_only", "=", "=", "never"),
    "petit_au_bout_second_last": (True, "=", "=", False, False),
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
    "call_own_king": (True, "=", "=", False, "="),
    "first_lead_bans_called_suit": (True, "=", "=", False, "="),
    "may_discard_called_card": (False, "=", "=", "=", "="),
    "partner_share": ((2, 1), "=", "=", "=", "="),
    "contra_effect": ("double", "=", "=", "=", "="),
    "decouverte_reveal": ("immediate", "=", "=", "=", "="),
    "dummy_reveal": ("after_first_card", "=", "=", "=", "="),
    "tirette_draw_first": ("winner", "=", "=", "=", "="),
    "misere": (False, "=", "=", "=", "="),
    "petit_chelem": (False, "=", "=", "=", "="),
    "score_rounding": (0, "=", "=", "=", "="),
    "shuffle": ("full", "gather_and_cut", "gather_and_cut", "=", "="),
    "chien_exclusion": (1, 3, "=", 6, "="),
    "first_dealer": ("random", "=", "drawn", "=", "="),
    "match_deals": (None, "=", "=", "=", 8),
    "match_target": (None, "=", "=", "=", "="),
}
THRESHOLDS = {"3": (13, 15, 18), "4": (10, 13, 15), "5": (8, 10, 13), "6": (6, 8, 11)}
PACKETS = {"3": 4, "4": 3, "5": 3, "6": 3, "mort": 3, "decouverte": 4, "tirette": 4, "dummy": 4}
OTHER_PACKETS = {("wikipedia", "3"): 3, ("jeu-de-tarot", "5"): 5}

TWO = ("decouverte", "tirette", "dummy")
ONLY_IN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("call_own_king", "first_lead_bans_called_suit"), ("5",)),
    **dict.fromkeys(("may_discard_called_card", "partner_share"), ("5",)),
    "contra_effect": ("6",),
    "decouverte_reveal": ("decouverte",),
    "dummy_reveal": ("dummy",),
    "tirette_draw_first": ("tirette",),
    "misere": ("3", "4", "5", "mort"),
}
NOT_IN: dict[str, tuple[str, ...]] = {
    "first_lead": ("dummy",),
    "slam_announcer_leads": ("dummy",),
    "auction": ("6",),
    "score_rounding": ("6",),
    **dict.fromkeys(("petit_sec", "petit_sec_excuse_protects", "weak_hand_redeal"), TWO),
    **dict.fromkeys(("petit_chelem", *(name for name in TABLE if name.startswith("poignee"))), TWO),
}
WITHOUT: dict[str, object] = {
    **{"petit_sec": "off", "weak_hand_redeal": "off"},
    **{"misere": False, "petit_chelem": False, "score_rounding": 0},
}
"""What stands where a game has no use for an option; None elsewhere."""


def in_the_table(preset: str, game: str) -> dict[str, object]:
    """Every option of a rule book for one of its games."""
    found: dict[str, object] = {}
    for name, row in TABLE.items():
        value = row[BOOKS.index(preset)]
        found[name] = row[0] if value == "=" else value
        if game not in ONLY_IN.get(name, (game,)) or game in NOT_IN.get(name, ()):
            found[name] = WITHOUT.get(name)
    found["poignee_thresholds"] = THRESHOLDS.get("4" if game == "mort" else game)
    found["packet"] = OTHER_PACKETS.get((preset, game), PACKETS[game])
    return found


@pytest.mark.parametrize(("preset", "game"), PAIRS)
def test_every_option_of_every_rule_book(preset: str, game: str) -> None:
    rules = rules_of(preset, game)
    found = {option.name: getattr(rules, option.name) for option in Rules.options()}
    assert found == in_the_table(preset, game)
    assert Rules.from_dict(rules.to_dict()) == rules
    assert set(rules.to_dict()) == {"preset", "players" if game.isdigit() else "game"}


def test_which_rule_book_describes_which_game() -> None:
    assert PRESETS == {
        "fft": ("3", "4", "5", "mort"),
        "pagat": ("3", "4", "5"),
        "wikipedia": ("3", "4", "5"),
        "jeu-de-tarot": ("3", "4", "5", "6", "decouverte", "tirette", "dummy"),
        "online": ("4",),
    }
    assert TARGET_POINTS == (56, 51, 41, 36)


@pytest.mark.parametrize(
    ("preset", "game", "sizes"),
    [  # players, hands, cards of a hand, of the chien, tricks, cards of a trick
        ("fft", "3", (3, 3, 24, 6, 24, 3)),
        ("fft", "4", (4, 4, 18, 6, 18, 4)),
        ("fft", "5", (5, 5, 15, 3, 15, 5)),
        ("fft", "mort", (5, 5, 18, 6, 18, 4)),
        ("jeu-de-tarot", "6", (6, 6, 12, 6, 12, 6)),
        ("jeu-de-tarot", "decouverte", (2, 2, 12, 6, 36, 2)),
        ("jeu-de-tarot", "tirette", (2, 2, 24, 6, 36, 2)),
        ("jeu-de-tarot", "dummy", (2, 3, 24, 6, 24, 3)),
    ],
)
def test_sizes(preset: str, game: str, sizes: tuple[int, ...]) -> None:
    rules = rules_of(preset, game)
    found = (rules.players, rules.hands, rules.hand_size, rules.chien_size, rules.tricks)
    assert (*found, rules.cards_per_trick) == sizes
    assert rules.game == (None if game.isdigit() else game)
    assert rules.game_name == game
    assert rules.calls_king == (game == "5")
    assert rules.in_partnerships == (game == "6")
    assert rules.dead_hand == (game == "mort")


def test_four_players_under_fft_are_what_is_meant_by_default() -> None:
    assert Rules.preset() == FFT
    assert hash(Rules.preset(defence_slam=100)) == hash(Rules.preset(defence_slam=100))
    assert Rules.preset(defence_slam=100) != FFT


def test_sizes_hold_the_longest_deal() -> None:
    """Bids, six discards, a slam, four poignées, 72 cards; four redeals, 22 cards kept back."""
    assert FFT.history_size == 4 + 6 + 1 + 4 + 72
    assert FFT.log_size == FFT.history_size + 4 + 22
    assert rules_of("fft", "5").history_size == 5 + 1 + 3 + 1 + 5 + 75
    assert rules_of("wikipedia", "4").auction_size == 4 + 4 - 2
    assert rules_of("wikipedia", "4", with_petite=False).auction_size == 4 + 3 - 2
    assert rules_of("fft", "mort", misere=True).history_size == 4 + 6 + 1 + 8 + 72
    assert rules_of("jeu-de-tarot", "tirette").history_size == 2 + 6 + 1 + 72


def test_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        FFT.defence_slam = 100  # type: ignore[misc]


def test_every_option_explains_itself() -> None:
    for option in Rules.options():
        assert option.metadata["doc"]
        assert option.metadata["allowed"] or option.metadata["ints"]
        one_of = option.metadata["allowed"] and not option.metadata["ints"]
        assert not one_of or option.metadata["default"] in option.metadata["allowed"]


def test_every_allowed_value_is_taken_and_kept() -> None:
    """In a game that has a use for the option."""
    for option in Rules.options():
        game = option.metadata["games"][0]
        preset = "fft" if game in PRESETS["fft"] else "jeu-de-tarot"
        numbers = (7,) if option.metadata["ints"] == 1 else ()
        for value in (*option.metadata["allowed"], *numbers):
            rules = rules_of(preset, game, **{option.name: value})
            assert getattr(rules, option.name) is value
            assert Rules.from_dict(rules.to_dict()) == rules


def test_lists_become_tuples() -> None:
    assert Rules.preset(poignee_bonus=[20, 40, 60]).poignee_bonus == (20, 40, 60)


def test_dict_round_trip() -> None:
    assert FFT.to_dict() == {"preset": "fft", "players": 4}
    rules = Rules.preset(petit_sec="off", multipliers=(1, 2, 3, 4), excuse_last_trick_refund=False)
    assert rules.to_dict() == {
        "preset": "fft",
        "players": 4,
        "excuse_last_trick_refund": False,
        "petit_sec": "off",
        "multipliers": [1, 2, 3, 4],
    }
    assert Rules.from_dict(rules.to_dict()) == rules
    assert Rules.from_dict({}) == FFT


@pytest.mark.parametrize(
    ("name", "players", "options", "message"),
    [
        ("ftt", 4, {}, r"unknown preset 'ftt'; did you mean 'fft'\?"),
        ("fft", 7, {}, r"preset 'fft' with players=7; allowed: .*4"),
        ("fft", 2, {}, r"preset 'fft' with players=2; allowed: .*4"),
        ("fft", "4", {}, r"preset 'fft' with players='4'; allowed: .*4"),
        ("fft", 4, {"petit_secc": "off"}, r"unknown rule option 'petit_secc'; did you mean"),
        ("fft", 4, {"petit_sec": "of"}, r"petit_sec='of'; allowed: mandatory, .*off"),
        ("fft", 4, {"with_petite": 1}, r"with_petite=1; allowed: True, False"),
        ("fft", 4, {"defence_slam": True}, r"defence_slam=True; allowed: a whole number"),
        ("fft", 4, {"defence_slam": 1.5}, r"defence_slam=1.5; allowed: a whole number"),
        ("fft", 4, {"defence_slam": 10_001}, r"at most 10000"),
        ("fft", 4, {"multipliers": (1, 2, 4)}, r"multipliers=\(1, 2, 4\); allowed: 4 whole"),
        ("fft", 4, {"multipliers": 3}, r"multipliers=3; allowed: 4 whole"),
        ("fft", 4, {"slam_bonus": (400, 200, "x")}, r"slam_bonus=.*; allowed: 3 whole numbers"),
        ("fft", 4, {"poignee_thresholds": (13, 10, 15)}, r"poignee_thresholds must rise"),
        ("fft", 4, {"poignee_thresholds": (10, 10, 15)}, r"poignee_thresholds must rise"),
        ("fft", 4, {"poignee_thresholds": (0, 10, 15)}, r"thresholds=.*3 whole numbers of 1 to"),
        ("fft", 4, {"poignee_thresholds": (10, 15, 23)}, r"must lie between 1 and 22"),
        ("fft", 4, {"poignee_thresholds": None}, r"poignee_thresholds=None; allowed: 3 whole"),
        (
            "fft",
            4,
            {"weak_hand_redeal": 0},
            r"weak_hand_redeal=0; allowed: off, no_trumps, a whole",
        ),
        (
            "fft",
            4,
            {"weak_hand_redeal": "weak"},
            r"='weak'; allowed: off, no_trumps, a whole number",
        ),
        ("fft", 4, {"score_rounding": 5}, r"score_rounding=5; allowed: 0, 10$"),
        ("fft", 4, {"score_rounding": False}, r"score_rounding=False; allowed: 0, 10$"),
        ("fft", 4, {"misere": 0}, r"misere=0; allowed: True, False$"),
        ("fft", 4, {"packet": 0}, r"packet=0; allowed: a whole number of 1 to 10000"),
        ("fft", 4, {"chien_exclusion": -1}, r"chien_exclusion=-1; allowed: a whole number of 0 to"),
        ("fft", 4, {"match_deals": 0}, r"match_deals=0; allowed: None, a whole number of 1 to"),
        (
            "fft",
            5,
            {"partner_share": (2, 2)},
            r"partner_share=\(2, 2\); allowed: \(2, 1\), \(1, 1\)",
        ),
    ],
)
def test_mistakes_are_explained(
    name: str,
    players: int,
    options: dict[str, Any],
    message: str,
    wrong_type_error: tuple[type[Exception], ...],
) -> None:
    with pytest.raises((InvalidRules, *wrong_type_error)) as refused:
        Rules.preset(name, players, **options)
    if isinstance(refused.value, TarotError):
        assert isinstance(refused.value, InvalidRules)
        assert re.search(message, str(refused.value))
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("preset", "names", "sentence"),
    [
        (
            "fft",
            {"players": 2},
            "preset 'fft' with players=2; allowed: players 3, 4, 5, game 'mort'",
        ),
        (
            "fft",
            {"players": 6},
            "preset 'fft' with players=6; allowed: players 3, 4, 5, game 'mort'",
        ),
        (
            "fft",
            {"game": "tirette"},
            "preset 'fft' with game='tirette'; allowed: players 3, 4, 5, game 'mort'",
        ),
        ("online", {"players": 3}, "preset 'online' with players=3; allowed: players 4"),
        ("pagat", {"game": "mort"}, "preset 'pagat' with game='mort'; allowed: players 3, 4, 5"),
        (
            "jeu-de-tarot",
            {"players": 2},
            "preset 'jeu-de-tarot' with players=2; allowed: players 3, 4, 5, 6, game 'decouverte', "
            "game 'tirette', game 'dummy'",
        ),
        ("fft", {"game": "tirete"}, "unknown game 'tirete'; did you mean 'tirette'?"),
        ("fft", {"game": 5}, "unknown game 5; allowed: mort, decouverte, tirette, dummy"),
        ("fft", {"players": 4, "game": "mort"}, "game 'mort' with players=4; it has 5"),
        ("jeu-de-tarot", {"players": 3, "game": "dummy"}, "game 'dummy' with players=3; it has 2"),
    ],
)
def test_games_that_a_rule_book_does_not_describe(
    preset: str, names: dict[str, Any], sentence: str, wrong_type_error: tuple[type[Exception], ...]
) -> None:
    with pytest.raises((InvalidRules, *wrong_type_error)) as refused:
        Rules.preset(preset, **names)
    if isinstance(refused.value, TarotError):
        assert str(refused.value) == sentence


def test_a_game_s_own_name_goes_with_its_number_of_players() -> None:
    assert Rules.preset("jeu-de-tarot", players=2, game="dummy") == rules_of(
        "jeu-de-tarot", "dummy"
    )
    assert Rules.preset("fft", players=5, game="mort").players == 5


@pytest.mark.parametrize(
    ("preset", "game", "options", "sentence"),
    [
        (
            "fft",
            "5",
            {"partner_share": (1, 1), "half_point": "exact"},
            "partner_share=(1, 1) with half_point='exact' would make quarters of a point; allowed: "
            "half_point winner or taker",
        ),
        (
            "jeu-de-tarot",
            "6",
            {"misere": True},
            "rule option misere has no use with six players in three partnerships; it belongs to: "
            "three players, four players, five players, a king is called, five players, the dealer "
            "sits out",
        ),
        (
            "jeu-de-tarot",
            "6",
            {"with_petite": False},
            "with_petite=False; six players need the petite",
        ),
        (
            "fft",
            "4",
            {"call_own_king": False},
            "rule option call_own_king has no use with four players; it belongs to: five players, "
            "a king is called",
        ),
    ],
)
def test_options_that_do_not_go_together(
    preset: str, game: str, options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(InvalidRules) as refused:
        rules_of(preset, game, **options)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(("preset", "game"), PAIRS)
def test_an_option_without_a_use_is_refused(preset: str, game: str) -> None:
    """By its name, whatever the value; and in rules that are made without a preset."""
    fine = rules_of(preset, game)
    for option in Rules.options():
        if game in option.metadata["games"]:
            continue
        for value in (option.metadata["absent"], option.metadata["default"]):
            with pytest.raises(InvalidRules, match=f"rule option {option.name} has no use with"):
                rules_of(preset, game, **{option.name: value})
        other = 10 if option.name == "score_rounding" else option.metadata["default"] or True
        if other != option.metadata["absent"]:
            with pytest.raises(InvalidRules, match=f"{option.name}=.* has no use with"):
                replace(fine, **{option.name: other})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"game_name": "6"}, r"preset 'fft' with players=6; allowed: players 3, 4, 5, game 'mort'"),
        ({"game_name": "dummy"}, r"preset 'fft' with game='dummy'; allowed: players 3, 4, 5"),
        ({"game_name": 4}, r"preset 'fft' with game=4; allowed: players 3, 4, 5"),
        ({"preset_name": "nope"}, "unknown preset 'nope'; .*fft"),
        ({"preset_name": "online", "game_name": "5"}, "preset 'online' with players=5"),
        ({"call_own_king": True}, "call_own_king=True has no use with four players; allowed: None"),
        ({"petit_sec": None}, "petit_sec=None; allowed: mandatory"),
    ],
)
def test_rules_made_directly_are_checked_too(
    values: dict[str, Any], message: str, wrong_type_error: tuple[type[Exception], ...]
) -> None:
    with pytest.raises((InvalidRules, *wrong_type_error)) as refused:
        replace(FFT, **values)
    if isinstance(refused.value, TarotError):
        assert re.search(message, str(refused.value))


def with_override(text: str, game: str = "4") -> Rules:
    return rules_of("fft", game, **dict([parse_override(text)]))


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("petit_sec=off", "petit_sec", "off"),
        ("with_petite=false", "with_petite", False),
        ("with_petite=True", "with_petite", True),
        ("defence_slam=100", "defence_slam", 100),
        ("defence_slam=-5", "defence_slam", -5),
        ("poignee_bonus=20,40,60", "poignee_bonus", (20, 40, 60)),
        ("slam_bonus=400, 200, -400", "slam_bonus", (400, 200, -400)),
        ("weak_hand_redeal=no_trumps", "weak_hand_redeal", "no_trumps"),
        ("weak_hand_redeal=5", "weak_hand_redeal", 5),
        ("score_rounding=10", "score_rounding", 10),
        ("match_deals=8", "match_deals", 8),
        ("match_target=none", "match_target", None),
        ("misere=true", "misere", True),
    ],
)
def test_overrides_as_typed(text: str, name: str, value: object) -> None:
    assert parse_override(text) == (name, value)
    assert getattr(with_override(text), name) == value


@pytest.mark.parametrize(
    "text",
    ["petit_sec", "petit_secc=off", "with_petite=yes", "defence_slam=x", "defence_slam=10,20",
     "defence_slam=", "multipliers=1,2", "multipliers=1,2,x,4", "players=3"],
)  # fmt: skip
def test_bad_overrides(text: str, wrong_type_error: tuple[type[Exception], ...]) -> None:
    with pytest.raises((InvalidRules, *wrong_type_error)):
        with_override(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [("1,1", (1, 1)), ("2,1", (2, 1))],
)
def test_parts_of_the_partner_as_typed(text: str, value: tuple[int, int]) -> None:
    assert with_override(f"partner_share={text}", "5").partner_share == value


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"name": "x"}, "unknown rule option 'name'"),
        ({"cls": 1}, "unknown rule option 'cls'"),
        ({"self": 1}, "unknown rule option 'self'"),
        ({"preset": ["fft"]}, "unknown preset"),
        ({"players": True}, "players=True; allowed: players 3, 4, 5, game 'mort'"),
        ({"players": 4.0}, "players=4.0; allowed: players 3, 4, 5, game 'mort'"),
        ({"players": "5"}, "players='5'; allowed: players 3, 4, 5, game 'mort'"),
        ({"players": 6}, "players=6; allowed: players 3, 4, 5, game 'mort'"),
        ({"game": "5"}, "unknown game '5'; allowed: mort, decouverte, tirette, dummy"),
        ({"game": ["mort"]}, "unknown game"),
    ],
)
def test_a_record_s_rules_are_checked_like_any_others(
    values: Any, words: str, wrong_type_error: tuple[type[Exception], ...]
) -> None:
    with pytest.raises((InvalidRules, *wrong_type_error)) as refused:
        Rules.from_dict(values)
    if isinstance(refused.value, TarotError):
        assert words in str(refused.value)
