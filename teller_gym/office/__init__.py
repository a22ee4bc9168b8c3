"""An office's services: CRM, files, chat and issue tracker, each a deterministic core with an HTTP-shaped interface.

All four keep their records in one store (`teller_gym.office.store`), so that a snapshot, a hash and a diff cover the
whole office. An env uses the cores directly; `teller_gym.office.serving` puts them behind real HTTP.
"""
