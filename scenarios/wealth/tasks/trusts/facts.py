"""Draws the facts for a comparison of a trust's deed with the CRM. Shares are in basis points."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.world import Client, NewNames, World, shuffled


class Entry(msgspec.Struct, frozen=True):
    """A line of the schedule or an amendment.

    ``former`` is the person's former name, if stated.
    """

    name: str
    relation: str
    share: int
    former: str = ""


class Amendment(msgspec.Struct, frozen=True):
    """A deed of amendment, with new shares for some beneficiaries."""

    signed: date
    effective: date
    entries: tuple[Entry, ...]


class Child(msgspec.Struct, frozen=True):
    """A child of a beneficiary who has died."""

    name: str
    is_adopted: bool


class Death(msgspec.Struct, frozen=True):
    """A beneficiary who has died, with the children."""

    name: str
    day: date
    children: tuple[Child, ...]
    stepchild: str


class Record(msgspec.Struct, frozen=True):
    """A CRM record of a beneficiary.

    ``owner`` is the number of the linked client.
    """

    owner: str
    trust: str
    name: str
    relation: str
    share: int
    status: str
    created: datetime
    modified: datetime


class Facts(msgspec.Struct, frozen=True):
    """A trust's deed with its amendments in order of signing, and the CRM records of all trusts."""

    today: date
    client: str
    trust: str
    trustee: str
    signed: date
    schedule: tuple[Entry, ...]
    amendments: tuple[Amendment, ...]
    death: Death
    records: tuple[Record, ...]


ACTIVE: Final = "Active"

_TRUSTS: Final = ("Cedar Hill", "Stonebridge", "Willow Creek", "Harborview", "Kestrel Point", "Larkfield", "Fox Hollow")
_TRUSTEES: Final = ("First Prairie Trust Company", "Granite Fiduciary Services", "Keystone Trust Bank")


class _Cast(msgspec.Struct, frozen=True):
    """People by role in the deed, as entries without a share."""

    late: Entry
    heir: Entry
    renamed: Entry
    raised: Entry
    removed: Entry
    plain: Entry
    added: Entry
    unknown: Entry
    children: tuple[str, ...]

    def with_share(self, part: str, share: int) -> Entry:
        """Return the person in a role, with a share and without a former name."""
        one: Entry = getattr(self, part)
        return Entry(one.name, one.relation, share)


def draw_facts(world: World, client: Client, draw: Draw, rules: Rules) -> Facts:
    """Draw the facts for a trust such that every rule of the chapter affects the answer."""
    people = NewNames(world, draw)
    cast = _cast(draw, people, client)
    first, early, late, coming = _shares(draw, len(cast.children) + 1)
    today, trust = world.today, f"{draw.choice(_TRUSTS)} Family Trust"
    schedule = [cast.with_share(part, share) for part, share in first.items() if part != "renamed"]
    renamed = cast.renamed
    schedule.append(Entry(renamed.former, renamed.relation, first["renamed"]))
    # The amendment signed later took effect earlier, so the order of the pages does not reveal which one counts.
    amendments = (
        Amendment(_back(draw, today, 1900, 2300), _back(draw, today, 0, 600), _entries(draw, cast, late)),
        Amendment(_back(draw, today, 1300, 1700), _back(draw, today, 900, 1250), _entries(draw, cast, early, True)),
        Amendment(
            _back(draw, today, 5, 60), today + timedelta(days=draw.integer(1, 120)), _entries(draw, cast, coming)
        ),
    )
    children = [Child(cast.heir.name, False), *(Child(name, draw.chance(0.4)) for name in cast.children)]
    death = Death(cast.late.name, _back(draw, today, 30, 800), tuple(shuffled(draw, children)), people.named())
    after = {**first, **early, **late}
    kept = _Kept(world, draw, client, trust, rules)
    records = [*_own(kept, cast, first, after, coming), *_others(kept, people, cast)]
    return Facts(
        today=today,
        client=client.number,
        trust=trust,
        trustee=draw.choice(_TRUSTEES),
        signed=_back(draw, today, 3000, 5000),
        schedule=tuple(shuffled(draw, schedule)),
        amendments=amendments,
        death=death,
        records=tuple(shuffled(draw, records)),
    )


def _back(draw: Draw, today: date, least: int, most: int) -> date:
    return today - timedelta(days=draw.integer(least, most))


def _cast(draw: Draw, people: NewNames, client: Client) -> _Cast:
    family = client.last_name

    def relative(relation: str) -> Entry:
        return Entry(f"{people.first()} {family}", relation, 0)

    first = people.first()
    return _Cast(
        late=relative("Child"),
        heir=relative("Grandchild"),
        renamed=Entry(f"{first} {people.last()}", "Cousin", 0, former=f"{first} {people.last()}"),
        raised=relative("Child"),
        removed=Entry(people.named(), "Friend", 0),
        plain=relative("Child"),
        added=relative("Grandchild"),
        unknown=Entry(people.named(), "Former spouse", 0),
        children=tuple(f"{people.first()} {family}" for _ in range(draw.integer(1, 3))),
    )


