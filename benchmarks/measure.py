"""Yardstick and helpers of the benchmarks.

The yardstick is a *calibration item*: `json.loads` and pydantic validation of a call with eight parameters. It is
measured before and after each repeat of a measurement, and the median ratio to it is reported: absolute rates on a
shared machine vary several-fold within an hour, but these ratios hardly do.
"""

import gc
import json
import os
import statistics
import time
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

CALIBRATION_SECONDS = 0.1
CALIBRATION_BATCH = 200

CALIBRATION_CALL = json.dumps(
    {
        "name": "transfer_funds",
        "arguments": {
            "from_account": "ACC-00017",
            "to_account": "ACC-00231",
            "amount": 125.50,
            "currency": "EUR",
            "memo": "invoice 2026-114 for October services",
            "category": "supplier",
            "execution_date": "2026-11-20",
            "notify": True,
        },
    }
)


class TransferArguments(BaseModel):
    """Arguments of the calibration call, with the constraints of a typical tool."""

    model_config = ConfigDict(extra="forbid")

    from_account: str = Field(pattern=r"^ACC-[0-9]{5}$")
    to_account: str = Field(pattern=r"^ACC-[0-9]{5}$")
    amount: float = Field(gt=0)
    currency: Literal["EUR", "USD", "GBP"]
    memo: str = Field(max_length=140)
    category: Literal["supplier", "salary", "tax", "other"]
    execution_date: str = Field(max_length=10)
    notify: bool


class Measured(NamedTuple):
    """Medians over the repeats of a measurement."""

    seconds: float
    """Seconds per operation."""
    items: float
    """Time per operation in calibration items, as measured around the same repeat."""

    @property
    def ratio(self) -> float:
        """The rate as a multiple of the calibration rate."""
        return 1 / self.items


def calibration_seconds(duration: float = CALIBRATION_SECONDS) -> float:
    """Measure the time of a calibration item, in seconds, for about `duration` seconds."""
    validate, loads = TransferArguments.model_validate, json.loads
    count, start = 0, time.perf_counter()
    while True:
        for _ in range(CALIBRATION_BATCH):
            validate(loads(CALIBRATION_CALL)["arguments"])
        count += CALIBRATION_BATCH
        elapsed = time.perf_counter() - start
        if elapsed >= duration:
            return elapsed / count


def measure(batch: Callable[[], tuple[int, float]], repeats: int, min_seconds: float) -> Measured:
    """Measure an operation against the calibration item.

    Args:
        batch: performs some operations, and returns their number and duration in seconds.
        repeats: number of repeats to take the median of.
        min_seconds: minimum duration of a repeat.
    """
    batch()
    seconds, items = [], []
    before = calibration_seconds()
    for _ in range(repeats):
        count, elapsed = 0, 0.0
        while elapsed < min_seconds:
            more, took = batch()
            count, elapsed = count + more, elapsed + took
        after = calibration_seconds()
        seconds.append(elapsed / count)
        items.append(elapsed / count / ((before + after) / 2))
        before = after
    return Measured(statistics.median(seconds), statistics.median(items))


def timed(operation: Callable[[], Any], count: int) -> Callable[[], tuple[int, float]]:
    """Return a batch for `measure` that performs an operation `count` times."""

    def batch() -> tuple[int, float]:
        start = time.perf_counter()
        for _ in range(count):
            operation()
        return count, time.perf_counter() - start

    return batch


def resident_kib() -> float:
    """Return this process's resident memory in KiB, on Linux only."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1024


def kib_per_object(make: Callable[[int], object], count: int) -> float:
    """Return the growth of resident memory per object, in KiB, after a warm-up with a tenth as many objects."""
    alive = [make(number) for number in range(count // 10 + 1)]
    gc.collect()
    before = resident_kib()
    alive += [make(number) for number in range(count)]
    gc.collect()
    growth = resident_kib() - before
    del alive
    return growth / count
