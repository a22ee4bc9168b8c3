"""Lapses of the stub: its expert with a misread policy."""

from typing import Any

import msgspec

import tests.proof.stub as stub
from teller_gym.procedure.lapses import CLEAN_PATH, CLEAN_PATH_CONSTANT, Lapse


def _with(**values: Any) -> Any:
    def expert(request: str, policy: Any) -> Any:
        return stub.expert(request, msgspec.structs.replace(policy, **values))

    return expert


LAPSES = {
    name: Lapse(name, ("1.1",), sentence, expert)
    for name, sentence, expert in (
        ("window_ignored", "Takes every purchase for one within the window.", _with(window_days=10_000)),
        ("limit_ignored", "Leaves every refund to the desk.", _with(desk_limit=10**9)),
        ("fee_kept", "Takes the same fee, as the SOP says, so that nothing is lost.", stub.expert),
    )
}
CLEAN_PATHS = {CLEAN_PATH: _with(desk_limit=10**9), CLEAN_PATH_CONSTANT: _with(fee_percent=0, desk_limit=10**9)}
