"""Writing reports: pages, tables as CSV and LaTeX, figures as PNG and SVG."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from teller_gym.base.errors import MissingExtraError, OptionError, StorageError
from teller_gym.base.files import SCRATCH, is_storage, storage_text, write_whole
from teller_gym.evaluation.runs.own_folder import expect_own_folder
from teller_gym.reports.contents import sections, texts
from teller_gym.reports.failure_tables import VIEW_FOLDER
from teller_gym.reports.study import Study, read_study
from teller_gym.tables.comma_separated import as_csv
from teller_gym.tables.latex import as_latex
from teller_gym.tables.model import Table
from teller_gym.viewer.write import Loaded, remove_view, write_pages

PAGE_FILE, MARKDOWN_FILE = "report.html", "report.md"
TABLES_FOLDER, FIGURES_FOLDER = "tables", "figures"
FORMATS: Mapping[str, Callable[[Table], str]] = {"csv": as_csv, "tex": as_latex}
"""Renderers for table files, by suffix."""


def write_report(
    run_dirs: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    baseline: str | os.PathLike[str] | None = None,
    *,
    view: bool = True,
) -> Path:
    """Write a report on runs with pages, tables and figures, and return the path of the HTML page.

    Args:
        run_dirs: run folders, finished or not.
        out: folder, created if missing; an earlier report in it is replaced, other contents are rejected.
        baseline: folder of the run with which the others are compared; by default the first of several.
        view: True to write the viewer's episode pages, to which the report links.

    Raises:
        OptionError: a folder contains no run, or `out` contains something else or is not writable.
        StorageError: writing fails; the same call starts again.
        MissingExtraError: matplotlib or Jinja is not installed.
    """
    return write_study(read_study(run_dirs, baseline), Path(out), view=view)


def write_study(study: Study, out: Path, *, view: bool = True) -> Path:
    """Write the report on runs that have already been read; see :func:`write_report`."""
    try:
        from teller_gym.reports.figures import draw_all
        from teller_gym.reports.html import markdown_page, page
    except ImportError as error:
        raise MissingExtraError("writing a report", "eval") from error
    expect_own_folder(out, (out / PAGE_FILE, f"<title>{texts().title}:"), [*_written(), MARKDOWN_FILE])
    try:
        _make_room(out)
        drawn = draw_all(study, out / FIGURES_FOLDER)
        for section in sections(study, drawn, view):
            for table in section.tables:
                for suffix, render in FORMATS.items():
                    write_whole(out / TABLES_FOLDER / f"{table.key}.{suffix}", render(table).encode(), synced=False)
        write_whole(out / MARKDOWN_FILE, markdown_page(study, drawn, view).encode(), synced=False)
        write_whole(out / PAGE_FILE, page(study, drawn, view).encode(), synced=False)
        if view:
            loaded = [Loaded(run.name, run.report.config, run.episodes, run.times) for run in study.runs]
            write_pages(loaded, out / VIEW_FOLDER)
    except OSError as error:
        if is_storage(error):
            raise StorageError(storage_text(out, error, "the runs are as they were")) from None
        raise OptionError(f"out {out}: expected a folder that can be written to ({error})") from None
    return out / PAGE_FILE


def _written() -> list[str]:
    """Return all table and figure files that a report may have, and temporary files from an interrupted write."""
    kinds = ((TABLES_FOLDER, texts().tables, tuple(FORMATS)), (FIGURES_FOLDER, texts().figures, ("png", "svg")))
    drawn = [f"{folder}/{key}.{suffix}" for folder, keys, suffixes in kinds for key in keys for suffix in suffixes]
    return [*drawn, *(name + SCRATCH for name in (*drawn, PAGE_FILE, MARKDOWN_FILE))]


def _make_room(out: Path) -> None:
    """Create the folders and remove an earlier report's files."""
    for folder in (TABLES_FOLDER, FIGURES_FOLDER):
        (out / folder).mkdir(parents=True, exist_ok=True)
    for file in _written():
        (out / file).unlink(missing_ok=True)
    remove_view(out / VIEW_FOLDER)
