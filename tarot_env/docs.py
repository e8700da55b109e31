"""The reference page of the package, `tarot_env/README.md`, made from the code.

`python -m tarot_env.docs` writes it again after a change.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tarot_env.cards.actions import ACTION_TEXTS, PASS, Phase
from tarot_env.observation import Field, Layout, observation_layout, state_layout
from tarot_env.rules import Rules, value_text
from tarot_env.rules.books import GAMES, PRESETS
from tarot_env.rules.catalogue import Default, OptionRow, variants

GLOSSARY = {
    "taker": "who won the auction and plays against the others (preneur)",
    "attack, defence": "the taker's side and the side against it",
    "partner": "who plays with the taker: with five the holder of the called card, with six the "
    "seat opposite",
    "called card": "the king, or lower court card, that the taker of five names: whoever holds it "
    "is the partner, in secret until it is played",
    "partnership": "two seats opposite each other, with six players",
    "chien": "the cards dealt to nobody: six, three with five players (dog, talon)",
    "half of the chien": "its first or last three cards as dealt: with six players the taker "
    "chooses one, the partner takes the other; in code `split` is the one chosen",
    "écart": "the cards set aside after the chien was picked up; in code `ecart`",
    "oudler": "trump 1, trump 21 and the Excuse (bout)",
    "petit": "trump 1",
    "Excuse": "the card that may always be played and is no trump",
    "petit au bout": "the petit in the last trick: a bonus for the side that wins it",
    "petit sec": "the petit as only trump, without the Excuse: the deal is void, or may be thrown "
    "in, or the petit is imprenable, by rule",
    "imprenable": "a lone petit that nobody can take: it may be played at any time and comes back",
    "weak hand": "one without trumps, or with few trumps and court cards, that may ask for a "
    "redeal (house rule)",
    "throw in": "to end a deal that is not played: everybody passed, a petit sec, a redeal",
    "poignée": "many trumps shown for a bonus (handful); in code `poignee`",
    "threshold": "how many trumps a single, double and triple poignée need",
    "withhold": "to keep a trump out of a poignée",
    "slam": "all tricks; its announcement is the action `chelem`",
    "petit chelem": "all tricks but at most three (house rule)",
    "misère": "a hand without trumps, or without court cards, declared for ten points from each "
    "seat (house rule); in code `misere`",
    "petite, garde, garde sans, garde contre": "the contracts, in rising order",
    "pousse": "with six players a bid between petite and garde; like the petite it only tells the "
    "partner something",
    "contra, recontra": "with six players: another partnership doubts a bid, the bidders insist",
    "court card": "king, queen, knight, jack",
    "knight": "the card between jack and queen (cavalier), `N` in text",
    "plain card": "a suit card other than a king; what an écart is made of while there is one",
    "dead hand": "the dealer of five who sits out (mort)",
    "dummy": "with two players, the third hand: it lies open after the first card, and the "
    "defender plays it",
    "pile": "in La Découverte, a card face up on a covered one",
    "second stock": "in La Tirette, the cards to draw; the bottom one, the exposed card, lies open",
    "seat": "a place at the table, 0 to P-1, to the right",
    "place": "a seat counted from the viewer, which is 0; the dummy's hand is place 2",
    "hand": "the cards that are played from one place; named by its seat, the dummy's is 2",
    "viewer": "the seat that a Turn, an observation or a picture is for",
    "leader": "who plays the first card of a trick",
    "deal": "one hand of cards played out",
    "match": "several deals in a row",
    "table": "where a deal is played; B tables are a batch",
    "rows": "indices into a batch",
    "half points": "what cards count: oudler or king 9, queen 7, knight 5, jack 3, others 1",
    "agent": "whatever chooses actions",
}

PHASES = {
    Phase.PETIT_SEC: "a seat that may have the deal thrown in, by rule, is asked alone",
    Phase.AUCTION: "a bid or a pass; with six also contra and recontra",
    Phase.CALL: "five: the taker names a card",
    Phase.SPLIT: "six: the taker chooses a half of the chien",
    Phase.DISCARD: "a card is set aside; with six by the taker, then by the partner",
    Phase.SLAM: "the taker may announce a slam or petit chelem; before the call where "
    "`slam_window` is `with_bid`",
    Phase.MISERE: "a seat that can declare a misère is asked alone",
    Phase.POIGNEE: "a seat that can show a poignée is asked alone",
    Phase.WITHHOLD: "a trump is kept out of the poignée",
    Phase.PLAY: "a card is played",
    Phase.OVER: "the deal is played out or thrown in",
}
"""What each phase asks; the page says how it looks to others."""

_FOUR = "4"
_ACTIONS = """\
Cards are 0 to 77: spades `S1 .. SK`, hearts `H`, diamonds `D`, clubs `C` (`J` jack, `N` knight, \
`Q` queen, `K` king), trumps `T1 .. T21`, the Excuse `EX`. A card is called, set aside, withheld \
or played, as the phase says. Then:"""
_UNHEARD = """\
What only one seat is asked looks to every other seat like what comes behind it: `PETIT_SEC` like \
the opening of the `AUCTION`; `MISERE`, `POIGNEE` and `WITHHOLD` like that seat's `PLAY`, or, \
where `poignee_window` is `before_first_trick`, like the first leader's."""
_VIEW = """\
What one seat knows; seats and hands are counted from the viewer (0), cards are in the order of \
their ids, trump fields hold trumps 1 to 21 and the Excuse."""
_OPTIONS = """\
Values are written as they are typed. Each rule book has fft's value unless it is named; *ours* \
stands where its text is silent or unclear. An option without a use in a game is refused there. \
[RULES.md](RULES.md) tells each one beside the rule that it changes."""


