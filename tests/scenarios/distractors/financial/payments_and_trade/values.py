"""What the tests of this subject share."""


def cents(dollars: float) -> int:
    return round(dollars * 100)
