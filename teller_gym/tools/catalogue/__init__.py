"""Tools as data: an entry of a YAML file defines a tool's name, parameters and results.

The format is described in ``scenarios/distractors/README.md``.
"""
