"""What each of two processes does for `test_distributed.py`, which starts this file by torchrun.

Each writes what it saw to `rankR.pt` in the folder that it is given, and how it ended to
`endR.txt`: the first process gives up while the second waits for it.
"""

import os
import sys
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import torch

from tarot_env import TarotError
from training.selfplay import checkpoint
from training.selfplay.config import CollectConfig, EvalConfig, PPOConfig, TrainConfig
from training.selfplay.distributed import started_processes
from training.selfplay.ppo import Trainer
from training.selfplay.run import train

UPDATES = 7
CONFIG = TrainConfig(
    name="together",
    seed=5,
    decisions=1_000_000,
    threads=1,
    hidden=(16,),
    checkpoint_every=2,
    collect=CollectConfig(
        tables=8, steps=90, pool_every=1, pool_size=2, past_share=0.5, given_first=0.0
    ),
    ppo=PPOConfig(minibatch=300),
    eval=EvalConfig(every=2, deals=2, opponents=("random",), select_by="random"),
)


def recorded_update(trainer):
    """One update: the deals played, and each minibatch with the gradients of its step."""
    deals, steps = [trainer.collector.tables.deal_ids.copy()], []
    deal, minibatch = trainer.collector._deal, trainer._minibatch

    def recorded_deal(rows):
        deal(rows)
        deals.append(trainer.collector.tables.deal_ids.copy())

    def recorded_minibatch(data, targets, rows):
        measured = minibatch(data, targets, rows)
        steps.append({"rows": rows, "gradients": gradients(trainer), "measured": measured})
        steps[0] |= {"data": data.arrays(), "targets": asdict(targets)}
        return measured

    trainer.collector._deal, trainer._minibatch = recorded_deal, recorded_minibatch
    before = trainer.state()
    row = trainer.update()
    return {"before": before, "row": row, "deals": np.unique(deals), "steps": steps}


def gradients(trainer):
    parameters = [*trainer.actor.parameters(), *trainer.critic.parameters()]
    return torch.cat([parameter.grad.reshape(-1) for parameter in parameters]).clone()


def stopped_after(number, config, processes, *, resume=False):
    """A run that all processes leave after so many updates."""

    def on_update(row):
        if row["update"] == number:
            raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        train(config, resume=resume, on_update=on_update, processes=processes)


def main(folder):
    with started_processes() as processes:
        trainer = Trainer(CONFIG, processes)
        for _ in range(UPDATES - 1):
            trainer.update()
        seen = recorded_update(trainer)
        seen |= {"after": trainer.state(), "gathered": processes.gather(processes.rank)}
        checkpoint.save(folder / f"rank{processes.rank}.pt", checkpoint.pack(seen))

        whole = replace(CONFIG, name="whole", runs=str(folder))
        halves = replace(whole, name="halves")
        stopped_after(4, whole, processes)
        stopped_after(3, halves, processes)  # one behind its last checkpoint
        stopped_after(4, halves, processes, resume=True)

        if not processes.rank:
            raise TarotError("the first has had enough")
        processes.sum(np.zeros(1))


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except (TarotError, SystemExit) as error:
        (Path(sys.argv[1]) / f"end{os.environ['RANK']}.txt").write_text(repr(error))
