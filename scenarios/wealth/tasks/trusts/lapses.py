"""Trust experts that each make one wrong judgement.

Codes such as TB2 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.wealth.tasks.trusts.expert import Expert, Found, Page, Shares, share


@lapse("TB2")
class ScheduleAlone(Expert):
    """Ignores all amendments."""

    def in_effect(self, amendments: list[Page]) -> list[Page]:
        return []


@lapse("TB3")
class ComingAmendments(Expert):
    """Applies amendments that are not in effect yet."""

    def in_effect(self, amendments: list[Page]) -> list[Page]:
        return sorted(amendments, key=lambda one: one.effective)


@lapse("TB3")
class OrderOfSigning(Expert):
    """Applies the amendments in the order of signing, so that the one signed last counts."""

    def in_effect(self, amendments: list[Page]) -> list[Page]:
        return sorted(super().in_effect(amendments), key=lambda one: one.signed)


@lapse("TB3")
class LatestAmendmentAlone(Expert):
    """Applies only the latest amendment in effect."""

    def in_effect(self, amendments: list[Page]) -> list[Page]:
        return super().in_effect(amendments)[-1:]


@lapse("TB4")
class FormerNameApart(Expert):
    """Treats a former name as another person."""

    def present_names(self, names: list[str]) -> dict[str, str]:
        found = super().present_names(names)
        return {name: present for name, present in found.items() if "(" in name}


@lapse("TB5")
class DeadKeepShare(Expert):
    """Leaves the share with the beneficiary who has died."""

    def inherited(self, first: Shares, shares: Shares, memorandum: Page) -> Shares:
        return shares


@lapse("TB5")
class FirstSharePassedOn(Expert):
    """Passes on the share in the schedule instead of the amended one."""

    def passed_on(self, first: int, amended: int) -> int:
        return first


@lapse("TB5")
class StepchildCounted(Expert):
    """Counts the stepchild among the children."""

    def children(self, children: str, step: str) -> list[str]:
        return [*super().children(children, step), step]


@lapse("TB5")
class PartsCutOff(Expert):
    """Truncates the children's parts to two decimals."""

    def part(self, share: int, count: int) -> int:
        return share // count


@lapse("TB5")
class PartForOwnShare(Expert):
    """Replaces a child's own share with the inherited part."""

    def with_part(self, own: int, part: int) -> int:
        return part


@lapse("TB6")
class AllTrustsOfTheClient(Expert):
    """Counts the records of all trusts linked to the client."""

    def is_of_trust(self, record: Seen, trust: str) -> bool:
        return True


@lapse("TB6")
class TrustsOfThatName(Expert):
    """Counts the records of every trust with the same name, regardless of the client."""

    def records(self, trust: str) -> Found:
        return (yield from self.searched("trust", trust))


@lapse("TB7")
class RevokedCounted(Expert):
    """Counts revoked records."""

    def valid(self, records: list[Seen]) -> list[Seen]:
        return records


@lapse("TB7")
class LastRecordRevoked(Expert):
    """Leaves out a person whose last record is revoked although another record is valid."""

    def valid(self, records: list[Seen]) -> list[Seen]:
        last = {one["name"]: one for one in sorted(records, key=lambda one: str(one["modifiedAt"]))}
        return super().valid(list(last.values()))


@lapse("TB7")
class CreatedLast(Expert):
    """Uses a person's most recently created record."""

    def share_of(self, records: list[Seen]) -> int:
        return share(max(records, key=lambda one: str(one["createdAt"])))


@lapse("TB7")
class RecordsAddedUp(Expert):
    """Adds up all records of a person."""

    def share_of(self, records: list[Seen]) -> int:
        return sum(map(share, records))


@lapse("TB8")
class OnlyWhoIsInBoth(Expert):
    """Lists only people in both the deed and the CRM."""

    def listed(self, deed: Shares, crm: Shares) -> list[str]:
        return sorted({*deed} & {*crm})


@lapse("TB8")
class DeedLessCrm(Expert):
    """Subtracts the CRM share from the deed share."""

    def difference(self, deed: int, crm: int) -> int:
        return deed - crm


@lapse("TB9")
class SignedTotal(Expert):
    """Sums the signed differences."""

    def apart(self, differences: list[int]) -> int:
        return sum(differences)
