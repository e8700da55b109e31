"""The batched core against the scalar referee, on drawn rules, deals and actions."""

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from lockstep import (
    OPTION_VALUES,
    Batch,
    assert_same_cards,
    assert_same_end,
    assert_same_step,
    draw_options,
    drawn_batch,
    legal_texts,
)
from reference import Referee
from reference.deals import KINDS, choose

from tarot_env import Rules
from tarot_env.actions import parse_action

BATCH_SIZE = 256
"""Tables in lockstep under `--long N`."""
SMALL_BATCH, NUM_BATCHES = 128, 24
"""Smaller ones otherwise, so that more options are drawn."""

EXPECTED = (
    *("AUCTION", "DISCARD", "SLAM", "POIGNEE", "WITHHOLD", "PLAY"),
    *("petit sec", "passed out", "Excuse led", "forced trump discarded"),
    *(f"contract {bid}" for bid in ("petite", "garde", "garde_sans", "garde_contre")),
    *(f"made {bid}" for bid in ("petite", "garde", "garde_sans", "garde_contre")),
    *(f"failed {bid}" for bid in ("petite", "garde", "garde_sans", "garde_contre")),
    *("slam of the attack", "slam of the attack, announced"),
    *("slam of the defence", "slam of the defence, announced"),
    "slam announced and missed",
    *("Excuse in the last trick wins it", "Excuse in the last trick own side wins"),
    "Excuse in the last trick other side wins",
    *(f"petit au bout for the {side}" for side in ("attack", "defence")),
    *(f"petit of the {side} au bout for the other" for side in ("attack", "defence")),
    "petit au bout at the second-last trick",
    *(
        f"{level} of the {side}, Excuse {shown}"
        for level in ("poignee", "double_poignee", "triple_poignee")
        for side in ("attack", "defence")
        for shown in ("shown", "not shown")
    ),
    *("two poignées", "shown discard shown again", "half point"),
    *(f"{number} oudlers" for number in range(4)),
    *(f"Excuse in the chien of a {bid}" for bid in ("garde", "garde_sans", "garde_contre")),
)


def events(referee: Referee) -> Iterator[str]:
    """What happened in a finished deal."""
    if referee.taker is None or referee.bid is None:
        yield "petit sec" if referee.petit_sec else "passed out"
        return
    sides = ["attack" if seat == referee.taker else "defence" for seat in range(4)]
    yield f"contract {referee.bid}"
    targets = (112, 102, 82, 72)
    made = referee.attack_half >= targets[referee.oudlers]
    yield f"{'made' if made else 'failed'} {referee.bid}"
    yield f"{referee.oudlers} oudlers"
    if referee.attack_half % 2:
        yield "half point"
    if referee.shown_discards:
        yield "forced trump discarded"
    if "EX" in referee.chien:
        yield f"Excuse in the chien of a {referee.bid}"
    if referee.slam:
        said = ", announced" if referee.slam_announced else ""
        yield f"slam of the {'attack' if referee.slam > 0 else 'defence'}{said}"
    if referee.slam_announced and referee.slam < 1:
        yield "slam announced and missed"
    if len(referee.poignees) > 1:
        yield "two poignées"
    for seat, (level, shown) in referee.poignees.items():
        yield f"{level} of the {sides[seat]}, Excuse {'shown' if 'EX' in shown else 'not shown'}"
        if set(shown) & set(referee.ecart):
            yield "shown discard shown again"
    for number, (_leader, plays, winner) in enumerate(referee.tricks):
        last = number == 17
        for place, (seat, card) in enumerate(plays):
            if card == "EX" and place == 0:
                yield "Excuse led"
            if card == "EX" and last:
                own = sides[seat] == sides[winner]
                how = "own side wins" if own else "other side wins"
                yield f"Excuse in the last trick {'wins it' if seat == winner else how}"
            if card == "T1" and last:
                yield f"petit au bout for the {sides[winner]}"
                if sides[seat] != sides[winner]:
                    yield f"petit of the {sides[seat]} au bout for the other"
            if card == "T1" and number == 16 and referee.petit_au_bout:
                yield "petit au bout at the second-last trick"


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


def test_every_option_is_drawn() -> None:
    """And every value that is named in the rules."""
    assert set(OPTION_VALUES) == {option.name for option in Rules.options()}
    for option in Rules.options():
        assert option.default in OPTION_VALUES[option.name]
        assert set(option.metadata["allowed"]) <= set(OPTION_VALUES[option.name])
    assert set(KINDS) == {"fair", "trump_heavy", "slam_prone", "petit_sec", "endgame"}


@pytest.mark.slow
def test_core_agrees_with_the_referee(request: pytest.FixtureRequest) -> None:
    """Every fourth batch plays FFT rules, the others drawn ones."""
    wanted = request.config.getoption("--long")
    sizes = [BATCH_SIZE] * -(-wanted // BATCH_SIZE) if wanted else [SMALL_BATCH] * NUM_BATCHES
    happened: Counter[str] = Counter()
    for number, size in enumerate(sizes):
        options = {} if number % 4 == 0 else draw_options(random.Random(f"options {number}"))
        happened += play_and_compare(drawn_batch(f"deals {number}", size, options))
        happened.update(f"{name} = {value}" for name, value in options.items())
    expected = [
        *EXPECTED,
        *(f"{name} = {value}" for name, values in OPTION_VALUES.items() for value in values),
    ]
    for name in sorted({*happened, *expected}):
        print(f"{happened[name]:8} {name}")
    assert [name for name in expected if not happened[name]] == []
