"""Games and music; expected values are worked out by hand or by counting."""

from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from tests.scenarios.distractors.desk import call

Arguments = dict[str, Any]


def refusal(name: str, **arguments: Any) -> str | None:
    with pytest.raises(ToolError) as caught:
        call(name, **arguments)
    assert caught.value.kind is ErrorKind.VALIDATION
    return caught.value.field


def test_two_dice() -> None:
    seven = call("calculate_dice_odds", dice=2, sides=6, comparison="exactly", target=7)
    assert seven == {"favourable_ways": 6, "all_ways": 36, "probability": 0.166667, "mean": 7}
    ten = call("calculate_dice_odds", dice=2, sides=6, comparison="at_least", target=12, modifier=2)
    assert (ten["favourable_ways"], ten["mean"]) == (6, 9)  # 10, 11 and 12 before the modifier
    assert refusal("calculate_dice_odds", dice=0, sides=6, comparison="exactly", target=7) == "dice"


@given(st.integers(1, 4), st.integers(2, 6), st.integers(-2, 30), st.integers(-3, 3))
def test_dice_counted_throw_by_throw(dice: int, sides: int, target: int, modifier: int) -> None:
    totals = [sum(throw) + modifier for throw in product(range(1, sides + 1), repeat=dice)]
    wanted = {
        "exactly": totals.count(target),
        "at_least": sum(total >= target for total in totals),
        "at_most": sum(total <= target for total in totals),
    }
    for comparison, ways in wanted.items():
        throw: Arguments = {"dice": dice, "sides": sides, "target": target, "modifier": modifier}
        found = call("calculate_dice_odds", **throw, comparison=comparison)
        assert (found["favourable_ways"], found["all_ways"]) == (ways, len(totals))


HANDS = [
    ("9H 2C 5D JS KC", "high card"),
    ("9H 9C 5D JS KC", "one pair"),
    ("9H 9C 5D 5S KC", "two pairs"),
    ("9H 9C 9D 5S KC", "three of a kind"),
    ("AH 2C 3D 4S 5C", "straight"),
    ("9H 10C JD QS KC", "straight"),
    ("10H JC QD KS AC", "straight"),
    ("9H 2H 5H JH KH", "flush"),
    ("9H 9C 9D 5S 5C", "full house"),
    ("9H 9C 9D 9S 5C", "four of a kind"),
    ("5H 6H 7H 8H 9H", "straight flush"),
]


@pytest.mark.parametrize(("hand", "ranking"), HANDS)
def test_hands_of_cards(hand: str, ranking: str) -> None:
    cards = hand.split()
    found = call("rank_poker_hand", cards=cards)
    assert found["ranking"] == ranking
    assert sorted(found["best_five"]) == sorted(cards)
    assert found["against_other"] is None


def test_every_hand_beats_those_before_it() -> None:
    for weak, strong in pairwise(HANDS):
        found = call("rank_poker_hand", cards=strong[0].split(), other_cards=weak[0].split())
        assert found["against_other"] == "wins"
    same = call("rank_poker_hand", cards=["9H", "9C", "5D", "JS", "KC"], other_cards=["9S", "9D", "5H", "JC", "KD"])
    assert same["against_other"] == "ties"
    twice: Arguments = {"cards": ["9H", "9H", "5D", "JS", "KC"]}
    assert refusal("rank_poker_hand", **twice) == "cards"


def test_the_best_five_of_seven() -> None:
    found = call("rank_poker_hand", cards=["KC", "9H", "9C", "KD", "5S", "2D", "5H"])
    assert (found["ranking"], found["best_five"]) == ("two pairs", ["KC", "KD", "9C", "9H", "5S"])


