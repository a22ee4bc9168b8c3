"""Tests of taxes_and_payroll/sales_tax: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.financial.taxes_and_payroll.values import cents, percents


def test_sales_tax() -> None:
    lines: dict[str, Any] = {"line_amounts": [0.07, 0.07, 0.07], "tax_rate_percent": 20}
    whole = call("split_sales_tax", **lines, prices_include_tax=False)
    assert whole == {"net_total": 0.21, "tax_total": 0.04, "gross_total": 0.25, "rounding_gap": 0.01}
    by_line = call("split_sales_tax", **lines, prices_include_tax=False, rounded_by="line")
    assert (by_line["tax_total"], by_line["rounding_gap"]) == (0.03, -0.01)
    gross = call("split_sales_tax", line_amounts=[119, 59.5], tax_rate_percent=19, prices_include_tax=True)
    assert (gross["net_total"], gross["tax_total"], gross["gross_total"]) == (150, 28.5, 178.5)
    with pytest.raises(ToolError):
        call("split_sales_tax", line_amounts=[], tax_rate_percent=19, prices_include_tax=True)


@given(st.lists(cents, min_size=1, max_size=50), percents)
def test_taking_the_tax_out_undoes_putting_it_on(lines: list[float], rate: float) -> None:
    asked: dict[str, Any] = {"tax_rate_percent": rate, "rounded_by": "invoice"}
    put_on = call("split_sales_tax", line_amounts=lines, prices_include_tax=False, **asked)
    taken_out = call("split_sales_tax", line_amounts=[put_on["gross_total"]], prices_include_tax=True, **asked)
    assert taken_out["tax_total"] == pytest.approx(put_on["tax_total"], abs=0.011)
    assert abs(put_on["rounding_gap"]) <= len(lines) * 0.005 + 0.005
