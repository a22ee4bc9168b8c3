"""Codes and encodings: schemes, checksums, Morse, ciphers, name-based ids, barcodes, colours, QR codes, passwords."""

from __future__ import annotations

import re
import uuid
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general import _encoding_work as work
from teller_gym.scenarios.distractors.general._plain_text import Passage, keep_short
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Direction = Literal["encode", "decode"]
PersonalWord = Annotated[str, Meta(min_length=3, max_length=30)]
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


class Checksum(Result):
    """The checksum; ``matches`` is null if there was nothing to compare with."""

    checksum: str
    bits: int
    bytes_read: int
    matches: bool | None


@tool(category=Category.GENERAL_DISTRACTOR)
def compute_checksum(
    bank: Bank,
    content: Annotated[str, Meta(max_length=1500)],
    algorithm: work.Algorithm,
    content_format: Literal["text", "hex"] = "text",
    output_format: work.DigestFormat = "hex",
    group_digits: Annotated[int, Meta(ge=0, le=16)] = 0,
    expected: Annotated[str, Meta(min_length=1, max_length=200)] | None = None,
) -> Checksum:
    """Compute a CRC-32, Adler-32, MD5 or SHA checksum of a text or of bytes, and compare it with an expected one.

    Args:
        content: What is checked; text is read as UTF-8.
        algorithm: The checksum.
        content_format: Whether the content is text, or bytes written as hexadecimal digits.
        output_format: How the checksum is written.
        group_digits: Put a space after every so many digits; 0 for none.
        expected: A checksum in the output format; spaces, and capitals in hexadecimal, make no difference.
    """
    data = work.read_bytes(content, content_format == "hex")
    raw = work.digest(data, algorithm)
    plain = work.write_digest(raw, output_format)
    given = None if expected is None else work.normal_digest(expected, output_format)
    return Checksum(
        checksum=" ".join(re.findall(f".{{1,{group_digits}}}", plain)) if group_digits else plain,
        bits=8 * len(raw),
        bytes_read=len(data),
        matches=None if given is None else given == plain,
    )


class MorseMessage(Result):
    """The message; seconds are rounded to two decimals."""

    translation: str
    symbols: int
    characters_skipped: int
    seconds: float


@tool(category=Category.GENERAL_DISTRACTOR)
def translate_morse_code(
    bank: Bank,
    message: Annotated[str, Meta(min_length=1, max_length=400)],
    direction: Literal["to_morse", "from_morse"],
    dot: Literal[".", "·", "*"] = ".",
    dash: Literal["-", "–", "_"] = "-",
    word_separator: Literal["/", "|"] = "/",
    unit_milliseconds: Annotated[int, Meta(ge=20, le=1000)] = 60,
    unknown: Literal["refuse", "skip"] = "refuse",
) -> MorseMessage:
    """Translate a message into international Morse code or back, and tell how long it takes to send.

    Args:
        message: Plain text, or Morse code with spaces between letters.
        direction: Which way to translate.
        dot: The sign for a short mark.
        dash: The sign for a long mark.
        word_separator: What stands between words in Morse code.
        unit_milliseconds: Length of a dot; all other lengths follow from it.
        unknown: What to do with a character or a group of marks that Morse code does not have.
    """
    if direction == "to_morse":
        words, skipped = work.morse_groups(message.upper().split(), work.tables().morse, unknown == "skip")
        codes = words
        signs = str.maketrans({".": dot, "-": dash})
        translation = f" {word_separator} ".join(" ".join(word).translate(signs) for word in words)
    else:
        groups = [part.replace(dash, "-").replace(dot, ".").split() for part in message.split(word_separator)]
        words, skipped = work.morse_groups(groups, work.letters_of_morse(), unknown == "skip")
        codes = [[work.tables().morse[letter] for letter in word] for word in words]
        translation = " ".join("".join(word) for word in words)
    return MorseMessage(
        translation=keep_short(translation, "message"),
        symbols=sum(map(len, words)),
        characters_skipped=skipped,
        seconds=round(work.morse_units(codes) * unit_milliseconds / 1000, 2),
    )


