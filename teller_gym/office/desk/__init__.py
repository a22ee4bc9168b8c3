"""An agent's desk in an office: the four services as JSON tools, in plain words.

`desk` is the user's place in the office; `files`, `crm`, `chat` and `tracker` have a service's tools, `tools` has all.
"""
