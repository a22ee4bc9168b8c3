"""Games and music: dice, cards, chess, bowling and word games; notes, chords and tempo; exposures of a camera."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._daily import refused
from teller_gym.scenarios.distractors.general._games import (
    CHORDS,
    HANDS,
    LETTER_VALUES,
    SCALES,
    Obstacle,
    Piece,
    best_five,
    bowling_frames,
    chord_notes,
    fewest_moves,
    note_number,
    piece_goes,
    ways_of_totals,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Card = Annotated[str, Meta(pattern="^(10|[2-9JQKA])[SHDC]$", max_length=3)]
Hand = Annotated[list[Card], Meta(min_length=5, max_length=7)]
Square = Annotated[str, Meta(pattern="^[a-h][1-8]$", max_length=2)]
Squares = Annotated[list[Square], Meta(max_length=31)]
Side = Literal["white", "black"]
Rolls = Annotated[list[Annotated[int, Meta(ge=0, le=10)]], Meta(min_length=1, max_length=21)]
Positions = Annotated[list[Annotated[int, Meta(ge=1, le=15)]], Meta(max_length=7)]
Note = Annotated[str, Meta(pattern="^[A-G](#|b)?[0-8]$", max_length=3)]
Root = Annotated[str, Meta(pattern="^[A-G](#|b)?$", max_length=2)]
Semitones = Annotated[int, Meta(ge=-60, le=60)]
Pitch = Annotated[float, Meta(ge=400, le=480)]
Tempo = Annotated[float, Meta(ge=20, le=400)]
NoteValue = Literal["whole", "half", "quarter", "eighth", "sixteenth"]
Aperture = Annotated[float, Meta(ge=0.7, le=64)]
Shutter = Annotated[float, Meta(ge=0.0001, le=3600)]
Sensitivity = Annotated[int, Meta(ge=25, le=204_800)]
ChordKind = Literal[
    "major",
    "minor",
    "diminished",
    "augmented",
    "suspended",
    "sixth",
    "dominant_seventh",
    "major_seventh",
    "minor_seventh",
]

_BEATS = {"whole": 4.0, "half": 2.0, "quarter": 1.0, "eighth": 0.5, "sixteenth": 0.25}
_FEELS = {"straight": 1.0, "dotted": 1.5, "triplet": 2 / 3}
_BONUS_FOR_ALL_TILES = 50


class DiceOdds(Result):
    """Ways that fit, of all ways; the probability has six decimals, the mean one."""

    favourable_ways: int
    all_ways: int
    probability: float
    mean: float


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_dice_odds(
    bank: Bank,
    dice: Annotated[int, Meta(ge=1, le=10)],
    sides: Annotated[int, Meta(ge=2, le=30)],
    comparison: Literal["exactly", "at_least", "at_most"],
    target: Annotated[int, Meta(ge=-100, le=500)],
    modifier: Annotated[int, Meta(ge=-100, le=100)] = 0,
) -> DiceOdds:
    """Count exactly how likely a total of fair dice is.

    Args:
        dice: Number of dice.
        sides: Sides of each.
        comparison: How the total compares with the target.
        target: Total aimed at.
        modifier: Number added to the total.
    """
    fits = {"exactly": int.__eq__, "at_least": int.__ge__, "at_most": int.__le__}[comparison]
    ways = ways_of_totals(dice, sides)
    favourable = sum(count for total, count in enumerate(ways, start=modifier) if fits(total, target))
    odds, mean = round(favourable / sides**dice, 6), modifier + dice * (sides + 1) / 2
    return DiceOdds(favourable_ways=favourable, all_ways=sides**dice, probability=odds, mean=mean)


class HandRanking(Result):
    """The best five cards, highest group first; the result against the other hand is null if none was given."""

    ranking: str
    best_five: list[str]
    against_other: Literal["wins", "loses", "ties"] | None


@tool(category=Category.GENERAL_DISTRACTOR)
def rank_poker_hand(bank: Bank, cards: Hand, other_cards: Hand | None = None) -> HandRanking:
    """Find the best poker hand of five among five to seven cards, and compare it with another one.

    Args:
        cards: Cards such as AS, 10H, 7D or QC: rank and suit (spades, hearts, diamonds, clubs).
        other_cards: Cards of the other player; cards on the table may stand in both.
    """
    best, five = best_five("cards", cards)
    against: Literal["wins", "loses", "ties"] | None = None
    if other_cards is not None:
        other, _ = best_five("other_cards", other_cards)
        against = "wins" if best > other else "loses" if best < other else "ties"
    return HandRanking(ranking=HANDS[best[0]], best_five=five, against_other=against)


class ChessMove(Result):
    """Whether the piece can go there, and if not, why; ``fewest_moves`` on an empty board is null for a pawn and for a
    bishop that stands on the other colour.
    """

    possible: bool
    obstacle: Obstacle
    colour_of_target: Literal["light", "dark"]
    fewest_moves: int | None


@tool(category=Category.GENERAL_DISTRACTOR)
def check_chess_move(
    bank: Bank,
    piece: Piece,
    from_square: Square,
    to_square: Square,
    side: Side = "white",
    captures: bool = False,
    other_pieces: Squares | None = None,
) -> ChessMove:
    """Check whether a chess piece can move from one square to another; check, castling and en passant are left aside.

    Args:
        piece: The piece.
        from_square: Square it stands on, such as e2.
        to_square: Square it is to go to.
        side: Whose piece it is; white pawns move up the board.
        captures: Whether it takes the piece that stands there.
        other_pieces: Squares of the other pieces.
    """
    start, end = _coordinates(from_square), _coordinates(to_square)
    taken = {_coordinates(square) for square in other_pieces or ()}
    if start == end:
        raise refused("to_square", "another square than from_square", to_square)
    if start in taken:
        raise refused("other_pieces", f"squares other than {from_square}, where the piece stands", from_square)
    if piece == "pawn" and start[1] in (0, 7):
        raise refused("from_square", "row 2 to 7 for a pawn", from_square)
    obstacle = _obstacle(piece, start, end, side, captures, taken)
    colour: Literal["light", "dark"] = "light" if sum(end) % 2 else "dark"
    fewest = None if piece == "pawn" else fewest_moves(piece, start, end)
    return ChessMove(possible=obstacle == "none", obstacle=obstacle, colour_of_target=colour, fewest_moves=fewest)


def _coordinates(square: str) -> tuple[int, int]:
    return "abcdefgh".index(square[0]), int(square[1]) - 1


def _obstacle(
    piece: Piece, start: tuple[int, int], end: tuple[int, int], side: Side, captures: bool, taken: set[tuple[int, int]]
) -> Obstacle:
    across, up = end[0] - start[0], end[1] - start[1]
    on_start = start[1] == (1 if side == "white" else 6)
    if not piece_goes(piece, across, up if side == "white" else -up, on_start, captures):
        return "not_this_way"
    steps = max(abs(across), abs(up))
    way = {(start[0] + across * i // steps, start[1] + up * i // steps) for i in range(1, steps)}
    if piece != "knight" and way & taken:
        return "way_blocked"
    if captures == (end in taken):
        return "none"
    return "nothing_to_capture" if captures else "square_taken"


class BowlingScore(Result):
    """The total after each frame that is settled; a strike or spare is settled with the rolls that count twice."""

    totals: list[int]
    strikes: int
    spares: int
    finished: bool


@tool(category=Category.GENERAL_DISTRACTOR)
def score_bowling_game(bank: Bank, rolls: Rolls) -> BowlingScore:
    """Score a game of ten-pin bowling, which need not be finished.

    Args:
        rolls: Pins knocked down by each roll, in order.
    """
    scores, strikes, spares = bowling_frames(rolls)
    totals = [sum(scores[:count]) for count in range(1, len(scores) + 1)]
    return BowlingScore(totals=totals, strikes=strikes, spares=spares, finished=len(scores) == 10)


class WordScore(Result):
    """Points of the letters with their premiums, the factor of the word, the bonus, and all of it."""

    letter_points: int
    word_factor: int
    bonus: int
    score: int


@tool(category=Category.GENERAL_DISTRACTOR)
def score_letter_tiles(
    bank: Bank,
    word: Annotated[str, Meta(pattern="^[A-Z]{2,15}$", max_length=15)],
    tiles_laid: Annotated[int, Meta(ge=1, le=7)],
    double_letters: Positions | None = None,
    triple_letters: Positions | None = None,
    blanks: Positions | None = None,
    double_words: Annotated[int, Meta(ge=0, le=2)] = 0,
    triple_words: Annotated[int, Meta(ge=0, le=3)] = 0,
) -> WordScore:
    """Score a word in a crossword game with tiles: AEILNORSTU 1, DG 2, BCMP 3, FHVWY 4, K 5, JX 8, QZ 10 points, and 50
    more for seven tiles.

    Args:
        word: The word in capitals.
        tiles_laid: Tiles laid from the rack.
        double_letters: Places in the word, from 1, that count double.
        triple_letters: Places that count three times.
        blanks: Places of blank tiles, which count 0.
        double_words: Squares covered that double the word.
        triple_words: Squares covered that treble the word.
    """
    letters = word.strip()
    doubles, triples, zeros = set(double_letters or ()), set(triple_letters or ()), set(blanks or ())
    if tiles_laid > len(letters):
        raise refused("tiles_laid", f"at most {len(letters)}", tiles_laid)
    for field, places in (("double_letters", doubles), ("triple_letters", triples), ("blanks", zeros)):
        if places and max(places) > len(letters):
            raise refused(field, f"places from 1 to {len(letters)}", max(places))
    if doubles & triples:
        raise refused("triple_letters", "places that are not double letters, too", sorted(doubles & triples))
    premiums = len(doubles) + len(triples) + double_words + triple_words
    if premiums > tiles_laid:
        raise refused("tiles_laid", f"a tile for each of the {premiums} premium squares", tiles_laid)
    points = 0
    for place, letter in enumerate(letters, start=1):
        points += LETTER_VALUES[letter] * (place not in zeros) * (1 + (place in doubles) + 2 * (place in triples))
    factor, bonus = 2**double_words * 3**triple_words, _BONUS_FOR_ALL_TILES if tiles_laid == 7 else 0
    return WordScore(letter_points=points, word_factor=factor, bonus=bonus, score=points * factor + bonus)


class TransposedNote(Result):
    """The note arrived at, its MIDI number, and its frequency in hertz with two decimals."""

    note: str
    midi_number: int
    frequency_hz: float


@tool(category=Category.GENERAL_DISTRACTOR)
def transpose_note(
    bank: Bank,
    note: Note,
    semitones: Semitones,
    concert_pitch_hz: Pitch = 440,
    spelling: Literal["sharps", "flats"] = "sharps",
) -> TransposedNote:
    """Transpose a note and give its frequency in equal temperament.

    Args:
        note: Note with its octave, such as A4, C#5 or Bb3; middle C is C4.
        semitones: Semitones up, or down if negative.
        concert_pitch_hz: Frequency of A4.
        spelling: How black keys are written.
    """
    number = note_number(note.strip()) + semitones
    if not 12 <= number <= 127:
        raise refused("semitones", "a note from C0 to G9", f"MIDI number {number}")
    octave, step = divmod(number, 12)
    frequency = round(concert_pitch_hz * 2 ** ((number - 69) / 12), 2)
    return TransposedNote(note=f"{SCALES[spelling][step]}{octave - 1}", midi_number=number, frequency_hz=frequency)


class ChordNotes(Result):
    """Notes from the lowest up with their octaves, and their MIDI numbers."""

    notes: list[str]
    midi_numbers: list[int]


@tool(category=Category.GENERAL_DISTRACTOR)
def spell_chord(
    bank: Bank,
    root: Root,
    kind: ChordKind,
    inversion: Annotated[int, Meta(ge=0, le=3)] = 0,
    octave: Annotated[int, Meta(ge=1, le=7)] = 4,
) -> ChordNotes:
    """Spell the notes of a chord, also of an inversion.

    Args:
        root: Root of the chord, such as F#.
        kind: Kind of chord.
        inversion: How many of the lowest notes are moved up an octave; the third inversion takes four notes.
        octave: Octave of the root before the inversion.
    """
    if inversion >= len(CHORDS[kind]):
        raise refused("inversion", f"at most {len(CHORDS[kind]) - 1} for a {kind} chord", inversion)
    notes, numbers = chord_notes(root.strip(), kind, inversion, octave)
    return ChordNotes(notes=notes, midi_numbers=numbers)


class DelayTime(Result):
    """Milliseconds with two decimals and hertz with four."""

    milliseconds: float
    hertz: float


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_delay_time(
    bank: Bank, tempo: Tempo, note_value: NoteValue, feel: Literal["straight", "dotted", "triplet"] = "straight"
) -> DelayTime:
    """Find the delay time, and the rate of an oscillator, that keep the beat of a piece of music.

    Args:
        tempo: Quarter notes a minute.
        note_value: Note that the delay lasts.
        feel: Whether the note is plain, dotted, or one of a triplet.
    """
    seconds = 60 / tempo * _BEATS[note_value] * _FEELS[feel]
    return DelayTime(milliseconds=round(seconds * 1000, 2), hertz=round(1 / seconds, 4))


class Exposure(Result):
    """The new setting with three significant digits, and the light as exposure value at ISO 100 with two decimals."""

    aperture: float
    shutter_seconds: float
    iso: int
    exposure_value: float


@tool(category=Category.GENERAL_DISTRACTOR)
def match_camera_exposure(
    bank: Bank,
    aperture: Aperture,
    shutter_seconds: Shutter,
    iso: Sensitivity,
    new_aperture: Aperture | None = None,
    new_shutter_seconds: Shutter | None = None,
    new_iso: Sensitivity | None = None,
    filter_stops: Annotated[float, Meta(ge=0, le=20)] = 0,
) -> Exposure:
    """Find the setting of a camera that exposes like another one; give two of the three new values.

    Args:
        aperture: F-number that was right.
        shutter_seconds: Shutter time that was right.
        iso: Sensitivity that was right.
        new_aperture: New f-number.
        new_shutter_seconds: New shutter time.
        new_iso: New sensitivity.
        filter_stops: Stops of light that a grey filter takes away in the new setting.
    """
    given = {"new_aperture": new_aperture, "new_shutter_seconds": new_shutter_seconds, "new_iso": new_iso}
    missing = [field for field, value in given.items() if value is None]
    if len(missing) != 1:
        raise refused(missing[0] if missing else "new_iso", "two of the three new values", 3 - len(missing))
    # What reaches the sensor, and counts as equal in both settings, is shutter * iso / aperture², less the filter.
    wanted = shutter_seconds * iso / aperture**2 * 2**filter_stops
    number = new_aperture or math.sqrt((new_shutter_seconds or 1) * (new_iso or 1) / wanted)
    time = new_shutter_seconds or wanted * number**2 / (new_iso or 1)
    speed = new_iso or round(wanted * number**2 / time)
    if not (0.5 <= number <= 128 and 0.00001 <= time <= 1_000_000 and 6 <= speed <= 10_000_000):
        raise refused(missing[0], "a setting that a camera has", f"f/{number:.3g}, {time:.3g} s, ISO {speed}")
    light = math.log2(aperture**2 / shutter_seconds * 100 / iso)
    return Exposure(
        aperture=float(f"{number:.3g}"),
        shutter_seconds=float(f"{time:.3g}"),
        iso=int(speed),
        exposure_value=round(light, 2),
    )
