"""Facts for an asset allocation."""

from __future__ import annotations

from datetime import date

import msgspec


class Holding(msgspec.Struct, frozen=True):
    """A row of the holdings table.

    Attributes:
        quantity: in thousandths of a share, or of a dollar of nominal value; negative for a short position.
        book: purchase price in ten-thousandths of a dollar or percent.
        accrued, cash: in cents.
    """

    account: str
    symbol: str
    name: str
    kind: str
    quantity: int = 0
    book: int = 0
    accrued: int = 0
    cash: int = 0


class Price(msgspec.Struct, frozen=True):
    """A security's price on a day, in ten-thousandths of a dollar or percent."""

    symbol: str
    day: date
    price: int


class Share(msgspec.Struct, frozen=True):
    """A security's share of an asset class, in tenths of a percent."""

    symbol: str
    asset_class: str
    tenths: int


class Facts(msgspec.Struct, frozen=True):
    """A client's holdings, prices and asset classes, in the order of the documents."""

    today: date
    holdings: tuple[Holding, ...]
    prices: tuple[Price, ...]
    shares: tuple[Share, ...]
