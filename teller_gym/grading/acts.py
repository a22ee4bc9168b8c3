"""Detection of an agent's wrong acts: calls that were not required, repeated, too early or too late."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from teller_gym.grading.rubric import RequiredCall, Rubric, indices
from teller_gym.procedure.sop import GATE
from teller_gym.tools.bank import Bank, Place, Record
from teller_gym.tools.call import ToolCall
from teller_gym.tools.tool import Act


class Made(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A successful call of a required tool or of a tool that writes."""

    step: int
    call: ToolCall
    required: RequiredCall | None
    """The required call that it matches best; None if its tool is not required."""
    wrong: tuple[str, ...]
    """Names of the wrong arguments."""
    early: int
    """Bits of the calls that should have been done correctly before."""
    again: bool
    """True if the required call had already been done correctly."""

    @property
    def right(self) -> bool:
        """True if it does a required call in its place and for the first time."""
        return self.required is not None and not (self.wrong or self.early or self.again)


class WrongAct(NamedTuple):
    """An act that cannot be corrected, and why it is wrong."""

    made: Made
    clause: str | None
    """Clause of the SOP that the act violates."""
    reason: str


def wrong_acts(rubric: Rubric, made: Sequence[Made]) -> list[WrongAct]:
    """Return the acts that cost success, in the order in which they were made.

    These are final acts that are not required, not in their place or repeated, and changes of records after a final act
    that depends on them. The final review does not count, because its output fields are graded.
    """
    found: list[WrongAct] = []
    done: list[RequiredCall] = []
    rested_on = 0
    suspects: list[tuple[Made, RequiredCall]] = []
    for each in made:
        required = each.required
        if each.call.tool.act is Act.FINAL and each.call.tool.name != rubric.submit:
            if not each.right:
                found.append(_wrong_final(rubric, each))
            elif required is not None:
                done.append(required)
                rested_on |= required.beneath
        elif required is not None and rested_on & required.bit:
            suspects.append((each, next(one for one in done if one.beneath & required.bit)))
    if suspects:
        changed = {each.step for each, before, after in replay(rubric, made) if before != after}
        found += [_too_late(each, by) for each, by in suspects if each.step in changed]
    return sorted(found, key=lambda act: act.made.step)


def replay(rubric: Rubric, made: Sequence[Made]) -> Iterator[tuple[Made, dict[Place, Record], dict[Place, Record]]]:
    """Repeat calls on a fresh bank; yield each with the bank's written records, except notes, before and after it."""
    bank = rubric.scenario.bank(rubric.task)
    before: dict[Place, Record] = {}
    for each in made:
        each.call.tool.call(bank, each.call.arguments)
        after = _written(rubric, bank)
        yield each, before, after
        before = after


def _written(rubric: Rubric, bank: Bank) -> dict[Place, Record]:
    is_note = rubric.end_state.is_note
    return {(table, key): record for table, key, _, record in bank.changes() if not is_note(table)}


def _wrong_final(rubric: Rubric, made: Made) -> WrongAct:
    name = made.call.tool.name
    clause = _clause(rubric, name)
    if made.required is None:
        return WrongAct(made, clause, f"{name} is a final act that is not asked for{passed_over(rubric, name)}")
    if made.wrong:
        values = ", ".join(made.wrong)
        return WrongAct(made, clause, f"{name} was done with wrong values ({values}), which cannot be taken back")
    if made.again:
        return WrongAct(made, clause, f"{name} was done once more, though it is final and had been done right")
    gate, reason = too_early(rubric, made)
    return WrongAct(made, gate or clause, f"{name} was {reason}, which cannot be taken back")


def too_early(rubric: Rubric, made: Made) -> tuple[str | None, str]:
    """Explain why a call was too early: return the clause of the violated gate, if there is one, and the reason."""
    name = made.call.tool.name
    waiting = list(dict.fromkeys(rubric.required[index].name for index in indices(made.early)))
    gate = next((clause for other in waiting if (clause := rubric.order.gate_between(other, name))), None)
    words = f" (SOP {gate}: {GATE})" if gate else ""
    return gate, f"called before {', '.join(waiting)} had been done right{words}"


def passed_over(rubric: Rubric, name: str) -> str:
    """Explain how the case skipped the clause of a tool that it does not need; empty if there is no such clause."""
    clauses = rubric.order.passed_over(name)
    return f" in this case, which went on from {clauses[0]} to {clauses[1]}" if clauses else ""


def _too_late(made: Made, by: RequiredCall) -> WrongAct:
    name = made.call.tool.name
    return WrongAct(made, None, f"{name} changed its record after {by.name} had been done, which rests on it")


def _clause(rubric: Rubric, name: str) -> str | None:
    home = rubric.scenario.course.homes.get(name)
    return None if home is None else home.clause
