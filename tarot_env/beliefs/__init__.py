"""What a seat may believe of the cards it cannot see, from its Turn alone.

    worlds = sample_worlds(turn, 32, rng)            # 32 deals for each row that fit all it knows
    likely = weights(turn, worlds, agent, rng)       # how likely, if the others bid as the agent
    tables = tables_from(turn, worlds)               # n * 32 tables, ready to be played on

Every deal that could have led to a Turn is as likely as any other, and of a deal's legal écarts one
is as likely as another. That is exact, by counting (`exact_sampler`), but where many hands are void
in different suits, mostly with six players: there the worlds carry weights.
"""

from tarot_env.beliefs.likelihood import weights
from tarot_env.beliefs.sampling import sample_worlds
from tarot_env.beliefs.worlds import Worlds, tables_from

__all__ = ["Worlds", "sample_worlds", "tables_from", "weights"]
