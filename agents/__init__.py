"""Everything that chooses actions; an agent sees a `Turn` and nothing else."""
