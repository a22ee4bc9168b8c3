"""Claims about working days: they can be solved, but only by an agent that follows the queue's rules."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from teller_gym.agents import make_agent
from teller_gym.days.day import FEWEST, MOST, Day
from teller_gym.days.draw import DESKS
from teller_gym.days.law import Habits
from teller_gym.days.schedule import late, out_of_turn, turns
from teller_gym.days.store import checksum, find_day, frozen, generate_day, split_days
from teller_gym.procedure.task import Split
from teller_gym.proof.play import Played, play_actions, play_all, spread, standard_actions, subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.registration import OWN
from teller_gym.tasks.store import heldout_fingerprints

_CHEAP = 0.25
"""Maximum mean score for a cheap agent."""
_OF_PAIRS = ("any_customer", "stale_reader")
"""Names of agents that fail only on days with two cases of the same customer."""
_GENERATED = 9
"""Number of generated days to check in addition to the frozen ones, one for each possible number of cases."""


@cache
def _days(split: Split, n: int | None) -> tuple[Day, ...]:
    """Return n days spread evenly over a split, or all days if n is None."""
    ids = spread([entry.id for entry in split_days(split)], n)
    return tuple(find_day(day_id, frozen().scenarios) for day_id in ids)


def _fresh(n: int | None) -> list[Day]:
    scenarios = tuple(entry.name for entry in OWN)
    return [generate_day(seed, scenarios) for seed in range(_GENERATED if n is None else min(n, _GENERATED))]


def _most_days(n: int | None) -> list[Day]:
    """Return train, held-out and generated days, at most n of each."""
    return [*_days(Split.TRAIN, n), *_days(Split.HELDOUT, n), *_fresh(n)]


def frozen_days(_: str, each: int | None) -> ProofItem:
    """Check that regenerating the frozen days gives the recorded checksums."""
    problems, count = [], 0
    known = {entry.id: entry for entry in frozen().days}
    for split in (Split.TRAIN, Split.VALIDATION, Split.HELDOUT):
        for day in _days(split, each):
            count += 1
            if checksum(day) != known[day.id].checksum or len(day.cases) != known[day.id].cases:
                problems.append(f"{day.id}: other bytes than were frozen")
            if len(day.desks) < min(DESKS, len(frozen().scenarios)):
                problems.append(f"{day.id}: only cases of {', '.join(day.desks)}")
    figure = f"{count - len(problems)} of {count} days"
    return item("frozen_bytes", "frozen days are drawn again to the byte", figure, problems, {"days": count})


def disjoint(_: str, each: int | None) -> ProofItem:
    """Check that no held-out case occurs in another split.

    Held-out cases are those of days and scenarios; other days are those generated or in another split.
    """
    held = {
        name: heldout_fingerprints(name)
        | {one for e in split_days(Split.HELDOUT) for one in e.fingerprints.get(name, ())}
        for name in {*frozen().scenarios, *(entry.name for entry in OWN)}
    }
    others = [*_days(Split.TRAIN, each), *_days(Split.VALIDATION, each), *_fresh(each)]
    cases = [(day.id, case) for day in others for case in day.cases]
    problems = [
        f"{day_id}: {case.reference} is held out"
        for day_id, case in cases
        if case.task.fingerprint in held[case.task.scenario]
    ]
    figure = f"{len(cases)} cases of {len(others)} days, {sum(map(len, held.values()))} held out"
    return item("disjoint", "no case that is held out is in another day", figure, problems, {"cases": len(cases)})


def every_rule_counts(_: str, each: int | None) -> ProofItem:
    """Check that following the queue's rules meets every deadline.

    Without any one of the rules, a day must fail.
    """
    left_out = {
        "classes": Habits(by_due=False, by_class=False),
        "what is due soon": Habits(by_due=False),
        "cases of one customer": Habits(by_customer=False),
    }
    days = _most_days(each)
    problems = []
    for day in days:
        worked = turns(day.cases)
        if late(day.cases, worked) or out_of_turn(worked) or worked[-1].ended > day.closing:
            problems.append(f"{day.id} is not kept by the law itself")
        for rule, habits in left_out.items():
            if not out_of_turn(turns(day.cases, habits)) and (rule != "cases of one customer" or _has_pair(day)):
                problems.append(f"{day.id} is kept without {rule}")
        if not late(day.cases, turns(day.cases, extra=1)):
            problems.append(f"{day.id} is kept with one call too many for every four")
    figure = f"{len(days)} days, {sum(map(_has_pair, days))} with a pair of cases of one customer"
    return item(
        "law", "the law keeps every day, and none is kept without each rule", figure, problems, {"days": len(days)}
    )


def _has_pair(day: Day) -> bool:
    return any(case.after for case in day.cases)


def day_oracle(env_id: str, each: int | None) -> ProofItem:
    """Check that the standard calls and the expert score 1 on every day.

    The rewards must sum to the score.
    """
    under = subject(env_id)
    days = _most_days(each)
    problems = []
    for day, of_expert in play_all(under, days, make_agent("expert", under.env)):
        ways = {"standard": play_actions(under, day, standard_actions(day)), "expert": of_expert}
        flaws = {way: played.flaw(errors_allowed=False) for way, played in ways.items()}
        problems += [f"{day.id}, {way}: {flaw}" for way, flaw in flaws.items() if flaw]
    figure = f"{len(days) - len(problems)} of {len(days)} days, {sum(len(day.cases) for day in days)} cases"
    return item("oracle", "standard calls and expert score 1.0 without an error", figure, problems, {"days": len(days)})


def _played(env_id: str, agent: str, n: int | None) -> list[tuple[Day, Played]]:
    under = subject(env_id)
    return list(play_all(under, _days(Split.HELDOUT, n), make_agent(agent, under.env)))


def cheap(env_id: str, agent: str, each: int | None) -> ProofItem:
    """Check that a cheap agent has a low mean score and no success."""
    played = _played(env_id, agent, each)
    mean = sum(one.score for _, one in played) / len(played)
    problems = [f"{day.id} succeeds" for day, one in played if one.success]
    problems += [f"a mean score of {mean:.3f}"] if mean >= _CHEAP else []
    figure = f"mean score {mean:.3f} on {len(played)} held-out days"
    return item(f"cheap.{agent}", f"{agent} gets nowhere", figure, problems, {"score": mean, "days": len(played)})


def careless(env_id: str, agent: str, each: int | None) -> ProofItem:
    """Check that an agent without a certain habit fails on every day on which the habit matters."""
    played = [(day, one) for day, one in _played(env_id, agent, each) if _has_pair(day) or agent not in _OF_PAIRS]
    mean = sum(one.score for _, one in played) / max(1, len(played))
    problems = [f"{day.id} succeeds" for day, one in played if one.success]
    problems += [f"{day.id}: {one.score} is no less than the expert's" for day, one in played if one.score >= 1.0]
    figure = f"mean score {mean:.3f}, no success on {len(played) - len(problems)} of {len(played)} held-out days"
    return item(f"careless.{agent}", f"{agent} loses success", figure, problems, {"score": mean, "days": len(played)})


def difficulty_grows(_: str, each: int | None) -> ProofItem:
    """Check that the number of required calls grows with the number of cases."""
    days = _most_days(each)
    sizes = range(FEWEST, MOST + 1)
    calls = {size: [len(day.standard.calls) for day in days if len(day.cases) == size] for size in sizes}
    thirds = [[one for size in part for one in calls[size]] for part in (sizes[:3], sizes[3:6], sizes[6:])]
    means = [sum(third) / len(third) for third in thirds if third]
    problems = [f"{one:.0f} calls, then {other:.0f}" for one, other in pairwise(means) if one >= other]
    figure = "calls of the standard result with 4–6, 7–9 and 10–12 cases: " + ", ".join(f"{mean:.0f}" for mean in means)
    return item("difficulty", "days grow with the number of cases", figure, problems, {"means": means})
