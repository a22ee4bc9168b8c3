"""Command `teller-gym view`, which shows episodes in a browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path

from teller_gym.viewer.serve import HOST, serve_view
from teller_gym.viewer.write import write_view

from .common import Parser

EXAMPLE = """\
  teller-gym view runs/expert                           writes runs/expert/view, serves and opens it
  teller-gym view runs/qwen runs/expert                 two runs, to be compared
  teller-gym view runs/qwen --out site --no-serve       only writes; open site/index.html, or publish the folder"""


def run(argv: list[str]) -> int:
    """Write the pages and serve them until Ctrl-C, which is the normal way to end this command."""
    parser = Parser("view", "Show the episodes of one or several runs in a browser.", EXAMPLE)
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a run folder")
    parser.add_argument("--out", metavar="DIR", help="new, empty or an earlier view's folder (view in the first run's)")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="port on this machine (any that is free)")
    parser.add_argument("--no-open", action="store_true", help="open no browser")
    parser.add_argument("--no-serve", action="store_true", help="only write the pages")
    options = parser.read(argv)
    page = write_view(options.runs, options.out or Path(options.runs[0]) / "view")
    print(page)
    if not options.no_serve:
        _serve(page, options.port, opens=not options.no_open)
    return 0


def _serve(page: Path, port: int, *, opens: bool) -> None:
    with serve_view(page.parent, port) as server:
        address = f"http://{HOST}:{server.server_port}/"
        print(f"{address}  (Ctrl-C ends)", flush=True)
        if opens:
            webbrowser.open(address)
        server.serve_forever()