def page() -> str:
    """The reference page as Markdown."""
    four = Rules.preset("fft", players=4)
    return (
        "\n\n".join(
            [
                "# tarot_env: the game",
                "Made from the code by `python -m tarot_env.docs`.",
                "The rules of every game stand in [RULES.md](RULES.md).",
                "## Words",
                "\n".join(f"* **{word}**: {meaning}" for word, meaning in GLOSSARY.items()),
                "## Games",
                _games(),
                "## Rule books",
                _presets(),
                "## Options",
                _OPTIONS,
                _options(),
                "## Actions",
                _ACTIONS,
                ", ".join(f"{a} `{ACTION_TEXTS[a]}`" for a in range(PASS, len(ACTION_TEXTS))),
                "## Phases",
                _table("phase | asks", ([f"{p.value} `{p.name}`", PHASES[p]] for p in Phase)),
                _UNHEARD,
                "## Observation",
                _VIEW,
                *_layout(observation_layout, four),
                "## State",
                "The whole table, for centralised critics; never for an actor.",
                *_layout(state_layout, four),
            ]
        )
        + "\n"
    )


def _table(head: str, rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table; columns of the head are separated by bars."""
    rule = "|" + "---|" * len(head.split(" | "))
    body = [f"| {' | '.join(map(str, row))} |" for row in rows]
    return "\n".join([f"| {head} |", rule, *body])


def _named(game: str) -> str:
    """A game as `Rules.preset` names it."""
    return f"`players={game}`" if game.isdigit() else f'`game="{game}"`'


def _games() -> str:
    head = "named | game | cards of a hand | chien | tricks | poignées | rule books"
    return _table(
        head,
        (
            [
                _named(row.name),
                row.sizes.title,
                row.sizes.hand_size,
                row.sizes.chien_size,
                row.sizes.tricks,
                "-".join(map(str, row.sizes.thresholds or ())) or "none",
                ", ".join(row.presets),
            ]
            for row in variants().games
        ),
    )


def _presets() -> str:
    return _table(
        "preset | games | source",
        (
            [f"`{row.name}`", ", ".join(map(_named, row.games)), row.source]
            for row in variants().presets
        ),
    )


def _options() -> str:
    return _table("option | values | rule books | meaning", map(_option, variants().options))


def _option(row: OptionRow) -> list[str]:
    only = "" if row.games == tuple(GAMES) else f"; only with {', '.join(row.games)}"
    note = f"; {row.note}" if row.note else ""
    return [
        f"`{row.name}`",
        ", ".join(value if " " in value else f"`{value}`" for value in row.values),
        "; ".join(map(_default, row.defaults)),
        f"{row.meaning}{note}{only}",
    ]


def _default(default: Default) -> str:
    ours = " *ours*" if default.is_choice else ""
    return f"{default.preset} {default.value}{ours}"


# -- layouts


def _layout(make: Callable[[Rules], Layout], four: Rules) -> list[str]:
    """The layout of four players under FFT rules, and what others have beside it."""
    return [
        f"With four players {make(four).size} values, uint8:",
        make(four).table(),
        "Sizes in other games, and the fields that they or house rules add; where a shape names "
        "seats or hands, it has one for each:",
        _table("game or option | values | more fields", _additions(make, four)),
    ]


def _additions(make: Callable[[Rules], Layout], four: Rules) -> list[list[str]]:
    known = {field.name for field in make(four).fields}
    rows = []
    for game in GAMES:
        if game != _FOUR:
            layout = make(_rules_of(game))
            more = [field for field in layout.fields if field.name not in known]
            rows.append([_named(game), str(layout.size), _fields(more)])
    for option in ("misere", "petit_chelem"):
        changed: dict[str, Any] = {option: True}
        layout = make(Rules.preset("fft", players=4, **changed))
        more = [field for field in layout.fields if field.name not in known]
        value = value_text(changed[option])
        rows.append([f"`{option}={value}`, four players", str(layout.size), _fields(more)])
    return rows


def _rules_of(game: str) -> Rules:
    """A game under the first rule book that describes it."""
    preset = next(name for name in PRESETS if game in PRESETS[name])
    if game.isdigit():
        return Rules.preset(preset, players=int(game))
    return Rules.preset(preset, game=game)


def _fields(fields: list[Field]) -> str:
    texts = (f"`{f.name}` {' x '.join(map(str, f.shape))}: {f.doc}" for f in fields)
    return "; ".join(texts) or "none"


if __name__ == "__main__":
    Path(__file__).with_name("README.md").write_text(page(), encoding="utf-8")
