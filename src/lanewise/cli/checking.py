# SPDX-License-Identifier: Apache-2.0
"""`lanewise check`: a kernel, a whole program or any command, run with checks; its faults as data; the exit code.

All are run with settings in the environment, which their processes inherit. What the checks find comes back in a file
of records, to which each process adds.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final

from lanewise.cli.sarif import require_writable, write_sarif
from lanewise.cli.terminal import Terminal
from lanewise.cli.whole_program import split_program
from lanewise.config import checks_named, set_variables
from lanewise.cuda.foreground import run_in_foreground
from lanewise.errors import CheckError, Error
from lanewise.program.checked.asked import checks_of
from lanewise.program.checked.records import Record, read_records
from lanewise.program.checked.suppressions import read_suppressions

_SOURCES: Final = (".cu", ".cuh", ".cl", ".ptx", ".ll", ".lwo", ".bc")

_STANDARD_ERROR: Final = 2
"""The descriptor, whatever `sys.stderr` is."""


@dataclass(frozen=True)
class CheckRequest:
    """A command line, and what becomes of the faults. `only`: names of checks, separated by commas; "1": all. `limit`:
    faults that are described; None: as usual."""

    words: Sequence[str]
    only: str
    sarif: str | None
    exit_code: int
    limit: int | None
    suppressions: str | None
    tell_unused: bool


def check(request: CheckRequest, run_kernel: Callable[[Sequence[str]], None], terminal: Terminal) -> int:
    """Run what is asked for. `run_kernel` does what `lanewise run` does with a command line. Returns the exit code.
    Error for settings that can't be, before anything is run."""
    if not checks_of(checks_named(request.only)):
        raise Error("--only names no check")
    given = read_suppressions(request.suppressions or "")
    if request.sarif is not None:
        require_writable(request.sarif)
    with _ending_by_signals(), tempfile.TemporaryDirectory(prefix="lanewise-check-") as folder:
        report = Path(folder, "faults.jsonl")
        restore = set_variables(_settings(request, report))
        try:
            code = _run(request, run_kernel, terminal)
        finally:
            restore()
        records, not_checked = read_records(report)
    told = [record for record in records if not record["suppressed"]]
    used = {record["suppressed"] for record in records}
    if request.tell_unused:
        for each in given:
            if each.text not in used:
                print(f"lanewise check: the suppression '{each.text}' matched nothing", file=sys.stderr)
    code = request.exit_code if told and code == 0 else code
    terminal.data({**_data(records, code), "not_checked": not_checked})
    if request.sarif is not None:
        write_sarif(request.sarif, records)
    return code


@contextmanager
def _ending_by_signals() -> Generator[None]:
    """Let SIGTERM end what runs and remove the folder of reports, as an exception does."""

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def names_kernel(words: Sequence[str]) -> bool:
    """True for the command line of `lanewise run` that launches one kernel."""
    return split_program(words) is None and any(word.endswith(_SOURCES) for word in words)


def _settings(request: CheckRequest, report: Path) -> dict[str, str]:
    made = {
        "LANEWISE_CHECK": request.only,
        "LANEWISE_CHECK_EXIT_CODE": str(request.exit_code),
        "LANEWISE_CHECK_REPORT": str(report),
    }
    if request.limit is not None:
        made["LANEWISE_CHECK_LIMIT"] = str(request.limit)
    if request.suppressions is not None:
        made["LANEWISE_CHECK_SUPPRESS"] = os.path.abspath(request.suppressions)
    return made


def _run(request: CheckRequest, run_kernel: Callable[[Sequence[str]], None], terminal: Terminal) -> int:
    """Run a program, a kernel or a command. Returns its exit code; 0 for a kernel whatever was found. Standard output
    has the data alone if these are asked for."""
    output = _STANDARD_ERROR if terminal.json else None
    program = split_program(request.words)
    if program is not None:
        from lanewise.cuda.run import run_program

        return run_program(*program, output)
    if names_kernel(request.words):
        as_data, terminal.json = terminal.json, False
        terminal.quiet |= as_data
        try:
            with redirect_stdout(sys.stderr) if as_data else nullcontext():
                run_kernel(request.words)
        except CheckError as error:
            terminal.error(error)
        finally:
            terminal.json = as_data
        return 0
    return _command(request.words, output)


def _command(words: Sequence[str], output: int | None) -> int:
    """Run a command, or a file of Python. Returns its exit code, as a shell has it. Error if there is no such
    program."""
    if words[0].endswith(".py") and Path(words[0]).is_file():
        words = [sys.executable, *words]
    elif shutil.which(words[0]) is None and os.access(f"./{words[0]}", os.X_OK):
        words = [f"./{words[0]}", *words[1:]]
    elif shutil.which(words[0]) is None:
        raise Error(f"{words[0]}: there is no such file to compile, and no such program to run")
    sys.stdout.flush()
    try:
        return run_in_foreground(words, output)
    except OSError as error:
        raise Error(f"{words[0]}: can't be run: {error.strerror}") from None


def _data(records: Sequence[Record], code: int) -> dict[str, object]:
    told = [record for record in records if not record["suppressed"]]
    return {
        "exit_code": code,
        "rules": dict(Counter(str(record["rule"]) for record in told)),
        "faults": records,
    }
