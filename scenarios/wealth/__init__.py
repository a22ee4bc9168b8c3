"""A wealth-management office with five clients, twelve task kinds and a handbook of house rules.

:mod:`world` draws a firm from a seed. Every task kind has a folder in :mod:`tasks`; it draws facts about one client
and places them as files, records, messages and work items (:mod:`plan`), from which :mod:`building` creates the
office's tables. Work is graded by the handbook in the file store, which is rendered from the numbers in ``rules.yaml``
files.
"""
