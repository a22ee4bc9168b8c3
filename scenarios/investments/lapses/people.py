"""Lapses of identity, watch lists, authority and restrictions (5.1 to 5.3), and of the accounts that count (D7)."""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.investments.judgement import Ending
from teller_gym.scenarios.investments.lapses.careless import Careless


@lapse("D3", "5.1.2", "check_account_authority.signer_ids", "check_account_authority.screening_ids")
class FirstSignerAlone(Careless):
    """Verifies and screens the first signer alone."""

    def identify(self) -> Steps:
        every, self.customers = self.customers, self.customers[:1]
        yield from super().identify()
        self.customers = every

    def screen(self) -> Steps:
        every, self.customers = self.customers, self.customers[:1]
        yield from super().screen()
        self.customers = every


@lapse("5.1.3", "D21")
class ScreenedBeforeAllAreVerified(Careless):
    """Screens each signer as soon as that one is verified, before the others are."""

    def identify(self) -> Steps:
        for customer in self.customers:
            yield from self.verify_identity(customer)
            if customer == self.customers[0]:
                yield from self.end(self.identity_ending())
            yield from self.screen_person(customer)

    def screen(self) -> Steps:
        yield from self.end(self.identity_ending())
        yield from self.end(self.match_ending())


@lapse("5.3.2")
class AuthorityBeforeRestriction(Careless):
    """Judges the authority before the restrictions."""

    def file_ending(self) -> Ending | None:
        return self.authority_ending() or self.restriction_ending()


@lapse("5.3.2", "D6")
class EndedRestrictionsHold(Careless):
    """Takes restrictions that have ended for restrictions in force."""

    def restrictions(self) -> list[str]:
        return [row["kind"] for row in self.file["restrictions"]]


@lapse("5.3.3", "D6")
class LastDayNotInForce(Careless):
    """Takes what holds until the business date for ended."""

    def in_force(self, row: Seen) -> bool:
        return super().in_force(row) and row["until"] != self.today.isoformat()


@lapse("5.3.3")
class EverySignerMustHaveAuthority(Careless):
    """Refuses if only one of the signers may instruct."""

    def authority_ending(self) -> Ending | None:
        rows = self.file["authorities"]
        return None if all(self.may_instruct(row) for row in rows) else Ending("refuse", "no_authority")


@lapse("5.3.3", "T2")
class OwnersAloneInstruct(Careless):
    """Takes powers of attorney for no authority."""

    def may_instruct(self, row: Seen) -> bool:
        return super().may_instruct(row) and row["authority"] in ("owner", "joint_owner")


@lapse("D7", "5.5.1", "value_positions.account_ids")
class ChildrensAccountsCounted(Careless):
    """Counts the accounts of children."""

    def relations(self, purpose: str) -> tuple[str, ...]:
        return (*super().relations(purpose), "custodian")


@lapse("D7", "5.5.1", "value_positions.account_ids")
class SpousesAccountsAlwaysCounted(Careless):
    """Counts a spouse's accounts whatever the purpose."""

    def relations(self, purpose: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*super().relations(purpose), "spouse")))


@lapse("D7", "5.5.1", "5.7.5", "list_tax_lots.lot_account_id")
class AccountAloneCounted(Careless):
    """Looks at the account itself alone."""

    def counted(self, purpose: str) -> list[str]:
        return [self.account_id]
