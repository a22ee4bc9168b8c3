"""Chat of the office, modelled on Rocket.Chat 5.3: the part of its REST API that office work needs.

Served below ``/api/v1/``:

- ``login`` (user name or e-mail address, and password), ``logout``, ``me``, ``info``;
- ``channels.*``, ``im.*`` and ``dm.*``: list, history, messages, members; info of channels; create of direct rooms;
- ``chat.*``: postMessage, sendMessage, search, getThreadMessages;
- ``users.list``, ``users.info``.

Status codes, ``errorType`` and the shapes of answers are Rocket.Chat's; the sentences in ``error`` are this package's
own. Deliberate differences:

- ``chat.search`` looks for the text itself, not for a regular expression;
- pages have at most 100 results, and 1,000 where ``count=0`` asks for all; ``sort``, ``query`` and ``fields`` are
  ignored;
- only a message's text, room and thread are used: ``alias``, ``avatar``, ``emoji``, ``attachments``, ``tshow``
  and ids chosen by clients are ignored; ``postMessage`` takes one address, not a list;
- every user is in every channel;
- asking for a direct room by ``username`` does not create it;
- a reply has to be in the room of the message it replies to;
- a full stop after a mention belongs to the sentence.

Everything else is left out, such as private groups, creating and changing channels, changing and deleting messages,
files, reactions, pins, unread messages, statuses, administration, and the real-time API.

`api.ChatService` serves the API. `tools` has the same calls as tools for agents, `colleagues` people who answer, and
`seeding` the initial tables. All raise `errors.ChatError` for requests that are refused, and then write nothing.
"""
