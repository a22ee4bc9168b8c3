"""The server of the pages serves only the folder's own files, and only to this machine; `teller-gym view`."""

import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import OptionError
from teller_gym.cli import main
from teller_gym.viewer import serve_view
from tests.evaluation.samples import episode, write_run
from tests.viewer.reading import served

OUTSIDE = b"what lies outside"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadingHTTPServer]:
    above = tmp_path_factory.mktemp("served")
    folder = above / "view"
    (folder / "data").mkdir(parents=True)
    (folder / "index.html").write_text("<p>pages</p>")
    (folder / "data" / "index.js").write_text("let a = 1;")
    (folder / "with space é.js").write_text("let b = 1;")
    (above / "run.json").write_bytes(OUTSIDE)
    (above / "view-two").mkdir()
    (above / "view-two" / "run.json").write_bytes(OUTSIDE)
    (folder / "out.json").symlink_to(above / "run.json")
    (folder / "up").symlink_to(above)
    (folder / "circle").symlink_to(folder / "circle")
    (folder / "gone").symlink_to(above / "nothing")
    (folder / "pages.html").symlink_to(folder / "index.html")
    with served(folder) as found:
        yield found


def ask(server: ThreadingHTTPServer, path: str, method: str = "GET", **headers: str) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    try:
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def raw(server: ThreadingHTTPServer, words: bytes) -> bytes:
    """Send bytes and return the response."""
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as connection:
        found = b""
        try:
            connection.sendall(words)
            connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(65536):
                found += part
        except OSError:  # the server closed the connection early
            pass
        return found


def alive(server: ThreadingHTTPServer) -> bool:
    return ask(server, "/")[1] == b"<p>pages</p>"


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/", "text/html"), ("/index.html?a=1", "text/html"), ("/data/index.js", "text/javascript"),
     ("/with%20space%20%C3%A9.js", "text/javascript"), ("/pages.html", "text/html")],
)  # fmt: skip
def test_the_folders_files_are_handed_out(server: ThreadingHTTPServer, path: str, kind: str) -> None:
    response, body = ask(server, path)
    assert response.status == 200
    assert body
    assert response.headers["Content-Type"].startswith(kind)
    assert int(response.headers["Content-Length"]) == len(body)


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_it_answers_to_the_names_of_this_machine(server: ThreadingHTTPServer, name: str) -> None:
    assert ask(server, "/", Host=f"{name}:{server.server_port}")[0].status == 200


@pytest.mark.parametrize("host", [
    "evil.example:{port}", "127.0.0.1", "localhost", "localhost:1", "127.0.0.1:{port}.evil", "127.0.0.1@evil:{port}",
    "localhost.evil.example:{port}", "[::1]", "[::2]:{port}", "", "::1:{port}", "0.0.0.0:{port}", "127.0.0.1:0{port}",
    "localhost.:{port}", ":{port}",
])  # fmt: skip
def test_it_answers_to_no_other_name(server: ThreadingHTTPServer, host: str) -> None:
    """Names of other machines, as in a DNS rebinding attack, are refused."""
    for method in ("GET", "HEAD"):
        response, body = ask(server, "/index.html", method, Host=host.format(port=server.server_port))
        assert response.status == 421
        assert b"pages" not in body


def test_a_request_that_names_no_host_or_two_is_refused(server: ThreadingHTTPServer) -> None:
    own = b"Host: 127.0.0.1:%d\r\n" % server.server_port
    for hosts in (b"", own + own, own + b"Host: evil.example\r\n"):
        said = raw(server, b"GET / HTTP/1.1\r\n" + hosts + b"\r\n")
        assert b" 421 " in said
        assert b"pages" not in said
    assert b"pages" not in raw(server, b"GET /\r\n")


@pytest.mark.parametrize("path", [
    "/out.json", "/up/run.json", "/up/", "/up", "/circle", "/gone", "/../run.json", "/%2e%2e/run.json",
    "/..%2frun.json", "/data/..%2f..%2frun.json", "/..%5crun.json", "/data/../../run.json", "/../view-two/run.json",
    "//etc/passwd", "/%2fetc%2fpasswd", "/%00", "/index.html%00.js", "/%ff", "/%c0%ae%c0%ae/run.json", "/" + "a" * 5000,
    "/" + "a/" * 4000, "/data", "/data/", "/index.html/", "/index.html/x", "/nothing", "/~root", "/.", "/./..",
    "/%", "/con:", "/*?", "/\x7f",
])  # fmt: skip
def test_nothing_else_is_handed_out(server: ThreadingHTTPServer, path: str) -> None:
    """Files outside the folder and lists of files are not served."""
    words = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\nConnection: close\r\n\r\n"
    said = raw(server, words.encode("latin-1"))
    assert b" 404 " in said
    assert OUTSIDE not in said
    assert b"root:" not in said
    assert b"index.js" not in said
    assert alive(server)


