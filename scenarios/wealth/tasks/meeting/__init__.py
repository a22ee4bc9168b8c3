"""Meeting Scheduling Coordination: the earliest slot for a client, the adviser and the tax specialist."""

from __future__ import annotations

from collections.abc import Mapping

from teller_gym.scenarios.wealth.contract import Case, work_of
from teller_gym.scenarios.wealth.tasks.meeting.checking import is_asked


def _words(case: Case) -> Mapping[str, str]:
    specialist = case.world.staff["tax"]
    return {"specialist_name": specialist.name, "specialist_username": specialist.username}


WORK = work_of(
    __name__,
    "Meeting Scheduling Coordination",
    3,
    words=_words,
    is_asked=is_asked,
    told_to=lambda case: case.client.adviser,
)
