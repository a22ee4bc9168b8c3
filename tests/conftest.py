"""Common set-up of all tests: libraries run quietly, offline and with one thread, and no test depends on timing."""

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

# Examples are derived from the tests themselves, so that a harmless change cannot fail a run and no new example can
# suddenly take too long. `make fuzz` sets the variable and a seed to draw new examples. There is no deadline, because
# an example's time depends on the machine and its load.
settings.register_profile(
    "teller_gym",
    deadline=None,
    database=None,
    derandomize="TELLER_GYM_FUZZ" not in os.environ,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("teller_gym")

# Background jobs of a shell ignore Ctrl-C, which the processes that tests start would inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_LONG = ("training", "packaging", "browser", "webdav_clients", "slow")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run files with long tests first, so that no worker is still busy with one when the others have finished."""
    long = {item.path for item in items if any(item.get_closest_marker(name) for name in _LONG)}
    items.sort(key=lambda item: item.path not in long)
