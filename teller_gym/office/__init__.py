"""Office services: CRM, files, chat and issue tracker, each a deterministic core behind an HTTP-like interface.

All four store their records in one store (`teller_gym.office.store`), so that a snapshot, a hash and a diff cover the
whole office. An env calls the cores directly; `teller_gym.office.serving` serves them over real HTTP.
"""
