"""The wealth-management office: five clients, twelve kinds of work, and the house rules by which it is done.

A world is drawn from a seed (:mod:`world`); every kind of work (:mod:`tasks`, a folder each) draws facts of its own
about one of the clients and places them as files, records, messages and items (:mod:`plan`); :mod:`building` makes an
office's tables of all that. The law is the handbook in the file store, rendered from the numbers in ``rules.yaml``
files.
"""
