"""What each principle of the card play counts, in half points; pairs are (defender, taker).

How they were found, at four players: in deals played by the agent against itself on training seeds
(below 1,000,000; garde given to the strongest hand), each legal card of some ten thousand decisions
was played and the deal finished by the agent. The weights fit the final scores by least squares,
each decision centred on its own mean; steps toward the fit were shortened, and kept where duplicate
deals showed the agent stronger. Weights are not separate truths: they balance each other. The other
games use them too: fitted anew for three players or La Tirette, they won 3 points a deal at most.

`draw_last_trumps`, `trump_before_petit`, `major_unhunted`, `return_unruffed`, `uppercut` and
`master_low_card_ruffed` were added later, and `open_after_taker` and `main_forte_trump` changed, so
that published principles are followed. These weights are rounded and were chosen on duplicate deals
of training seeds. One player with the changes among others without, garde given to the strongest
hand, points a deal with 95 % intervals, 2,000 deals of each seed:

    3 players    seeds 1000220 to 1000222               +1.1 [+0.5, +1.6]
    4 players    seeds 1000200 to 204 and 210 to 214    +2.0 [+1.6, +2.4]
    5 players    seeds 1000230 to 1000232               +0.6 [+0.2, +1.1]

`trump_strength` and its square were fitted as -1.96 and 3.98 for the taker, so that it ruffed with
a middle trump and kept its lowest. A curve that rises from the start is what card players follow,
and in the same kind of match, with a smaller `petit_length` of the defence, gained

    3 players    seeds 1000810 to 1000812               +1.9 [+1.4, +2.4]
    4 players    seeds 1000810 to 1000812               +2.3 [+1.6, +3.0]
    5 players    seeds 1000820 and 1000821              +1.2 [+0.7, +1.7]

On training seeds of four players, drawing the last trumps gained about 1 point of it and low cards
that are ruffed about another. The return of a partner's suit, the uppercut, the trump lead of the
main forte and the petit at the end neither cost nor gained anything that could be measured.
"""

from collections import namedtuple
from collections.abc import Iterable
from typing import Any

WIN: dict[str, tuple[float, float]] = {
    "points_on_table": (1.43, 0.79),
    "own_points": (0.99, 0.64),
    "cards_to_come": (1.26, 0.73),
    "trick": (-2.93, -1.86),
    "petit": (27.51, 14.83),
    "twenty_one": (-2.7, -0.68),
}
"""Times the chance of winning the trick, see `tricks.what_winning_brings`."""

KEEP: dict[str, tuple[float, float]] = {
    "master_honour": (0.94, 0.47),
    "guarded_honour": (0.86, 0.52),
    "short_honour": (0.87, 0.99),
    "master_low_card": (1.13, 0.25),
    "master_low_card_ruffed": (-0.5, -1.0),
    "rank_of_low_card": (-0.14, 0.48),
    "last_of_suit": (-0.04, 0.93),
    "guard": (0.41, 0.01),
    "trump": (0.82, 2.91),
    "trump_strength": (2.01, 0.0),
    "trump_strength_squared": (-0.99, 3.0),
    "uppercut": (-2.0, 0.0),
    "trump_own_number": (-0.08, -0.31),
    "trump_enemy_number": (0.14, -0.08),
    "petit": (15.27, 14.38),
    "petit_length": (2.0, 1.02),
    "petit_early": (11.89, -1.86),
    "petit_au_bout": (16.54, 7.3),
    "excuse": (1.5, 2.0),
    "gives_itself_away": (0.0, 1.0),
}
"""What playing the card gives up, see `keeping.reasons_to_keep`."""

TAKER_LEADS: dict[str, float] = {
    "long_suit": 1.22,
    "long_suit_repeated": 0.29,
    "lead_length": -0.17,
    "ruffed_by_defence": 0.83,
    "honour_ruffed": 0.35,
    "lead_honour": -0.1,
    "reprise": -1.94,
    "hunt_petit": 1.04,
    "major_unhunted": -1.5,
    "lead_trump": -1.12,
    "trump_margin": -0.29,
    "draw_trumps": 0.81,
    "master_trump": 3.41,
    "draw_last_trumps": 3.0,
    "trump_before_petit": -1.0,
    "trumps_drawn": -3.55,
    "early_trump": -1.24,
    "lead_excuse": -2.19,
}
"""See `leading.taker_lead`."""

DEFENCE_LEADS: dict[str, float] = {
    "force_taker": 3.81,
    "force_with_honour": 0.56,
    "partner_ruffs": -1.29,
    "lead_honour": -0.35,
    "partners_honours": -0.13,
    "takers_suit": -1.7,
    "return_suit": -1.0,
    "return_unruffed": 4.0,
    "open_before_taker": 2.14,
    "open_in_the_middle": 2.1,
    "open_after_taker": 0.5,
    "open_early": -1.4,
    "lead_trump": -0.77,
    "main_forte_trump": 2.7,
    "lead_excuse": -1.48,
}
"""See `leading.defence_lead`."""


def _named(name: str, weights: Iterable[str]) -> Any:
    """A tuple with a name for each weight, which row functions read."""
    return namedtuple(name, list(weights))


_Win, _Keep = _named("Win", WIN), _named("Keep", KEEP)
DEFENCE_WIN, TAKER_WIN = (_Win(*column) for column in zip(*WIN.values(), strict=True))
DEFENCE_KEEP, TAKER_KEEP = (_Keep(*column) for column in zip(*KEEP.values(), strict=True))
DEFENCE_LEAD = _named("DefenceLeads", DEFENCE_LEADS)(*DEFENCE_LEADS.values())
TAKER_LEAD = _named("TakerLeads", TAKER_LEADS)(*TAKER_LEADS.values())
