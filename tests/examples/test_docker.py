"""Checks of the container files without a container engine: they parse, and their commands run."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.cli.office.starting import DEFAULT_PORTS

REPO = Path(__file__).parents[2]
FOLDER = REPO / "docker"
KNOWN = {"FROM", "RUN", "WORKDIR", "COPY", "USER", "EXPOSE", "ENTRYPOINT", "CMD"}
PATIENCE_S = 60.0


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile with their arguments."""
    text = re.sub(r"^\s*#.*\n", "", (FOLDER / "Dockerfile").read_text(), flags=re.MULTILINE)
    lines = [line.strip() for line in text.replace("\\\n", " ").splitlines() if line.strip()]
    return [(line.split(maxsplit=1)[0], line.split(maxsplit=1)[1]) for line in lines]


def compose() -> dict[str, Any]:
    """Return the compose file with its variables at their defaults."""
    text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", (FOLDER / "compose.yaml").read_text())
    assert "${" not in text
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def outside(words: list[str], folder: Path) -> list[str]:
    """Return the container's command adapted to this machine: free ports on loopback, and paths below a folder."""
    script = Path(sys.executable).with_name("teller-gym")
    if not script.exists():
        pytest.skip("the package is not installed beside this Python")
    replaced = {"0.0.0.0": "127.0.0.1", "default": "free", "office": "127.0.0.1"}
    rest = [replaced.get(word, re.sub("^/", f"{folder}/", word)) for word in words]
    return [str(script), "office", *rest]


@contextmanager
def begun(words: list[str], folder: Path) -> Iterator[subprocess.Popen[str]]:
    environment, pipe = {**os.environ, "PYTHONPATH": str(REPO)}, subprocess.PIPE
    process = subprocess.Popen(
        outside(words, folder), cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=pipe, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_the_image_is_built_in_order_and_is_not_run_by_root() -> None:
    found = instructions()
    names = [name for name, _ in found]
    assert set(names) <= KNOWN and names[0] == "FROM" and names.count("CMD") == names.count("ENTRYPOINT") == 1
    assert found[0][1] == "python:3.11-slim"
    user = names.index("USER")
    assert (
        found[user][1] == "10001" and "useradd --create-home --uid 10001" in found[1][1] and "RUN" not in names[user:]
    )
    (installs,) = [text for name, text in found if name == "RUN" and "pip" in text]
    assert shlex.split(installs)[-1] == ".[office]"
    assert [int(port) for port in dict(found)["EXPOSE"].split()] == sorted(DEFAULT_PORTS.values())
    assert json.loads(dict(found)["ENTRYPOINT"]) == ["teller-gym", "office"]
    assert (REPO / "setup.cfg").read_text().count("\noffice =\n") == 1
    left_out = (REPO / ".dockerignore").read_text().split()
    assert not {"teller_gym", "envs", "scenarios", "training", "configs", "setup.cfg", "README.md"} & set(left_out)


def test_the_images_command_serves(tmp_path: Path) -> None:
    words = json.loads(dict(instructions())["CMD"])
    assert words == ["serve", "--host", "0.0.0.0", "--ports", "default"]
    with begun([*words, "--json"], tmp_path) as process:
        assert process.stdout is not None
        assert set(json.loads(process.stdout.readline())["addresses"]) == {"crm", "files", "chat", "tracker"}


def test_the_composition_is_whole() -> None:
    services = compose()["services"]
    office, agent = services["office"], services["agent"]
    assert (FOLDER / office["build"]["context"] / office["build"]["dockerfile"]).samefile(FOLDER / "Dockerfile")
    assert [int(port) for port in office["expose"]] == sorted(DEFAULT_PORTS.values())
    assert agent["depends_on"] == {"office": {"condition": "service_healthy"}}
    assert agent["volumes"] == ["shared:/shared:ro"], "the agent reads the prompt, and never the verdict"
    mounted = {one.split(":")[0] for service in services.values() for one in service["volumes"]}
    assert mounted == set(compose()["volumes"])
    assert "/shared /verdict" in next(text for name, text in instructions() if "chown" in text)


def test_the_commands_of_the_composition_play_a_task(tmp_path: Path) -> None:
    services = compose()["services"]
    for name in ("shared", "verdict"):
        (tmp_path / name).mkdir()
    with begun(services["office"]["command"], tmp_path) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        port = urlsplit(told["control"]).port
        python = {"python": sys.executable, "python3": sys.executable}
        healthy = [python.get(word, word) for word in services["office"]["healthcheck"]["test"][1:]]
        subprocess.run([word.replace(":8080", f":{port}") for word in healthy], check=True, timeout=PATIENCE_S)
        shell, flag, text = services["agent"]["command"]
        text = text.replace("/shared", f"{tmp_path}/shared").replace("office:8080", f"127.0.0.1:{port}")
        text = text.replace("python3 ", f"{shlex.quote(sys.executable)} ")
        said = subprocess.run([shell, flag, text], check=True, capture_output=True, text=True, timeout=PATIENCE_S)
        assert said.stdout == (tmp_path / "shared" / "prompt.txt").read_text()
        assert process.wait(PATIENCE_S) == 1
    verdict = json.loads((tmp_path / "verdict" / "verdict.json").read_text())
    assert verdict["ended_by"] == "request" and not verdict["success"]
