"""What a seat has not seen of a table, worked out from the table itself and not from its Turn."""

import re

import numpy as np

from tarot_env import Bid, Phase
from tarot_env.cards import cardsets
from tarot_env.rules.labels import card_label


def hidden_ids(tables, row, seat):
    """Ids of the cards that a seat has no right to see named; some are known to lie somewhere."""
    state, rules = tables.columns, tables.rules
    pack = {int(card) for card in state.pack[row]}
    seen = set(cardsets.to_ids(state.hands[row, seat]))
    for played in state.played[row]:
        seen |= set(cardsets.to_ids(played))
    for shown in (*state.poignee_cards[row], *state.face_up[row]):
        seen |= set(cardsets.to_ids(shown))
    taken_up = Bid.NONE < state.contract[row] <= Bid.GARDE and not _before_the_chien(tables, row)
    if taken_up or state.phase[row] == Phase.OVER:
        seen |= set(cardsets.to_ids(state.chien[row]))
    for owner, ecart in zip((state.taker[row], state.partner[row]), state.ecart[row], strict=False):
        aside = set(cardsets.to_ids(ecart))
        seen |= aside if owner == seat else {card for card in aside if 56 <= card < 77}
    if state.called[row] >= 0:
        seen.add(int(state.called[row]))
    if rules.game == "tirette" and state.phase[row] == Phase.PLAY:
        seen.add(int(state.pack[row, -1]))
    return pack - seen


def _before_the_chien(tables, row):
    asked = [Phase.AUCTION, Phase.PETIT_SEC, Phase.CALL]
    if tables.rules.slam_window == "with_bid":
        asked.append(Phase.SLAM)
    return tables.phase[row] in asked


def labels_in(text):
    """Cards that a text names."""
    return set(re.findall(r"[♠♥♦♣][0-9A-Z]+|T\d+|Excuse", text))


def hidden_labels(tables, row, seat):
    """Hidden cards as a text would name them."""
    return {card_label(card) for card in hidden_ids(tables, row, seat)}


def random_step(tables, rng, bids=0.3):
    """One random answer at each table; most seats pass, and nobody announces a slam."""
    can_pass = cardsets.contains(tables.legal_sets(), np.full(tables.num_tables, 78))
    passes = np.isin(tables.phase, (Phase.PETIT_SEC, Phase.SLAM))
    passes |= (tables.phase == Phase.AUCTION) & (rng.random(tables.num_tables) > bids)
    tables.step(np.where(can_pass & passes, 78, tables.random_actions(rng)))
