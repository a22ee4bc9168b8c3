"""Entry point `python -m teller_gym.cli`, which runs the command line without an installed script."""

import sys

from teller_gym.cli import main

sys.exit(main())
