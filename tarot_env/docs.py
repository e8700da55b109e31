"""The reference page of the package, `tarot_env/README.md`, made from the code.

`python -m tarot_env.docs` writes it again after a change.
"""

from pathlib import Path

from tarot_env.actions import ACTION_TEXTS, PASS, Phase
from tarot_env.observation import observation_layout, state_layout
from tarot_env.rules import PRESETS, Rules

GLOSSARY = {
    "taker": "who won the auction and plays against the others (preneur)",
    "attack, defence": "the taker's side and the side against it",
    "chien": "the six cards dealt to nobody (dog, talon)",
    "écart": "the cards that the taker sets aside after picking up the chien; in code `ecart`",
    "oudler": "trump 1, trump 21 and the Excuse (bout)",
    "petit": "trump 1",
    "Excuse": "the card that may always be played and is no trump",
    "petit au bout": "the petit in the last trick: a bonus for the side that wins it",
    "poignée": "ten trumps or more, shown for a bonus (handful); in code `poignee`",
    "slam": "all tricks; its announcement is the action `chelem`",
    "petite, garde, garde sans, garde contre": "the contracts, in rising order",
    "petit sec": "the petit as only trump, without the Excuse: the deal is void",
    "knight": "the card between jack and queen (cavalier), `N` in text",
    "seat": "a place at the table, 0 to P-1, to the right; in a Turn counted from the viewer",
    "deal": "one hand of cards played out",
    "table": "where a deal is played; B tables are a batch",
    "rows": "indices into a batch",
    "half points": "what cards count: oudler or king 9, queen 7, knight 5, jack 3, others 1",
    "agent": "whatever chooses actions",
}


def page() -> str:
    """The reference page as Markdown."""
    rules = Rules.preset()
    return "\n".join(
        [
            "# tarot_env: the game",
            "",
            "Made from the code by `python -m tarot_env.docs`.",
            "",
            "## Words",
            "",
            *(f"* **{word}**: {meaning}" for word, meaning in GLOSSARY.items()),
            "",
            "## Games and options",
            "",
            *(
                f"* preset `{name}`: {', '.join(map(str, players))} players"
                for name, players in PRESETS.items()
            ),
            "",
            _option_table(),
            "",
            "## Actions",
            "",
            "Cards are 0 to 77: spades `S1 .. SK`, hearts `H`, diamonds `D`, clubs `C` (`J` jack, "
            "`N` knight, `Q` queen, `K` king), trumps `T1 .. T21`, the Excuse `EX`. Then:",
            "",
            ", ".join(f"{a} `{ACTION_TEXTS[a]}`" for a in range(PASS, len(ACTION_TEXTS))),
            "",
            "Phases: " + ", ".join(f"{phase.value} `{phase.name}`" for phase in Phase),
            "",
            f"## Observation ({observation_layout(rules).size} values, uint8)",
            "",
            "What one seat knows; seats are counted from the viewer (0), cards are in the order of "
            "their ids, trump fields hold trumps 1 to 21 and the Excuse.",
            "",
            observation_layout(rules).table(),
            "",
            f"## State ({state_layout(rules).size} values, uint8)",
            "",
            "The whole table, for centralised critics; never for an actor.",
            "",
            state_layout(rules).table(),
            "",
        ]
    )


def _option_table() -> str:
    lines = ["| option | values | fft | meaning |", "|---|---|---|---|"]
    for option in Rules.options():
        allowed, ints = option.metadata["allowed"], option.metadata["ints"]
        number = "whole number" if ints == 1 else f"{ints} whole numbers"
        values = ", ".join(map(str, allowed)) or number
        doc = option.metadata["doc"]
        lines.append(f"| `{option.name}` | {values} | {option.default} | {doc} |")
    return "\n".join(lines)


if __name__ == "__main__":
    Path(__file__).with_name("README.md").write_text(page(), encoding="utf-8")
