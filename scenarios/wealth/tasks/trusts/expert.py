"""Expert for comparing a trust's deed with the CRM.

Codes such as TB2 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Final, NamedTuple

from teller_gym.office.documents.amounts import money_text, parse_money
from teller_gym.office.documents.dates import parse_date
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.wealth.worker import Worker
from teller_gym.tools.call import Call

Shares = dict[str, int]
"""Shares in basis points, by name."""

Found = Generator[Call, Seen, list[Seen]]

_DETAIL: Final = re.compile(r"^(?P<name>Trust|Signed|Effective Date): +(?P<value>.+)$", re.MULTILINE)
_ENTRY: Final = re.compile(r"^(?P<name>\S.*?)  +\S.*?  +(?P<share>\d+\.\d\d)$", re.MULTILINE)
_FORMER: Final = re.compile(r"(?P<name>.+) \(formerly (?P<former>.+)\)")
_DEATH: Final = re.compile(
    r"(?P<name>[A-Z]\w+ [A-Z]\w+) died on .+? and left \w+ children, (?P<children>.+?), "
    r"and a stepchild, (?P<step>[^.]+)\."
)


class Page(NamedTuple):
    """A page of the deed: the schedule, an amendment or the memorandum.

    ``entries`` are names with shares.
    """

    details: dict[str, str]
    entries: list[tuple[str, int]]
    text: str

    @property
    def signed(self) -> date:
        """Date of the signature."""
        return parse_date(self.details["Signed"])

    @property
    def effective(self) -> date:
        """Date from which an amendment applies."""
        return parse_date(self.details["Effective Date"])


class Expert(Worker):
    """Computes the shares by the deed and by the CRM, with a separate method for each rule of the chapter."""

    def work(self) -> Steps:
        """Read the deed and the records, and deliver the comparison."""
        yield from self.find_client()
        pages = [read(one) for one in (yield from self.text("trust_deed.pdf")).split("\f")]
        trust = pages[0].details["Trust"]
        deed = self.deed(pages)
        records = yield from self.records(trust)
        crm = self.registered([one for one in records if self.is_of_trust(one, trust)])
        yield from self.deliver(self.rules["output"], self.rules["columns"], self.compared(deed, crm))

    # -- the deed -----------------------------------------------------------------------------------------------------

    def deed(self, pages: list[Page]) -> Shares:
        """Return the shares by the deed (TB2, TB4 and TB5)."""
        schedule, amendments, memorandum = pages[0], pages[1:-1], pages[-1]
        present = self.present_names([name for page in pages for name, _ in page.entries])
        first = {present.get(name, name): share for name, share in schedule.entries}
        shares = dict(first)
        for page in self.in_effect(amendments):
            shares.update({present.get(name, name): share for name, share in page.entries})
        return self.inherited(first, shares, memorandum)

    def present_names(self, names: list[str]) -> dict[str, str]:
        """Return the current name for each former name and each name as written (TB4)."""
        found = {}
        for name in names:
            both = _FORMER.fullmatch(name)
            if both:
                found[name] = found[both["former"]] = both["name"]
        return found

    def in_effect(self, amendments: list[Page]) -> list[Page]:
        """Return the amendments in effect, sorted by effective date (TB3)."""
        return sorted((one for one in amendments if one.effective <= self.today), key=lambda one: one.effective)

    def inherited(self, first: Shares, shares: Shares, memorandum: Page) -> Shares:
        """Return the shares after the deceased's share has passed to the children (TB5)."""
        found = _DEATH.search(" ".join(memorandum.text.split()))
        if found is None:
            return shares
        passed = self.passed_on(first[found["name"]], shares[found["name"]])
        children = self.children(found["children"], found["step"])
        part = self.part(passed, len(children))
        rest = {name: share for name, share in shares.items() if name != found["name"]}
        return rest | {child: self.with_part(rest.get(child, 0), part) for child in children}

    def passed_on(self, first: int, amended: int) -> int:
        """Return the share that passes to the children (TB5)."""
        return amended

    def children(self, children: str, step: str) -> list[str]:
        """Return the names of the children who inherit (TB5)."""
        return re.split(", | and ", children.replace(" (adopted)", ""))

    def part(self, share: int, count: int) -> int:
        """Return each child's part of the share (TB5)."""
        return int((Decimal(share) / count).quantize(Decimal(1), ROUND_HALF_UP))

    def with_part(self, own: int, part: int) -> int:
        """Return a child's share, including the inherited part (TB5)."""
        return own + part

    # -- the CRM ------------------------------------------------------------------------------------------------------

    def records(self, trust: str) -> Found:
        """Return the client's beneficiary records, which may belong to several trusts (TB6)."""
        return (yield from self.searched("contactId", self.contact["id"]))

    def searched(self, attribute: str, value: str) -> Found:
        """Return all beneficiary records with the given attribute value."""
        found: list[Seen] = []
        while True:
            page = yield from self.ask(
                "search_crm", entity=self.rules["entity"], attribute=attribute, value=value, offset=len(found)
            )
            found += page["records"]
            if not page["records"] or len(found) >= page["total"]:
                return found

    def is_of_trust(self, record: Seen, trust: str) -> bool:
        """Return True if a record belongs to the trust (TB6)."""
        return bool(record["trust"] == trust)

    def registered(self, records: list[Seen]) -> Shares:
        """Return the shares in the CRM by name (TB7)."""
        found: dict[str, list[Seen]] = {}
        for one in self.valid(records):
            found.setdefault(one["name"], []).append(one)
        return {name: self.share_of(several) for name, several in found.items()}

    def valid(self, records: list[Seen]) -> list[Seen]:
        """Return the records that are not revoked (TB7)."""
        return [one for one in records if one["status"] != self.rules["revoked"]]

    def share_of(self, records: list[Seen]) -> int:
        """Return a person's share from one or more records (TB7)."""
        return share(max(records, key=lambda one: str(one["modifiedAt"])))

    # -- the comparison -----------------------------------------------------------------------------------------------

    def compared(self, deed: Shares, crm: Shares) -> list[Sequence[str]]:
        """Return the rows to deliver (TB8 and TB9)."""
        rows = [(name, deed.get(name, 0), crm.get(name, 0)) for name in self.listed(deed, crm)]
        sums = sum(row[1] for row in rows), sum(row[2] for row in rows)
        apart = self.apart([self.difference(*row[1:]) for row in rows])
        written = [(name, *map(money_text, (*both, self.difference(*both)))) for name, *both in rows]
        return [*written, (self.rules["total"], *map(money_text, (*sums, apart)))]

    def listed(self, deed: Shares, crm: Shares) -> list[str]:
        """Return the names that get a row (TB8)."""
        return sorted(name for name in {*deed, *crm} if deed.get(name) or crm.get(name))

    def difference(self, deed: int, crm: int) -> int:
        """Return the CRM share less the deed share (TB8)."""
        return crm - deed

    def apart(self, differences: list[int]) -> int:
        """Return the sum of the absolute differences (TB9)."""
        return sum(map(abs, differences))


def read(text: str) -> Page:
    """Parse the text of a deed page."""
    details = {one["name"]: one["value"].strip() for one in _DETAIL.finditer(text)}
    entries = [(one["name"], parse_money(one["share"])) for one in _ENTRY.finditer(text)]
    return Page(details, entries, text)


def share(record: Seen) -> int:
    """Convert a record's share, a number in percent, to basis points."""
    return int(Decimal(str(record["share"])) * 100)
