"""Names of rows that are compared, drawn or told beside another, and sizes that they hold for."""

STEP = "legal mask, choice, step"
SEEN = "observation, mask, choice, step"
MIXED = "tables spread over a deal"
STATE = "state without event log"
DEALING = "dealing, ready to bid"
LOOP = "PettingZoo loop, tarot_v0"
PLAYOUTS = "card play from copies"
PPO = "PPO updates, 256-256"
ENVIRONMENT = "of it: tables, turns, observations"
PPO_ALONE = "the same without environment"
TAROK = "OpenSpiel tarok, card play"
SPADES = "OpenSpiel spades, observer"
SPADES_LIST = "OpenSpiel spades, tensor"
BRIDGE = "RLCard bridge"
MASKABLE_PPO = "MaskablePPO, 256-256"
MASKABLE_PPO_ALIKE = "MaskablePPO, as many epochs as ours"
PROJECTED = "20,000 deals, projected"

HIDDEN = (256, 256)
"""Layers of the networks that are trained."""
THREADS = 2
"""Of torch, while it trains."""
