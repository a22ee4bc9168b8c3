"""Serves the reference expert behind an OpenAI-compatible endpoint, so that any client can be tried without a model.

- `chat` takes a request apart: what was asked, which tools are offered, and what came back after each turn.
- `finding` recognises the task by its request text.
- `playing` replays the expert over the results in the chat and returns its next turn. The server keeps no state between
  requests: the chat says how far the work has gone.
- `mistakes` makes a stated share of the tasks go wrong in one way each.
- `completion` and `server` speak the protocol: chat completions, with streaming.

It reads what a client sends and what the tools answered, as any agent does. Only two things come from the task that it
recognises: the policy, which the procedure's text states too, and the names of tools under a shifted schema.
"""
