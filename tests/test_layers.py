"""Modules import only from their own layer or a lower one, and the core stays light.

The rules are checked on the syntax trees, without importing anything:

1. every module has a layer, and never imports a module of a higher one, not even inside functions;
2. the core imports no scenario by name: scenarios are found by the name of their folder;
3. at module level, only the standard library and the core dependencies are imported; heavy libraries are imported by
   training, by the drawing of figures, and by functions that need them;
4. the modules and folders in a folder have no import cycles, counting imports inside functions;
5. a scenario's expert and solver share no code with each other, with the shared bank or with generators.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

REPO = Path(__file__).resolve().parents[1]
ROOT_FOLDERS = ("envs", "scenarios", "training", "configs")

LAYERS: tuple[tuple[str, ...], ...] = (
    ("configs", "registration"),
    ("base", "tables"),
    ("tools", "office"),
    ("procedure",),
    ("variation", "tasks", "grading"),
    ("days", "office_tasks"),
    ("scenarios",),
    ("stage1",),
    ("envs",),
    ("agents", "evaluation"),
    ("reports", "viewer"),
    ("configuration",),
    ("training", "adapters", "cli", "proof", "cards", "expert_server"),
)
"""Layers, lowest first; a name means the module `teller_gym.<name>` and everything below it."""

ROOMS: dict[str, tuple[str, ...]] = {
    "teller_gym.training": (
        "tasks", "config", "run_folder", "processes", "demonstrations", "models", "rollouts", "trainer_parts", "plan",
        "phases", "launch", "run_records", "recipe", "gpu_check", "study",
    ),
}  # fmt: skip
"""Rooms of a folder, lowest first: a room imports only from rooms before it."""

FACADE = "teller_gym"
"""The package that users import. It may import from every layer, but only inside functions."""

FACES = (FACADE, "teller_gym.training")
"""Packages whose `__init__` loads public functions from higher modules on first use."""

CORE_DEPENDENCIES = frozenset({"gymnasium", "msgspec", "numpy", "yaml"})
HEAVY = (
    "teller_gym.training",
    "teller_gym.adapters",
    "teller_gym.agents.endpoint",
    "teller_gym.agents.sampling",
    "teller_gym.cli.eval_config",
    "teller_gym.configuration.compose",
    "teller_gym.configuration.settings",
    "teller_gym.configuration.variables",
    "teller_gym.expert_server.server",
    "teller_gym.adapters.pettingzoo",
    "teller_gym.office.serving",
    "teller_gym.reports.figures",
    "teller_gym.reports.html",
)
"""Modules (with all below them) that may import third-party libraries of the extras at module level. All others may
import these modules only inside functions."""

OFFICER = re.compile(
    r"teller_gym\.scenarios\.(banking\.officer\b|\w+\.(tasks\.\w+\.)?(expert|judgement|lapses|working)\b)"
)
SOLVER = re.compile(r"teller_gym\.scenarios\.(banking\.solving\b|\w+\.(solver|tasks\.\w+\.solving\b))")
MAKERS = re.compile(r"teller_gym\.scenarios\.(banking\b(?!\.(officer|solving)\b)|\w+\.generator\b)")


class Import(NamedTuple):
    """One import statement's target in a file."""

    target: str
    line: int
    at_import_time: bool
    """True if it runs when the file is imported: not inside a function or under `if TYPE_CHECKING`."""


