"""An agent's desk in an office: the four services as JSON tools, in plain words.

`desk` has whose desk it is; `files`, `crm`, `chat` and `tracker` hold a service's tools, and `tools` all of them.
"""
