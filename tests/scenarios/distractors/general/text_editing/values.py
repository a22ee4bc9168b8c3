"""What the tests of this subject share."""

from hypothesis import strategies as st

WORDS = st.lists(st.text("abcXYZ", min_size=1, max_size=9), min_size=1, max_size=30).map(" ".join)
