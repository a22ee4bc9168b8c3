"""All desk tools, by service."""

from __future__ import annotations

from typing import Final

from teller_gym.office.desk import chat, computing, crm, files, signing, tracker
from teller_gym.tools.tool import Tool, ToolSet

FILES: Final[tuple[Tool, ...]] = (
    files.list_folder, files.find_files, files.read_file, files.write_file, files.make_folder, files.copy_file,
    files.move_file, files.delete_file,
)  # fmt: skip
CRM: Final[tuple[Tool, ...]] = (
    crm.search_crm, crm.get_crm_record, crm.create_crm_record, crm.update_crm_record, crm.delete_crm_record,
    crm.read_crm_stream, crm.post_crm_note,
)  # fmt: skip
CHAT: Final[tuple[Tool, ...]] = (
    chat.list_rooms, chat.list_people, chat.read_messages, chat.search_messages, chat.send_message,
)  # fmt: skip
TRACKER: Final[tuple[Tool, ...]] = (
    tracker.list_projects, tracker.list_states, tracker.list_members, tracker.list_items, tracker.get_item,
    tracker.create_item, tracker.update_item, tracker.comment_on_item,
)  # fmt: skip

COMPUTING: Final[tuple[Tool, ...]] = (computing.calculate, computing.run_python)

SERVICES: Final[dict[str, str]] = {
    tool.name: service
    for service, tools in (("files", FILES), ("crm", CRM), ("chat", CHAT), ("tracker", TRACKER))
    for tool in tools
}
"""Service of each tool by tool name. Computing tools have none."""

TOOLS: Final = ToolSet((*FILES, *CRM, *CHAT, *TRACKER, *COMPUTING))

WITH_SIGN_IN: Final = ToolSet((*TOOLS.values(), signing.sign_in))
"""All tools and `sign_in`, for offices that require it."""

READING_FILES: Final = frozenset(tool.name for tool in FILES if not tool.writes)
"""Tools that only read the file store, and so work on a mirror of it as well."""
