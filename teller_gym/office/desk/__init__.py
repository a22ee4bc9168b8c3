"""An agent's desk in an office: the four services as JSON tools.

`desk` defines the desk; `files`, `crm`, `chat` and `tracker` define each service's tools, and `tools` lists them all.
"""
