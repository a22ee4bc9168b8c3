"""The installed distribution: all files of the package, under the single name `teller_gym`, and nothing heavy.

The distribution is built from a copy, which leaves the checkout untouched, and without build isolation, which needs no
network: setuptools and build come with the extra `dev`.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

pytestmark = pytest.mark.packaging

REPO = Path(__file__).resolve().parents[2]
PACKAGE_FOLDERS = tuple(sorted(path.parent.name for path in REPO.glob("*/__init__.py")))
ROOT_FOLDERS = tuple(name for name in PACKAGE_FOLDERS if name != "teller_gym")
"""Root folders that are subpackages; searched for, so that one missing in setup.cfg and setup.py fails a test."""
NOT_COPIED = {"build", "dist", "venv", "runs", "outputs", "multirun", "wandb"}
"""Folders that commands make at the top of a checkout; a deeper folder of the same name is a package."""
NOTHING_HEAVY = (
    "import sys, teller_gym; "
    "heavy = sorted({'torch', 'transformers', 'trl', 'hydra', 'wandb', 'matplotlib', 'pydantic'} & set(sys.modules)); "
    "print(teller_gym.__file__, heavy)"
)


def run(*command: str | Path, cwd: Path, fails: bool = False) -> str:
    """Run a command isolated from this checkout and return its output; it must succeed, or fail if `fails`."""
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME", "PYTHONSAFEPATH")}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=env, text=True, capture_output=True, check=False
    )
    shown = f"{' '.join(map(str, command))}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    assert (done.returncode != 0) == fails, f"exit status {done.returncode}: {shown}"
    return done.stdout + done.stderr


def not_copied(folder: str, names: list[str]) -> set[str]:
    """Return the names in a folder of the checkout that are not source, for `shutil.copytree`."""
    made = {name for name in names if name.startswith(".") or name == "__pycache__" or name.endswith(".egg-info")}
    return made | (NOT_COPIED & set(names) if Path(folder) == REPO else set())


def source_files(folder: Path) -> Iterable[Path]:
    """Yield every file below a package folder that belongs in the distribution; links are not followed."""
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or path.name == "__pycache__" or path.name.startswith(".") or path.suffix == ".pyc":
            continue
        if path.is_dir():
            yield from source_files(path)
        else:
            yield path


def expected_in_wheel(repo: Path) -> dict[str, bytes]:
    """Return the content of all package files by name in the wheel: `envs/x.py` becomes `teller_gym/envs/x.py`."""
    files = {}
    for folder in PACKAGE_FOLDERS:
        for path in source_files(repo / folder):
            name = path.relative_to(repo).as_posix()
            files[name if folder == "teller_gym" else f"teller_gym/{name}"] = path.read_bytes()
    return files


def wheel_contents(wheel: Path) -> dict[str, bytes]:
    """Return the content of every file in a wheel by name, without the metadata."""
    with zipfile.ZipFile(wheel) as archive:
        return {n: archive.read(n) for n in archive.namelist() if ".dist-info/" not in n}


@dataclass(frozen=True)
class Distribution:
    """A built distribution."""

    source: Path
    """The copy of the checkout from which it was built."""
    wheel: Path
    sdist: Path
    wheel_from_sdist: Path
    """Built from the unpacked sdist, which has no links."""


@pytest.fixture(scope="module")
def distribution(tmp_path_factory: pytest.TempPathFactory) -> Distribution:
    base = tmp_path_factory.mktemp("build")
    source = base / "source"
    shutil.copytree(REPO, source, symlinks=True, ignore=not_copied)
    build = (sys.executable, "-m", "build", "--no-isolation")
    run(*build, "--wheel", "--outdir", base / "direct", cwd=source)
    shutil.rmtree(source / "build", ignore_errors=True)
    run(*build, "--outdir", base / "via_sdist", cwd=source)
    (wheel,) = (base / "direct").glob("*.whl")
    (sdist,) = (base / "via_sdist").glob("*.tar.gz")
    (wheel_from_sdist,) = (base / "via_sdist").glob("*.whl")
    return Distribution(source, wheel, sdist, wheel_from_sdist)


@pytest.fixture(scope="module")
def installed_python(distribution: Distribution, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the interpreter of a new virtual environment with the wheel installed.

    A .pth file adds the dependencies from the environment that runs the tests. Its own .pth files are not processed, so
    an editable install of the checkout stays hidden.
    """
    venv = tmp_path_factory.mktemp("installed") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", venv, cwd=venv.parent)
    python = venv / "bin" / "python"
    purelib = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=venv).strip()
    Path(purelib, "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", distribution.wheel, cwd=venv)
    return python


