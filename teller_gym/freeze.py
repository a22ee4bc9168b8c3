"""Writing a scenario's frozen files: ``python -m teller_gym.freeze loans``.

One of your own is named with the module that registers it: ``python -m teller_gym.freeze my.module:my_scenario``.
"""

from __future__ import annotations

import argparse
import importlib
import sys

from teller_gym.errors import TellerError
from teller_gym.freezing import write


def main(argv: list[str] | None = None) -> int:
    """Write the files of the scenarios named, say which, and return the exit code: 0, or 2 if that cannot be done."""
    parser = argparse.ArgumentParser(prog="python -m teller_gym.freeze", description=__doc__.partition("\n")[0])
    parser.add_argument("scenarios", nargs="+", metavar="NAME", help="such as loans, or my.module:my_scenario")
    for name in parser.parse_args(argv).scenarios:
        module, colon, scenario = name.rpartition(":")
        try:
            if colon:
                importlib.import_module(module)
            for path in write(scenario):
                print(path)
        except (TellerError, ModuleNotFoundError) as error:
            print(f"{parser.prog}: {error}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
