"""Records with text that tries to break out of the pages."""

import json
from typing import Any

from teller_gym.evaluation.records.episode import Episode, Turn
from tests.evaluation.samples import episode
from tests.evaluation.samples import turn as sample_turn

SCRIPT = "</script><script>window.broken = 1</script>"
IMAGE = "<img src=x onerror='window.broken = 2'>"
QUOTES = "');window.broken=3;('\\');window.broken=4;//"
LINES = "a\u2028window.broken = 5\u2029b\r\nc"
ANSI = "\x1b[31mred\x1b[0m\x07\x00"
SURROGATES = "lone \ud800 and \udfff"
TURNED = "\u202etxet denrut\u202c"
HUGE = "<b>" + "x" * 1_000_000
ALL = (SCRIPT, IMAGE, QUOTES, LINES, ANSI, SURROGATES, TURNED)


def turn(action: str, **values: Any) -> Turn:
    return {**sample_turn("call"), "action": action, "tool": "t", "result": "{}", **values}  # type: ignore[typeddict-item]


def hostile_episodes() -> list[Episode]:
    """Return an episode for each hostile text, with the text in every field, and one with a megabyte of text."""
    found = []
    for number, evil in enumerate(ALL):
        call = json.dumps({"name": evil, "arguments": {evil: evil, "__proto__": {"broken": evil}}})
        well_formed = evil.encode(errors="ignore").decode()
        error = {"kind": "unknown_tool", "message": evil, "field": evil}
        note = {"thinking": evil, "said": evil, "other": {evil: evil}, "prompt": 1, "completion": 2}
        trace = [
            turn(call, tool=evil, result=json.dumps({evil: evil}), error=error, model=note),
            turn(evil, kind="response", tool=None, result=evil, passed=[f"call:{evil}"]),
        ]
        found.append(
            episode(
                task_id=f"{number}{well_formed}", scenario=evil[:50], split=evil[:50], agent=evil, outcome=evil[:50],
                branches={evil: evil},
                reward_terms={evil: 0.5, "__proto__": 0.25}, error_counts={evil[:50]: 1, "__proto__": 2},
                checkpoints=[
                    {"checkpoint": f"call:{evil}", "passed": False, "reason": evil},
                    {"checkpoint": f"field:{evil}", "passed": False, "reason": f"expected {evil}, got {evil}"},
                    {"checkpoint": evil, "passed": True, "reason": ""},
                ],
                outputs={"__proto__": evil}, required_tools=[evil, "__proto__"], invoked_tools=[evil],
                tools=[evil, "constructor"], steps=2, trace=trace,
                messages=[{"role": "system", "content": evil}, {"role": "user", "content": evil}],
            )
        )  # fmt: skip
    huge = turn(HUGE, kind="response", tool=None, result=HUGE)
    return [*found, episode(task_id="huge", steps=1, trace=[huge])]
