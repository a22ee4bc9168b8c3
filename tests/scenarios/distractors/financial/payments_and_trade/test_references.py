"""Tests of payments_and_trade/references: expected values worked out by hand, or anew in another way."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, not_accepted

# References


def test_published_references() -> None:
    def reference(base: str, scheme: str) -> str:
        result: str = call("make_payment_reference", base_number=base, scheme=scheme)["reference"]
        return result

    assert reference("539007547034", "iso11649") == "RF18539007547034"
    assert reference("7992739871", "luhn") == "79927398713"
    assert reference("123456", "finnish_731") == "1234561"
    assert reference("21000000000313947143000901", "swiss_qr") == "210000000003139471430009017"
    assert reference("42", "swiss_qr")[:26] == "42".zfill(26)


def test_references_printed_and_compared() -> None:
    made = call("make_payment_reference", base_number="539007547034", scheme="iso11649", group_size=4)
    assert made["printed_form"] == "RF18 5390 0754 7034"
    assert made["received_matches"] is None
    finnish: dict[str, Any] = {"base_number": "123456", "scheme": "finnish_731", "group_size": 5}
    same = call("make_payment_reference", **finnish, received_reference="12 34561")
    assert (same["printed_form"], same["received_matches"], same["check_digits"]) == ("12 34561", True, "1")
    assert call("make_payment_reference", **finnish, received_reference="12 34562")["received_matches"] is False
    not_accepted("base_number", "make_payment_reference", base_number="12A", scheme="luhn")
    not_accepted("base_number", "make_payment_reference", base_number="12", scheme="finnish_731")
    not_accepted("base_number", "make_payment_reference", base_number="1" * 22, scheme="iso11649")


@given(
    st.integers(100, 10**19 - 1).map(str),
    st.sampled_from(["iso11649", "luhn", "finnish_731", "swiss_qr"]),
    st.integers(0, 18),
    st.integers(1, 9),
    st.integers(0, 6),
)
def test_another_digit_gives_another_check_digit(base: str, scheme: str, place: int, step: int, size: int) -> None:
    place %= len(base)
    other = base[:place] + str((int(base[place]) + step) % 10) + base[place + 1 :]
    arguments: dict[str, Any] = {"scheme": scheme, "group_size": size}
    made, changed = (call("make_payment_reference", base_number=number, **arguments) for number in (base, other))
    assert made["check_digits"] != changed["check_digits"]
    assert made["printed_form"].replace(" ", "") == made["reference"]
    groups = [len(group) for group in made["printed_form"].split(" ")]
    assert size == 0 or max(groups) <= size