def test_wheel_holds_every_file_of_the_package_folders(distribution: Distribution) -> None:
    wheel, expected = wheel_contents(distribution.wheel), expected_in_wheel(distribution.source)
    assert sorted(wheel) == sorted(expected)
    assert [name for name in wheel if wheel[name] != expected[name]] == []


def test_wheel_carries_licence_and_script(distribution: Distribution) -> None:
    with zipfile.ZipFile(distribution.wheel) as archive:
        metadata = {
            n.split(".dist-info/")[1]: archive.read(n).decode() for n in archive.namelist() if ".dist-info/" in n
        }
    assert "teller-gym = teller_gym.cli:main" in metadata["entry_points.txt"]
    assert any(name.endswith("LICENSE") for name in metadata)


def test_sdist_builds_the_same_wheel(distribution: Distribution) -> None:
    assert wheel_contents(distribution.wheel_from_sdist) == wheel_contents(distribution.wheel)


def test_sdist_holds_each_file_once(distribution: Distribution) -> None:
    with tarfile.open(distribution.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"setup.cfg", "setup.py", "pyproject.toml", "LICENSE", "README.md", "CHANGELOG.md"} <= names
    assert "envs/__init__.py" in names
    copies = sorted(n for n in names if n.split("/")[0] == "teller_gym" and (*n.split("/"), "")[1] in ROOT_FOLDERS)
    assert copies == []


@pytest.mark.parametrize("folder", ROOT_FOLDERS)
def test_links_show_the_root_folders(folder: str) -> None:
    link = REPO / "teller_gym" / folder
    assert link.is_symlink()
    assert os.readlink(link) == f"../{folder}"


def test_installed_package_is_light(installed_python: Path, tmp_path: Path) -> None:
    printed = run(installed_python, "-c", NOTHING_HEAVY, cwd=tmp_path)
    location, _, heavy = printed.strip().partition(" ")
    assert Path(location).is_relative_to(installed_python.parents[1]), "the wheel must be what is imported"
    assert heavy == "[]"


@pytest.mark.parametrize("folder", ROOT_FOLDERS)
def test_root_folder_names_are_not_importable_once_installed(
    folder: str, installed_python: Path, tmp_path: Path
) -> None:
    printed = run(installed_python, "-c", f"import {folder}", cwd=tmp_path, fails=True)
    assert f"No module named '{folder}'" in printed


@pytest.mark.parametrize("folder", ["envs", "training"])
def test_in_the_checkout_the_wrong_name_is_refused(folder: str) -> None:
    printed = run(sys.executable, "-c", f"import {folder}", cwd=REPO, fails=True)
    assert f"the folder {folder}/ is the package 'teller_gym.{folder}'" in printed


def test_installed_env_runs(installed_python: Path, tmp_path: Path) -> None:
    """Data files are found in the installed package, and gym.make needs no import of it."""
    code = (
        "import gymnasium; env = gymnasium.make('teller_gym:Teller-Loans-v0', split='heldout'); "
        "obs, info = env.reset(seed=1); print(sorted(obs), len(info['task_id']) > 0)"
    )
    assert run(installed_python, "-c", code, cwd=tmp_path).strip() == "['state', 'tool_result'] True"


def test_installed_script_answers(installed_python: Path, tmp_path: Path) -> None:
    assert "usage" in run(installed_python.parent / "teller-gym", "--help", cwd=tmp_path).lower()
