"""Script, run in a process that may be killed: renders a chat template and reports the result.

It reads JSON from stdin (`template`, `runs`: the variables of each rendering, `memory` in bytes, `seconds` of CPU time,
`most` characters) and writes one line: nothing if all is well, else what is wrong with the template. A refusal by the
template itself, of a role say, is no fault here.
"""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Any

from jinja2 import ext, nodes
from jinja2.exceptions import TemplateError
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment


class _Generation(ext.Extension):
    """The tag `generation`, which transformers adds: its body is rendered unchanged."""

    tags = {"generation"}  # noqa: RUF012 - as Jinja has it

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def _refuse(message: str) -> None:
    raise TemplateError(message)


def _json(
    value: Any, ensure_ascii: bool = False, indent: Any = None, separators: Any = None, sort_keys: bool = False
) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def fault(template: str, runs: list[dict[str, Any]], most: int) -> str:
    """Return what is wrong with a template, in words that follow its name; nothing if it is bounded."""
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, ext.loopcontrols]
    )
    environment.filters["tojson"] = _json
    environment.globals |= {"raise_exception": _refuse, "strftime_now": lambda form: form}
    for variables in runs:
        length = 0
        try:
            for part in environment.from_string(template).generate(**variables):
                length += len(part)
                if length > most:
                    return f"writes more than {most} characters for a chat of a few lines"
        except MemoryError:
            return "needs more memory than any prompt"
        except RecursionError:
            return "calls itself without end"
        except OverflowError as error:
            return f"counts too far ({str(error)[:100]})"
        except Exception:  # reported where it is rendered in earnest
            continue
    return ""


def main() -> None:
    """Set limits, render, report."""
    asked = json.load(sys.stdin)
    with contextlib.suppress(ImportError, ValueError, OSError):  # the system has no such limits, or lower ones
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (asked["memory"], asked["memory"]))
        resource.setrlimit(resource.RLIMIT_CPU, (asked["seconds"], asked["seconds"]))
    print(fault(asked["template"], asked["runs"], asked["most"]))


if __name__ == "__main__":
    main()