class CipherText(Result):
    """The text after the cipher, and how many letters it changed."""

    result_text: str
    letters_changed: int


@tool(category=Category.GENERAL_DISTRACTOR)
def apply_classic_cipher(
    bank: Bank,
    text: Annotated[str, Meta(min_length=1, max_length=300)],
    cipher: work.Cipher,
    direction: Direction,
    shift: Annotated[int, Meta(ge=0, le=25)] = 0,
    keyword: Annotated[str, Meta(pattern="^[A-Za-z]{1,30}$")] | None = None,
    keep_case: bool = True,
    keep_other_characters: bool = True,
    group_size: Annotated[int, Meta(ge=0, le=10)] = 0,
) -> CipherText:
    """Encode or decode a text with a cipher from before computers. For puzzles: these ciphers protect nothing.

    Args:
        text: The text; only the letters A to Z change.
        cipher: The cipher; atbash mirrors the alphabet and needs no key.
        direction: Whether to encode or to decode.
        shift: Places to shift for the Caesar cipher, 1 to 25.
        keyword: Key of the Vigenère cipher.
        keep_case: Whether small letters stay small; otherwise all become capitals.
        keep_other_characters: Whether spaces, digits and signs stay; otherwise they are left out.
        group_size: Write the result in groups of so many characters without other spaces; 0 for none.
    """
    shifts = work.cipher_shifts(cipher, shift, keyword)
    if direction == "decode":
        shifts = [-places for places in shifts]
    result, changed = work.encipher(text, shifts, keep_case, keep_other_characters)
    if group_size:
        solid = "".join(result.split())
        result = " ".join(solid[i : i + group_size] for i in range(0, len(solid), group_size))
    return CipherText(result_text=keep_short(result, "text"), letters_changed=changed)


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


class BarcodeCheck(Result):
    """The code in full with its right check digit, and whether the digits that were given are a valid code."""

    full_code: str
    check_digit: str
    valid: bool


@tool(category=Category.GENERAL_DISTRACTOR)
def check_barcode_digits(
    bank: Bank,
    code: Annotated[str, Meta(pattern="^[0-9][0-9 -]{5,17}[0-9Xx]$")],
    symbology: work.Symbology,
    task: work.BarcodeTask,
) -> BarcodeCheck:
    """Check the last digit of a product barcode or ISBN, or work out the digit that is still missing.

    Args:
        code: The digits under the bars; spaces and hyphens are skipped.
        symbology: The kind of code.
        task: Whether the code is given with its check digit or without.
    """
    digits = work.barcode_digits(code, symbology, task)
    body = digits if task == "complete" else digits[:-1]
    right = work.check_digit(body, symbology)
    return BarcodeCheck(full_code=body + right, check_digit=right, valid=task == "complete" or digits[-1] == right)


class ConvertedColor(Result):
    """The colour; values are rounded as asked, in the order of the model's letters, luminance to three decimals."""

    values: list[float]
    hex_code: str
    luminance: float
    text_on_it: Literal["black", "white"]


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_color_model(
    bank: Bank,
    source_model: work.ColorModel,
    first: Annotated[float, Meta(ge=0, le=360)],
    second: Annotated[float, Meta(ge=0, le=255)],
    third: Annotated[float, Meta(ge=0, le=255)],
    target_model: work.ColorModel,
    fourth: Annotated[float, Meta(ge=0, le=100)] | None = None,
    decimals: Annotated[int, Meta(ge=0, le=3)] = 1,
) -> ConvertedColor:
    """Convert a colour between RGB, HSL, HSV and CMYK, and tell which colour of text can be read on it.

    Args:
        source_model: The model of the given values: rgb 0 to 255, hues 0 to 360, everything else in percent.
        first: Red, hue or cyan.
        second: Green, saturation or magenta.
        third: Blue, lightness, value or yellow.
        target_model: The model wanted.
        fourth: Black, for cmyk alone.
        decimals: Decimals of the values.
    """
    rgb = work.to_rgb(source_model, [first, second, third] + ([] if fourth is None else [fourth]))
    light = work.luminance(*rgb)
    return ConvertedColor(
        values=[round(value, decimals) for value in work.from_rgb(target_model, *rgb)],
        hex_code="#" + "".join(f"{round(part * 255):02X}" for part in rgb),
        luminance=round(light, 3),
        # Contrast with white and with black is the same at this luminance.
        text_on_it="black" if light > 0.179 else "white",
    )


