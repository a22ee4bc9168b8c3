"""Command `teller-gym new-scenario`, which writes a small but complete scenario as a starting point."""

from __future__ import annotations

import importlib
import importlib.util
import keyword
import re
import sys
from importlib import resources
from pathlib import Path

from teller_gym.base.errors import OptionError, install_command, is_clone
from teller_gym.cli.common import Parser
from teller_gym.cli.exit_codes import OK
from teller_gym.registration import SCENARIOS, ScenarioEntry, scenario_cards
from teller_gym.tasks.freezing import write

EXAMPLE = """\
  teller-gym new-scenario card_limits
  teller-gym new-scenario card_limits --into my/scenarios"""

_DESCRIPTION = (
    "Write a package with every document of a scenario, tools, expert, solver, lapses and tests: a small procedure\n"
    "that passes `teller-gym check`, to be changed into your own. CONTRIBUTING.md says what each file is for, and\n"
    "docs/extend/scenario_files.md what each key of the YAML files means."
)

_NEXT = """\
{folder} is a complete scenario. The check, the tests and the evaluation need the extras eval and dev:

  {install}

Go on with

  cd {root} && export PYTHONPATH=.
  teller-gym show {name}:{name} sop                # what an agent reads
  teller-gym check {name}:{name} --quick           # green now; keep it so while you change the files
  teller-gym freeze {name}:{name}                  # after each change: writes the frozen instances again
  python -m pytest {name}
  teller-gym eval env={name}:{name} agent=expert split=heldout run_dir=runs/{name}"""


_WHERE = "       # in the clone of teller_gym"


def run(argv: list[str]) -> int:
    """Write the package and its frozen files, print the next commands, and return the exit code."""
    parser = Parser("new-scenario", _DESCRIPTION, EXAMPLE)
    parser.add_argument("name", metavar="NAME", help="lower case, words joined by underscores, such as card_limits")
    parser.add_argument("--into", default=".", metavar="FOLDER", help="where the package is made (.)")
    options = parser.read(argv)
    _expect_free(options.name)
    root = Path(options.into).resolve()
    folder = root / options.name
    _write(folder, options.name)
    _freeze(root, options.name)
    shown = {"folder": Path(options.into) / options.name, "root": options.into, "name": options.name}
    print(_NEXT.format(**shown, install=install_command("eval", "dev") + _WHERE * is_clone()))
    return OK


def _expect_free(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise OptionError(f"NAME: expected lower case words joined by underscores, such as card_limits, got {name!r}")
    if name in SCENARIOS:
        raise OptionError(f"NAME: expected one that is not taken, got {name!r}, a scenario of the package")
    if name in sys.builtin_module_names or _is_installed(name):
        raise OptionError(f"NAME: expected one that is not taken, got {name!r}, which is an installed module")


def _is_installed(name: str) -> bool:
    """Return True if importing the name would find a module outside the working folder."""
    spec = importlib.util.find_spec(name)
    return spec is not None and Path.cwd() not in Path(spec.origin or Path.cwd() / name).resolve().parents


def _write(folder: Path, name: str) -> None:
    """Write the skeleton's files with placeholders replaced."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise OptionError(f"NAME: expected a folder that is not there yet, got {folder}") from None
    except OSError as error:
        raise OptionError(f"--into: {folder} cannot be made ({error.strerror})") from None
    values = {
        "@name@": name,
        "@module@": name,
        "@title@": name.replace("_", " ").capitalize(),
        "@env_id@": scenario_cards(ScenarioEntry(name, name, ""))[0].id,
    }
    for file in resources.files("teller_gym.cli").joinpath("skeleton").iterdir():
        text = file.read_text(encoding="utf-8")
        for mark, value in values.items():
            text = text.replace(mark, value)
        folder.joinpath(file.name.removesuffix(".txt")).write_text(text, encoding="utf-8")


def _freeze(root: Path, name: str) -> None:
    """Import the package, which registers the scenario, and write its frozen files."""
    sys.path.insert(0, str(root))
    try:
        importlib.invalidate_caches()
        importlib.import_module(name)
        write(name)
    finally:
        sys.path.remove(str(root))
