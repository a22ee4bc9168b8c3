"""Deliver the reference expert's results over HTTP in place of an agent, without a model.

    python examples/openhands/stand_in.py --prompt prompt.txt --task wealth-net_worth-high --report report.json

It proves that the prompt's addresses and credentials are enough to do the work, and `play.py` can be tried with it
without a model. With ``--idle`` it does nothing for tasks whose ids match a pattern.
"""

from __future__ import annotations

import argparse
import json
import re
import urllib.request
from base64 import b64encode
from fnmatch import fnmatch
from pathlib import Path
from typing import Any
from urllib.parse import quote

from teller_gym.office_tasks.contract import load_office
from teller_gym.registration import OFFICES
from teller_gym.tools.call import Call


class Office:
    """The four services that a prompt describes.

    Args:
        prompt: an agent's prompt: lines ``crm  http://…``, and the credentials as JSON at its end.

    Attributes:
        requests: number of requests sent.
    """

    def __init__(self, prompt: str) -> None:
        self.addresses = dict(re.findall(r"^(crm|files|chat|tracker) +(http://\S+)$", prompt, re.MULTILINE))
        self.known: dict[str, dict[str, str]] = json.loads(prompt[prompt.index("\n{") :])
        self.requests = 0
        self._session: dict[str, str] = {}

    def ask(self, service: str, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        """Send a request to a service: bytes unchanged, any other body as JSON."""
        known = self.known[service]
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        typed = {} if isinstance(body, bytes) else {"Content-Type": "application/json"}
        url = self.addresses[service] + known["root"] + path
        asked = urllib.request.Request(url, data, {**typed, **(headers or {})}, method=method)
        self.requests += 1
        with urllib.request.urlopen(asked, timeout=60) as answer:
            text = answer.read()
        return json.loads(text) if text[:1] in (b"{", b"[") else text

    def key(self, service: str) -> dict[str, str]:
        """Return the header with the API key of the CRM or the tracker."""
        return {"X-Api-Key": self.known[service]["X-Api-Key"]}

    def basic(self) -> dict[str, str]:
        """Return the header that authenticates the user at the file store."""
        pair = f"{self.known['files']['username']}:{self.known['files']['password']}"
        return {"Authorization": "Basic " + b64encode(pair.encode()).decode()}

    def session(self) -> dict[str, str]:
        """Return the headers of a session in the chat, which the first call begins."""
        if not self._session:
            known = {"user": self.known["chat"]["username"], "password": self.known["chat"]["password"]}
            found = self.ask("chat", "POST", "login", known)["data"]
            self._session = {"X-Auth-Token": found["authToken"], "X-User-Id": found["userId"]}
        return self._session


def do(office: Office, call: Call) -> None:
    """Perform a writing tool call over HTTP; reads are left out, since the results are known."""
    given: dict[str, Any] = dict(call.arguments)
    if call.name == "write_file":
        office.ask("files", "PUT", quote(given["path"].lstrip("/")), given["text"].encode(), office.basic())
    elif call.name == "send_message":
        room = office.ask("chat", "POST", "im.create", {"username": given["to"].lstrip("@")}, office.session())["room"]
        words = {"roomId": room["_id"], "text": given["text"]}
        office.ask("chat", "POST", "chat.postMessage", words, office.session())
    elif call.name == "create_crm_record":
        office.ask("crm", "POST", given["entity"], given["values"], office.key("crm"))
    elif call.name == "update_item":
        item = office.ask("tracker", "GET", f"work-items/{given['key']}/", headers=office.key("tracker"))
        place = f"projects/{item['project']}/work-items/{item['id']}/"
        office.ask("tracker", "PATCH", place, {"state": given["state_id"]}, office.key("tracker"))


def main() -> None:
    """Do the work of a task, or nothing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prompt", type=Path, required=True, help="file with the text that an agent is given")
    parser.add_argument("--task", required=True, help="id of the task")
    parser.add_argument("--idle", action="append", default=[], metavar="PATTERN", help="do nothing for tasks like this")
    parser.add_argument("--report", type=Path, help="file for the number of requests and the cost, as JSON")
    chosen = parser.parse_args()
    office = Office(chosen.prompt.read_text("utf-8"))
    if not any(fnmatch(chosen.task, pattern) for pattern in chosen.idle):
        for call in load_office(OFFICES["wealth"]).find(chosen.task).standard.calls:
            do(office, call)
    if chosen.report is not None:
        chosen.report.write_text(json.dumps({"steps": office.requests, "usd": 0.0}), "utf-8")


if __name__ == "__main__":
    main()