def test_head_is_get_without_the_body(server: ThreadingHTTPServer) -> None:
    get, body = ask(server, "/data/index.js")
    head, nothing = ask(server, "/data/index.js", "HEAD")
    assert nothing == b""
    assert (head.status, head.headers["Content-Length"]) == (get.status, str(len(body)))


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "NONSENSE"])
def test_no_other_method_is_known(server: ThreadingHTTPServer, method: str) -> None:
    response, body = ask(server, "/index.html", method)
    assert response.status == 501
    assert b"pages" not in body


@pytest.mark.parametrize("span", ["bytes=0-3", "bytes=-1", "bytes=99999-", "bytes=0-0,2-2", "nonsense", "bytes=5-1"])
def test_a_part_is_answered_with_the_whole(server: ThreadingHTTPServer, span: str) -> None:
    response, body = ask(server, "/index.html", Range=span)
    assert (response.status, body) == (200, b"<p>pages</p>")


def test_nothing_is_loaded_from_elsewhere_and_no_page_from_elsewhere_loads_these(server: ThreadingHTTPServer) -> None:
    for path in ("/", "/data/index.js", "/nothing"):
        headers = ask(server, path)[0].headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "http" not in policy and "unsafe-eval" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Cache-Control"] == "no-store"
        assert "Python" not in headers["Server"]


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(
    st.binary(max_size=300),
    st.binary(max_size=100).map(lambda path: b"GET /" + path + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
    st.text(max_size=100).map(lambda name: b"GET / HTTP/1.1\r\n" + name.encode("utf-8", "replace") + b": 1\r\n\r\n"),
))  # fmt: skip
def test_broken_requests_end_nothing(
    server: ThreadingHTTPServer, capfd: pytest.CaptureFixture[str], words: bytes
) -> None:
    assert OUTSIDE not in raw(server, words)
    assert alive(server)
    assert capfd.readouterr() == ("", "")


def test_readers_that_leave_and_lines_without_end_end_nothing(
    server: ThreadingHTTPServer, capfd: pytest.CaptureFixture[str]
) -> None:
    endless = (b"GET /" + b"a" * 100_000, b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 500)
    for words in (b"", b"GET", b"GET / HTTP/1.1\r\nHost", *endless):
        assert b"pages" not in raw(server, words)
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", server.server_port)) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % server.server_port)
    assert alive(server)
    assert capfd.readouterr() == ("", "")


def test_a_folder_that_is_a_link_itself_is_served(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "index.html").write_text("<p>pages</p>")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with served(tmp_path / "link") as found:
        assert alive(found)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", [episode()])


def test_only_writes(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", str(run), "--out", str(tmp_path / "site"), "--no-serve"]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "site" / "index.html")
    assert (tmp_path / "site" / "index.html").exists()


def test_writes_beside_the_first_run_by_default(run: Path) -> None:
    assert main(["view", str(run), str(run), "--no-serve"]) == 0
    assert (run / "view" / "index.html").exists()


def test_a_folder_that_is_no_run_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", str(tmp_path), "--no-serve"]) == 2
    assert "no run folder" in capsys.readouterr().err


def test_serves_until_it_is_interrupted(run: Path) -> None:
    command = [sys.executable, "-m", "teller_gym.cli", "view", str(run), "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            process.stdout.readline()
            address = re.match(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
            assert address
            with urllib.request.urlopen(address[0], timeout=10) as page:
                assert page.read() == (run / "view" / "index.html").read_bytes()
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(address[0] + "../run.json", timeout=10)
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=10) == 130
            assert process.stderr
            assert process.stderr.read() == "teller-gym: interrupted\n"
        finally:
            process.kill()


def test_a_port_in_use_is_told(run: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        for port in (taken.getsockname()[1], 70_000, -1):
            with pytest.raises(OptionError, match="expected a free one"):
                serve_view(run, port)
