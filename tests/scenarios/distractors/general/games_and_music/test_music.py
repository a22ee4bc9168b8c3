"""Tests of games_and_music/music: expected values worked out by hand, or anew in another way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.games_and_music.values import refusal


def test_notes() -> None:
    assert call("transpose_note", note="A4", semitones=12) == {"note": "A5", "midi_number": 81, "frequency_hz": 880}
    middle = call("transpose_note", note="C4", semitones=0)
    assert (middle["midi_number"], middle["frequency_hz"]) == (60, 261.63)
    assert call("transpose_note", note="A4", semitones=1, spelling="flats")["note"] == "Bb4"
    assert call("transpose_note", note="Cb4", semitones=0)["note"] == "B3"
    assert call("transpose_note", note="A4", semitones=0, concert_pitch_hz=442)["frequency_hz"] == 442
    assert refusal("transpose_note", note="C0", semitones=-1) == "semitones"
    assert refusal("transpose_note", note="H4", semitones=1) == "note"


@given(st.integers(2, 6), st.sampled_from("ABCDEFG"), st.integers(-24, 24), st.sampled_from(["sharps", "flats"]))
def test_transposing_there_and_back(octave: int, letter: str, semitones: int, spelling: str) -> None:
    there = call("transpose_note", note=f"{letter}{octave}", semitones=semitones, spelling=spelling)
    back = call("transpose_note", note=there["note"], semitones=-semitones, spelling=spelling)
    assert back["note"] == f"{letter}{octave}"


CHORDS = [
    ("C", "major", 0, ["C4", "E4", "G4"], [60, 64, 67]),
    ("C", "major", 1, ["E4", "G4", "C5"], [64, 67, 72]),
    ("F#", "major", 0, ["F#4", "A#4", "C#5"], [66, 70, 73]),
    ("Bb", "dominant_seventh", 3, ["Ab5", "Bb5", "D6", "F6"], [80, 82, 86, 89]),
    ("D", "suspended", 0, ["D4", "G4", "A4"], [62, 67, 69]),
    ("Eb", "diminished", 0, ["Eb4", "Gb4", "Bbb4"], [63, 66, 69]),
    ("A", "augmented", 0, ["A4", "C#5", "E#5"], [69, 73, 77]),
    ("G", "sixth", 0, ["G4", "B4", "D5", "E5"], [67, 71, 74, 76]),
    ("C", "major_seventh", 0, ["C4", "E4", "G4", "B4"], [60, 64, 67, 71]),
    ("A", "minor_seventh", 0, ["A4", "C5", "E5", "G5"], [69, 72, 76, 79]),
]


@pytest.mark.parametrize(("root", "kind", "inversion", "notes", "numbers"), CHORDS)
def test_chords(root: str, kind: str, inversion: int, notes: list[str], numbers: list[int]) -> None:
    assert call("spell_chord", root=root, kind=kind, inversion=inversion) == {"notes": notes, "midi_numbers": numbers}


def test_what_no_chord_is() -> None:
    assert refusal("spell_chord", root="C", kind="major", inversion=3) == "inversion"
    assert refusal("spell_chord", root="H", kind="major") == "root"


ROOTS = st.tuples(st.sampled_from("ABCDEFG"), st.sampled_from(["", "#", "b"])).map("".join)


@given(ROOTS, st.sampled_from([chord[1] for chord in CHORDS]), st.integers(0, 2), st.integers(1, 6))
def test_notes_of_chords_sound_as_they_are_spelled(root: str, kind: str, inversion: int, octave: int) -> None:
    found = call("spell_chord", root=root, kind=kind, inversion=inversion, octave=octave)
    assert found["midi_numbers"] == sorted(found["midi_numbers"])
    for note, number in zip(found["notes"], found["midi_numbers"], strict=True):
        if len(note) <= 3 and note[-1] <= "8":
            assert call("transpose_note", note=note, semitones=0)["midi_number"] == number


def test_delays() -> None:
    assert call("calculate_delay_time", tempo=120, note_value="quarter") == {"milliseconds": 500, "hertz": 2}
    dotted = call("calculate_delay_time", tempo=120, note_value="eighth", feel="dotted")
    assert dotted == {"milliseconds": 375, "hertz": 2.6667}
    assert call("calculate_delay_time", tempo=90, note_value="half", feel="triplet")["milliseconds"] == 888.89
    assert refusal("calculate_delay_time", tempo=10, note_value="half") == "tempo"


@given(st.floats(20, 400))
def test_three_triplets_last_two_notes(tempo: float) -> None:
    triplet, plain = (
        call("calculate_delay_time", tempo=tempo, note_value="quarter", feel=feel)["milliseconds"]
        for feel in ("triplet", "straight")
    )
    assert 3 * triplet == pytest.approx(2 * plain, abs=0.03)
