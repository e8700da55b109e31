"""The laboratory: self-play training, tournaments, statistics, reports and the command line."""

import os

# Threads of OpenMP that wait for each other by spinning lose most of their time as soon as anything
# else runs on the machine; this must stand before torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
