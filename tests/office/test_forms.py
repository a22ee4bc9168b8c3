"""Forms of browsers, curl and Python clients are parsed, and malformed ones are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.office.forms import MAX_PARTS, Form, FormError, Upload, read_form
from teller_gym.office.web import Request

MULTIPART = "multipart/form-data; boundary=XX"


def read(body: bytes, kind: str = MULTIPART) -> Form:
    return read_form(Request("POST", "/", "", {"content-type": kind}, body))


def part(headers: str, content: bytes) -> bytes:
    return b"--XX\r\n" + headers.encode() + b"\r\n\r\n" + content + b"\r\n"


def test_fields_and_files() -> None:
    body = part('Content-Disposition: form-data; name="text"', "zwölf\r\nMäuse".encode())
    body += part(
        'content-disposition: form-data; name="file"; filename="a b.csv"\r\nContent-Type: text/csv', b"\r\n--X\x00"
    )
    body += part('Content-Disposition: form-data; name="none"; filename=""', b"") + b"--XX--\r\n"
    found = read(body)
    assert found.get("text") == "zwölf\r\nMäuse" and found.get("other", "-") == "-"
    assert found.file("file") == Upload("file", "a b.csv", "text/csv", b"\r\n--X\x00")
    assert found.file("none") is None and len(found.files) == 2


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ('filename="a%22b.txt"', 'a"b.txt'),  # browsers
        ('filename="a\\"b.txt"', 'a"b.txt'),  # curl
        ("filename=plain.txt", "plain.txt"),
        ('filename="../../etc/passwd"', "passwd"),
        ('filename="C:\\folder\\b.txt"', "b.txt"),
        ("filename*=utf-8''%E2%82%AC%20rates", "€ rates"),
        ("filename=\"x\"; filename*=UTF-8''y%2Fz", "z"),
        ('filename="<script>.csv"', "<script>.csv"),
    ],
)
def test_names_of_files(said: str, name: str) -> None:
    found = read(part(f'Content-Disposition: form-data; name="file"; {said}', b"1") + b"--XX--")
    assert [one.name for one in found.files] == [name]


def test_urlencoded_forms() -> None:
    kind = "application/x-www-form-urlencoded; charset=utf-8"
    assert read(b"a=1&b=&a=2&c=%C3%A4+b", kind).pairs == (("a", "1"), ("b", ""), ("a", "2"), ("c", "ä b"))
    assert read(b"", "") == Form()


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"a=1", "text/plain"),
        (b"{}", "application/json"),
        (b"\xff=1", "application/x-www-form-urlencoded"),
        (b"&".join([b"a=1"] * (MAX_PARTS + 1)), "application/x-www-form-urlencoded"),
        (b"--XX--", "multipart/form-data"),
        (b"", MULTIPART),
        (b"nothing", MULTIPART),
        (part('Content-Disposition: form-data; name="a"', b"1"), MULTIPART),
        (b"--XX\r\nno empty line--XX--", MULTIPART),
        (part('Content-Disposition: form-data; name="a"', b"") * (MAX_PARTS + 1) + b"--XX--", MULTIPART),
        (part("X: " + "y" * 9000, b"") + b"--XX--", MULTIPART),
    ],
)
def test_what_is_no_form_is_refused(body: bytes, kind: str) -> None:
    with pytest.raises(FormError, match="expected"):
        read(body, kind)


@given(
    st.binary(max_size=300),
    st.sampled_from([MULTIPART, "multipart/form-data; boundary=", "application/x-www-form-urlencoded"]),
)
def test_nothing_else_is_raised(body: bytes, kind: str) -> None:
    for one in (body, b"--XX\r\n" + body + b"\r\n--XX--"):
        try:
            read(one, kind)
        except FormError:
            continue
