"""Estate tax experts that each make one wrong judgement.

Codes such as TT2 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

from teller_gym.office.documents.amounts import parse_money
from teller_gym.office.documents.dates import parse_date
from teller_gym.procedure.lapses import lapse
from teller_gym.scenarios.wealth.tasks.tax_threshold.expert import Band, Expert, Part
from teller_gym.scenarios.wealth.tasks.tax_threshold.facts import ORGANIZATION
from teller_gym.scenarios.wealth.worker import Row


@lapse("TT2")
class CurrentValues(Expert):
    """Uses the assets' values as of today."""

    def value(self, row: Row) -> int:
        return parse_money(row["current_value"])


@lapse("TT3")
class DebtsLeftOut(Expert):
    """Deducts no debts."""

    def comes_off(self, row: Row, death: date) -> bool:
        return False


@lapse("TT3")
class LaterDebtsTakenOff(Expert):
    """Deducts even debts that arose after the death."""

    def comes_off(self, row: Row, death: date) -> bool:
        return True


@lapse("TT3")
class DebtsOfTheLastDayLeftOut(Expert):
    """Leaves out debts that arose on the day of the death."""

    def comes_off(self, row: Row, death: date) -> bool:
        return parse_date(row["date"]) < death


@lapse("TT4")
class FuneralLeftOut(Expert):
    """Deducts no funeral costs."""

    def funeral(self, costs: int) -> int:
        return 0


@lapse("TT4")
class FuneralWhole(Expert):
    """Deducts all funeral costs, ignoring the cap."""

    def funeral(self, costs: int) -> int:
        return costs


@lapse("TT5")
class BequestsTaxed(Expert):
    """Deducts no bequests."""

    def is_exempt_bequest(self, row: Row) -> bool:
        return False


@lapse("TT5")
class AllBequestsTakenOff(Expert):
    """Deducts every bequest."""

    def is_exempt_bequest(self, row: Row) -> bool:
        return True


@lapse("TT5")
class SpouseAlone(Expert):
    """Deducts only bequests to the spouse."""

    def is_exempt_bequest(self, row: Row) -> bool:
        return bool(row["relation"] == self.rules["exempt"][0])


@lapse("TT5")
class OrganizationsExempt(Expert):
    """Treats every organization as a registered charity."""

    def is_exempt_bequest(self, row: Row) -> bool:
        return self.is_exempt(row) or row["relation"] == ORGANIZATION


@lapse("TT6")
class GiftsLeftOut(Expert):
    """Adds no gifts."""

    def is_added(self, row: Row, death: date) -> bool:
        return False


@lapse("TT6")
class OldGiftsAdded(Expert):
    """Adds gifts regardless of their date."""

    def is_recent(self, day: date, death: date) -> bool:
        return True


@lapse("TT6")
class GiftsByYear(Expert):
    """Compares only the years of the gift and of the death."""

    def is_recent(self, day: date, death: date) -> bool:
        return day.year >= death.year - int(self.rules["years"])


@lapse("TT6")
class FirstDayLeftOut(Expert):
    """Leaves out a gift on the first day of the period."""

    def is_recent(self, day: date, death: date) -> bool:
        return super().is_recent(day, death) and (day.month, day.day, day.year) != (
            death.month,
            death.day,
            death.year - int(self.rules["years"]),
        )


@lapse("TT6")
class YearsBeforeToday(Expert):
    """Counts the years back from today instead of from the death."""

    def is_recent(self, day: date, death: date) -> bool:
        return super().is_recent(day, self.today)


@lapse("TT6")
class ExemptGiftsAdded(Expert):
    """Adds even gifts to the spouse and charities."""

    def is_exempt_gift(self, row: Row) -> bool:
        return False


@lapse("TT7")
class LaterYear(Expert):
    """Uses the schedule of the later year, which is the current year."""

    def bands(self, rows: list[Row], year: int) -> list[Band]:
        return super().bands(rows, _last_year(rows))

    def threshold(self, rows: list[Row], year: int) -> int:
        return super().threshold(rows, _last_year(rows))


@lapse("TT7")
class ThresholdOfLaterYear(Expert):
    """Uses the brackets of the year of death with the threshold of the later year."""

    def threshold(self, rows: list[Row], year: int) -> int:
        return super().threshold(rows, _last_year(rows))


@lapse("TT8")
class NoThreshold(Expert):
    """Applies the brackets to the whole estate."""

    def threshold(self, rows: list[Row], year: int) -> int:
        return 0


@lapse("TT9")
class BandsFromNothing(Expert):
    """Reads the brackets' limits as amounts of the whole estate instead of the part above the threshold."""

    def parts(self, bands: list[Band], taxable: int) -> list[Part]:
        free = self.free
        moved = [
            Band(one.name, max(0, one.begin - free), None if one.end is None else max(0, one.end - free), one.rate)
            for one in bands
        ]
        return super().parts(moved, taxable)

    def threshold(self, rows: list[Row], year: int) -> int:
        self.free = super().threshold(rows, year)
        return self.free


@lapse("TT9")
class BandsWithoutEnd(Expert):
    """Taxes everything above a bracket's lower limit in that bracket."""

    def in_band(self, band: Band, taxable: int) -> int:
        return max(0, taxable - band.begin)


@lapse("TT9")
class OneBandForAll(Expert):
    """Taxes the whole amount in the highest bracket reached."""

    def in_band(self, band: Band, taxable: int) -> int:
        is_reached = band.begin < taxable and (band.end is None or taxable <= band.end)
        return taxable if is_reached else 0


@lapse("TT9")
class ReachedBandsAlone(Expert):
    """Leaves out brackets that are not reached."""

    def shown(self, parts: list[Part]) -> list[Part]:
        return [one for one in parts if one.amount]


@lapse("TT10")
class RatesOfReachedBands(Expert):
    """Reports a rate of zero for brackets that are not reached."""

    def shown(self, parts: list[Part]) -> list[Part]:
        return [one if one.amount else one._replace(rate=Decimal(0)) for one in parts]


@lapse("TT11")
class HighestRate(Expert):
    """Reports the rate of the highest bracket reached as the overall rate."""

    def whole_rate(self, parts: list[Part], share: int, tax: int) -> Decimal:
        return max((one.rate for one in parts if one.amount), default=Decimal(0))


def _last_year(rows: list[Row]) -> int:
    return max(int(column[3:]) for column in rows[0] if re.fullmatch(r"to_\d{4}", column))
