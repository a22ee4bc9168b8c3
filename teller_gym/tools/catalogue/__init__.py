"""Tools as data: an entry of a YAML file says what a tool is called, what it takes and what it answers.

The format is described in ``scenarios/distractors/README.md``.
"""
