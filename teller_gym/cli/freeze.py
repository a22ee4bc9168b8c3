"""Command `teller-gym freeze`, which writes a scenario's frozen files into its folder."""

from __future__ import annotations

from teller_gym.configuration.envs import import_registering
from teller_gym.days.day import NAME as DAY
from teller_gym.days.store import write_days
from teller_gym.office_tasks.contract import load_office
from teller_gym.registration import OFFICES, OWN
from teller_gym.tasks.freezing import write

from .common import Parser
from .exit_codes import OK

EXAMPLE = """\
  teller-gym freeze loans
  teller-gym freeze day                            the working days of all scenarios of the package
  teller-gym freeze wealth                         checksums of the held-out offices
  teller-gym freeze my.card_limits:card_limits     one of your own, with the module that registers it"""

_DESCRIPTION = (
    "Draw a scenario's instances and held-out variants and write them into its folder. The same code and documents\n"
    "give the same bytes. A changed frozen file means a new version of the env's id; see CONTRIBUTING.md."
)


def run(argv: list[str]) -> int:
    """Write the frozen files of the named scenarios, print their paths, and return the exit code."""
    parser = Parser("freeze", _DESCRIPTION, EXAMPLE)
    parser.add_argument("scenarios", nargs="+", metavar="NAME", help="such as loans, or my.module:my_scenario")
    for name in parser.read(argv).scenarios:
        if name == DAY:
            print(write_days([entry.name for entry in OWN]))
            continue
        if name in OFFICES:
            print(load_office(OFFICES[name]).write())
            continue
        module, colon, scenario = name.rpartition(":")
        if colon:
            import_registering(module, name)
        for path in write(scenario):
            print(path)
    return OK
