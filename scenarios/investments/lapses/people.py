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


@lapse("5.1.3", "D4", "T8.1")
class IdentityFailureIgnored(Careless):
    """Goes on with signers whose identity has failed."""

    def identity_ending(self) -> Ending | None:
        return None


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


@lapse("5.2.1", "screen_watch_list.verified_name")
class NameAsGivenScreened(Careless):
    """Screens the name that the request gives instead of the verified one."""

    def screened_name(self, customer: str) -> str:
        name: str = self.people[customer]["full_name"]
        return name


@lapse("5.2.1", "T1.5", "screen_watch_list.list_scope")
class NarrowestListScope(Careless):
    """Screens everybody against the lists for citizens of the US."""

    def list_scope_of(self, customer: str) -> str:
        return self.code("list_scopes", "us_citizen")


@lapse("5.2.1", "T1.4", "screen_watch_list.list_scope")
class WidestListScope(Careless):
    """Screens everybody against all lists."""

    def list_scope_of(self, customer: str) -> str:
        return self.code("list_scopes", "other")


@lapse("5.2.2", "5.2.3", "D5", "T8.2")
class MatchesAllCleared(Careless):
    """Clears every possible match."""

    def is_true_match(self, screening: Seen) -> bool:
        return False


@lapse("5.2.2", "D5", "check_account_authority.cleared_entry_ids")
class MatchByNameAlone(Careless):
    """Takes every possible match for a true one."""

    def is_true_match(self, screening: Seen) -> bool:
        return True


@lapse("5.2.2", "D5")
class CountryNotCompared(Careless):
    """Takes an entry of the same birth date for a true match."""

    def same_country(self, screening: Seen) -> bool:
        return True


@lapse("5.2.2", "D5")
class BirthDateNotCompared(Careless):
    """Takes an entry of the same country for a true match."""

    def same_birth(self, screening: Seen) -> bool:
        return True


@lapse("5.3.2", "5.3.3", "T2", "T3", "T8.3", "T8.4")
class FileFindingsIgnored(Careless):
    """Goes on whatever restriction or lack of authority the account file shows."""

    def file_ending(self) -> Ending | None:
        return None


@lapse("5.3.2")
class AuthorityBeforeRestriction(Careless):
    """Judges the authority before the restrictions."""

    def file_ending(self) -> Ending | None:
        return self.authority_ending() or self.restriction_ending()


@lapse("5.3.2", "T3")
class EveryRestrictionStops(Careless):
    """Takes any restriction in force for one that stops the request."""

    def is_stopped(self, kind: str) -> bool:
        return True


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


@lapse("D7")
class ClosedAccountsCounted(Careless):
    """Counts closed accounts, too."""

    def is_open(self, row: Seen) -> bool:
        return True


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
