"""The README's picture of an episode shows what the environment returns today."""

from pathlib import Path

import pytest

from examples.episode_picture import FOLDER, THEMES, picture, play

REPO = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("theme", THEMES)
def test_the_picture_is_up_to_date(theme: str) -> None:
    drawn = (REPO / FOLDER / f"episode-{theme}.svg").read_text("utf-8")
    assert drawn == picture(THEMES[theme], *play()), "run python -m examples.episode_picture"


def test_the_episode_is_played_to_its_end() -> None:
    _, turns = play()
    assert turns[-1].tool == "submit_final_review" and turns[-1].score == 1.0
    assert sum(turn.reward for turn in turns) == pytest.approx(1.0)
