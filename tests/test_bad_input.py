"""Whatever is handed in: it is taken, or refused in one short sentence of ours; nothing is lost."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from support.every_game import play

from tarot_env import Bid, Deal, Match, Rules, Tables, TarotError, records, tarot_v0
from tarot_env.envs.single import SingleSeatEnv
from tarot_env.envs.vector import SingleSeatVectorEnv
from tarot_env.errors import short_repr
from tarot_env.render import render_text, replay_text
from tarot_env.rules import parse_override
from tarot_env.score_sheet import score_deal
from tarot_env.tables import daily_seed, gather, match_length

FFT, FIVE = Rules.preset("fft", players=4), Rules.preset("fft", players=5)
SIX = Rules.preset("jeu-de-tarot", players=6)
DECOUVERTE = Rules.preset("jeu-de-tarot", game="decouverte")
DEAL, PILES = Deal.from_seed(1, 2, FFT), Deal.from_seed(1, 2, DECOUVERTE)


class Unfit:
    """Neither shown nor compared."""

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        raise RuntimeError


ODD: dict[str, Any] = {
    "None": None,
    "True": True,
    "numpy True": np.True_,
    "-1": -1,
    "99": 99,
    "10**30": 10**30,
    "10**5000": 10**5000,
    "1.5": 1.5,
    "nan": float("nan"),
    "unsigned": np.uint64(2**64 - 1),
    "text": "x",
    "long text": "9" * 5000,
    "two lines": "a\nb\0",
    "bytes": b"x",
    "empty": [],
    "list": [0, 1],
    "floats": [0.5],
    "ragged": [[0], [1, 2]],
    "huge": [10**30],
    "long": [0] * 5000,
    "dict": {1: 2},
    "set": {1, 2},
    "number array": np.array(0),
    "truth array": np.array(True),
    "empty array": np.array([]),
    "array": np.array([1, 2, 3]),
    "square": np.zeros((2, 2), int),
    "truths": np.array([True, False]),
    "objects": np.array([None, 1], object),
    "unsigned array": np.array([2**64 - 1], np.uint64),
    "records": np.zeros(1, [("a", int)]),
    "object": object(),
    "unfit": Unfit(),
    "list of unfit": [Unfit()],
    "class": int,
    "rules": FFT,
    "deal": DEAL,
}


def played() -> Tables:
    tables = Tables(FFT, 1, seed=1)
    play(tables, np.random.default_rng(0))
    return tables


PLAYED = played()
RECORD = records.record(PLAYED, 0)


def checked(deal: Deal, rules: Rules, **changes: Any) -> None:
    replace(deal, **changes).check(rules)


def hands_with(card: Any) -> list[list[Any]]:
    return [[card, *DEAL.hands[0][1:]], *map(list, DEAL.hands[1:])]


def match_of(rules: Rules = FFT, **given: Any) -> Match:
    return Match(rules, **({"seed": 1} | given))


def score(rules: Rules = FFT, **given: Any) -> None:
    score_deal(rules, **({"bid": "garde", "points": 49, "oudlers": 2} | given))


def given_part(make: Callable[[], Any], **part: Any) -> None:
    make().reset(seed=5, options={"deal": part})


ENVS: dict[str, Callable[..., Any]] = {
    "aec": tarot_v0.raw_env,
    "single": SingleSeatEnv,
    "vector": lambda **given: SingleSeatVectorEnv(2, **given),
}
CALLS: dict[str, Callable[[Any], object]] = {
    **{
        f"{how} {option.name}": call
        for option in Rules.options()
        for how, call in {
            "preset": lambda v, name=option.name: Rules.preset(**{name: v}),
            "Rules": lambda v, name=option.name: Rules(**{name: v}),
            "typed": lambda v, name=option.name: parse_override(f"{name}={short_repr(v)}"),
        }.items()
    },
    "share": lambda v: Rules.preset("fft", players=5, partner_share=(v, 1)),
    "preset": lambda v: Rules.preset(v),
    "preset players": lambda v: Rules.preset("fft", v),
    "preset game": lambda v: Rules.preset("fft", game=v),
    "preset players and game": lambda v: Rules.preset("fft", v, "mort"),
    "Rules preset_name": lambda v: Rules(preset_name=v),
    "Rules game_name": lambda v: Rules(game_name=v),
    "from_dict": Rules.from_dict,
    "from_dict key": lambda v: Rules.from_dict({1: v}),  # type: ignore[dict-item]
    "parse_override": parse_override,
    **{
        f"deal {part} {name}": call
        for part in ("hands", "chien", "dealer", "seed", "deal_id", "forced", "stock", "piles")
        for name, call in {
            "four": lambda v, part=part: checked(DEAL, FFT, **{part: v}),
            "two": lambda v, part=part: checked(PILES, DECOUVERTE, **{part: v}),
        }.items()
    },
    "deal card": lambda v: checked(DEAL, FFT, hands=hands_with(v)),
    "deal hand": lambda v: checked(DEAL, FFT, hands=(v, *DEAL.hands[1:])),
    "deal seat's piles": lambda v: checked(PILES, DECOUVERTE, piles=(v, PILES.piles[1])),
    "deal pile": lambda v: checked(PILES, DECOUVERTE, piles=([v] * 12, PILES.piles[1])),
    "deal taker": lambda v: checked(DEAL, FFT, forced=(v, Bid.GARDE)),
    "deal contract": lambda v: checked(DEAL, FFT, forced=(0, v)),
    "check": DEAL.check,
    "text hands": lambda v: Deal.from_text(v, [], 0),
    "text hand": lambda v: Deal.from_text([v], [], 0),
    "text card": lambda v: Deal.from_text([[v]], [], 0),
    "text chien": lambda v: Deal.from_text([], v, 0),
    "text forced": lambda v: Deal.from_text([], [], 0, v),
    "text bid": lambda v: Deal.from_text([], [], 0, (0, v)),
    "text piles": lambda v: Deal.from_text([], [], 0, piles=v),
    "text pile": lambda v: Deal.from_text([], [], 0, piles=[[v]]),
    "from_seed seed": lambda v: Deal.from_seed(v, 0, FFT),
    "from_seed id": lambda v: Deal.from_seed(0, v, FFT),
    "from_seed rules": lambda v: Deal.from_seed(0, 0, v),
    "of_pack": lambda v: Deal.of_pack(v, FFT, dealer=0),
    "of_pack dealer": lambda v: Deal.of_pack(DEAL.pack, FFT, dealer=v),
    "of_pack rules": lambda v: Deal.of_pack(DEAL.pack, v, dealer=0),
    "Tables rules": lambda v: Tables(v),
    "Tables number": lambda v: Tables(FFT, v if v is not ODD["99"] else 2),
    "Tables seed": lambda v: Tables(FFT, 1, v),
    "Tables first": lambda v: Tables(FFT, 3, 1, v),
    "from_deals": lambda v: Tables.from_deals(FFT, v),
    "from_deals deal": lambda v: Tables.from_deals(FFT, [v]),
    **{
        f"Match {name}": lambda v, name=name: match_of(**{name: v})
        for name in ("rules", "seed", "first_deal", "deals", "redeal", "opening", "left_out")
    },
    "Match deal_to": lambda v: match_of().deal_to(v),
    "Match deal_to row": lambda v: match_of().deal_to(Tables(FFT, 2), v),
    "Match note": lambda v: match_of().note(v),
    "Match note row": lambda v: match_of().note(Tables(FFT, 2), v),
    "match_length": lambda v: match_length(FFT, v),
    "match_length rules": match_length,
    "daily_seed": daily_seed,
    "gather row": lambda v: gather(PLAYED, v),
    "record": lambda v: records.record(v, 0),
    "record row": lambda v: records.record(PLAYED, v),
    "record legal": lambda v: records.record(PLAYED, 0, v),
    "record legal set": lambda v: records.record(PLAYED, 0, [v] * int(PLAYED.columns.log_size[0])),
    "with_legal": records.with_legal,
    "to_line": records.to_line,
    "to_line value": lambda v: records.to_line({"a": v}),
    "deal_of": records.deal_of,
    "replay": lambda v: list(records.replay(v)),
    "check record": records.check,
    **{
        f"check {key}": lambda v, key=key: records.check(RECORD | {key: v})
        for key in (*RECORD, "forced", "legal", "other")
    },
    "check option": lambda v: records.check(RECORD | {"rules": RECORD["rules"] | {"misere": v}}),
    "check_files": records.check_files,
    "read_records": lambda v: list(records.read_records(v)),
    "render_text": render_text,
    "render_text row": lambda v: render_text(PLAYED, v),
    "render_text row of a turn": lambda v: render_text(Tables(FFT).turn(), v),
    "render_text seat": lambda v: render_text(PLAYED, seat=v),
    "render_text letters": lambda v: render_text(PLAYED, letters=v),
    "replay_text letters": lambda v: replay_text(RECORD, letters=v),
    **{
        f"score {name}": lambda v, name=name: score(**{name: v})
        for name in "rules bid points oudlers taker dealer poignees petit_au_bout chelem chelem_by "
        "petit_chelem misere contra".split()
    },
    "score poignee": lambda v: score(poignees=[v]),
    "score partner": lambda v: score(FIVE, partner=v),
    "score partner of six": lambda v: score(SIX, partner=v),
    "score bid of six": lambda v: score(SIX, bid=v),
    **{
        f"{kind} {name}": lambda v, make=make, name=name: make(**{name: v})
        for kind, make in ENVS.items()
        for name in ("rules", "players", "game", "deals", "redeal", "render_mode", "half_point")
    },
    "aec render_seat": lambda v: tarot_v0.raw_env(render_seat=v),
    "aec observe": lambda v: tarot_v0.raw_env().observation_space(v),
    "single seat": lambda v: SingleSeatEnv(seat=v),
    "single opponents": lambda v: SingleSeatEnv(opponents=v),
    "vector num_envs": lambda v: SingleSeatVectorEnv(v if v is not ODD["99"] else 2),
    **{
        f"{kind} reset {name}": lambda v, make=make, name=name: make().reset(**{name: v})
        for kind, make in ENVS.items()
        for name in ("seed", "options")
    },
    **{
        f"{kind} given {name}": lambda v, make=make, name=name: given_part(make, **{name: v})
        for kind, make in ENVS.items()
        for name in ("hands", "chien", "stock", "piles", "dealer", "forced", "x")
    },
    "aec given": lambda v: tarot_v0.raw_env().reset(options={"deal": v}),
    "aec given hand": lambda v: given_part(tarot_v0.raw_env, hands=[v, None, None, None]),
    "aec given card": lambda v: given_part(tarot_v0.raw_env, chien=[v] * 6),
    "aec given pile": lambda v: given_part(tarot_v0.raw_env, piles=[[v], []]),
    "aec given taker": lambda v: given_part(tarot_v0.raw_env, forced=(v, "garde")),
    "aec given contract": lambda v: given_part(tarot_v0.raw_env, forced=(0, v)),
}


def is_refused(call: Callable[[], object], errors: tuple[type[Exception], ...]) -> bool:
    """Makes a call, and looks at the sentence that refuses it, if one does."""
    try:
        call()
    except TarotError as refusal:
        sentence = str(refusal)
    except errors:
        return True
    else:
        return False
    assert "\n" not in sentence
    assert 0 < len(sentence) < 400
    return True


@pytest.mark.parametrize("name", CALLS)
def test_anything_is_taken_or_refused_in_a_sentence(
    name: str, wrong_type_error: tuple[type[Exception], ...]
) -> None:
    for kind, value in ODD.items():
        if (name, kind) != ("read_records", "long text"):  # names of files are shown whole
            is_refused(partial(CALLS[name], value), wrong_type_error)


TABLE_CALLS: dict[str, Callable[[Tables, Any], object]] = {
    "reset rows": lambda t, v: t.reset(v),
    "reset ids": lambda t, v: t.reset(None, v),
    "reset id": lambda t, v: t.reset([0], [v]),  # type: ignore[arg-type]
    "set_deals rows": lambda t, v: t.set_deals(v, [DEAL]),
    "set_deals": lambda t, v: t.set_deals([0], v),  # type: ignore[arg-type]
    "set_deals deal": lambda t, v: t.set_deals([0], [v]),  # type: ignore[arg-type]
    "force rows": lambda t, v: t.force(v, 0, Bid.GARDE),
    "force taker": lambda t, v: t.force(None, v, Bid.GARDE),  # type: ignore[arg-type]
    "force takers": lambda t, v: t.force(None, [v, 0], Bid.GARDE),  # type: ignore[arg-type]
    "force contract": lambda t, v: t.force(None, 0, v),  # type: ignore[arg-type]
    "step": lambda t, v: t.step(v),
    "step action": lambda t, v: t.step([78, v]),  # type: ignore[arg-type]
    "step rows": lambda t, v: t.step([78], v),  # type: ignore[arg-type]
    "step row": lambda t, v: t.step([78], [v]),  # type: ignore[arg-type]
    "turn rows": lambda t, v: t.turn(v),
    "turn seats": lambda t, v: t.turn(None, v),
    "turn seat": lambda t, v: t.turn([0], [v]),  # type: ignore[arg-type]
    "hidden rows": lambda t, v: t.hidden(v, [0]),  # type: ignore[arg-type]
    "hidden viewers": lambda t, v: t.hidden(None, v),  # type: ignore[arg-type]
    "random_actions": lambda t, v: t.random_actions(v),
    "load": lambda t, v: t.load(v),
    "load array": lambda t, v: t.load(Tables(FFT, 2).arrays() | {"events": v}),
    "load ids": lambda t, v: t.load(Tables(FFT, 2).arrays() | {"next_ids": v}),
}


@pytest.mark.parametrize("name", TABLE_CALLS)
def test_what_tables_refuse_changes_nothing(
    name: str, wrong_type_error: tuple[type[Exception], ...]
) -> None:
    for value in ODD.values():
        tables, before = Tables(FFT, 2, seed=1), Tables(FFT, 2, seed=1)
        if is_refused(partial(TABLE_CALLS[name], tables, value), wrong_type_error):
            after = tables.arrays()
            assert all(np.array_equal(a, after[n]) for n, a in before.arrays().items())
            assert np.array_equal(tables.next_ids, before.next_ids)


def test_a_value_in_a_message_is_short_and_on_one_line() -> None:
    assert short_repr("x") == "'x'"
    assert short_repr(Bid.GARDE) == "3"
    assert short_repr(np.zeros((2, 2), int)) == "array([[0, 0], [0, 0]])"
    assert len(short_repr("9" * 5000)) == 80
    assert short_repr(list(range(5000))) == "[0, 1, 2, 3, 4, 5, ...]"
    assert short_repr(10**5000) == "a int that cannot be shown"
    assert len(short_repr(["9" * 100] * 5)) == 80
