"""`python -m training` is the command `tarot`."""

import sys

from training.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
