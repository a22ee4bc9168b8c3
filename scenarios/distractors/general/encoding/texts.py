"""Texts in other encodings, ids made of names, and bit flags."""

from __future__ import annotations

import uuid
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._plain_text import Passage, keep_short
from teller_gym.scenarios.distractors.general.encoding import _texts as work
from teller_gym.scenarios.distractors.general.encoding._types import Direction
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

FlagName = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,19}$")]


class ConvertedEncoding(Result):
    """The text after the conversion; sizes in bytes of UTF-8."""

    converted: str
    bytes_before: int
    bytes_after: int


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_text_encoding(
    bank: Bank,
    text: Passage,
    scheme: work.Scheme,
    direction: Direction,
) -> ConvertedEncoding:
    """Encode a text as Base64, Base32, hexadecimal, percent-encoding for web addresses or HTML escapes, or decode one.

    Args:
        text: The text to encode, or the encoded text.
        scheme: The encoding.
        direction: Whether to encode or to decode.
    """
    converted = keep_short((work.encode_text if direction == "encode" else work.decode_text)(text, scheme), "text")
    return ConvertedEncoding(converted=converted, bytes_before=len(text.encode()), bytes_after=len(converted.encode()))


class NameBasedId(Result):
    """The identifier, and its first group of digits for short references."""

    identifier: str
    short_form: str


@tool(category=Category.GENERAL_DISTRACTOR)
def make_name_based_id(
    bank: Bank,
    namespace: work.Namespace,
    name: Annotated[str, Meta(min_length=1, max_length=200)],
    version: Literal[3, 5] = 5,
    layout: Literal["hyphens", "compact", "urn", "braces"] = "hyphens",
    uppercase: bool = False,
) -> NameBasedId:
    """Make the UUID of a name: the same name in the same namespace always gets the same identifier (RFC 9562).

    Args:
        namespace: What kind of name it is.
        name: The name.
        version: 3 for MD5, 5 for SHA-1.
        layout: How the identifier is written.
        uppercase: Whether its digits are capitals.
    """
    space = work.NAMESPACES[namespace]
    made = uuid.uuid3(space, name) if version == 3 else uuid.uuid5(space, name)
    digits = str(made).upper() if uppercase else str(made)
    compact = digits.replace("-", "")
    written = {"hyphens": digits, "compact": compact, "urn": f"urn:uuid:{digits}", "braces": f"{{{digits}}}"}
    return NameBasedId(identifier=written[layout], short_form=digits[:8])


class BitFlags(Result):
    """The number after the change: which flags are set, in the order of the bits, and bits that have no name."""

    value: int
    hexadecimal: str
    flags_set: list[str]
    unnamed_bits_set: int


@tool(category=Category.GENERAL_DISTRACTOR)
def change_bit_flags(
    bank: Bank,
    value: Annotated[int, Meta(ge=0, le=4_294_967_295)],
    flag_names: Annotated[list[FlagName], Meta(min_length=1, max_length=32)],
    operation: Literal["read", "set", "clear", "toggle"],
    flags: Annotated[list[FlagName], Meta(max_length=32)] | None = None,
) -> BitFlags:
    """Read a number as named bit flags, and set, clear or toggle some of them.

    Args:
        value: The number.
        flag_names: Names of the bits, the lowest bit first.
        operation: What to do.
        flags: The flags to change; none for reading.
    """
    names = [name.strip() for name in flag_names]
    mask = work.flag_mask(names, {name.strip() for name in flags or ()}, operation)
    new = {"read": value, "set": value | mask, "clear": value & ~mask, "toggle": value ^ mask}[operation]
    return BitFlags(
        value=new,
        hexadecimal=f"0x{new:08X}",
        flags_set=[name for bit, name in enumerate(names) if new >> bit & 1],
        unnamed_bits_set=(new >> len(names)).bit_count(),
    )
