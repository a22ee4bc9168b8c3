"""The expert of trusts with one judgement left out."""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.wealth.tasks.trusts.expert import Expert, Found, Page, Shares, share


@lapse("TB2")
class ScheduleAlone(Expert):
    """Reads the schedule and no deed of amendment."""

    def in_effect(self, amendments: list[Page]) -> list[Page]:
        return []


@lapse("TB3")
class ComingAmendments(Expert):
    """Applies amendments that are not in effect yet."""

    def in_effect(self, amendments: list[Page]) -> list[Page]:
        return sorted(amendments, key=lambda one: one.effective)


@lapse("TB3")
class OrderOfSigning(Expert):
    """Takes the amendment that was signed last where two name the same person."""

    def in_effect(self, amendments: list[Page]) -> list[Page]:
        return sorted(super().in_effect(amendments), key=lambda one: one.signed)


@lapse("TB3")
class LatestAmendmentAlone(Expert):
    """Applies only the amendment in effect that has the latest Effective Date."""

    def in_effect(self, amendments: list[Page]) -> list[Page]:
        return super().in_effect(amendments)[-1:]


@lapse("TB4")
class FormerNameApart(Expert):
    """Takes a former name for another person."""

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
    """Passes the share of the schedule on to the children, not the amended one."""

    def passed_on(self, first: int, amended: int) -> int:
        return first


@lapse("TB5")
class StepchildCounted(Expert):
    """Counts the stepchild among the children."""

    def children(self, children: str, step: str) -> list[str]:
        return [*super().children(children, step), step]


@lapse("TB5")
class PartsCutOff(Expert):
    """Cuts the children's parts off after two decimals."""

    def part(self, share: int, count: int) -> int:
        return share // count


@lapse("TB5")
class PartForOwnShare(Expert):
    """Puts a child's part in the place of the share that the child has already."""

    def with_part(self, own: int, part: int) -> int:
        return part


@lapse("TB6")
class AllTrustsOfTheClient(Expert):
    """Takes the records of all trusts that are linked to the client."""

    def is_of_trust(self, record: Seen, trust: str) -> bool:
        return True


@lapse("TB6")
class TrustsOfThatName(Expert):
    """Takes the records of every trust of that name, regardless of its owner."""

    def records(self, trust: str) -> Found:
        return (yield from self.searched("trust", trust))


@lapse("TB7")
class RevokedCounted(Expert):
    """Counts records that were revoked."""

    def valid(self, records: list[Seen]) -> list[Seen]:
        return records


@lapse("TB7")
class LastRecordRevoked(Expert):
    """Leaves a person out whose last record is revoked, though another is not."""

    def valid(self, records: list[Seen]) -> list[Seen]:
        last = {one["name"]: one for one in sorted(records, key=lambda one: str(one["modifiedAt"]))}
        return super().valid(list(last.values()))


@lapse("TB7")
class CreatedLast(Expert):
    """Takes the record of a person that was created last."""

    def share_of(self, records: list[Seen]) -> int:
        return share(max(records, key=lambda one: str(one["createdAt"])))


@lapse("TB7")
class RecordsAddedUp(Expert):
    """Adds up all records of a person."""

    def share_of(self, records: list[Seen]) -> int:
        return sum(map(share, records))


@lapse("TB8")
class OnlyWhoIsInBoth(Expert):
    """Lists only those who are in the deed and in the CRM."""

    def listed(self, deed: Shares, crm: Shares) -> list[str]:
        return sorted({*deed} & {*crm})


@lapse("TB8")
class DeedLessCrm(Expert):
    """Takes the CRM's share from the deed's."""

    def difference(self, deed: int, crm: int) -> int:
        return deed - crm


@lapse("TB9")
class SignedTotal(Expert):
    """Adds the differences up with their signs."""

    def apart(self, differences: list[int]) -> int:
        return sum(differences)
