"""The words, numbers and dates of a message, the things that it asks for, and those it does not want."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import OptionError
from teller_gym.office.chat.intents import asked, parse_pattern, read_question
from teller_gym.office.chat.tokenizing import stem, tokens

TODAY = date(2026, 3, 2)
THINGS = {
    "hart pension": ["pension hart"],
    "lowe pension": ["pension lowe"],
    "hart mortgage": ["mortgage|loan hart"],
    "lowe mortgage": ["mortgage|loan lowe"],
    "free thursday": ["calendar|diary|free|availab*|meet* 2026-03-05"],
    "free friday": ["calendar|diary|free|availab*|meet* 2026-03-06"],
    "accounts": ["profit_and_loss", "p_l"],
    "leave": ["holiday|leave -cancel*"],
}
NAMES = list(THINGS)


def wants(text: str, before: str = "") -> list[str]:
    earlier = read_question(before, TODAY).words if before else ()
    return [NAMES[i] for i in asked(list(THINGS.values()), read_question(text, TODAY), earlier)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What is the value of Mr Hart's pension?", ["hart pension"]),
        ("HART PENSIONS please", ["hart pension"]),
        ("Could you send me the loan balance for Lowe", ["lowe mortgage"]),
        ("Hart's pension and Lowe's mortgage?", ["hart pension", "lowe mortgage"]),
        ("Lowe's mortgage, then Hart's pension", ["lowe mortgage", "hart pension"]),
        ("the pension of Hart and Lowe", ["hart pension", "lowe pension"]),
        ("pension and mortgage of Hart", ["hart pension", "hart mortgage"]),
        ("pension and mortgage of Hart and Lowe?", ["hart pension", "lowe pension", "hart mortgage", "lowe mortgage"]),
        ("I am working on Hart. What is the pension worth?", ["hart pension"]),
        ("What is the pension worth? It is for Hart.", ["hart pension"]),
        ("About Hart: what's the pension? And the mortgage?", ["hart pension", "hart mortgage"]),
        ("Are you free on 5 March?", ["free thursday"]),
        ("Is Thursday or Friday free in your diary?", ["free thursday", "free friday"]),
        ("What's your availability on 2026-03-06?", ["free friday"]),
        ("Can we meet on 05/03/2026?", ["free thursday"]),
        ("When are you free?", []),
        ("Could you send the profit and loss?", ["accounts"]),
        ("The P&L, please", ["accounts"]),
        ("When is your holiday?", ["leave"]),
        ("Cancelling my holiday", []),
        ("How was lunch?", []),
        ("", []),
    ],
)
def test_what_is_asked_for(text: str, found: list[str]) -> None:
    assert wants(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I don't need Hart's pension, only the mortgage", ["hart mortgage"]),
        ("I do not need the pension of Hart and Lowe, but I need the mortgage of Hart", ["hart mortgage"]),
        ("Not Hart's pension but Lowe's pension", ["lowe pension"]),
        ("The mortgage of Hart, not the pension", ["hart mortgage"]),
        ("I need Hart's mortgage instead of the pension", ["hart mortgage"]),
        ("Everything on Hart except the pension: the mortgage?", ["hart mortgage"]),
        ("Please don't send me Hart's pension or Lowe's mortgage", []),
        ("No need for Hart's pension", []),
        ("Never mind Hart's pension. What is Lowe's?", ["lowe pension"]),
        ("Hart's pension is not needed. Lowe's mortgage please", ["lowe mortgage"]),
        ("I don't need the pension and could you send Hart's mortgage", ["hart mortgage"]),
        ("Forget the pension, what is Hart's mortgage?", ["hart mortgage"]),
        # What sounds like a refusal and is none:
        ("Don't you have Hart's pension?", ["hart pension"]),
        ("I don't know Hart's pension, can you help?", ["hart pension"]),
        ("I could not find Hart's pension", ["hart pension"]),
        ("Why did you not send Hart's pension?", ["hart pension"]),
        ("You have not sent Hart's pension", ["hart pension"]),
        ("Isn't Hart's pension 5,000?", ["hart pension"]),
        ("Can't you tell me Hart's pension", ["hart pension"]),
    ],
)
def test_what_is_not_wanted(text: str, found: list[str]) -> None:
    assert wants(text) == found


@pytest.mark.parametrize(
    ("before", "text", "found"),
    [
        ("What is Hart's pension?", "And for Lowe?", ["lowe pension"]),
        ("What is Hart's pension?", "and the mortgage", ["hart mortgage"]),
        ("What is Hart's pension?", "Thank you. What did you have for lunch?", []),
        ("What is Hart's pension?", "What is Lowe's mortgage?", ["lowe mortgage"]),
        ("Good morning", "And for Lowe?", []),
    ],
)
def test_what_was_said_before_completes_a_question(before: str, text: str, found: list[str]) -> None:
    assert wants(text, before) == found


@pytest.mark.parametrize(
    ("text", "is_asked", "is_thanks"),
    [
        ("Thanks a lot!", False, True),
        ("Ok great, thank you so much Anna", False, True),
        ("Thanks, and Hart's pension?", True, False),
        ("Anna", True, False),
        ("Hart pension", True, False),
        ("I have put Hart's pension of 5,000 into the file.", False, False),
        ("The verdict for Hart is: does not meet the rule, shortfall 120.", False, False),
        ("Please note that Hart does not meet the rule and is 120 short.", False, False),
        ("Please tell me how much Hart is short of the rule at the moment", True, False),
        ("I am preparing the review and I need the balance of the Hart account", True, False),
        ("Is the meeting with Hart on the fifth at your place or at mine", True, False),
        ("The file is ready, is the meeting still on as we said last week", True, False),
        ("", True, False),
    ],
)
def test_questions_statements_and_thanks(text: str, is_asked: bool, is_thanks: bool) -> None:
    question = read_question(text, TODAY, ("Anna", "Lee"))
    assert (question.is_asked, question.is_thanks) == (is_asked, is_thanks)


@pytest.mark.parametrize("pattern", ["", "-x", "a b!", "é", "|a", "a||b", "a*b", "(a)", "a|-b"])
def test_malformed_patterns(pattern: str) -> None:
    with pytest.raises(OptionError, match="pattern"):
        parse_pattern(pattern)


def test_terms() -> None:
    def fits(patterns: list[str], text: str) -> bool:
        return bool(asked([patterns], read_question(text, TODAY)))

    assert fits(["pension* hart"], "the pensioner hart") and not fits(["pension hart"], "the pensioner hart")
    assert fits(["pensions"], "pension"), "a pattern's plural is the same word"
    assert fits(["x", "net_worth"], "net worth") and not fits(["net_worth"], "worth net")
    assert not fits(["pension -hart"], "pension hart")


WORDS = st.sampled_from(
    [
        *("pension", "hart", "lowe", "mortgage", "not", "do", "need", "the", "and", "or", "but", "only", ","),
        *(".", "?", "instead", "of", "except", "thursday", "5", "march", "you", "i"),
    ]
)


@settings(max_examples=60)
@given(st.lists(WORDS, max_size=14).map(" ".join), st.lists(WORDS, max_size=6).map(" ".join))
def test_asking_is_sound(text: str, before: str) -> None:
    """All words of a match are in the message or before it, one of them in the message; nothing twice."""
    found = wants(text, before)
    assert len(set(found)) == len(found) and wants(text, before) == found
    for name in found:
        if " " in name and name.split()[0] in ("hart", "lowe"):
            assert all(word in f"{before} {text}".split() for word in name.split())
            assert any(word in text.split() for word in name.split())


@settings(max_examples=60)
@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    wants(text, text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        *((text, "2026-03-05") for text in ("2026-03-05", "05/03/2026", "5.3.2026")),
        *(
            (text, "5 2026-03-05 march")
            for text in ("5 March", "5th of March", "March 5", "5 Mar. 2026", "Mar 5, 2026")
        ),
        ("5 march, please", "5 2026-03-05 march , please"),
        ("THURSDAY?", "thursday 2026-03-05 ."),
        ("today and tomorrow", "today 2026-03-02 and tomorrow 2026-03-03"),
        ("5th, 6th and 9th of March 2027", "5 2027-03-05 6 2027-03-06 9 2027-03-09 march"),
        ("3 to 5 March", "3 2026-03-03 4 2026-03-04 5 2026-03-05 march"),
        ("March 3-5, 2026", "3 2026-03-03 4 2026-03-04 5 2026-03-05 march"),
        ("March 5 & 6", "5 2026-03-05 6 2026-03-06 march"),
        ("6 to 3 March", "6 2026-03-06 3 2026-03-03 march"),
        ("30 and 31 February", "30 31 february"),
        ("28 or 29 February 2026", "28 2026-02-28 29 february"),
        ("from 9:30, 5 March", "from 09:30 , 5 2026-03-05 march"),
        ("2,500, 5 March", "2500 , 5 2026-03-05 march"),
        ("31 June 2026", "31 june 2026"),
        ("2026-02-30", "2026 2 30"),
        ("May I have 3 copies?", "may i have 3 copy ."),
        ("£412,300.00 and 0.50, 00.5 and .5", "412300 and 0.5 , 0.5 and 0.5"),
        ("-500 and −£1,250.10", "-500 and -1250.1"),
        ("Q1, 5k and 3rd", "q1 , 5k and 3rd"),
        ("Harts’ PENSION", "hart pension"),
        ("I don't, can't, won't", "i do not , can not , will not"),
        ("Zoë Müller", "zoe muller"),
        ("companies taxes addresses boxes class", "company tax address box class"),
        ("follow-up: x – y", "follow up : x , y"),
        ("what's o'clock", "what oclock"),
    ],
)
def test_words_numbers_and_dates_have_one_form(text: str, found: str) -> None:
    assert " ".join(tokens(text, TODAY)) == found


@settings(max_examples=40)
@given(st.dates(date(2020, 1, 1), date(2030, 12, 31)), st.integers(-(10**9), 10**9))
def test_all_ways_to_write_a_date_or_a_number_are_one(day: date, number: int) -> None:
    month = day.strftime("%B")
    for text in (
        *(day.isoformat(), f"{day:%d/%m/%Y}", f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}"),
        f"{day.day}th of {month[:3].upper()} {day.year}",
    ):
        assert day.isoformat() in tokens(f"by {text} please", TODAY), text
    for text in (f"{number}", f"{number:,}", f"{number:,}.00", f"{number:,}.0"):
        assert tokens(f"it is {text} now", TODAY)[2] == str(number), text


def test_days_of_the_week_are_the_next_ones_and_stems_stay() -> None:
    for ahead in range(7):
        day = TODAY + timedelta(days=ahead)
        assert tokens(f"{day:%A}", TODAY)[1] == day.isoformat()
    for word in ("is", "bus", "pension", "q1s", "glass"):
        assert stem(stem(word)) == stem(word)


@settings(max_examples=60)
@given(st.text(max_size=80), st.dates())
def test_any_text_has_words(text: str, today: date) -> None:
    assert all(tokens(text, today))
