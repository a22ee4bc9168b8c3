"""Tests of encoding/check_codes: expected values worked out by hand, or anew in another way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, refused


@pytest.mark.parametrize(
    ("content", "algorithm", "expected"),
    [
        ("123456789", "crc32", "cbf43926"),
        ("Wikipedia", "adler32", "11e60398"),
        ("", "md5", "d41d8cd98f00b204e9800998ecf8427e"),
        ("abc", "sha1", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("abc", "sha256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ],
)
def test_checksums(content: str, algorithm: str, expected: str) -> None:
    found = call("compute_checksum", content=content, algorithm=algorithm, expected=expected.upper())
    assert (found["checksum"], found["matches"]) == (expected, True)
    assert (found["bits"], found["bytes_read"]) == (4 * len(expected), len(content))


def test_formats_of_checksums() -> None:
    assert call("compute_checksum", content="31 32", content_format="hex", algorithm="crc32") == call(
        "compute_checksum", content="12", algorithm="crc32"
    )
    decimal = call("compute_checksum", content="123456789", algorithm="crc32", output_format="decimal", group_digits=3)
    assert decimal["checksum"].replace(" ", "") == str(0xCBF43926)
    assert decimal["checksum"].startswith("342 ") and decimal["matches"] is None
    base = call("compute_checksum", content="123456789", algorithm="crc32", output_format="base64", expected="y/Q5Jg==")
    assert base["matches"]
    assert not call("compute_checksum", content="x", algorithm="md5", expected="y/Q5Jg==")["matches"]
    refused("content", "compute_checksum", content="abc", content_format="hex", algorithm="md5")


@pytest.mark.parametrize(
    ("code", "symbology", "digit"),
    [
        ("400638133393", "ean_13", "1"),
        ("9638507", "ean_8", "4"),
        ("03600029145", "upc_a", "2"),
        ("0-306-40615", "isbn_10", "2"),
        ("0 8044 2957", "isbn_10", "X"),
        ("978-0-306-40615", "isbn_13", "7"),
        ("1540014128876", "gtin_14", "3"),
    ],
)
def test_check_digits(code: str, symbology: str, digit: str) -> None:
    done = call("check_barcode_digits", code=code, symbology=symbology, task="complete")
    assert done["check_digit"] == digit
    again = call("check_barcode_digits", code=done["full_code"], symbology=symbology, task="validate")
    assert again == done and again["valid"]


@given(st.text("0123456789", min_size=12, max_size=12), st.integers(0, 12), st.integers(1, 9))
def test_one_wrong_digit_is_found(body: str, place: int, step: int) -> None:
    code = call("check_barcode_digits", code=body, symbology="ean_13", task="complete")["full_code"]
    wrong = code[:place] + str((int(code[place]) + step) % 10) + code[place + 1 :]
    assert not call("check_barcode_digits", code=wrong, symbology="ean_13", task="validate")["valid"]


def test_codes_that_cannot_be() -> None:
    refused("code", "check_barcode_digits", code="40063813339", symbology="ean_13", task="complete")
    refused("code", "check_barcode_digits", code="400638133393X", symbology="ean_13", task="validate")
    refused("code", "check_barcode_digits", code="4006381333931", symbology="isbn_13", task="validate")
