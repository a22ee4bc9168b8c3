"""Common set-up of all tests: quiet, offline libraries that use one thread each, and no test that depends on timing."""

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.by_room"]

# Set before any test module imports torch, transformers or wandb; a value given from outside wins.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("WANDB_MODE", "offline")
os.environ.setdefault("MPLBACKEND", "Agg")

# Examples are derived from the tests themselves: a change that breaks nothing cannot turn a run red, and no drawn
# example can suddenly take for ever. New examples belong to `make fuzz`, which sets the variable and gives a seed.
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

_LONG = ("training", "packaging", "browser", "webdav_clients", "slow")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with long tests first, so that no worker still runs a long file when the others have finished."""
    long = {item.path for item in items if any(item.get_closest_marker(name) for name in _LONG)}
    items.sort(key=lambda item: item.path not in long)
