"""Conservation: every card in one place, 182 half points, sums of zero, deals that end."""

import numpy as np
import pytest
from support.lockstep import drawn_batch, rules_of

from tarot_env import Tables
from tarot_env.cards import EXCUSE, HALF_POINTS, cardsets
from tarot_env.core.dealing import STOCK_START, UPPER
from tarot_env.core.state import set_aside
from tarot_env.rules.books import PRESETS

PAIRS = [(preset, game) for preset, games in PRESETS.items() for game in games]
OPTIONS: list[tuple[str, str, dict[str, object]]] = [
    ("fft", "4", {"petit_sec": "off"}),
    ("fft", "3", {"petit_sec": "imprenable", "misere": True, "half_point": "exact"}),
    ("fft", "5", {"petit_sec": "off", "misere": True, "partner_share": (1, 1)}),
    ("wikipedia", "5", {"score_rounding": 10, "petit_chelem": True, "weak_hand_redeal": 4}),
    ("fft", "mort", {"misere": True, "poignee_window": "before_first_trick"}),
    ("jeu-de-tarot", "6", {"petit_sec": "imprenable", "excuse_last_trick": "changes_side"}),
    ("jeu-de-tarot", "6", {"contra_effect": "signal", "weak_hand_redeal": "no_trumps"}),
    ("jeu-de-tarot", "decouverte", {"decouverte_reveal": "after_trick"}),
    ("jeu-de-tarot", "tirette", {"tirette_draw_first": "loser", "with_petite": False}),
    ("jeu-de-tarot", "dummy", {"dummy_reveal": "after_ecart", "half_point": "taker"}),
]
EVERYTHING = [*((*pair, {}) for pair in PAIRS), *OPTIONS]


def places_of(tables: Tables) -> list[np.ndarray]:
    """Sets of cards, one for each place where a card can lie."""
    state, rules = tables.columns, tables.rules
    places = [*state.hands.swapaxes(0, 1), *state.played.swapaxes(0, 1)]
    aside = set_aside(state, np.arange(tables.num_tables))
    in_hand = np.bitwise_or.reduce([*places, aside])
    chien_is_taken = ~cardsets.is_empty(in_hand & state.chien)
    places += [aside, np.where(chien_is_taken[:, None], cardsets.EMPTY, state.chien)]
    if rules.game in ("tirette", "decouverte"):
        start = STOCK_START if rules.game == "tirette" else int(UPPER[0, 0])
        beside = np.bitwise_or.reduce(cardsets.BIT[state.pack[:, start:]], axis=1)
        places.append(beside & ~in_hand)
    return places


@pytest.mark.parametrize(
    ("preset", "game", "options"), EVERYTHING, ids=[f"{p}-{g}-{len(o)}" for p, g, o in EVERYTHING]
)
def test_every_card_lies_in_one_place_and_counts_once(
    preset: str, game: str, options: dict[str, object]
) -> None:
    """To the end of every deal, which comes in time; and nobody wins or loses but from others."""
    rules = rules_of(preset, game, options)
    size = 200 if (preset, game) == ("fft", "4") else 40
    tables = drawn_batch(f"conservation {options}", size, rules, options).tables
    rng = np.random.default_rng(1)
    state = tables.columns
    for _step in range(rules.log_size + 1):
        places = places_of(tables)
        assert (np.sum([cardsets.count(place) for place in places], axis=0) == 78).all()
        assert (np.bitwise_or.reduce(places) == cardsets.ALL_CARDS).all()

        mask_is_empty = ~tables.legal_actions().any(1)
        assert (mask_is_empty == tables.is_over).all()
        assert ((tables.seat_to_act == -1) == tables.is_over).all()
        assert (tables.scores.sum(1) == 0).all()
        if tables.is_over.all():
            break
        assert (tables.scores[~tables.is_over] == 0).all()
        tables.step(tables.random_actions(rng))

    assert tables.is_over.all()
    played_out = tables.taker >= 0
    assert played_out.sum() > size / 3
    excuse_played = state.oudler_player[:, 2] >= 0
    aside = cardsets.half_points(places_of(tables)[2 * rules.hands])
    chien = cardsets.half_points(places_of(tables)[2 * rules.hands + 1])
    whole = state.trick_half_points.sum(1) + aside + chien + HALF_POINTS[EXCUSE] * excuse_played
    assert (whole[played_out] == 182).all()
    assert (state.tricks_won.sum(1)[played_out] == rules.tricks).all()
    if rules.cards_per_trick % 2 == 0 and rules.excuse_last_trick_refund:
        assert (state.attack_half_points[played_out] % 2 == 0).all()
    assert (state.log_size <= rules.log_size).all()
    assert (state.history_size <= rules.history_size).all()
    if game == "mort":
        assert not state.half_scores[np.arange(size), state.dealer].any()
