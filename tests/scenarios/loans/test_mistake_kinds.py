"""Classification of the mistake that made an episode fail."""

import json
from pathlib import Path
from typing import Any

import pytest

import teller_gym
from teller_gym.evaluation.measures.mistakes import Mistake, count, kind_of, table
from teller_gym.evaluation.records.reading import load_run


class Spoils:
    """Expert with one changed call, after which it stops."""

    name = "spoils"

    def __init__(self, env: Any, tool: str, change: Any) -> None:
        self._expert = teller_gym.make_agent("expert", env)
        self._tool, self._change = tool, change
        self.reset()

    def reset(self) -> None:
        self._expert.reset()
        self._done = False

    def act(self, obs: Any, info: Any) -> str:
        if self._done:
            return "The case is done."
        action: str = self._expert.act(obs, info)
        call = json.loads(action)
        if call["name"] != self._tool:
            return action
        self._done = True
        changed = self._change(call)
        return changed if isinstance(changed, str) else json.dumps(changed)


def given(**values: Any) -> Any:
    return lambda call: call | {"arguments": call["arguments"] | values}


@pytest.mark.parametrize(
    ("tool", "change", "expected"),
    [
        ("verify_identity", given(registry="tax_registry"), Mistake.DERIVED),
        ("verify_identity", given(full_name="Somebody Else"), Mistake.COPIED),
        ("verify_identity", lambda call: json.dumps(call)[:-2], Mistake.FORM),
        ("verify_identity", given(colour="red"), Mistake.FORM),
        ("verify_identity", given(full_name=7), Mistake.FORM),
        ("verify_identity", lambda call: call | {"arguments": {"customer_id": "CU-000000"}}, Mistake.FORM),
        ("verify_identity", lambda call: call | {"name": "verify_identities"}, Mistake.TOOL),
        ("verify_identity", lambda call: "The case is done.", Mistake.TOOL),
        ("pull_credit_report", given(permissible_purpose="account_review"), Mistake.DECIDED),
    ],
)
def test_one_mistake_is_told_for_what_it_is(tool: str, change: Any, expected: Mistake, tmp_path: Path) -> None:
    teller_gym.evaluate(
        lambda env: Spoils(env, tool, change), "Teller-Loans-v0", "heldout", n=6, run_dir=tmp_path, progress=False
    )
    _, episodes, _ = load_run(tmp_path)
    spoilt = [one for one in episodes if not one["success"]]
    assert spoilt and {kind_of(one) for one in spoilt} == {expected}
    assert count(episodes) == {expected: len(spoilt)}
    assert f"| {expected} | {len(spoilt)} |" in table([tmp_path])


def test_what_did_not_fail_has_no_mistake(tmp_path: Path) -> None:
    teller_gym.evaluate("expert", "Teller-Loans-v0", "heldout", n=3, run_dir=tmp_path, progress=False)
    _, episodes, _ = load_run(tmp_path)
    assert count(episodes) == {} and "| failed, of all | 0 of 3 |" in table([tmp_path])
