"""What all tests share: quiet, offline libraries that use one thread each, and no test that hangs on timing."""

import os
import signal

from hypothesis import settings

pytest_plugins = ["tests.by_room"]

# Set before any test module imports torch, transformers or wandb; a value given from outside wins.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("WANDB_MODE", "offline")
os.environ.setdefault("MPLBACKEND", "Agg")

# An example's time says something about the machine and what else runs on it, and nothing about the code.
settings.register_profile("teller_gym", deadline=None)
settings.load_profile("teller_gym")

# A shell starts its jobs in the background with Ctrl-C ignored, which the processes that tests start would inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
