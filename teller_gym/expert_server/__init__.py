"""Serves the reference expert behind an OpenAI-compatible endpoint, so that any client can be tried without a model.

- `chat` parses a request: what was asked, which tools are offered, and the results after each turn.
- `finding` recognises the task by its request text.
- `playing` replays the expert on the results in the chat and returns its next turn. The server keeps no state between
  requests: the chat shows how far the work has progressed.
- `mistakes` makes a given share of the tasks go wrong, each in one way.
- `completion` and `server` implement the protocol: chat completions, with streaming.

It reads the client's messages and the tools' answers, as any agent does. Only two things come from the recognised task:
the policy, which the procedure's text also states, and the names of tools under a shifted schema.
"""
