"""Financial distractors, which no procedure of the bank needs."""
