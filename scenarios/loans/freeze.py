"""Choosing the frozen instances: ``python -m teller_gym.scenarios.loans.freeze`` writes ``instances.jsonl`` anew.

Seeds are tried in order. First every wanted boundary gets its instance, then every ending its quota; the split is
stratified over endings. The same code gives the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.procedure.scenario import Draft, Scenario, load_scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.tasks.store import freeze

FIRST_SEED = 7_000_000_000
"""Above every seed that ``generated`` draws (they have 32 bits)."""

HELDOUT, VALIDATION = 50, 16

QUOTAS = {
    "approve": 72, "counter_dti": 18, "counter_pti": 9, "counter_collateral": 13, "deny_amount": 7, "deny_term": 4,
    "deny_identity": 6, "deny_alert": 6, "deny_score": 14, "deny_employment": 7, "deny_vehicle": 5,
    "deny_collateral": 5, "deny_dti": 7, "deny_pti": 4, "incomplete_missing": 5, "incomplete_expired": 5,
    "incomplete_appraisal": 6, "incomplete_insurance": 6, "refer_sanctions": 5, "refer_pep": 5, "refer_enforcement": 5,
}  # fmt: skip
"""How many instances end in each way; 214 in all."""

MOST_ALIKE = 4
"""So many instances at most may be answered by one recipe: the same fields, and a due date that lies the same number of
days after one of the dates of the case. Five would be over 2 %."""

_EXPECTED = {
    "counter": "counter_offer",
    "deny": "deny",
    "incomplete": "incomplete",
    "approve": "approve",
    "refer": "refer",
}
_REASONS = {
    "counter_dti": {"excessive_obligations"},
    "counter_pti": {"payment_to_income_high"},
    "counter_collateral": {"collateral_insufficient"},
    "deny_amount": {"amount_below_minimum", "amount_above_maximum"},
    "deny_term": {"term_not_offered"},
    "deny_identity": {"identity_not_verified"},
    "deny_alert": {"identity_not_verified"},
    "deny_employment": {"employment_not_verified"},
    "deny_vehicle": {"vehicle_too_old"},
    "deny_collateral": {"collateral_insufficient"},
    "deny_dti": {"excessive_obligations"},
    "deny_pti": {"payment_to_income_high"},
    "incomplete_missing": {"document_missing"},
    "incomplete_expired": {"document_expired"},
    "incomplete_appraisal": {"appraisal_expired"},
    "incomplete_insurance": {"insurance_insufficient"},
    "refer_sanctions": {"sanctions_match"},
    "refer_pep": {"pep_match"},
    "refer_enforcement": {"enforcement_match"},
}
"""Reasons that fit an ending; one that is not listed may have any."""

_ANY_PRODUCT = (
    "score=limit-1", "score=limit", "score=limit+1", "dti=limit-0.01", "dti=limit", "dti=limit+0.01", "pti=limit-0.01",
    "pti=limit", "pti=limit+0.01", "exposure=limit-0.01", "exposure=limit", "exposure=limit+0.01", "report=limit-1",
    "report=limit", "report=limit+1",
)  # fmt: skip
_EVERY_PRODUCT = ("amount=min-0.01", "amount=min", "amount=max", "amount=max+0.01")
_SECURED = ("ltv=limit-", "ltv=limit", "ltv=limit+")


def wanted_boundaries() -> list[tuple[str, str]]:
    """Return (product, boundary) pairs that some frozen instance must hold; product is empty where any will do."""
    pairs = [("", name) for name in _ANY_PRODUCT]
    pairs += [(product, name) for product in ("home", "auto", "personal") for name in _EVERY_PRODUCT]
    return pairs + [(product, name) for product in ("home", "auto") for name in _SECURED]


def _tag(tags: tuple[str, ...], kind: str) -> str:
    return next((tag.partition(":")[2] for tag in tags if tag.startswith(f"{kind}:")), "")


def _candidates(scenario: Scenario) -> Iterator[tuple[int, Draft]]:
    seed = FIRST_SEED
    while True:
        yield seed, scenario.draft(seed)
        seed += 1


def _as_planned(task: Task) -> bool:
    ending = _tag(task.tags, "ending")
    outputs = task.standard.outputs
    right: bool = outputs["decision"] == _EXPECTED[ending.partition("_")[0]]
    return right and outputs["principal_reason"] in _REASONS.get(ending, {outputs["principal_reason"]})


def choose(scenario: Scenario) -> list[Task]:
    """Return the chosen tasks in the order of their seeds, without id and split."""
    boundaries = wanted_boundaries()
    quotas = dict(QUOTAS)
    chosen: list[Task] = []
    fingerprints: set[str] = set()
    recipes: Counter[tuple[object, ...]] = Counter()
    for seed, draft in _candidates(scenario):
        ending = _tag(draft.tags, "ending")
        product, _, boundary = _tag(draft.tags, "boundary").partition(":")
        wanted = next((pair for pair in boundaries if pair[1] == boundary and pair[0] in ("", product)), None)
        # Instances without a boundary wait until the wanted boundaries of their ending can no longer be crowded out.
        reserved = sum(1 for _, name in boundaries if ending in _endings_of(name))
        if quotas[ending] == 0 or (wanted is None and quotas[ending] <= reserved):
            continue
        task = scenario.complete(draft, task_id="", seed=seed, split=Split.TRAIN)
        if not _as_planned(task) or task.fingerprint in fingerprints:
            continue
        answers = _recipes(task)
        if any(recipes[answer] >= MOST_ALIKE for answer in answers):
            continue
        recipes.update(answers)
        if wanted is not None:
            boundaries.remove(wanted)
        quotas[ending] -= 1
        fingerprints.add(task.fingerprint)
        chosen.append(task)
        if not any(quotas.values()):
            return chosen
    raise AssertionError("seeds never end")


def _recipes(task: Task) -> list[tuple[object, ...]]:
    """Return the answers of an agent that knows only the dates of the case, and that would be right here."""
    case = task.tables["applications"][task.case_id]
    fields = tuple(value for name, value in task.standard.outputs.items() if name != "action_due_date")
    due = date.fromisoformat(task.standard.outputs["action_due_date"])
    days = {"today": task.today.isoformat(), "received": case["received_date"], "completed": case["completed_date"]}
    return [(*fields, name, (due - date.fromisoformat(day)).days) for name, day in days.items() if day is not None]


def _endings_of(boundary: str) -> tuple[str, ...]:
    special = {
        "score=limit-1": ("deny_score",),
        "dti=limit+0.01": ("counter_dti",),
        "pti=limit+0.01": ("counter_pti",),
        "ltv=limit+": ("counter_collateral",),
        "amount=min-0.01": ("deny_amount",),
        "amount=max+0.01": ("deny_amount",),
    }
    return special.get(boundary, ("approve",))


def with_splits(tasks: list[Task]) -> list[Task]:
    """Give ids and splits: within each ending the same share is held out and kept for validation."""
    draw = Draw(FIRST_SEED)
    order = sorted(range(len(tasks)), key=lambda i: (_tag(tasks[i].tags, "ending"), draw.real(0, 1)))
    splits: dict[int, Split] = {}
    for position, index in enumerate(order):
        held = (position + 1) * HELDOUT // len(order) > position * HELDOUT // len(order)
        splits[index] = Split.HELDOUT if held else Split.TRAIN
    rest = [index for index in order if splits[index] is Split.TRAIN]
    for position, index in enumerate(rest):
        if (position + 1) * VALIDATION // len(rest) > position * VALIDATION // len(rest):
            splits[index] = Split.VALIDATION
    shuffled = sorted(range(len(tasks)), key=lambda _: draw.real(0, 1))
    return [
        msgspec.structs.replace(tasks[index], id=f"loans-{number:04d}", split=splits[index])
        for number, index in enumerate(shuffled, start=1)
    ]


def build() -> bytes:
    """Return the bytes of the frozen file."""
    scenario = load_scenario("loans")
    return freeze("loans", with_splits(choose(scenario)))


if __name__ == "__main__":
    Path(__file__).with_name("instances.jsonl").write_bytes(build())
