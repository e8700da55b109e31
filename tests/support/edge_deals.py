"""Deals that several edge cases are played on."""

from support.lockstep import written

# Seat 0 leads what seat 1 wants; nobody has ten trumps.
OPEN = written(
    "EX S1-10 H1-7",
    "D1-5 C1-5 T2-9",
    "D6-K C6-10 T10-13",
    "SJ-K H8-K CJ-K T14-16",
    "T1 T17-21",
)

NO_TRUMP = written("D1-K S1-4", "EX S5-K H1-7", "H8-K C1-4 T2-8", "C5-K T9-16", "T1 T17-21")

LONE_PETIT = ("D1-K S1-4", "S5-K T2-9", "T1 EX H1-K C1 C2", "C3-K T10-15", "T16-21")

ALL_TRUMPS = written("T1 T5-21", "EX S1-K H1-3", "H4-K D1-7", "D8-K C1-J", "CN-K T2-4")

EXCUSE_IN_CHIEN = written("T1 T5-21", "S1-K H1-4", "H5-K D1-8", "D9-K C1-N", "EX CQ CK T2-4")