def _shares(draw: Draw, heirs: int) -> tuple[dict[str, int], ...]:
    """Draw shares by role for the schedule, then for the amendments by effective date.

    Each state adds up to 100.
    """
    first = {
        "late": draw.integer(1800, 2600),
        "heir": draw.integer(400, 900),
        "renamed": draw.integer(900, 1500),
        "raised": draw.integer(1500, 2200),
        "removed": draw.integer(500, 1000),
    }
    first["plain"] = 10_000 - sum(first.values())
    shift = draw.integer(110, 290) * draw.choice((-1, 1))
    early = {"raised": first["raised"] + shift, "renamed": first["renamed"] - shift}
    passed = first["late"] + draw.integer(150, 400) * draw.choice((-1, 1))
    while 2 * (passed % heirs) < heirs:  # so that the equal parts are rounded up
        passed += 1
    added = draw.integer(500, 1100)
    rest = early["raised"] + first["removed"] + first["late"] - passed - added
    late = {"late": passed, "removed": 0, "added": added, "raised": rest}
    shift = draw.integer(150, 400)
    coming = {"plain": first["plain"] - shift, "renamed": early["renamed"] + shift}
    return first, early, late, coming


def _entries(draw: Draw, cast: _Cast, shares: dict[str, int], says_former: bool = False) -> tuple[Entry, ...]:
    found = [cast.with_share(part, share) for part, share in shares.items()]
    if says_former:
        found = [
            msgspec.structs.replace(one, former=cast.renamed.former) if one.name == cast.renamed.name else one
            for one in found
        ]
    return tuple(shuffled(draw, found))


class _Kept:
    """Draws CRM records.

    Ranges of days are counted back from today.
    """

    def __init__(self, world: World, draw: Draw, client: Client, trust: str, rules: Rules) -> None:
        self.world = world
        self.draw = draw
        self.client = client
        self.trust = trust
        self.revoked = str(rules["revoked"])

    def record(
        self,
        who: Entry,
        share: int,
        created: tuple[int, int] = (1000, 2600),
        modified: tuple[int, int] = (20, 900),
        status: str = ACTIVE,
        trust: str = "",
        owner: str = "",
    ) -> Record:
        """Draw a person's record, by default for the client's trust."""
        return Record(
            owner=owner or self.client.number,
            trust=trust or self.trust,
            name=who.name,
            relation=who.relation,
            share=share,
            status=status,
            created=self._at(*created),
            modified=self._at(*modified),
        )

    def _at(self, least: int, most: int) -> datetime:
        days, minutes = self.draw.integer(least, most), self.draw.integer(1, 470)
        return self.world.now - timedelta(days=days, minutes=minutes)


def _own(
    kept: _Kept, cast: _Cast, first: dict[str, int], after: dict[str, int], coming: dict[str, int]
) -> list[Record]:
    """Draw the trust's records, of which some are correct, some outdated, some premature and some obsolete."""
    draw, part = kept.draw, after["late"] // (len(cast.children) + 1) + 1
    revoked = kept.revoked
    found = [
        kept.record(cast.late, first["late"]),
        kept.record(cast.heir, first["heir"]),
        kept.record(cast.renamed, after["renamed"]),
        kept.record(cast.raised, after["raised"], created=(1500, 2400), modified=(20, 250)),
        kept.record(cast.raised, first["raised"], created=(700, 1200), modified=(300, 590)),
        kept.record(cast.removed, first["removed"], status=revoked),
        kept.record(cast.plain, coming["plain"] + draw.integer(15, 90)),
        kept.record(cast.added, after["added"], created=(700, 1200), modified=(150, 280)),
        kept.record(cast.added, draw.integer(1150, 1500), created=(300, 600), modified=(15, 120), status=revoked),
        kept.record(cast.unknown, draw.integer(250, 700)),
    ]
    # The first child is not in the CRM yet.
    found += [kept.record(Entry(name, "Grandchild", 0), part, (100, 400), (5, 90)) for name in cast.children[1:]]
    return found


def _others(kept: _Kept, people: NewNames, cast: _Cast) -> list[Record]:
    """Draw records of other trusts.

    They are the client's second trust, another client's trust of the same name, and a third client's trust.
    """
    draw = kept.draw
    second, third = shuffled(draw, [one for one in kept.world.clients if one is not kept.client])[:2]
    own = kept.trust.replace("Family", "Education")
    other = f"{draw.choice([one for one in _TRUSTS if not kept.trust.startswith(one)])} Family Trust"
    groups = (
        (kept.client, own, [cast.heir, cast.added, Entry(people.named(), "Godchild", 0)]),
        (second, kept.trust, [_of(people, second, "Child"), _of(people, second, "Sibling")]),
        (third, other, [_of(people, third, "Child"), _of(people, third, "Child"), _of(people, third, "Grandchild")]),
    )
    found = []
    for client, trust, members in groups:
        rest = 10_000
        for left, one in zip(range(len(members), 0, -1), members, strict=True):
            share = rest if left == 1 else draw.integer(rest // (2 * left), rest // left)
            rest -= share
            found.append(kept.record(one, share, trust=trust, owner=client.number))
    return found


def _of(people: NewNames, client: Client, relation: str) -> Entry:
    return Entry(f"{people.first()} {client.last_name}", relation, 0)
