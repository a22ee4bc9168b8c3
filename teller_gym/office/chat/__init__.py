"""An office's chat, likened to Rocket.Chat 5.3 and its REST API (`api.ChatService`).

What there is, below ``/api/v1/``:

- ``login`` (user name or e-mail address and password, or ``resume``), ``logout``, ``me``, ``info``; personal access
  tokens from the seeding;
- ``channels.*`` and ``groups.*``: list, list.joined (channels), info, history, messages, members, counters, online,
  roles, moderators, files, create, join (channels), invite, kick, leave, addOwner, removeOwner, setTopic,
  setDescription, setAnnouncement, setReadOnly; ``channels.getAllUserMentionsByChannel``;
- ``im.*`` and ``dm.*``: create, list, history, messages, members, counters, files, setTopic;
- ``chat.*``: postMessage, sendMessage, getMessage, update, delete, react, pinMessage, unPinMessage, search,
  getThreadMessages, getThreadsList, getPinnedMessages, getMentionedMessages, getDeletedMessages, syncMessages,
  syncThreadMessages, syncThreadsList;
- ``users.*``: list, info, presence, getPresence, getStatus, setStatus, autocomplete; ``rooms.*``: get, info, leave,
  autocomplete.channelAndPrivate; ``subscriptions.*``: get, getOne, read; ``spotlight``, ``directory``;
  ``settings.public``;
- files: ``rooms.media/<room>`` with ``rooms.mediaConfirm/<room>/<file>``, or ``rooms.upload/<room>`` in one step, and
  ``/file-upload/<file>/<name>`` (outside the API) for downloads.

Status codes, ``errorType`` and the shapes of answers are Rocket.Chat's, with the default permissions of its roles
admin, owner, moderator and user; the sentences in ``error`` are this package's own. Where it deviates on purpose:

- regular expressions are not run: ``query`` takes equality, ``$and``, ``$or`` and plain text as ``$regex``, and
  ``chat.search`` looks for the text itself;
- pages have at most 100 results, and where ``count=0`` asks for all, 1,000;
- ``alias`` and ``avatar`` of a message are ignored, so that an author is always who wrote; ``postMessage`` takes one
  address, not a list;
- who is in no group gets an empty list of groups, not a 404;
- asking for a direct room by ``username`` does not make it;
- ``delete`` never acts in another's name, and ``fields`` choose top-level fields alone;
- a file is limited to 8 MiB, and all files of one person to 64 MiB; there are no previews and no avatars;
- a reply has to be in the room of what it replies to; any well-formed short name is an emoji;
- a full stop after a mention belongs to the sentence; a mentioned group is linked for its members alone.

Left out: registering and changing users, making moderators, join codes, archiving, renaming and deleting rooms, hiding
and favourites, discussions, teams, stars, read receipts, unread messages in histories, logins with two factors,
LDAP or hashed passwords, livechat, integrations, administration, and the real-time API.

Beside the API: `tools` (the same as an agent's tools), `colleagues` (people who answer), `history` (what was said to
whom, whatever was edited or deleted since), `seeding` (the tables that an office begins with).
"""
