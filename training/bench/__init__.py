"""How fast this machine is: tables, observations, agents, training; other libraries beside them.

`plan` lists what is measured and the goals; adding a measurement is one entry there. `rounds` runs
every measurement once per round, so that whatever else the machine does hits all of them alike, and
medians stand. Deals are played to the end with the contract given to the best hand, never with
random bids, which would be all high contracts; actions are random and legal. Only decisions of live
tables count. Nothing outside this package knows about it but the command line.
"""

from training.bench.output import write_bench
from training.bench.plan import GROUPS
from training.bench.result import BenchResult
from training.bench.rounds import bench

__all__ = ["GROUPS", "BenchResult", "bench", "write_bench"]
