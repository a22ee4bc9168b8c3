"""Codes and encodings: published test values, and conversions there and back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call, refused

SCHEMES = ["base64", "base64url", "base32", "hex", "url_percent", "html"]
PLAIN = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60)


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        ("base64", "Zm9vYmE/Pg=="),
        ("base64url", "Zm9vYmE_Pg=="),
        ("base32", "MZXW6YTBH47A===="),
        ("hex", "666f6f62613f3e"),
        ("url_percent", "fooba%3F%3E"),
        ("html", "fooba?&gt;"),
    ],
)
def test_schemes(scheme: str, expected: str) -> None:
    encoded = call("convert_text_encoding", text="fooba?>", scheme=scheme, direction="encode")
    assert encoded == {"converted": expected, "bytes_before": 7, "bytes_after": len(expected)}


@given(PLAIN, st.sampled_from(SCHEMES))
def test_encoding_there_and_back(text: str, scheme: str) -> None:
    encoded = call("convert_text_encoding", text=text, scheme=scheme, direction="encode")["converted"]
    assert call("convert_text_encoding", text=encoded, scheme=scheme, direction="decode")["converted"] == text


@pytest.mark.parametrize(
    ("scheme", "text"),
    [("base64", "a"), ("base64url", "ü"), ("base32", "1"), ("hex", "abc"), ("hex", "ff"), ("url_percent", "100%")],
)
def test_what_is_not_in_a_scheme(scheme: str, text: str) -> None:
    refused("text", "convert_text_encoding", text=text, scheme=scheme, direction="decode")


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


def test_morse() -> None:
    # PARIS has 50 units with the gap of 7 that follows a word.
    assert call("translate_morse_code", message="Paris", direction="to_morse", unit_milliseconds=100) == {
        "translation": ".--. .- .-. .. ...",
        "symbols": 5,
        "characters_skipped": 0,
        "seconds": 4.3,
    }
    stars: dict[str, Any] = {"dot": "*", "dash": "_", "word_separator": "|"}
    back = call("translate_morse_code", message="*** ___ *** | * #", direction="from_morse", unknown="skip", **stars)
    assert (back["translation"], back["symbols"], back["characters_skipped"]) == ("SOS E", 4, 1)
    assert back["seconds"] == 2.1  # (5 + 3 + 11 + 3 + 5) + 7 + 1 units of 60 ms
    refused("message", "translate_morse_code", message="a#", direction="to_morse")
    refused("message", "translate_morse_code", message="##", direction="to_morse", unknown="skip")


@given(st.text("ABCXYZ0189.,?@-", min_size=1, max_size=20), st.sampled_from("·*"), st.sampled_from("–_"))
def test_morse_there_and_back(text: str, dot: str, dash: str) -> None:
    signs: dict[str, Any] = {"dot": dot, "dash": dash, "word_separator": "|"}
    sent = call("translate_morse_code", message=text, direction="to_morse", **signs)
    received = call("translate_morse_code", message=sent["translation"], direction="from_morse", **signs)
    assert (received["translation"], received["seconds"]) == (text, sent["seconds"])


def test_ciphers() -> None:
    vigenere = call("apply_classic_cipher", text="ATTACKATDAWN", cipher="vigenere", direction="encode", keyword="Lemon")
    assert vigenere == {"result_text": "LXFOPVEFRNHR", "letters_changed": 12}
    caesar = call("apply_classic_cipher", text="Hello, World", cipher="caesar", direction="encode", shift=3)
    assert caesar["result_text"] == "Khoor, Zruog"
    letters_only: dict[str, Any] = {"keep_case": False, "keep_other_characters": False, "group_size": 4}
    grouped = call("apply_classic_cipher", text="Hello, World", cipher="atbash", direction="encode", **letters_only)
    assert grouped["result_text"] == "SVOO LDLI OW"
    refused("shift", "apply_classic_cipher", text="a", cipher="caesar", direction="encode")
    refused("keyword", "apply_classic_cipher", text="a", cipher="vigenere", direction="encode")
    refused("text", "apply_classic_cipher", text="12", cipher="atbash", direction="encode")


@given(
    st.text("abzABZ ,ü", min_size=1, max_size=30).map("q".__add__),
    st.sampled_from(["caesar", "vigenere", "atbash"]),
    st.integers(1, 25),
    st.text("abcXYZ", min_size=1, max_size=9),
)
def test_ciphers_there_and_back(text: str, cipher: str, shift: int, keyword: str) -> None:
    key: dict[str, Any] = {"shift": shift, "keyword": keyword}
    secret = call("apply_classic_cipher", text=text, cipher=cipher, direction="encode", **key)
    plain = call("apply_classic_cipher", text=secret["result_text"], cipher=cipher, direction="decode", **key)
    assert plain["result_text"] == text


def test_name_based_ids() -> None:
    # The examples of Python's documentation, which agree with RFC 9562.
    five = call("make_name_based_id", namespace="dns", name="python.org")
    assert five == {"identifier": "886313e1-3b8a-5372-9b90-0c9aee199e5d", "short_form": "886313e1"}
    three = call("make_name_based_id", namespace="dns", name="python.org", version=3, layout="braces", uppercase=True)
    assert three["identifier"] == "{6FA459EA-EE8A-3CA4-894E-DB77E160355E}"
    assert call("make_name_based_id", namespace="dns", name="python.org", layout="compact")["identifier"] == (
        "886313e13b8a53729b900c9aee199e5d"
    )
    assert call("make_name_based_id", namespace="url", name="a", layout="urn")["identifier"].startswith("urn:uuid:")
    with pytest.raises(ToolError):
        call("make_name_based_id", namespace="dns", name="a", version=4)


@given(PLAIN, PLAIN)
def test_names_that_differ_have_ids_that_differ(first: str, second: str) -> None:
    ids = [call("make_name_based_id", namespace="oid", name=name)["identifier"] for name in (first, second)]
    assert (ids[0] == ids[1]) == (first == second)
    assert ids[0][14] == "5" and ids[0][19] in "89ab"


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


@pytest.mark.parametrize(
    ("given_values", "target", "values", "hex_code"),
    [
        ({"source_model": "rgb", "first": 255, "second": 0, "third": 0}, "hsl", [0, 100, 50], "#FF0000"),
        ({"source_model": "hsl", "first": 120, "second": 100, "third": 25}, "rgb", [0, 127.5, 0], "#008000"),
        ({"source_model": "hsv", "first": 360, "second": 50, "third": 100}, "rgb", [255, 127.5, 127.5], "#FF8080"),
        ({"source_model": "rgb", "first": 0, "second": 0, "third": 0}, "cmyk", [0, 0, 0, 100], "#000000"),
        ({"source_model": "rgb", "first": 0, "second": 51, "third": 255}, "cmyk", [100, 80, 0, 0], "#0033FF"),
        (
            {"source_model": "cmyk", "first": 0, "second": 100, "third": 50, "fourth": 20},
            "rgb",
            [204, 0, 102],
            "#CC0066",
        ),
    ],
)
def test_colours(given_values: dict[str, Any], target: str, values: list[float], hex_code: str) -> None:
    found = call("convert_color_model", **given_values, target_model=target)
    assert (found["values"], found["hex_code"]) == (values, hex_code)


def test_luminance_and_refused_colours() -> None:
    white = call("convert_color_model", source_model="hsl", first=0, second=0, third=100, target_model="rgb")
    assert (white["luminance"], white["text_on_it"]) == (1, "black")
    green = call(
        "convert_color_model", source_model="rgb", first=0, second=255, third=0, target_model="rgb", decimals=0
    )
    assert green["luminance"] == 0.715
    blue = call("convert_color_model", source_model="rgb", first=0, second=0, third=255, target_model="rgb")
    assert (blue["luminance"], blue["text_on_it"]) == (0.072, "white")
    refused("first", "convert_color_model", source_model="rgb", first=256, second=0, third=0, target_model="hsl")
    refused("fourth", "convert_color_model", source_model="cmyk", first=0, second=0, third=0, target_model="hsl")
    refused(
        "fourth", "convert_color_model", source_model="rgb", first=0, second=0, third=0, fourth=0, target_model="hsl"
    )


@given(st.lists(st.integers(0, 255), min_size=3, max_size=3), st.sampled_from(["hsl", "hsv", "cmyk"]))
def test_colours_there_and_back(rgb: list[int], model: str) -> None:
    there = call(
        "convert_color_model",
        source_model="rgb",
        first=rgb[0],
        second=rgb[1],
        third=rgb[2],
        target_model=model,
        decimals=3,
    )
    names = ("first", "second", "third", "fourth")
    values: dict[str, Any] = dict(zip(names, there["values"], strict=False))
    back = call("convert_color_model", source_model=model, **values, target_model="rgb")
    assert back["hex_code"] == there["hex_code"] == "#{:02X}{:02X}{:02X}".format(*rgb)
    assert back["values"] == pytest.approx(rgb, abs=0.1)


@pytest.mark.parametrize(
    ("version", "mode", "level", "capacity"),
    [
        # From the table of capacities in ISO/IEC 18004.
        (1, "numeric", "L", 41),
        (1, "alphanumeric", "H", 10),
        (2, "byte", "M", 26),
        (10, "byte", "Q", 151),
        (40, "numeric", "L", 7089),
        (40, "alphanumeric", "L", 4296),
        (40, "byte", "L", 2953),
        (40, "byte", "H", 1273),
    ],
)
def test_qr_capacities(version: int, mode: str, level: str, capacity: int) -> None:
    fit = call("fit_qr_code", characters=capacity, mode=mode, error_correction=level)
    assert (fit["version"], fit["capacity"], fit["spare_characters"]) == (version, capacity, 0)
    assert fit["modules_per_side"] == 17 + 4 * version
    if version < 40:
        assert call("fit_qr_code", characters=capacity + 1, mode=mode, error_correction=level)["version"] == version + 1
    else:
        refused("characters", "fit_qr_code", characters=min(7089, capacity + 1), mode="byte", error_correction="H")


def test_print_size_of_qr_codes() -> None:
    fit = call(
        "fit_qr_code", characters=1, mode="byte", smallest_version=3, module_millimetres=0.4, quiet_zone_modules=2
    )
    assert (fit["version"], fit["side_millimetres"]) == (3, 13.2)  # (29 + 4) * 0.4


@given(st.integers(1, 1272), st.sampled_from("LMQH"))
def test_longer_texts_need_no_smaller_code(characters: int, level: str) -> None:
    fits = [
        call("fit_qr_code", characters=n, mode="byte", error_correction=level)["version"]
        for n in (characters, characters + 1)
    ]
    assert fits[0] <= fits[1]


def test_passwords() -> None:
    # abcdef123: all but a, b, 1 and one more of each run follow from what stands before: 4 of 36 characters, 20.7 bits.
    assert call("estimate_password_strength", password="abcdef123") == {
        "guess_bits": 20.7,
        "character_pool": 36,
        "time_to_guess": "1 minute",  # 2 ** 19.7 / 10,000 is 84 seconds
        "verdict": "weak",
        "broken_rules": ["at least 12 characters", "small letters and capitals"],
    }
    known = call(
        "estimate_password_strength", password="Rex2019!kitchen", personal_words=["rex", "kitchen"], needs_sign=True
    )
    assert (known["guess_bits"], known["verdict"], known["broken_rules"]) == (46.0, "fair", [])  # 7 of 95 characters
    assert call("estimate_password_strength", password="a", attack="fast_hash")["time_to_guess"] == "less than a second"
    endless = call("estimate_password_strength", password="ΐ" * 64, needs_digit=False, minimum_length=64)
    assert endless["time_to_guess"] == "more than a million years"
    assert call("estimate_password_strength", password="Ab1", needs_sign=True)["broken_rules"][-1] == "a sign"
    with pytest.raises(ToolError):
        call("estimate_password_strength", password="")


@given(st.text("aZ3!kq", min_size=1, max_size=40), st.text("aZ3!kq", min_size=3, max_size=5))
def test_personal_words_never_make_a_password_stronger(password: str, word: str) -> None:
    alone = call("estimate_password_strength", password=password + word)
    known = call("estimate_password_strength", password=password + word, personal_words=[word])
    assert 0 < known["guess_bits"] <= alone["guess_bits"] + 2 * 6.7  # a run may be cut in two, which is news


FLAGS = ["read", "write", "run"]


def test_bit_flags() -> None:
    assert call("change_bit_flags", value=5, flag_names=FLAGS, operation="toggle", flags=["read", "write"]) == {
        "value": 6,
        "hexadecimal": "0x00000006",
        "flags_set": ["write", "run"],
        "unnamed_bits_set": 0,
    }
    assert call("change_bit_flags", value=255, flag_names=FLAGS, operation="read")["unnamed_bits_set"] == 5
    assert call("change_bit_flags", value=7, flag_names=FLAGS, operation="clear", flags=["run"])["value"] == 3
    refused("flags", "change_bit_flags", value=1, flag_names=FLAGS, operation="set")
    refused("flags", "change_bit_flags", value=1, flag_names=FLAGS, operation="read", flags=["run"])
    refused("flags", "change_bit_flags", value=1, flag_names=FLAGS, operation="set", flags=["walk"])
    refused("flag_names", "change_bit_flags", value=1, flag_names=["a", "a"], operation="read")


@given(st.integers(0, 2**32 - 1), st.sets(st.sampled_from(FLAGS), min_size=1))
def test_toggling_twice_changes_nothing(value: int, flags: set[str]) -> None:
    options: dict[str, Any] = {"flag_names": FLAGS, "operation": "toggle", "flags": sorted(flags)}
    once = call("change_bit_flags", value=value, **options)["value"]
    assert once != value
    assert call("change_bit_flags", value=once, **options)["value"] == value
