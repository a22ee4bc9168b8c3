"""Tests of games_and_music/boards: expected values worked out by hand, or anew in another way."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.games_and_music.values import Arguments, refusal


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
