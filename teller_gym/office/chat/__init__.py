"""Office chat modelled on Rocket.Chat 5.3's REST API, as far as office work needs it.

Served below ``/api/v1/``:

- ``login`` (user name or e-mail address, and password), ``logout``, ``me``, ``info``;
- ``channels.*``, ``im.*`` and ``dm.*``: list, history, messages, members; for channels info; for direct rooms create;
- ``chat.*``: postMessage, sendMessage, search, getThreadMessages;
- ``users.list``, ``users.info``.

Status codes, ``errorType`` and response bodies follow Rocket.Chat; the sentences in ``error`` are this package's own.
Deliberate differences:

- ``chat.search`` looks for the text itself, not for a regular expression;
- a page has at most 100 results, or 1,000 with ``count=0``, which asks for all; ``sort``, ``query`` and ``fields``
  are ignored;
- only a message's text, room and thread are used: ``alias``, ``avatar``, ``emoji``, ``attachments``, ``tshow``
  and ids chosen by clients are ignored; ``postMessage`` takes one address, not a list;
- every user is in every channel;
- asking for a direct room by ``username`` does not create it;
- a reply has to be in the room of the message it replies to;
- a full stop after a mention belongs to the sentence.

Everything else is left out, such as private groups, creating and changing channels, changing and deleting messages,
files, reactions, pins, unread messages, statuses, administration, and the real-time API.

`api.ChatService` serves the API. `tools` offers the same calls as agent tools, `colleagues` simulates people who
answer, and `seeding` creates the initial tables. All raise `errors.ChatError` for invalid requests, and then write
nothing.
"""