class QrCodeFit(Result):
    """The smallest code that fits; the side is in millimetres with its quiet zone, rounded to two decimals."""

    version: int
    modules_per_side: int
    capacity: int
    spare_characters: int
    side_millimetres: float


@tool(category=Category.GENERAL_DISTRACTOR)
def fit_qr_code(
    bank: Bank,
    characters: Annotated[int, Meta(ge=1, le=7089)],
    mode: work.QrMode,
    error_correction: Literal["L", "M", "Q", "H"] = "M",
    smallest_version: Annotated[int, Meta(ge=1, le=40)] = 1,
    module_millimetres: Annotated[float, Meta(ge=0.1, le=50)] = 0.5,
    quiet_zone_modules: Annotated[int, Meta(ge=0, le=20)] = 4,
) -> QrCodeFit:
    """Find the smallest QR code that holds a number of characters, and how large it is in print.

    Args:
        characters: How many characters; bytes in byte mode.
        mode: Digits alone, digits with capitals and a few signs, or anything.
        error_correction: How much of the code may be damaged, from L (about 7 %) to H (about 30 %).
        smallest_version: The version to begin with.
        module_millimetres: Side of one small square in print.
        quiet_zone_modules: Empty squares around the code.
    """
    version, capacity = work.smallest_qr(characters, mode, error_correction, smallest_version)
    side = 17 + 4 * version
    return QrCodeFit(
        version=version,
        modules_per_side=side,
        capacity=capacity,
        spare_characters=capacity - characters,
        side_millimetres=round((side + 2 * quiet_zone_modules) * module_millimetres, 2),
    )


class PasswordStrength(Result):
    """An estimate: bits are rounded to one decimal, the time is that for half of all guesses."""

    guess_bits: float
    character_pool: int
    time_to_guess: str
    verdict: Literal["weak", "fair", "strong"]
    broken_rules: list[str]


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_password_strength(
    bank: Bank,
    password: Annotated[str, Meta(min_length=1, max_length=64)],
    attack: work.Attack = "slow_hash",
    personal_words: Annotated[list[Annotated[str, Meta(min_length=3, max_length=30)]], Meta(max_length=10)]
    | None = None,
    minimum_length: Annotated[int, Meta(ge=4, le=64)] = 12,
    needs_digit: bool = True,
    needs_sign: bool = False,
    needs_both_cases: bool = True,
) -> PasswordStrength:
    """Estimate how long it takes to guess a password, and list the rules of a site that it breaks.

    Args:
        password: The password.
        attack: How fast one can guess: 10 a second on a web site, 10 thousand or 10 billion on a stolen file.
        personal_words: Names, places and the like that a guesser would try; they count as one character.
        minimum_length: Fewest characters that the site allows.
        needs_digit: Whether the site wants a digit.
        needs_sign: Whether it wants a character that is no letter and no digit.
        needs_both_cases: Whether it wants small letters and capitals.
    """
    bits = work.guess_bits(password, personal_words or [])
    return PasswordStrength(
        guess_bits=round(bits, 1),
        character_pool=work.character_pool(password),
        time_to_guess=work.time_text(bits, attack),
        verdict="weak" if bits < 45 else "fair" if bits < 70 else "strong",
        broken_rules=work.broken_rules(password, minimum_length, needs_digit, needs_sign, needs_both_cases),
    )


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
