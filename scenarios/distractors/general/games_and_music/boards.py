"""Chess moves and letter tiles."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._daily import refused
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Square = Annotated[str, Meta(pattern="^[a-h][1-8]$", max_length=2)]
Squares = Annotated[list[Square], Meta(max_length=31)]
Side = Literal["white", "black"]
Positions = Annotated[list[Annotated[int, Meta(ge=1, le=15)]], Meta(max_length=7)]
_BONUS_FOR_ALL_TILES = 50
Obstacle = Literal["none", "not_this_way", "way_blocked", "square_taken", "nothing_to_capture"]


class ChessMove(Result):
    """Whether the piece can go there, and if not, why; ``fewest_moves`` on an empty board is null for a pawn and for a
    bishop that stands on the other colour.
    """

    possible: bool
    obstacle: Obstacle
    colour_of_target: Literal["light", "dark"]
    fewest_moves: int | None


Piece = Literal["king", "queen", "rook", "bishop", "knight", "pawn"]


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


_KNIGHT_JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def fewest_moves(piece: Piece, start: tuple[int, int], end: tuple[int, int]) -> int | None:
    """Return the moves a piece other than a pawn needs to another square of an empty board; None if never."""
    across, up = abs(end[0] - start[0]), abs(end[1] - start[1])
    if piece == "king":
        return max(across, up)
    if piece == "bishop" and (across + up) % 2:
        return None
    if piece != "knight":
        return 1 if piece_goes(piece, across, up, False, False) else 2
    reached, moves = {start}, 0
    while end not in reached:
        jumps = {(column + x, row + y) for column, row in reached for x, y in _KNIGHT_JUMPS}
        reached, moves = {(column, row) for column, row in jumps if 0 <= column < 8 and 0 <= row < 8}, moves + 1
    return moves


def piece_goes(piece: Piece, across: int, forward: int, on_start: bool, captures: bool) -> bool:
    """Whether a chess piece moves by so many columns and so many rows, other pieces aside."""
    sides = sorted((abs(across), abs(forward)))
    if piece == "pawn":
        if captures:
            return abs(across) == 1 and forward == 1
        return across == 0 and (forward == 1 or (forward == 2 and on_start))
    straight, diagonal = sides[0] == 0, sides[0] == sides[1]
    return {
        "king": sides[1] == 1,
        "queen": straight or diagonal,
        "rook": straight,
        "bishop": diagonal,
        "knight": sides == [1, 2],
    }[piece]


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


class WordScore(Result):
    """Points of the letters with their premiums, the factor of the word, the bonus, and all of it."""

    letter_points: int
    word_factor: int
    bonus: int
    score: int


_LETTERS_BY_VALUE = {1: "AEILNORSTU", 2: "DG", 3: "BCMP", 4: "FHVWY", 5: "K", 8: "JX", 10: "QZ"}
LETTER_VALUES = {letter: value for value, letters in _LETTERS_BY_VALUE.items() for letter in letters}


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
