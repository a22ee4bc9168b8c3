"""webdav4, unmodified and over real HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from teller_gym.office.files.reading import contents
from tests.office.files.office import DAV_ADA, DEED, HOME, WEBDAV
from tests.office.files.stock import served_office

if TYPE_CHECKING:
    from teller_gym.office.serving import Serving


@pytest.fixture
def serving() -> Iterator[Serving]:
    with served_office() as found:
        yield found


def held(serving: Serving) -> dict[str, bytes]:
    return serving.look(lambda store: contents(store, "ada"))


@pytest.fixture
def address(serving: Serving) -> str:
    return serving.addresses["files"]


def webdav4(address: str, password: str = "pw:ada") -> Any:
    module = pytest.importorskip("webdav4.client", reason="needs webdav4 (pip install webdav4)")
    return module.Client(address, auth=("ada", password), retry=False)


@pytest.mark.parametrize("root", [DAV_ADA, WEBDAV])
def test_webdav4_reads(address: str, root: str) -> None:
    client = webdav4(address + root)
    assert client.ls("/", detail=False) == ["Clients", "Empty", "readme.txt"]
    assert client.ls("Clients/Grace Hopper", detail=False) == [
        "Clients/Grace Hopper/assets.csv",
        "Clients/Grace Hopper/deed.txt",
    ]
    assert client.ls("Clients/Zoë & Söhne", detail=False) == ["Clients/Zoë & Söhne/notes (old).md"]
    assert client.exists("Clients/Grace Hopper/deed.txt") and not client.exists("Clients/deed.txt")
    assert client.isdir("Clients") and client.isfile("readme.txt")
    told = client.info("Clients/Grace Hopper/deed.txt")
    assert told["content_length"] == len(DEED) and told["content_type"] == "text/plain" and told["type"] == "file"
    assert told["modified"] == datetime(2025, 12, 24, tzinfo=UTC)
    assert client.modified("readme.txt") == datetime(2026, 2, 1, 8, 30, tzinfo=UTC)
    assert client.etag("readme.txt") == client.info("readme.txt")["etag"]
    assert client.options() == {"1", "2", "3"}
    target = BytesIO()
    client.download_fileobj("Clients/Grace Hopper/deed.txt", target)
    assert target.getvalue() == DEED
    with client.open("Clients/Zoë & Söhne/notes (old).md", encoding="utf-8") as text:
        assert text.read() == "Grüße"


def test_webdav4_writes(serving: Serving, address: str, tmp_path: Path) -> None:
    client = webdav4(address + DAV_ADA)
    client.mkdir("Clients/Grace Hopper/Reports")
    client.upload_fileobj(BytesIO(b"a,b\n1,2\n"), "Clients/Grace Hopper/Reports/net worth.csv")
    (tmp_path / "x.csv").write_bytes(b"1")
    client.upload_file(tmp_path / "x.csv", "Clients/Grace Hopper/Reports/net worth.csv", overwrite=True)
    client.copy("Clients/Grace Hopper/Reports", "Empty/Reports")
    client.move("readme.txt", "Clients/Zoë & Söhne/lies mich.txt")
    client.remove("Clients/Grace Hopper/Reports")
    files = dict(HOME.files)
    files["/Clients/Zoë & Söhne/lies mich.txt"] = files.pop("/readme.txt")
    assert held(serving) == {**files, "/Empty/Reports/net worth.csv": b"1"}


def test_webdav4_knows_every_refusal(address: str) -> None:
    from_client = pytest.importorskip("webdav4.client", reason="needs webdav4 (pip install webdav4)")
    client = webdav4(address + DAV_ADA)
    with pytest.raises(from_client.ResourceNotFound):
        client.ls("Finance")
    with pytest.raises(from_client.ResourceAlreadyExists):
        client.mkdir("Clients")
    with pytest.raises(from_client.ResourceConflict):
        client.mkdir("Finance/2026")
    with pytest.raises(from_client.InsufficientStorage):
        client.upload_fileobj(BytesIO(bytes(1_000_001)), "big.bin")
    with pytest.raises(from_client.HTTPError) as refused:
        webdav4(address + DAV_ADA, "wrong").ls("/")
    assert refused.value.status_code == 401
    with pytest.raises(from_client.HTTPError) as refused:
        webdav4(address + "/index.php/apps/files").ls("/")
    assert refused.value.status_code == 405
    with pytest.raises(from_client.ResourceNotFound):
        webdav4(address + "/remote.php/dav/files/bob").ls("/")
