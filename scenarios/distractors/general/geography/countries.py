"""Countries, their capitals, telephone numbers and postal codes."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general.geography import _maps as maps
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

CountryName = Annotated[str, Meta(min_length=2, max_length=30)]
PostalCode = Annotated[str, Meta(pattern="^[0-9A-Za-z -]+$", max_length=12)]
Extension = Annotated[str, Meta(pattern="^[0-9]{1,6}$", max_length=6)]
Kilometres = Literal["km", "miles", "nautical_miles"]


class CountryFacts(Result):
    """Facts of the table; codes are those of ISO 3166 and ISO 4217."""

    name: str
    capital: str
    iso2: str
    iso3: str
    calling_code: str
    currency: str
    drives_on: str
    countries_with_currency: int


@tool(category=Category.GENERAL_DISTRACTOR)
def get_country_facts(bank: Bank, country: CountryName) -> CountryFacts:
    """Look up a country: capital, ISO codes, calling code, currency, driving side, and how many countries of the
    table share the currency.

    Args:
        country: English name or ISO code, such as Japan, JP or JPN.
    """
    code, row = maps.find_country(country, "country")
    return CountryFacts(
        name=row.name,
        capital=row.capital,
        iso2=code,
        iso3=row.iso3,
        calling_code=f"+{row.calling}",
        currency=row.currency,
        drives_on=row.drives,
        countries_with_currency=sum(other.currency == row.currency for other in maps.countries().values()),
    )


class CapitalDistance(Result):
    """Distance over the globe, rounded to whole units."""

    from_capital: str
    to_capital: str
    distance: int


@tool(category=Category.GENERAL_DISTRACTOR)
def measure_capital_distance(
    bank: Bank, from_country: CountryName, to_country: CountryName, unit: Kilometres = "km"
) -> CapitalDistance:
    """Measure the distance between the capitals of two countries as the crow flies, to whole units.

    Args:
        from_country: Name or ISO code of the first country.
        to_country: Name or ISO code of the second country.
        unit: Unit of the distance.
    """
    _, start = maps.find_country(from_country, "from_country")
    _, end = maps.find_country(to_country, "to_country")
    if start == end:
        raise invalid("to_country", f"expected another country than {start.name}")
    distance = shared.great_circle_km(start.at, end.at) / maps.UNIT_KM[unit]
    return CapitalDistance(from_capital=start.capital, to_capital=end.capital, distance=round(distance))


class PhoneNumber(Result):
    """The number as text, and how many digits it has after the calling code."""

    text: str
    digits: int


@tool(category=Category.GENERAL_DISTRACTOR)
def format_phone_number(
    bank: Bank,
    country: CountryName,
    number: Annotated[str, Meta(pattern="^ *[+]?[0-9()./ -]+$", max_length=30)],
    style: Literal["international", "national", "link"] = "international",
    separator: Literal["space", "hyphen", "dot", "none"] = "space",
    extension: Extension | None = None,
) -> PhoneNumber:
    """Write a phone number the way it is dialled from abroad, within the country, or as a tel: link, digits in threes.

    Args:
        country: Name or ISO code of the country of the number.
        number: The number with its calling code after +, or as it is dialled within the country.
        style: International with calling code, national with the prefix used there, or a link.
        separator: What stands between groups; links have none.
        extension: Extension behind the number.
    """
    _, row = maps.find_country(country, "country")
    digits = maps.significant_digits(number, row)
    behind = (extension or "").strip()
    if style == "link":
        text = f"tel:+{row.calling}{digits}" + (f";ext={behind}" if behind else "")
        return PhoneNumber(text=text, digits=len(digits))
    if style == "national" and row.trunk is None:
        raise invalid("style", f"expected international or link for {row.name}, whose prefix depends on the number")
    groups = maps.in_groups(digits)
    # North American numbers are written without the 1 that is dialled before them.
    trunk = "" if row.calling == "1" else row.trunk or ""
    groups = [f"+{row.calling}", *groups] if style == "international" else [trunk + groups[0], *groups[1:]]
    joined = {"space": " ", "hyphen": "-", "dot": ".", "none": ""}[separator].join(groups)
    return PhoneNumber(text=joined + (f" ext. {behind}" if behind else ""), digits=len(digits))


class PostalCodeCheck(Result):
    """``proper_form`` is null if the code does not fit; formats show 9 for a digit, A for a letter, * for either."""

    valid: bool
    proper_form: str | None
    formats: list[str]


@tool(category=Category.GENERAL_DISTRACTOR)
def check_postal_code(bank: Bank, country: CountryName, postal_code: PostalCode) -> PostalCodeCheck:
    """Check that a postal code has a format of its country, and write it properly. It does not tell whether it is used.

    Args:
        country: Name or ISO code of the country.
        postal_code: The code; case, spaces and hyphens do not matter.
    """
    _, row = maps.find_country(country, "country")
    proper = maps.fit_postal_code(postal_code, row.postal)
    return PostalCodeCheck(valid=proper is not None, proper_form=proper, formats=list(row.postal))