def module_files(repo: Path) -> dict[str, Path]:
    """Return the files of all modules in the distribution by module name, without following the links."""
    files = {}
    for folder in ("teller_gym", *ROOT_FOLDERS):
        for path in sorted((repo / folder).rglob("*.py")):
            parts = path.relative_to(repo).with_suffix("").parts
            if parts[0] == "teller_gym" and (*parts, "")[1] in ROOT_FOLDERS:
                continue  # Python 3.13 and later may walk through links
            parts = parts if parts[0] == "teller_gym" else ("teller_gym", *parts)
            files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return files


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def imports(module: str, source: str, is_package: bool, known: frozenset[str]) -> Iterator[Import]:
    """Yield every import of a module, with relative imports made absolute.

    `from teller_gym.base import money` counts as an import of `teller_gym.base.money` if that is one of the `known`
    modules, and otherwise of `teller_gym.base`.
    """

    def walk(node: ast.AST, at_import_time: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                for alias in child.names:
                    yield Import(alias.name, child.lineno, at_import_time)
            elif isinstance(child, ast.ImportFrom):
                base = child.module or ""
                if child.level:
                    parts = module.split(".")
                    parent = parts[: len(parts) - child.level + (1 if is_package else 0)]
                    base = ".".join([*parent, base] if base else parent)
                for alias in child.names:
                    full = f"{base}.{alias.name}"
                    yield Import(full if full in known else base, child.lineno, at_import_time)
            else:
                deferred = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
                yield from walk(child, at_import_time and not deferred and not is_type_checking(child))

    yield from walk(ast.parse(source), True)


def below(module: str, names: tuple[str, ...]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in names)


def layer_of(module: str) -> int | None:
    """Return a module's index in LAYERS, above all others for the facade; None if no layer names the module."""
    if module == FACADE:
        return len(LAYERS)
    for index, layer in enumerate(LAYERS):
        if below(module, tuple(f"{FACADE}.{name}" for name in layer)):
            return index
    return None


def wrong_room(module: str, target: str) -> str | None:
    """Return why a module's room may not import the target's, or None."""
    for folder, rooms in ROOMS.items():
        if module in FACES or not below(module, (folder,)) or not below(target, (folder,)) or target == folder:
            continue
        own, theirs = (name.removeprefix(f"{folder}.").split(".")[0] for name in (module, target))
        for room in (own, theirs):
            if room not in rooms:
                return f"room {room} of {folder} has no place; name it in ROOMS"
        if rooms.index(theirs) > rooms.index(own):
            return f"which is in a higher room ({theirs} above {own})"
    return None


def complaints(sources: Mapping[str, tuple[str, bool]]) -> list[str]:
    """Return a line for each breach of the rules; `sources` maps module names to source text and is-a-package."""
    found = []
    known = frozenset(sources)
    for module, (source, is_package) in sources.items():
        own = layer_of(module)
        if own is None:
            found.append(f"{module}: stands in no layer; name it in LAYERS")
            continue
        for target, line, at_import_time in imports(module, source, is_package, known):
            where = f"{module}:{line}: imports {target}"
            if below(target, (FACADE,)):
                theirs = layer_of(target)
                if module == FACADE:
                    if at_import_time and target not in (f"{FACADE}.base.errors", f"{FACADE}.registration"):
                        found.append(f"{where} when it is itself imported; do it inside the function that needs it")
                elif target == FACADE:
                    if own < LAYERS.index(("agents", "evaluation")):
                        found.append(f"{where}, the public face of the package, from inside; import the module meant")
                elif theirs is None:
                    found.append(f"{where}, which stands in no layer")
                elif why := wrong_room(module, target):
                    found.append(f"{where}, {why}")
                elif theirs > own:
                    found.append(f"{where}, which is in a higher layer ({LAYERS[theirs]} above {LAYERS[own]})")
                if at_import_time and below(target, HEAVY) and not below(module, HEAVY):
                    found.append(
                        f"{where}, a heavy module, at module level; import it inside the function that needs it"
                    )
                if _is_shared_judgement(module, target):
                    found.append(f"{where}: expert and solver share no code, nor any with what makes cases")
                if below(target, ("teller_gym.scenarios",)) and not below(module, ("teller_gym.scenarios",)):
                    found.append(f"{where}: the core knows no single scenario; load it by name")
            elif at_import_time and not below(module, HEAVY):
                top = target.split(".")[0]
                if top not in sys.stdlib_module_names and top not in CORE_DEPENDENCIES:
                    found.append(f"{where} at module level; import it inside the function that needs it")
    return found


def _is_shared_judgement(module: str, target: str) -> bool:
    if OFFICER.match(module):
        return bool(SOLVER.match(target) or MAKERS.match(target))
    return bool(SOLVER.match(module) and (OFFICER.match(target) or MAKERS.match(target)))


def cycles(sources: Mapping[str, tuple[str, bool]]) -> list[str]:
    """Return one import cycle, such as `a -> b -> a`, for each folder that has any.

    Faces are ignored, because they import from higher modules inside functions. Imports of the facade are ignored too,
    because modules use it to read the package's version.
    """
    known = frozenset(sources)
    arrows = sorted(
        {
            (module, one.target)
            for module, (source, is_package) in sources.items()
            for one in imports(module, source, is_package, known)
            if module not in FACES and one.target != FACADE and one.target in known
        }
    )
    found = []
    for folder in sorted(name for name, (_, is_package) in sources.items() if is_package):
        beside: dict[str, set[str]] = {}
        for module, target in arrows:
            if below(module, (folder,)) and below(target, (folder,)):
                own, other = (".".join(name.split(".")[: folder.count(".") + 2]) for name in (module, target))
                if own != other:
                    beside.setdefault(own, set()).add(other)
        try:
            TopologicalSorter(beside).prepare()
        except CycleError as error:
            found.append(" -> ".join(reversed(error.args[1])))
    return found


@pytest.fixture(scope="module")
def package() -> dict[str, tuple[str, bool]]:
    """Return source text and is-a-package of every module in the distribution."""
    files = module_files(REPO)
    assert "teller_gym.base.money" in files
    assert "teller_gym.envs" in files
    return {name: (path.read_text(encoding="utf-8"), path.name == "__init__.py") for name, path in files.items()}


def test_the_package_keeps_its_layers(package: dict[str, tuple[str, bool]]) -> None:
    assert complaints(package) == []


def test_the_package_has_no_cycles(package: dict[str, tuple[str, bool]]) -> None:
    assert cycles(package) == []


@pytest.mark.parametrize(
    "sources",
    [
        {
            "evaluation.report": "import teller_gym.evaluation.figures",
            "evaluation.figures": "from .report import Report",
        },
        {
            "evaluation.report": "def f():\n    from teller_gym.evaluation import figures",
            "evaluation.figures": "if TYPE_CHECKING:\n    from teller_gym.evaluation.report import Report",
        },
        {
            "evaluation.run": "def f():\n    from .room.head import Head",
            "evaluation.room.head": "from ..play import Play",
            "evaluation.play": "",
            "evaluation.room.ledger": "from ..run import run",
        },
        {
            "agents.expert": "import teller_gym.evaluation.tasks",
            "agents.base": "",
            "evaluation.tasks": "",
            "evaluation.run": "def f():\n    from teller_gym.agents.base import Agent",
        },
    ],
    ids=["modules", "deferred", "a module and a folder", "rooms whose modules have none"],
)
def test_a_cycle_is_found(sources: dict[str, str]) -> None:
    modules = {f"{FACADE}.{name}": (source, False) for name, source in sources.items()}
    folders = {folder: ("", True) for name in modules for folder in (name.rpartition(".")[0], FACADE)}
    assert len(cycles(folders | modules)) == 1
    for name in modules:
        if modules[name][0]:
            one_way = {**folders, **modules, name: ("", False)}
            assert len(cycles(one_way)) == (name == f"{FACADE}.evaluation.room.head"), name


@pytest.mark.parametrize(
    ("module", "source", "expected"),
    [
        ("teller_gym.base.money", "from teller_gym.tools.bank import Bank", "higher layer"),
        ("teller_gym.tools.bank", "def f():\n    from teller_gym.grading.grader import Grader", "higher layer"),
        ("teller_gym.tools.bank", "from ..grading import grader", "higher layer"),
        ("teller_gym.agents.expert", "from ..training import sft", "higher layer"),
        ("teller_gym.scenarios.loans.expert", "import teller_gym.envs.teller", "higher layer"),
        ("teller_gym.scenarios.x.expert", "from teller_gym.scenarios.banking.generator import people", "no code"),
        ("teller_gym.scenarios.x.solver_facts", "from teller_gym.scenarios.banking.ids import CaseId", "no code"),
        ("teller_gym.scenarios.banking.officer.intake", "import teller_gym.scenarios.banking.solving", "no code"),
        ("teller_gym.scenarios.banking.solving.intake", "import teller_gym.scenarios.banking.officer", "no code"),
        ("teller_gym.scenarios.x.solver", "import teller_gym.scenarios.banking.officer.intake", "no code"),
        ("teller_gym.scenarios.x.expert", "import teller_gym.scenarios.banking.solving.intake", "no code"),
        ("teller_gym.scenarios.banking.officer.intake", "import teller_gym.scenarios.banking.ids", "no code"),
        ("teller_gym.scenarios.x.lapses.codes", "import teller_gym.scenarios.x.solver", "no code"),
        ("teller_gym.scenarios.x.solver", "from teller_gym.scenarios.x.generator.plan import Plan", "no code"),
        ("teller_gym.procedure.scenario", "from teller_gym.scenarios.loans import expert", "load it by name"),
        ("teller_gym.cli", "def f():\n    import teller_gym.scenarios.loans", "load it by name"),
        ("teller_gym.procedure.scenario", "from teller_gym import load_tasks", "public face"),
        ("teller_gym", "from teller_gym.envs.teller import TellerEnv", "when it is itself imported"),
        ("teller_gym.agents.model", "import torch", "at module level"),
        ("teller_gym.cli.train", "from teller_gym.training.phases import sft", "a heavy module"),
        ("teller_gym.evaluation.table", "class A:\n    import rich.table", "at module level"),
        ("teller_gym.envs.teller", "try:\n    import pydantic\nexcept ImportError:\n    pass", "at module level"),
        ("teller_gym.training.config.run", "from teller_gym.training.phases import sft", "a higher room"),
        ("teller_gym.training.config.run", "import teller_gym.training.miscellany", "name it in ROOMS"),
        ("teller_gym.miscellany", "", "stands in no layer"),
        ("teller_gym.base.money", "import teller_gym.miscellany", "stands in no layer"),
    ],
)
def test_a_violation_is_found(module: str, source: str, expected: str) -> None:
    sources = {"teller_gym.grading.grader": ("", False), module: (source, module == FACADE)}
    found = complaints(sources)
    assert any(expected in line for line in found), found


@pytest.mark.parametrize(
    ("module", "source"),
    [
        (
            "teller_gym.grading.grader",
            "from teller_gym.procedure.task import Task\nfrom teller_gym.base.money import usd",
        ),
        ("teller_gym.agents.model", "def f():\n    import torch"),
        ("teller_gym.agents.model", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import torch"),
        ("teller_gym.training.phases.sft", "import torch\nfrom trl import SFTTrainer"),
        ("teller_gym.reports.figures.style", "import matplotlib.pyplot"),
        ("teller_gym.cli.train", "def f():\n    from teller_gym.training.phases import sft"),
        ("teller_gym.scenarios.loans.expert", "from teller_gym.scenarios.loans.policy import Policy"),
        ("teller_gym.scenarios.loans.expert", "import teller_gym.scenarios.banking.officer.intake"),
        ("teller_gym.scenarios.loans.solver", "import teller_gym.scenarios.banking.solving.intake"),
        ("teller_gym.scenarios.loans.generator.build", "from teller_gym.scenarios.loans.solver import solve"),
        ("teller_gym.cli", "from teller_gym import make_agent"),
        ("teller_gym", "def f():\n    from teller_gym.evaluation import evaluate"),
        ("teller_gym.tools.bank", "import msgspec, json"),
    ],
)
def test_what_is_allowed_is_not_complained_about(module: str, source: str) -> None:
    sources = {module: (source, module == FACADE)}
    assert complaints(sources) == []
