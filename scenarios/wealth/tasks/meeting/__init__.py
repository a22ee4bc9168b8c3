"""Meeting Scheduling Coordination: the earliest time that suits a client, their adviser and the tax specialist."""

from __future__ import annotations

from collections.abc import Mapping

from teller_gym.procedure.lapses import as_expert
from teller_gym.scenarios.wealth.contract import Case, Work
from teller_gym.scenarios.wealth.tasks.meeting.checking import CHECKPOINTS, check, is_asked
from teller_gym.scenarios.wealth.tasks.meeting.expert import Expert
from teller_gym.scenarios.wealth.tasks.meeting.facts import draw_facts
from teller_gym.scenarios.wealth.tasks.meeting.lapses import LAPSES
from teller_gym.scenarios.wealth.tasks.meeting.placing import place
from teller_gym.scenarios.wealth.tasks.meeting.solving import solve


def _words(case: Case) -> Mapping[str, str]:
    specialist = case.world.staff["tax"]
    return {"specialist_name": specialist.name, "specialist_username": specialist.username}


WORK = Work(
    name="meeting",
    title="Meeting Scheduling Coordination",
    level=3,
    checkpoints=CHECKPOINTS,
    deliverables=(),
    draw=draw_facts,
    place=place,
    solve=solve,
    expert=as_expert(Expert),
    check=check,
    words=_words,
    lapses=LAPSES,
    is_asked=is_asked,
    told_to=lambda case: case.client.adviser,
)
