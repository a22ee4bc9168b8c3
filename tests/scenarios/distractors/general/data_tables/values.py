"""What the tests of this subject share."""

SHIFTS = "name,team,hours\nAnn,Red,3\nBob,Blue,4.5\nCyd,Red,\nDan,Blue,10\n"
