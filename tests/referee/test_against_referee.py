"""The batched core against the scalar referee, on drawn rules, deals and actions."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import Referee
from reference.deals import MAKERS, STYLES, choose, draw_deal, draw_options
from reference.games import find_game
from reference.options import CHOICES
from support.lockstep import (
    KIND_WEIGHTS,
    Batch,
    assert_same_cards,
    assert_same_end,
    assert_same_step,
    drawn_batch,
    legal_texts,
    rules_of,
)

from tarot_env import Deal, Rules, Tables
from tarot_env.cards.actions import parse_action
from tarot_env.rules.books import PRESETS

PAIRS = [(preset, game) for preset, games in PRESETS.items() for game in games]
BATCH_SIZE = 256
"""Tables in lockstep under `--long N`."""
SIZES = {("fft", "4"): [128] * 24}
USUAL = [50] * 6
"""Smaller batches otherwise, so that more options are drawn."""

CONTRACTS = ("petite", "garde", "garde_sans", "garde_contre")
SIDES = ("attack", "defence")
LEVELS = ("poignee", "double_poignee", "triple_poignee")

EXPECTED = (
    *("AUCTION", "DISCARD", "SLAM", "PLAY", "passed out", "Excuse led"),
    *(f"contract {bid}" for bid in CONTRACTS[1:]),
    *(f"{result} {bid}" for result in ("made", "failed") for bid in CONTRACTS[1:]),
    *("slam of the attack", "slam announced and missed"),
    "Excuse in the last trick other side wins",
    *(f"petit au bout for the {side}" for side in SIDES),
    *(f"{number} oudlers" for number in range(4)),
)
"""What must happen in every game."""
EXPECTED_IN = {
    "3": ("POIGNEE", "WITHHOLD", "PETIT_SEC", "MISERE", "half point", "misère without trumps"),
    "4": ("POIGNEE", "WITHHOLD", "PETIT_SEC", "MISERE", "misère without court cards"),
    "5": (
        *("POIGNEE", "WITHHOLD", "PETIT_SEC", "MISERE", "CALL", "half point"),
        *("taker and partner", "taker alone, card in the chien"),
        *("queen called", "Excuse of the attack, trick to the partner"),
    ),
    "mort": ("POIGNEE", "WITHHOLD", "PETIT_SEC", "MISERE", "taker beside the dealer"),
    "6": (
        *("POIGNEE", "WITHHOLD", "SPLIT", "contra", "recontra", "ended on a dummy bid"),
        *("first half", "second half"),
    ),
    "decouverte": ("last card from a pile",),
    "tirette": ("exposed card drawn by the attack", "exposed card drawn by the defence"),
    "dummy": ("half point", "trick of the dummy", "Excuse of the dummy"),
}
"""What must happen in some of them, under whatever preset."""
EXPECTED_OF_FOUR = (
    *("petit sec", "forced trump discarded", "made petite", "failed petite"),
    *("slam of the attack, announced", "slam of the defence", "slam of the defence, announced"),
    *("Excuse in the last trick wins it", "Excuse in the last trick own side wins"),
    *(f"petit of the {side} au bout for the other" for side in SIDES),
    "petit au bout at the second-last trick",
    *(
        f"{level} of the {side}, Excuse {shown}"
        for level in LEVELS
        for side in SIDES
        for shown in ("shown", "not shown")
    ),
    *("two poignées", "shown discard shown again", "half point"),
    *(f"Excuse in the chien of a {bid}" for bid in CONTRACTS[1:]),
    *("petit chelem announced and made", "petit chelem announced and missed"),
    *("misère without trumps", "misère without either", "lone petit nobody can take"),
)
"""What must happen besides in the thousands of deals of four players under FFT."""


def events(referee: Referee) -> Iterator[str]:
    """What happened in a finished deal."""
    if referee.taker is None or referee.bid is None:
        yield from _thrown_in(referee)
        return
    sides = [
        "attack" if seat in referee.attack_seats else "defence"
        for seat in range(referee.game.hands)
    ]
    yield f"contract {referee.bid}"
    yield f"{'made' if referee.made else 'failed'} {referee.bid}"
    yield f"{referee.oudlers} oudlers"
    if referee.attack_half % 2:
        yield "half point"
    if referee.shown_discards:
        yield "forced trump discarded"
    if "EX" in referee.chien:
        yield f"Excuse in the chien of a {referee.bid}"
    yield from _announced(referee, sides)
    yield from _in_the_game(referee)
    for number, (_leader, plays, winner) in enumerate(referee.tricks):
        last = referee.game.tricks - 1
        for place, (seat, card) in enumerate(plays):
            own = sides[seat] == sides[winner]
            if card == "EX":
                yield from _excuse(referee, number == last, place, seat, winner, own)
            if card == "T1" and number == last:
                yield f"petit au bout for the {sides[winner]}"
                if not own:
                    yield f"petit of the {sides[seat]} au bout for the other"
            if card == "T1" and number == last - 1 and referee.petit_au_bout:
                yield "petit au bout at the second-last trick"
            if card == "T1" and seat == referee.imprenable and not own:
                yield "lone petit nobody can take"


def _thrown_in(referee: Referee) -> Iterator[str]:
    if referee.ended_on_dummy_bid:
        yield "ended on a dummy bid"
    elif referee.petit_sec or referee.thrown_in_by is not None:
        yield "petit sec"
    else:
        yield "passed out"


def _announced(referee: Referee, sides: list[str]) -> Iterator[str]:
    said = ", announced" if referee.slam_announced else ""
    if referee.slam:
        yield f"slam of the {'attack' if referee.slam > 0 else 'defence'}{said}"
    if referee.slam_announced and referee.slam < 1:
        yield "slam announced and missed"
    if referee.petit_chelem_announced:
        won = sum(sides[winner] == "attack" for _leader, _plays, winner in referee.tricks)
        enough = won >= referee.game.tricks - 3
        yield f"petit chelem announced and {'made' if enough else 'missed'}"
    for lacks in referee.miseres.values():
        names = {("trumps",): "trumps", ("courts",): "court cards"}
        yield f"misère without {names.get(lacks, 'either')}"
    if len(referee.poignees) > 1:
        yield "two poignées"
    for seat, (level, shown) in referee.poignees.items():
        yield f"{level} of the {sides[seat]}, Excuse {'shown' if 'EX' in shown else 'not shown'}"
        if set(shown) & set(referee.ecart):
            yield "shown discard shown again"


def _excuse(
    referee: Referee, last: bool, place: int, seat: int, winner: int, own: bool
) -> Iterator[str]:
    if place == 0:
        yield "Excuse led"
    if last:
        how = "own side wins" if own else "other side wins"
        yield f"Excuse in the last trick {'wins it' if seat == winner else how}"
    elif own and seat == referee.taker and winner == referee.partner:
        yield "Excuse of the attack, trick to the partner"
    if referee.game.has_dummy and seat == 2:
        yield "Excuse of the dummy"


def _in_the_game(referee: Referee) -> Iterator[str]:
    game = referee.game
    if game.has_call:
        where = "in hand" if referee.called in referee.dealt[referee.taker or 0] else "in the chien"
        alone = f"taker alone, card {where}"
        yield alone if referee.partner is None else "taker and partner"
        names = {"Q": "queen called", "N": "knight called", "J": "jack called"}
        yield names.get((referee.called or "")[-1:], "king called")
    if game.has_dead_hand and (referee.taker or 0) in (
        (referee.dealer + 1) % 5,
        (referee.dealer - 1) % 5,
    ):
        yield "taker beside the dealer"
    if game.has_partnerships:
        yield {1: "", 2: "contra", 4: "recontra"}[referee.contra]
        yield from (action.replace("_", " ") for _, action in referee.log if "half" in action)
    if game.piles:
        last = {card for _seat, card in referee.tricks[-1][1]}
        if last & {card for row in referee.piles for pile in row for card in pile}:
            yield "last card from a pile"
    if game.stock_size:
        drawn = next(seat for tricks, seat, _card in referee.draws if tricks == 12)
        side = "attack" if drawn == referee.taker else "defence"
        yield f"exposed card drawn by the {side}"
    if game.has_dummy and any(winner == 2 for _leader, _plays, winner in referee.tricks):
        yield "trick of the dummy"


def play_and_compare(batch: Batch) -> Counter[str]:
    """Plays a batch to its end; every step, end and event is compared and counted."""
    tables, referees = batch.tables, batch.referees
    happened: Counter[str] = Counter()
    steps = 0
    while not tables.is_over.all():
        legal = legal_texts(tables)
        actions = np.full(tables.num_tables, -1)
        for row, referee in enumerate(referees):
            assert_same_step(tables, row, legal[row], referee)
            if steps % 10 == row % 10:
                assert_same_cards(tables, row, referee)
            if referee.phase != "OVER":
                happened[referee.phase] += 1
                action = choose(batch.rngs[row], referee, batch.styles[row])
                referee.apply(action)
                actions[row] = parse_action(action)
        tables.step(actions)
        steps += 1
    for row, referee in enumerate(referees):
        assert_same_step(tables, row, [], referee)
        assert_same_end(tables, row, referee)
        happened.update(events(referee))
    return happened


def drawn_options(preset: str, game: str, number: int) -> dict[str, Any]:
    """Options for a batch: those of the preset in every third, else drawn ones."""
    rules = rules_of(preset, game, {})
    rng = random.Random(f"options {preset} {game} {number}")
    return draw_options(rng, preset, find_game(rules.players, rules.game)) if number % 3 else {}


def test_every_option_and_value_is_drawn() -> None:
    for option in Rules.options():
        values = CHOICES.get(option.name)
        if values is not None:
            assert set(values) == {*option.metadata["allowed"]}, option.name
        else:
            assert option.metadata["ints"], option.name
    assert set(KIND_WEIGHTS) == set(MAKERS)


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "game"), PAIRS)
def test_core_agrees_with_the_referee(
    preset: str, game: str, request: pytest.FixtureRequest
) -> None:
    """In every game of every preset: legal sets, phases, cards and scores."""
    wanted = request.config.getoption("--long")
    sizes = SIZES.get((preset, game), USUAL)
    sizes = [BATCH_SIZE] * -(-wanted // BATCH_SIZE) if wanted else sizes
    happened: Counter[str] = Counter()
    for number, size in enumerate(sizes):
        options = drawn_options(preset, game, number)
        rules = rules_of(preset, game, options)
        happened += play_and_compare(
            drawn_batch(f"deals {preset} {game} {number}", size, rules, options)
        )
    expected = [*EXPECTED, *EXPECTED_IN[game]]
    if (preset, game) == ("fft", "4"):
        expected += EXPECTED_OF_FOUR
    for name in sorted({*happened, *expected}):
        print(f"{happened[name]:8} {name}")
    assert [name for name in expected if not happened[name]] == []


@given(
    pair=st.sampled_from(PAIRS),
    seed=st.integers(0, 2**32),
    own_rules=st.booleans(),
    kind=st.sampled_from(sorted(MAKERS)),
    style=st.sampled_from(sorted(STYLES)),
)
@settings(max_examples=60, deadline=None)
def test_any_deal_under_any_rules(
    pair: tuple[str, str], seed: int, own_rules: bool, kind: str, style: str
) -> None:
    """One deal at a time, so that hypothesis can look for the simplest that differs."""
    preset, name = pair
    rng = random.Random(seed)
    plain = rules_of(preset, name, {})
    game = find_game(plain.players, plain.game)
    options = draw_options(rng, preset, game) if own_rules else {}
    rules = rules_of(preset, name, options)
    deal = draw_deal(rng, kind, game)
    referee = Referee(**deal, options=options, preset=preset, game=rules.game)
    tables = Tables.from_deals(rules, [Deal.from_text(**deal)])
    play_and_compare(Batch(tables, [referee], [style], [rng]))
