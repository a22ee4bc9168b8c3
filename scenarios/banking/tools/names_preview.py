"""The tool that counts watch-list entries with a similar name."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.text import normalise_text
from teller_gym.scenarios.banking.ids import Country, FullName
from teller_gym.scenarios.banking.lookup import day
from teller_gym.scenarios.banking.ranges import check_order, within
from teller_gym.scenarios.banking.tools.named import auxiliary_tool
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Result, Tool

BirthYear = Annotated[int, Meta(ge=1900, le=2100)]


class SimilarNames(Result):
    """How many list entries are similar."""

    similar_entries: int


def names_preview_tool(description: str) -> Tool:
    """Return the tool under its description."""

    def preview_watch_list_names(
        bank: Bank,
        full_name: FullName,
        similarity: Literal["same_words", "shared_word"],
        searched_lists: Literal["sanctions", "sanctions_and_pep"],
        entry_country: Country | None = None,
        born_year_from: BirthYear | None = None,
        born_year_to: BirthYear | None = None,
    ) -> SimilarNames:
        """DESCRIPTION

        Args:
            full_name: Any name, as it was told.
            similarity: Whether all words must be the same in any order, or one shared word is enough.
            searched_lists: Which lists to search.
            entry_country: Only entries of this country, two letters.
            born_year_from: Only entries born in this year or later.
            born_year_to: Only entries born in this year or earlier.
        """
        check_order(born_year_from, born_year_to, "born_year_from", "born_year_to")
        words = set(normalise_text(full_name).split())
        lists = ("sanctions",) if searched_lists == "sanctions" else ("sanctions", "pep")

        def similar(entry: Record) -> bool:
            others = set(normalise_text(entry["name"]).split())
            return (
                (words == others if similarity == "same_words" else bool(words & others))
                and entry["list"] in lists
                and entry_country in (None, entry["country"])
                and within(day(entry["date_of_birth"]).year, born_year_from, born_year_to)
            )

        return SimilarNames(similar_entries=sum(similar(entry) for _, entry in bank.rows("watch_list")))

    return auxiliary_tool(preview_watch_list_names, description)
