"""Loading of bank scenarios, whose modules have the same names in every package."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

from teller_gym.procedure.scenario import Scenario
from teller_gym.tools.tool import Tool, tools_of


def bank_scenario(package: str, policy_type: type[Any], *core: Tool | ModuleType) -> Scenario:
    """Return the checked scenario of a package.

    Args:
        package: Package with ``expert``, ``solver``, ``generator.build``, ``realism`` and ``tools.auxiliary``.
        policy_type: Struct for its ``policy.yaml``.
        core: Core tools, or modules that define them, in the order in which agents see them.
    """

    def module(name: str) -> Any:
        return import_module(f"{package}.{name}")

    tools = [tool for item in core for tool in ([item] if isinstance(item, Tool) else tools_of(item))]
    return Scenario(
        package.rpartition(".")[2],
        package,
        policy_type=policy_type,
        tools=(*tools, *module("tools.auxiliary").SUBJECT.tools()),
        read="get_application_data",
        submit="submit_final_review",
        expert=module("expert").work,
        solver=module("solver").solve,
        draft=module("generator.build").draft,
        realism=module("realism").complaints,
    )
