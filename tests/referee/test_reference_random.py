"""The referee on random deals of every game and preset: they end, and they add up."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from reference import ACTIONS, PACK, Referee, find_game, gather, in_action_order, next_deal
from reference.deals import (
    KINDS,
    MAKERS,
    STYLES,
    choose,
    contract,
    draw_contract,
    draw_deal,
    draw_options,
)
from reference.games import Game
from reference.options import DESCRIBED

NUMBER = 160
"""Deals of each preset and game."""

PAIRS = [(preset, name) for preset, games in DESCRIBED.items() for name in games]


def game_of(name: int | str) -> Game:
    return find_game(name) if isinstance(name, int) else find_game(None, name)


def random_deal(preset: str, game: Game, number: int) -> tuple[Referee, str, random.Random]:
    """The numbered deal: kinds, styles, options and forced contracts take turns and chances."""
    rng = random.Random(f"{preset} {game.name} {game.players} {number}")
    deal = draw_deal(rng, rng.choice(list(MAKERS)), game)
    options = draw_options(rng, preset, game) if rng.random() < 0.6 else {}
    forced = draw_contract(rng, deal, game) if rng.random() < 0.5 else None
    if forced and forced[1] == "petite":
        options["with_petite"] = True
    referee = Referee(**deal, options=options, forced=forced, preset=preset, game=game.name)
    return referee, rng.choice(STYLES), rng


def check_whole(referee: Referee) -> None:
    """Every card is in one place, and the public history no longer than the log."""
    places = [card for hand in referee.hands for card in hand] + referee.ecart + referee.stock
    places += [card for _hand, card in referee.table]
    places += [card for _leader, plays, _winner in referee.tricks for _hand, card in plays]
    places += [card for row in referee.up + referee.covered for card in row if card is not None]
    has_chien = referee.chien_is_open and referee.phase != "SPLIT"
    places += [] if has_chien else referee.chien
    assert sorted(places) == sorted(PACK)
    assert len(referee.history) <= len(referee.log)


def check_end(referee: Referee) -> None:
    assert (referee.phase, referee.seat, referee.hand_to_play) == ("OVER", -1, -1)
    assert referee.legal() == []
    check_whole(referee)
    assert sum(referee.scores_half) == 0
    if referee.game.has_dead_hand:
        assert referee.scores_half[referee.dealer] == 0
    if referee.bid is None:
        assert referee.scores_half == [0] * referee.players
    else:
        assert referee.attack_half + referee.defence_half == 182
        assert referee.made or referee.slam != 1  # case 33
        assert [card for hand in range(referee.game.hands) for card in referee.playable(hand)] == []
        assert len(referee.tricks) == referee.game.tricks
    assert sorted(gather(referee)) == sorted(PACK)


def events(referee: Referee) -> Iterator[str]:
    """What happened in a finished deal, by name."""
    if referee.petit_sec:
        yield "petit sec"
    if referee.thrown_in_by is not None:
        yield "thrown in"
    if referee.ended_on_dummy_bid:
        yield "ended on a dummy bid"
    if referee.bid is None:
        yield "no contract"
        return
    yield f"contract {referee.bid}"
    yield f"slam {referee.slam}{' announced' if referee.slam_announced else ''}"
    yield f"petit au bout {referee.petit_au_bout}"
    yield f"contra {referee.contra}"
    yield "alone" if referee.alone else "with a partner"
    if referee.petit_chelem_announced:
        yield "petit chelem announced"
    if referee.miseres:
        yield "misere"
    if referee.imprenable is not None:
        yield "imprenable"
        if any((referee.imprenable, "T1") in plays for _, plays, _ in referee.tricks):
            yield "imprenable played"
    for level, cards in referee.poignees.values():
        yield level
        if "EX" in cards:
            yield "Excuse shown"
        if set(cards) & set(referee.ecart):
            yield "shown discard shown again"
    if referee.attack_half % 2:
        yield "half point"
    _leader, plays, winner = referee.tricks[-1]
    for hand, card in plays:
        if card == "EX":
            own = (hand in referee.attack_seats) == (winner in referee.attack_seats)
            won = "wins" if winner == hand else "own side wins" if own else "lost"
            yield f"Excuse in the last trick {won}"


def play(referee: Referee, style: str, rng: random.Random, *, checked: bool) -> Counter[str]:
    """Play to the end; the phases, and what happened."""
    happened: Counter[str] = Counter()
    for _step in range(400):
        if referee.phase == "OVER":
            break
        happened[referee.phase] += 1
        legal = referee.legal()
        assert legal
        assert legal == in_action_order(set(legal))
        if referee.phase in ("AUCTION", "SLAM", "MISERE", "POIGNEE"):
            assert len(legal) > 1
        if checked:
            check_whole(referee)
            refused = rng.choice([action for action in ACTIONS if action not in legal])
            with pytest.raises(ValueError, match="illegal"):
                referee.apply(refused)
        referee.apply(choose(rng, referee, style))
    check_end(referee)
    happened.update(events(referee))
    return happened


# What must have happened with each game, whatever the preset.
EVERYWHERE = (
    *("AUCTION", "SLAM", "PLAY", "DISCARD", "no contract"),
    *(f"contract {bid}" for bid in ("garde", "garde_sans", "garde_contre")),
    *(f"slam {side}" for side in (-1, 0, 1)),
    *(f"petit au bout {side}" for side in (-1, 0, 1)),
    "Excuse in the last trick lost",
)
HANDFULS = (
    *("POIGNEE", "WITHHOLD", "Excuse shown"),
    *("poignee", "double_poignee", "triple_poignee"),
)
OWN_SIDE = "Excuse in the last trick own side wins"
REDEALS = ("PETIT_SEC", "thrown in", "petit sec", "imprenable", "imprenable played")
HOUSE = ("MISERE", "misere", "petit chelem announced")
EXPECTED: dict[int | str, tuple[str, ...]] = {
    3: (*EVERYWHERE, *HANDFULS, *HOUSE, "half point", "contract petite", OWN_SIDE),
    4: (*EVERYWHERE, *HANDFULS, *REDEALS, *HOUSE, "shown discard shown again", OWN_SIDE),
    5: (*EVERYWHERE, *HANDFULS, *REDEALS, *HOUSE, "CALL", "alone", "with a partner", OWN_SIDE),
    6: (
        *(*EVERYWHERE, *HANDFULS, *REDEALS, "SPLIT", "ended on a dummy bid", OWN_SIDE),
        *("contra 1", "contra 2", "contra 4", "petit chelem announced"),
    ),
    "mort": (*EVERYWHERE, *HANDFULS, *HOUSE, OWN_SIDE),
    "decouverte": (*EVERYWHERE, "Excuse in the last trick wins"),
    "tirette": (*EVERYWHERE, "Excuse in the last trick wins"),
    "dummy": (*EVERYWHERE, "half point", OWN_SIDE),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(EXPECTED))
def test_random_deals_end_and_add_up(name: int | str) -> None:
    happened: Counter[str] = Counter()
    presets = [preset for preset, described in PAIRS if described == name]
    for preset in presets:
        for number in range(3 * NUMBER // len(presets)):
            referee, style, rng = random_deal(preset, game_of(name), number)
            happened += play(referee, style, rng, checked=number % 20 == 0)
            deal = next_deal(referee, rng.randint(4, 74))
            Referee(**deal, preset=preset, game=referee.game.name)
    for event in sorted(happened):
        print(f"{happened[event]:7} {event}")
    assert [event for event in EXPECTED[name] if not happened[event]] == []


@pytest.mark.parametrize(("preset", "name"), PAIRS)
def test_presets_play_out(preset: str, name: int | str) -> None:
    """A few deals under the rules of the preset as they are."""
    game = game_of(name)
    for number in range(8):
        rng = random.Random(f"{preset} {name} {number}")
        deal = draw_deal(rng, rng.choice(list(MAKERS)), game)
        referee = Referee(**deal, preset=preset, game=game.name)
        play(referee, "bidder", rng, checked=number == 0)


@pytest.mark.parametrize(("preset", "name"), PAIRS)
def test_history_holds_nothing_private(preset: str, name: int | str) -> None:
    """Hidden discards are None; declined questions and withheld cards leave no row."""
    for number in range(12):
        referee, style, rng = random_deal(preset, game_of(name), number)
        rows: list[tuple[int, str | None]] = []
        while referee.phase != "OVER":
            phase, hand, action = referee.phase, referee.hand_to_play, choose(rng, referee, style)
            shown_before = len(referee.poignees)
            referee.apply(action)
            if phase == "DISCARD" and not action.startswith("T"):
                rows.append((hand, None))
            elif phase in ("PETIT_SEC", "MISERE"):
                rows += [] if action == "pass" else [(hand, action)]
            elif phase in ("POIGNEE", "WITHHOLD"):
                if len(referee.poignees) > shown_before:
                    rows.append((hand, referee.poignees[hand][0]))
            else:
                rows.append((hand, action))
            assert referee.history == rows


def test_a_copy_is_another_referee() -> None:
    referee, style, rng = random_deal("fft", find_game(5), 1)
    other = referee.copy()
    assert vars(other).keys() == vars(referee).keys()
    before: Any = (list(referee.log), referee.phase, referee.legal())
    play(other, style, rng, checked=False)
    assert (referee.log, referee.phase, referee.legal()) == before


@pytest.mark.parametrize("name", list(EXPECTED))
@pytest.mark.parametrize("kind", list(MAKERS))
def test_same_seed_same_deal(kind: str, name: int | str) -> None:
    game = game_of(name)
    deals = [draw_deal(random.Random(seed), kind, game) for seed in ("a", "a", "b")]
    assert deals[0] == deals[1] != deals[2]


def test_deals_of_four_without_names() -> None:
    """As the drivers of four players take them."""
    for kind, make in KINDS.items():
        deal = make(random.Random(kind))
        named = draw_deal(random.Random(kind), kind, find_game(4))
        assert deal == (named["hands"], named["chien"], named["dealer"])
        forced = contract(random.Random(1), deal)
        assert forced == draw_contract(random.Random(1), named, find_game(4))
        assert Referee(*deal, {"petit_sec": "off"}, forced).bid == forced[1]
