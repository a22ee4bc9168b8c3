"""Checks the report to the adviser about an emergency fund."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from teller_gym.office.documents.amounts import money_text
from teller_gym.scenarios.wealth.contract import Case, Failure, Finding, Look, failed, judged
from teller_gym.scenarios.wealth.delivered import normal, same_money, told
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.sent import amounts, is_negated, said, to_one
from teller_gym.scenarios.wealth.tasks.emergency_fund.solving import Answer

CHECKPOINTS = ("required", "available", "verdict", "message")

_FAILS: Final = re.compile(r"\bfail(?:s|ed|ure|ing)?\b", re.IGNORECASE)
_PASSES: Final = re.compile(r"\bpass(?:es|ed|ing)?\b", re.IGNORECASE)
_CLAUSES: Final = re.compile(r"[\n.,;:()\u2013\u2014]| - |\b(?:and|but|so)\b", re.IGNORECASE)
_COUNT: Final = re.compile(r"\b\d+(?:\.\d+)?[ -]?(?:%|(?:months?|weeks?|days?|times|x)\b)", re.IGNORECASE)
"""Percentages, durations and multiples, which are not amounts of money."""
_SUPPOSED: Final = re.compile(r"\b(?:if|when|whenever|unless|whether|would|must|should|to pass)\b", re.IGNORECASE)


class Message(NamedTuple):
    """A parsed message.

    ``values`` has the texts after each label, one per occurrence.
    """

    text: str
    values: dict[str, list[str]]

    def amount(self, label: str) -> int | None:
        """Return the amount after a label in cents, or None if it is missing or ambiguous."""
        found = {cents for value in self.values.get(label, []) for cents in amounts(_COUNT.sub("", value))}
        return found.pop() if len(found) == 1 else None


def check(look: Look) -> list[Finding]:
    """Compare the latest complete report with the answer."""
    rules, answer, adviser = look.case.rules, _answer(look.case), look.case.client.adviser
    labels = (rules["required"], rules["available"], rules["verdict"])
    read = [message_of(text, rules) for text in to_one(look, adviser)]
    found = [one for one in read if all(label in one.values for label in labels)]
    if not found:
        why = f"no direct message to {adviser} alone has the lines {', '.join(labels)}"
        return [failed(name, Failure.CROSS_TOOL, why) for name in CHECKPOINTS]
    last = found[-1]
    amounts_told = [
        _amount("required", look, last, rules["required"], answer.required),
        _amount("available", look, last, rules["available"], answer.available),
    ]
    return [
        *amounts_told,
        _verdict_told(last, rules, answer, any(one.passed for one in amounts_told)),
        _message(look, last, answer),
    ]


def secrets(case: Case) -> frozenset[int]:
    """Return the amounts in cents that only the adviser may receive, except zero."""
    answer = _answer(case)
    return frozenset({answer.required, answer.available, answer.difference} - {0})


def message_of(text: str, rules: Rules) -> Message:
    """Parse a message into the texts after its labels, each up to the next label or the end of the line."""
    labels = {
        rules[name].casefold(): rules[name] for name in ("required", "available", "verdict", "surplus", "shortfall")
    }
    marks = list(
        re.finditer(rf"\b({'|'.join(map(re.escape, labels))})\b(?: ?\([^()\n]*\))?[ *_\"'|]*[:=]", text, re.IGNORECASE)
    )
    values: dict[str, list[str]] = {}
    for number, mark in enumerate(marks):
        end = marks[number + 1].start() if number + 1 < len(marks) else len(text)
        line = text[mark.end() : end].strip().partition("\n")[0]
        values.setdefault(labels[mark[1].casefold()], []).append(_without_aside(line))
    return Message(text, values)


def verdict_of(message: Message, rules: Rules) -> str:
    """Return a message's verdict, taking negations into account.

    The result is empty if the message contradicts itself.
    """
    given = {one for value in message.values[rules["verdict"]] if (one := _verdict(value, rules))}
    clauses = [clause for clause in _CLAUSES.split(message.text) if not _SUPPOSED.search(clause)]
    said_elsewhere = {one for clause in clauses if (one := _verdict(clause, rules))}
    return given.pop() if len(given) == 1 and said_elsewhere <= given else ""


def _verdict(clause: str, rules: Rules) -> str:
    """Return a clause's verdict, which a preceding negation inverts.

    The result is empty if there is none.
    """
    passes, fails = _PASSES.search(clause), _FAILS.search(clause)
    if passes:
        # "fails to pass" is a negation as well; "pass or fail" is not a verdict.
        if is_negated(clause[: passes.start()]):
            return str(rules["fails"])
        return "" if fails else str(rules["passes"])
    if fails:
        return str(rules["passes" if is_negated(clause[: fails.start()]) else "fails"])
    return ""


def _verdict_told(message: Message, rules: Rules, answer: Answer, has_ground: bool) -> Finding:
    """Check the verdict, which does not count without any correct amount, since it could be a guess."""
    verdict, right = verdict_of(message, rules), rules["passes" if answer.passes else "fails"]
    if verdict == right and not has_ground:
        return failed("verdict", Failure.LOGIC, f"{right} stands on no right amount")
    wrong = f"expected {right}, got {verdict or 'no verdict'}"
    return judged("verdict", verdict == right, f"the verdict is {right}", wrong)


def _amount(checkpoint: str, look: Look, message: Message, label: str, cents: int) -> Finding:
    got = message.amount(label)
    is_right = got is not None and same_money(money_text(got), cents, look.loose)
    shown = "no one amount" if got is None else told(got)
    return judged(checkpoint, is_right, f"{label} is {told(cents)}", f"{label}: expected {told(cents)}, got {shown}")


def _message(look: Look, message: Message, answer: Answer) -> Finding:
    """Check the message to the adviser, its recipients and its difference.

    It must state the labelled difference and name the client, and nobody else may have been sent the amounts.
    """
    rules, name, client = look.case.rules, "message", look.case.client.name
    word, other = (rules["surplus"], rules["shortfall"])[:: 1 if answer.passes else -1]
    if other in message.values:
        return failed(name, Failure.LOGIC, f"expected a {word} and no {other}")
    if normal(client) not in normal(message.text):
        return failed(name, Failure.LOGIC, f"the message does not name {client}")
    for one in said(look):
        if one.to != (look.case.client.adviser,) and amounts(one.text) & secrets(look.case):
            where = f"#{one.room}" if one.room else ", ".join(one.to)
            return failed(
                name, Failure.CROSS_TOOL, f"the figures were told in {where} as well, not to the adviser alone"
            )
    return _amount(name, look, message, word, answer.difference)


def _without_aside(line: str) -> str:
    """Return a line without an explanation in parentheses.

    An amount in parentheses is not removed.
    """
    return re.split(r"(?<=\w)[ *_]*\(", line, maxsplit=1)[0]


def _answer(case: Case) -> Answer:
    answer: Answer = case.answer
    return answer
