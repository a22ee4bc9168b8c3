"""Lost and found, and the register of the reception."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general.reception._entries import (
    SHOWN,
    Name,
    RecordKind,
    Zone,
    check_text,
    enter,
    valid_on,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

FoundCategory = Literal["clothing", "electronics", "keys", "papers", "umbrella", "other"]
_KEPT_DAYS: dict[FoundCategory, int] = {
    "clothing": 30,
    "electronics": 90,
    "keys": 60,
    "papers": 60,
    "umbrella": 14,
    "other": 30,
}


class FoundItem(Result):
    """The thing as stored, and how many things of the category are on the shelf with it."""

    item_id: str
    kept_until: date
    shelf: str
    things_on_shelf: int


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def log_found_item(bank: Bank, category: FoundCategory, description: Name, found_on: date, found_in: Zone) -> FoundItem:
    """Log a thing found in the tower for lost and found; umbrellas are kept 14 days, electronics 90, others between.

    Args:
        category: What kind of thing.
        description: What it looks like.
        found_on: When it was found, within the last 14 days.
        found_in: Where.
    """
    if not 0 <= (bank.today - found_on).days < 14:
        raise invalid("found_on", f"expected {bank.today} or up to 13 days earlier, got {found_on}")
    label = check_text("description", description)
    until = found_on + timedelta(days=_KEPT_DAYS[category])
    item_id = bank.reference("LF", category, label, str(found_on), found_in)
    enter(bank, item_id, "found_item", found_on, until, label, {"category": category, "found_in": found_in})
    kept = [row for _, row in valid_on(bank, "found_item", bank.today) if row["category"] == category]
    return FoundItem(item_id=item_id, kept_until=until, shelf=f"LF-{category}", things_on_shelf=len(kept))


class RegisterEntry(Result):
    """An entry: the plate, visitor or thing."""

    record_id: str
    label: str
    valid_until: str


class RegisterList(Result):
    """Entries by id, at most eight."""

    entries: list[RegisterEntry]
    total_found: int


@tool(category=Category.GENERAL_DISTRACTOR)
def list_reception_register(
    bank: Bank,
    record_kind: RecordKind,
    day: date,
    search_text: Annotated[str, Meta(min_length=1, max_length=40)] | None = None,
) -> RegisterList:
    """List what the reception's register holds for a day: parking permits, visitor badges, or things found and kept.

    Args:
        record_kind: Which entries.
        day: The day on which they hold.
        search_text: Only entries whose plate, visitor, company or description contains this.
    """
    wanted = (search_text or "").casefold()
    found = [(key, row) for key, row in valid_on(bank, record_kind, day) if wanted in row["label"].casefold()]
    entries = [RegisterEntry(record_id=key, label=row["label"], valid_until=row["until"]) for key, row in found]
    return RegisterList(entries=entries[:SHOWN], total_found=len(found))
