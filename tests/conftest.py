"""What all tests share: quiet, offline libraries that use one thread each, and no test that hangs on timing."""

import os
import signal

from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.by_room"]

# Set before any test module imports torch, transformers or wandb; a value given from outside wins.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("WANDB_MODE", "offline")
os.environ.setdefault("MPLBACKEND", "Agg")

# The examples follow from the tests themselves: a change that breaks nothing cannot turn a run red, and a drawn example
# that takes for ever cannot turn up one day. New ones belong to `make fuzz`, which sets the variable and gives a seed.
# An example's time says something about the machine and what else runs on it, and nothing about the code.
settings.register_profile(
    "teller_gym",
    deadline=None,
    database=None,
    derandomize="TELLER_GYM_FUZZ" not in os.environ,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("teller_gym")

# A shell starts its jobs in the background with Ctrl-C ignored, which the processes that tests start would inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