DECK = [rank + suit for rank in ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A") for suit in "SHDC"]
PICKS = st.lists(st.sampled_from(DECK), min_size=5, max_size=7, unique=True)


@given(PICKS, PICKS)
def test_comparing_cards_is_fair(one: list[str], other: list[str]) -> None:
    there = call("rank_poker_hand", cards=one, other_cards=other)["against_other"]
    back = call("rank_poker_hand", cards=other, other_cards=one)["against_other"]
    assert {there, back} in ({"wins", "loses"}, {"ties"})
    # A player who may leave cards out never does worse with more of them.
    assert call("rank_poker_hand", cards=one, other_cards=one[:5])["against_other"] != "loses"


def move(piece: str, way: str, **more: Any) -> dict[str, Any]:
    start, end = way.split("-")
    return call("check_chess_move", piece=piece, from_square=start, to_square=end, **more)


def test_moves_of_chess() -> None:
    assert move("knight", "g1-f3") == {
        "possible": True,
        "obstacle": "none",
        "colour_of_target": "light",
        "fewest_moves": 1,
    }
    assert move("bishop", "c1-f4")["colour_of_target"] == "dark"
    assert move("bishop", "c1-c2")["fewest_moves"] is None
    assert move("knight", "a1-h8")["fewest_moves"] == 6
    assert move("king", "a1-c7")["fewest_moves"] == 6
    assert move("rook", "a1-h8")["fewest_moves"] == 2
    assert move("rook", "a1-a8", other_pieces=["a5"])["obstacle"] == "way_blocked"
    assert move("rook", "a1-a5", other_pieces=["a5"])["obstacle"] == "square_taken"
    assert move("rook", "a1-a5", other_pieces=["a5"], captures=True)["possible"] is True
    assert move("rook", "a1-a5", captures=True)["obstacle"] == "nothing_to_capture"
    assert move("queen", "d1-e3")["obstacle"] == "not_this_way"


def test_pawns() -> None:
    assert move("pawn", "e2-e4")["possible"] is True
    assert move("pawn", "e2-e4", other_pieces=["e3"])["obstacle"] == "way_blocked"
    assert move("pawn", "e3-e5")["possible"] is False
    assert move("pawn", "e7-e5", side="black")["possible"] is True
    assert move("pawn", "e7-e6")["possible"] is False
    assert move("pawn", "e4-d5", captures=True, other_pieces=["d5"])["possible"] is True
    assert move("pawn", "e4-d5")["obstacle"] == "not_this_way"


def test_what_no_chess_move_is() -> None:
    squares: Arguments = {"from_square": "e2", "to_square": "e4"}
    assert refusal("check_chess_move", piece="king", from_square="e2", to_square="e2") == "to_square"
    assert refusal("check_chess_move", piece="pawn", from_square="e8", to_square="e7") == "from_square"
    assert refusal("check_chess_move", piece="king", **squares, other_pieces=["e2"]) == "other_pieces"


SQUARES = [column + row for column in "abcdefgh" for row in "12345678"]
PIECES = st.sampled_from(["king", "queen", "rook", "bishop", "knight"])


@given(PIECES, st.lists(st.sampled_from(SQUARES), min_size=2, max_size=2, unique=True))
def test_one_move_is_what_a_piece_can_do(piece: str, squares: list[str]) -> None:
    there, back = move(piece, "-".join(squares)), move(piece, "-".join(reversed(squares)))
    assert there["possible"] == back["possible"] == (there["fewest_moves"] == 1)
    assert there["fewest_moves"] == back["fewest_moves"]


def test_bowling() -> None:
    perfect = call("score_bowling_game", rolls=[10] * 12)
    assert perfect == {"totals": list(range(30, 301, 30)), "strikes": 10, "spares": 0, "finished": True}
    assert call("score_bowling_game", rolls=[5] * 21)["totals"][-1] == 150
    open_game = call("score_bowling_game", rolls=[10, 3, 7, 4])
    assert open_game == {"totals": [20, 34], "strikes": 1, "spares": 1, "finished": False}
    textbook = [8, 2, 5, 4, 9, 0, 10, 10, 5, 5, 5, 3, 6, 3, 9, 1, 9, 1, 10]
    assert call("score_bowling_game", rolls=textbook)["totals"] == [15, 24, 33, 58, 78, 93, 101, 110, 129, 149]
    assert refusal("score_bowling_game", rolls=[6, 5]) == "rolls"
    assert refusal("score_bowling_game", rolls=[0] * 21) == "rolls"
    assert refusal("score_bowling_game", rolls=[0] * 18 + [10, 6, 6]) == "rolls"


@given(
    st.lists(st.integers(0, 9).flatmap(lambda a: st.tuples(st.just(a), st.integers(0, 9 - a))), min_size=1, max_size=10)
)
def test_games_without_spares_are_sums(frames: list[tuple[int, int]]) -> None:
    found = call("score_bowling_game", rolls=[pins for frame in frames for pins in frame])
    assert found["totals"] == [sum(map(sum, frames[: count + 1])) for count in range(len(frames))]
    assert found["finished"] == (len(frames) == 10)


def test_words() -> None:
    # Q 10, U 1, I 1, Z 10
    quiz = call("score_letter_tiles", word="QUIZ", tiles_laid=4, double_letters=[1], double_words=1)
    assert quiz == {"letter_points": 32, "word_factor": 2, "bonus": 0, "score": 64}
    blank = call("score_letter_tiles", word="QUIZ", tiles_laid=4, blanks=[4], triple_letters=[1], triple_words=1)
    assert blank["score"] == 96  # (30 + 1 + 1 + 0) * 3
    assert call("score_letter_tiles", word="PLAYERS", tiles_laid=7)["score"] == 62
    word: Arguments = {"word": "QUIZ", "tiles_laid": 4}
    assert refusal("score_letter_tiles", **word, blanks=[5]) == "blanks"
    assert refusal("score_letter_tiles", **word, double_letters=[1], triple_letters=[1]) == "triple_letters"
    assert refusal("score_letter_tiles", word="QUIZ", tiles_laid=5) == "tiles_laid"
    assert refusal("score_letter_tiles", word="QUIZ", tiles_laid=1, double_words=2) == "tiles_laid"


@given(st.from_regex("[A-Z]{2,15}", fullmatch=True), st.randoms(use_true_random=False))
def test_the_order_of_letters_does_not_matter(word: str, random: Any) -> None:
    letters = list(word)
    random.shuffle(letters)
    there, back = (call("score_letter_tiles", word=text, tiles_laid=1) for text in (word, "".join(letters)))
    assert there == back
    assert len(word) <= there["score"] <= 10 * len(word)


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


SHOT: Arguments = {"aperture": 8, "shutter_seconds": 0.01, "iso": 100}


def test_exposures() -> None:
    # Two stops wider and two stops less sensitive than with ISO 400
    wide = call("match_camera_exposure", **SHOT, new_aperture=4, new_iso=100)
    assert wide == {"aperture": 4, "shutter_seconds": 0.0025, "iso": 100, "exposure_value": 12.64}
    filtered = call("match_camera_exposure", **SHOT, new_aperture=8, new_iso=100, filter_stops=10)
    assert filtered["shutter_seconds"] == 10.2
    assert call("match_camera_exposure", **SHOT, new_aperture=16, new_shutter_seconds=0.01)["iso"] == 400
    assert call("match_camera_exposure", **SHOT, new_shutter_seconds=0.02, new_iso=100)["aperture"] == 11.3
    assert refusal("match_camera_exposure", **SHOT, new_aperture=4) == "new_shutter_seconds"
    everything: Arguments = {"new_aperture": 4, "new_shutter_seconds": 1, "new_iso": 100}
    assert refusal("match_camera_exposure", **SHOT, **everything) == "new_iso"
    assert refusal("match_camera_exposure", **SHOT, new_aperture=0.7, new_shutter_seconds=3600) == "new_iso"


@given(st.floats(1, 32), st.integers(50, 800), st.floats(0, 10))
def test_what_reaches_the_sensor_is_the_same(aperture: float, iso: int, stops: float) -> None:
    found = call("match_camera_exposure", **SHOT, new_aperture=aperture, new_iso=iso, filter_stops=stops)
    light = found["shutter_seconds"] * iso / aperture**2 / 2**stops
    assert light == pytest.approx(0.01 * 100 / 64, rel=0.006)
