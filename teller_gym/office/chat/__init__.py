"""An office's chat, likened to Rocket.Chat 5.3: the part of its REST API that office work needs (`api.ChatService`).

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
- of a message, only its text, room and thread are taken: ``alias``, ``avatar``, ``emoji``, ``attachments``, ``tshow``
  and ids chosen by clients are ignored; ``postMessage`` takes one address, not a list;
- everybody is in every channel;
- asking for a direct room by ``username`` does not make it;
- a reply has to be in the room of the message it replies to;
- a full stop after a mention belongs to the sentence.

Left out is everything else, such as private groups, making and changing channels, changing and deleting messages,
files, reactions, pins, unread messages, statuses, administration, and the real-time API.

Beside the API: `tools` (the same as an agent's tools), `colleagues` (people who answer), `seeding` (the tables with
which an office begins).
"""
