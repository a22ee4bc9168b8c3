"""An agent's desk in an office: the four services as JSON tools, in plain words.

`desk` has the user's place in the office; `files`, `crm`, `chat` and `tracker` hold a service's tools, `tools` all.
"""
