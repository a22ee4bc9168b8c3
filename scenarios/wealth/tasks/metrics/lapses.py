"""Quarterly metrics experts that each make one wrong judgement.

Codes such as QM1 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

from collections.abc import Generator
from decimal import Decimal

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.wealth.tasks.metrics.expert import Expert
from teller_gym.tools.call import Call


@lapse("QM1")
class NewestQuarter(Expert):
    """Reports the newest quarter in the channel instead of the requested one."""

    def is_of_quarter(self, text: str) -> bool:
        return self.quarter(-1) in text


@lapse("QM2")
class OnePageRead(Expert):
    """Reads only the last page of the channel."""

    def messages(self) -> Generator[Call, Seen, list[Seen]]:
        page = yield from self.ask("read_messages", room=f"#{self.rules['room']}")
        found: list[Seen] = page["messages"]
        return found


@lapse("QM3")
class AnyQuarter(Expert):
    """Uses the latest figure of a metric, regardless of its quarter."""

    def is_of_quarter(self, text: str) -> bool:
        return True


@lapse("QM3")
class TargetsCounted(Expert):
    """Treats targets as figures."""

    def is_target(self, text: str) -> bool:
        return False


@lapse("QM4")
class AnybodysFigure(Expert):
    """Accepts figures from anyone."""

    def is_owner(self, username: str, metric: str) -> bool:
        return True


@lapse("QM5")
class FirstFigure(Expert):
    """Uses the first figure that was posted."""

    def counted(self, earlier: Seen, later: Seen) -> Seen:
        return earlier


@lapse("QM5")
class FiguresAddedUp(Expert):
    """Adds up figures that were posted repeatedly."""

    def part(self, text: str) -> str:
        return text


@lapse("QM6")
class LastPartAlone(Expert):
    """Uses the later of two parts as the whole figure."""

    def part(self, text: str) -> str:
        return ""


@lapse("QM7")
class ThreadsIgnored(Expert):
    """Ignores replies."""

    def last_word(self, post: Seen) -> Seen:
        return post


@lapse("QM7")
class FirstCorrection(Expert):
    """Uses the first correction."""

    def chosen(self, corrections: list[Seen]) -> Seen:
        return corrections[0]


@lapse("QM7")
class AnybodysCorrection(Expert):
    """Accepts corrections from anyone."""

    def is_by_same(self, post: Seen, reply: Seen) -> bool:
        return True


@lapse("QM7")
class AnyReply(Expert):
    """Treats every number in a reply as a correction."""

    def is_correction(self, text: str) -> bool:
        return True


@lapse("QM8")
class ThousandsAsDollars(Expert):
    """Reads numbers in thousands as dollars."""

    def thousand(self) -> int:
        return 1


@lapse("QM9")
class FlowsTurnedRound(Expert):
    """Subtracts the inflow from the outflow."""

    def flows(self, figures: dict[str, int]) -> int:
        return -super().flows(figures)


@lapse("QM9")
class LostClientsForgotten(Expert):
    """Adds new clients without subtracting lost ones."""

    def client_change(self, figures: dict[str, int]) -> int:
        return figures["New Clients"] // 100


@lapse("QM9")
class TrustFeesForgotten(Expert):
    """Computes the operating margin from fee revenue only."""

    def operating_margin(self, figures: dict[str, int]) -> Decimal:
        return super().operating_margin(figures | {"Trust Fees": 0})


@lapse("QM9")
class MarginOnClosingAssets(Expert):
    """Computes the fee margin from closing assets, contrary to its definition."""

    def assets(self, opening: int, closing: int) -> Decimal:
        return Decimal(closing)


@lapse("QM9")
class QuarterlyMargin(Expert):
    """Computes the fee margin from the fees of one quarter."""

    def yearly(self, fees: int) -> int:
        return fees


@lapse("QM9")
class QuarterBeforeAlways(Expert):
    """Computes all growth relative to the previous quarter."""

    def compared(self, name: str) -> int:
        return 1


@lapse("QM9")
class RestatedFigures(Expert):
    """Takes figures for earlier quarters from the latest chat messages instead of last quarter's report."""

    def reported(self, metric: str, back: int) -> int:
        label = self.quarter(back)
        found = [one["text"] for one in self.said if self.is_figure(one, metric) and label in one["text"]]
        return self.number(found[-1]) if found else super().reported(metric, back)


@lapse("QM9")
class GrowthOnTheNewFigure(Expert):
    """Computes growth as a percentage of the new figure."""

    def change(self, value: int, earlier: int) -> Decimal:
        return -super().change(earlier, value)


@lapse("QM11")
class ItemLeftOpen(Expert):
    """Leaves the work item open."""

    def close(self) -> Steps:
        yield from ()


@lapse("QM11")
class AllItemsClosed(Expert):
    """Closes all work items about compiling metrics."""

    def is_item(self, name: str) -> bool:
        return True


@lapse("QM11")
class OperationsItemClosed(Expert):
    """Closes the work item for the quarter in the project Operations."""

    def project(self) -> str:
        return "OPS"

    def is_item(self, name: str) -> bool:
        return self.quarter() in name
