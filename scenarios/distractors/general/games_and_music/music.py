"""Notes, chords and the time of an echo."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._daily import refused
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Note = Annotated[str, Meta(pattern="^[A-G](#|b)?[0-8]$", max_length=3)]
Root = Annotated[str, Meta(pattern="^[A-G](#|b)?$", max_length=2)]
Semitones = Annotated[int, Meta(ge=-60, le=60)]
Pitch = Annotated[float, Meta(ge=400, le=480)]
Tempo = Annotated[float, Meta(ge=20, le=400)]
NoteValue = Literal["whole", "half", "quarter", "eighth", "sixteenth"]
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


class TransposedNote(Result):
    """The note arrived at, its MIDI number, and its frequency in hertz with two decimals."""

    note: str
    midi_number: int
    frequency_hz: float


SCALES = {
    "sharps": ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"),
    "flats": ("C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"),
}


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


_LETTERS = "CDEFGAB"
_NATURALS = (0, 2, 4, 5, 7, 9, 11)


def note_number(note: str) -> int:
    """Return the MIDI number of a note such as C#4; middle C, C4, is 60."""
    shift = {"#": 1, "b": -1}.get(note[1], 0)
    return 12 * (int(note[-1]) + 1) + _NATURALS[_LETTERS.index(note[0])] + shift


class ChordNotes(Result):
    """Notes from the lowest up with their octaves, and their MIDI numbers."""

    notes: list[str]
    midi_numbers: list[int]


CHORDS = {
    "major": ((0, 0), (2, 4), (4, 7)),
    "minor": ((0, 0), (2, 3), (4, 7)),
    "diminished": ((0, 0), (2, 3), (4, 6)),
    "augmented": ((0, 0), (2, 4), (4, 8)),
    "suspended": ((0, 0), (3, 5), (4, 7)),
    "sixth": ((0, 0), (2, 4), (4, 7), (5, 9)),
    "dominant_seventh": ((0, 0), (2, 4), (4, 7), (6, 10)),
    "major_seventh": ((0, 0), (2, 4), (4, 7), (6, 11)),
    "minor_seventh": ((0, 0), (2, 3), (4, 7), (6, 10)),
}
"""Tones of a chord, each as letters and as semitones above the root."""


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


def chord_notes(root: str, kind: str, inversion: int, octave: int) -> tuple[list[str], list[int]]:
    """Return names and MIDI numbers of a chord's notes from the lowest up, spelled as the chord's steps ask for."""
    base, first = note_number(f"{root}{octave}"), _LETTERS.index(root[0])
    names, numbers = [], []
    tones = CHORDS[kind]
    raised = [(letters + 7, semitones + 12) for letters, semitones in tones[:inversion]]
    for letters, semitones in (*tones[inversion:], *raised):
        octaves, letter = divmod(first + letters, 7)
        number = base + semitones
        shift = number - (12 * (octave + octaves + 1) + _NATURALS[letter])
        names.append(f"{_LETTERS[letter]}{'#' * shift}{'b' * -shift}{octave + octaves}")
        numbers.append(number)
    return names, numbers


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
