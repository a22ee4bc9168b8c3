"""The store and wsgidav, an unrelated WebDAV server, answer the same to thousands of random requests."""

from __future__ import annotations

import logging
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.office.files.differential import (
    Answer,
    Difference,
    Sent,
    Tree,
    check_counts,
    compare,
    tree_on_disk,
    write_to_disk,
)

MISSING = "(free|orphan|in a file)"
DIFFERENCES = (
    Difference("PUT", "(folder|home).*", (409, 412), (405, 500), "ownCloud says 409 for a PUT onto a folder"),
    Difference(
        "COPY|MOVE", f"{MISSING} to .*", (403, 409, 412, 415), (404,), "sabre/dav looks at the destination first"
    ),
    Difference("COPY|MOVE", ".* to in a file.*", (412, 415), (409,), "sabre/dav has 415 for a destination in a file"),
    Difference("COPY|MOVE", "file to within itself", (415,), (409,), "sabre/dav has 415 for a destination in a file"),
    Difference(
        "COPY|MOVE", "folder to within itself", (409, 412, 415), (403, 409), "sabre/dav: 409 for its own subtree"
    ),
    Difference("COPY|MOVE", ".* to itself", (412,), (403,), "sabre/dav looks at Overwrite first"),
    Difference(
        "COPY|MOVE", ".* to what holds it.*", (403, 412, 415), (204, 207, 500), "wsgidav would delete the source first"
    ),
    Difference(
        "COPY", "folder to .*, without members", (201, 204), (201, 204), "wsgidav copies all in spite of Depth 0"
    ),
    Difference("COPY|MOVE|DELETE", "home.*", (403, 409, 412, 415), (403, 500), "wsgidav fails for its root"),
    Difference("GET|HEAD", "folder.*", (200, 304, 412), (301,), "wsgidav sends browsers to the address with a slash"),
    Difference(
        "PUT|GET|DELETE", f"{MISSING}, .*If-Match.*", (412,), (201, 404, 409), "wsgidav has no If-Match for what is not"
    ),
    Difference(
        "GET|DELETE",
        "(folder|home), .*If-(None-)?Match.*",
        (304, 412),
        (200, 204, 207),
        "wsgidav's folders have no ETag",
    ),
)
"""Everything in which the two differ. ownCloud is sabre/dav, and theirs are the answers to have."""


class WsgiDav:
    prefix = ""

    def __init__(self, root: Path) -> None:
        module = pytest.importorskip("wsgidav.wsgidav_app", reason="needs wsgidav (pip install wsgidav)")
        provider = pytest.importorskip("wsgidav.fs_dav_provider").FilesystemProvider(str(root))
        logging.getLogger("wsgidav").setLevel(logging.CRITICAL + 1)  # it reports its own failures at length
        self.root = root
        self.app: Any = module.WsgiDAVApp(
            {
                "provider_mapping": {"/": provider},
                "simple_dc": {"user_mapping": {"*": True}},
                "lock_storage": False,
                "property_manager": False,
                "verbose": 0,
            }
        )

    def ask(self, sent: Sent) -> Answer:
        environ: dict[str, Any] = {
            "REQUEST_METHOD": sent.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": sent.path.encode().decode("latin-1"),
            "QUERY_STRING": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "HTTP_HOST": "localhost",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "CONTENT_LENGTH": str(len(sent.body)),
            "wsgi.input": BytesIO(sent.body),
            "wsgi.url_scheme": "http",
            "wsgi.errors": BytesIO(),
            "wsgi.multithread": False,
            **{f"HTTP_{key.upper().replace('-', '_')}": value for key, value in sent.headers.items()},
        }
        if sent.destination is not None:
            environ["HTTP_DESTINATION"] = "http://localhost" + quote(sent.destination)
        statuses: list[str] = []
        body = b"".join(self.app(environ, lambda status, headers, exc_info=None: statuses.append(status)))
        return Answer(int(statuses[-1].split()[0]), body)

    def tree(self) -> Tree:
        return tree_on_disk(self.root)

    def reset(self, tree: Tree) -> None:
        write_to_disk(self.root, tree)


@pytest.mark.parametrize("seed", range(3))
def test_wsgidav_agrees(tmp_path: Path, seed: int) -> None:
    check_counts(compare(WsgiDav(tmp_path), DIFFERENCES, seed, 1000), 1000)
