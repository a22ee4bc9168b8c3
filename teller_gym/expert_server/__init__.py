"""Serves the reference expert behind an OpenAI-compatible endpoint, so that any client can be tried without a model.

- `chat` parses a request: messages, offered tools, and the results after each turn.
- `finding` recognises the task by the text of its request.
- `playing` replays the expert on the results in the chat and returns its next turn. The server stores no state between
  requests, since the chat shows the progress of the task.
- `mistakes` makes the expert fail a given share of the tasks, each by one mistake.
- `completion` and `server` implement the protocol: chat completions, with streaming.

Like any agent, the expert reads the client's messages and the tools' results. Only two things come from the recognised
task: the policy, which the procedure's text also states, and the tool names under a shifted schema.
"""
