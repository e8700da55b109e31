"""`HumanAgent`: a person in a seat, asked through a callable; what a person may type."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from difflib import get_close_matches

import numpy as np
from jaxtyping import Int

from tarot_env.cards import NUM_CARDS, RANK_TEXTS, SUIT_LETTERS, cardsets
from tarot_env.cards.actions import ACTION_TEXTS, Phase, action_text
from tarot_env.errors import UnknownName, unknown_name
from tarot_env.rules.labels import SUIT_SYMBOLS, Letters, action_label, in_hand_order
from tarot_env.tables import Turn

_SEVERAL = (Phase.DISCARD, Phase.WITHHOLD)
"""Where the cards of several decisions may be typed at once."""


class HumanAgent:
    """Asks a person, again and again until the answer is legal.

    Args:
        ask: called with a turn of one row; returns what the person typed. What it raises, to leave
            the table, passes through.
        refuse: called with a sentence where an answer cannot be used.
        explain: why the rules refuse an action just now; without it the legal ones are listed.
        commands: other words that `ask` knows, to be suggested for unknown ones.
        letters: of the court cards, in what it says.
        name: shown in tables.
    """

    def __init__(
        self,
        ask: Callable[[Turn], str],
        refuse: Callable[[str], None],
        *,
        explain: Callable[[int], str] | None = None,
        commands: Iterable[str] = (),
        letters: Letters = "english",
        name: str = "human",
    ) -> None:
        self.name = name
        self._ask = ask
        self._refuse = refuse
        self._explain = explain
        self._commands = tuple(commands)
        self._letters: Letters = letters
        self._ahead: list[int] = []

    def act(self, turn: Turn, rng: np.random.Generator) -> Int[np.ndarray, " n"]:
        """The person's legal answer to each row, one after the other."""
        rows = range(len(turn))
        return np.array([self._answer(turn.take(np.array([row]))) for row in rows], np.int64)

    def _answer(self, turn: Turn) -> int:
        if turn.phase[0] not in _SEVERAL:
            self._ahead.clear()
        while True:
            if not self._ahead:
                try:
                    self._ahead = read_answers(self._ask(turn), turn, self._commands)
                except UnknownName as error:
                    self._refuse(str(error))
                    continue
            action = self._ahead.pop(0)
            if cardsets.contains(turn.legal, np.array([action]))[0]:
                return action
            self._ahead.clear()
            self._refuse(f"{action_label(action, self._letters)}: {self._reason(turn, action)}")

    def _reason(self, turn: Turn, action: int) -> str:
        if self._explain is not None:
            return self._explain(action)
        return f"not allowed now; allowed: {' '.join(map(action_text, numbered(turn)))}"


def numbered(turn: Turn) -> list[int]:
    """The legal answers of a turn of one row, in the order of their numbers from 1.

    Cards come as they are held, in La Découverte those of the piles before the others.
    """
    legal = cardsets.to_ids(turn.legal[0])
    cards = in_hand_order(action for action in legal if action < NUM_CARDS)
    if turn.rules.game == "decouverte":
        piles = cardsets.to_ids(turn.face_up[0, 0])
        cards.sort(key=lambda card: card not in piles)
    return cards + [action for action in legal if action >= NUM_CARDS]


def read_answers(text: str, turn: Turn, commands: Iterable[str] = ()) -> list[int]:
    """The actions that a person's words mean, legal or not.

    A number of the list, a card such as `SK`, `♠K` or `T21`, also with French letters (`SR`), or
    an action by its name, with or without accents and underscores. Where an écart is made or a
    poignée put together, several of them in a row.

    Raises:
        UnknownName: a word that means nothing here; near answers that are legal are suggested.
    """
    whole = typed_name(text)
    if whole in _NAMES:
        return [_NAMES[whole]]
    words = _plain(text).split()
    if len(words) > 1 and turn.phase[0] not in _SEVERAL:
        if get_close_matches(whole, _answers_now(turn)):
            raise unknown_name("answer", whole, _answers_now(turn))
        raise UnknownName(f"{text.strip()!r}: give one answer at a time")
    if not words:
        raise UnknownName(f"{text.strip()!r} is no answer; a number of the list is one")
    return [_read_word(word, turn, commands) for word in words]


def _read_word(word: str, turn: Turn, commands: Iterable[str]) -> int:
    listed = numbered(turn)
    if word.isdecimal():
        if len(word) > 4 or not 1 <= int(word) <= len(listed):
            raise UnknownName(f"no answer {word[:8]}; they are numbered 1 to {len(listed)}")
        return listed[int(word) - 1]
    if word in _NAMES:
        return _NAMES[word]
    raise unknown_name("answer", word, [*_answers_now(turn), *commands])


def _answers_now(turn: Turn) -> list[str]:
    """The legal answers as they may be typed."""
    return [action_text(action).lower() for action in numbered(turn)]


def typed_name(text: str) -> str:
    """The name that a person means who types `Garde sans`, `garde-sans` or `double poignée`."""
    return _plain(text).replace(" ", "_")


def _plain(text: str) -> str:
    """Small letters without accents; anything that is no letter, digit or suit is a space."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(c for c in letters if not unicodedata.combining(c))
    return re.sub(rf"[^a-z0-9{SUIT_SYMBOLS}]+", " ", letters).strip()


def _names() -> dict[str, int]:
    """Every word for an action: its text, and other ways to write a card."""
    names = {text: action for action, text in enumerate(_ACTIONS)}
    french = {"v": "j", "c": "n", "d": "q", "r": "k", "a": "1"}
    for number, letter in enumerate(SUIT_LETTERS.lower()):
        for start in (letter, SUIT_SYMBOLS[number]):
            for rank in map(str.lower, RANK_TEXTS):
                names[start + rank] = names[letter + rank]
            for other, rank in french.items():
                names[start + other] = names[letter + rank]
    return names | {"excuse": names["ex"], "throw": names["throw_in"], "slam": names["chelem"]}


_ACTIONS = [text.lower() for text in ACTION_TEXTS]
_NAMES = _names()
