"""Rules of games and of music that the tools on them apply."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate, combinations
from typing import Literal

from teller_gym.scenarios.distractors.general._daily import refused

Piece = Literal["king", "queen", "rook", "bishop", "knight", "pawn"]
Obstacle = Literal["none", "not_this_way", "way_blocked", "square_taken", "nothing_to_capture"]

HANDS = (
    "high card",
    "one pair",
    "two pairs",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_KIND_BY_GROUPS = {(1, 1): 0, (2, 1): 1, (2, 2): 2, (3, 1): 3, (3, 2): 6, (4, 1): 7}

_KNIGHT_JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))

_LETTERS_BY_VALUE = {1: "AEILNORSTU", 2: "DG", 3: "BCMP", 4: "FHVWY", 5: "K", 8: "JX", 10: "QZ"}
LETTER_VALUES = {letter: value for value, letters in _LETTERS_BY_VALUE.items() for letter in letters}

_LETTERS = "CDEFGAB"
_NATURALS = (0, 2, 4, 5, 7, 9, 11)
SCALES = {
    "sharps": ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"),
    "flats": ("C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"),
}
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


def ways_of_totals(dice: int, sides: int) -> list[int]:
    """Return in how many ways the dice give each total, from 0 up."""
    ways = [1]
    for _ in range(dice):
        sums = [0, *accumulate(ways + [0] * sides)]
        ways = [sums[total] - sums[max(0, total - sides)] for total in range(len(sums) - 1)]
    return ways


def best_five(field: str, cards: list[str]) -> tuple[tuple[int, ...], list[str]]:
    """Return rank (kind of hand first, then card values) and cards of the best hand of five among some cards."""
    cards = sorted(card.strip() for card in cards)
    if len(set(cards)) < len(cards):
        raise refused(field, "different cards", " ".join(cards))
    return max(_rank(five) for five in combinations(cards, 5))


def _rank(cards: tuple[str, ...]) -> tuple[tuple[int, ...], list[str]]:
    values = {card: _RANKS.index(card[:-1]) for card in cards}
    counts = Counter(values.values())
    order = sorted(counts, key=lambda value: (-counts[value], -value))
    if order == [12, 3, 2, 1, 0]:
        order = [3, 2, 1, 0, -1]  # the ace is low in a straight up to five
        values = {card: -1 if value == 12 else value for card, value in values.items()}
    flush = len({card[-1] for card in cards}) == 1
    straight = len(order) == 5 and order[0] - order[4] == 4
    groups = sorted(counts.values(), reverse=True)
    kind = _KIND_BY_GROUPS[groups[0], groups[1]]
    if flush or straight:
        kind = 8 if flush and straight else 5 if flush else 4
    return (kind, *order), sorted(cards, key=lambda card: (order.index(values[card]), card))


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


def bowling_frames(rolls: list[int]) -> tuple[list[int], int, int]:
    """Return the scores of the frames that are settled, and the strikes and spares, bonus rolls aside."""
    scores: list[int] = []
    strikes = spares = at = 0
    for frame in range(1, 11):
        balls = rolls[at : at + 3]
        if not balls:
            return scores, strikes, spares
        strike, spare = balls[0] == 10, balls[0] < 10 and sum(balls[:2]) == 10
        pair = balls[1:] if strike and frame == 10 and balls[1:2] != [10] else [] if strike else balls[:2]
        if sum(pair) > 10:
            raise refused("rolls", f"at most 10 pins of a set in frame {frame}", sum(pair))
        strikes, spares = strikes + strike, spares + spare
        needed = 3 if strike or spare else 2
        if len(balls) >= needed:
            scores.append(sum(balls[:needed]))
        at += needed if frame == 10 else 1 if strike else 2
    if len(rolls) > at:
        raise refused("rolls", f"{at} rolls for these ten frames", len(rolls))
    return scores, strikes, spares


def note_number(note: str) -> int:
    """Return the MIDI number of a note such as C#4; middle C, C4, is 60."""
    shift = {"#": 1, "b": -1}.get(note[1], 0)
    return 12 * (int(note[-1]) + 1) + _NATURALS[_LETTERS.index(note[0])] + shift


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
