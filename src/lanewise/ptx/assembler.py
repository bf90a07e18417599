# SPDX-License-Identifier: Apache-2.0
"""The real ptxas: finds it, and runs it with other files in place of its inputs.

The caller sees the exit code, standard output and standard error of ptxas. Messages name the user's files and lines,
not the rewritten ones. If ptxas refuses a rewritten file, it is run on the user's own. So rewriting never breaks a
build, and errors in the user's code refer to the user's code.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final

from lanewise.config import PtxasSettings
from lanewise.errors import Error

OUR_NAME: Final = b"lanewise ptxas"
"""Marker in a script that calls us under the name of ptxas."""

_NAMES_A_FILE: Final = frozenset(
    {"-o", "--output-file", "-e", "--entry", "-ias", "--input-as-string", "-optf", "--options-file"}
)
"""Options whose value is the next argument, which might name a PTX file that is not an input."""
_ONLY_TALKS: Final = frozenset({"-h", "--help", "-V", "--version", "-version-ls", "--list-version"})
_DEBUGS: Final = frozenset({"-g", "--device-debug"})
_ARCHITECTURE: Final = re.compile(r"(?:sm|compute|lto)_(\d+)[a-z]?").fullmatch
_TOOLKITS: Final = Path("/usr/local")


# -- finding ---------------------------------------------------------------------------------------------------


def find_ptxas(settings: PtxasSettings) -> Path:
    """`LANEWISE_PTXAS`; otherwise the first ptxas that isn't ours in `PATH`, in `CUDA_HOME` and `CUDA_PATH`, and in
    /usr/local/cuda*. Error if there is none."""
    if settings.is_assembling:
        raise Error(
            "the ptxas that lanewise ptxas found calls lanewise ptxas: say with LANEWISE_PTXAS which is the real"
        )
    chosen = settings.program
    if chosen is not None:
        if not _is_program(chosen):
            raise Error(f"LANEWISE_PTXAS: {chosen} is no program")
        if _is_ours(chosen):
            raise Error(f"LANEWISE_PTXAS: {chosen} is lanewise ptxas itself, and not the real one")
        return chosen
    found = next(_candidates(settings), None)
    if found is None:
        raise Error(
            "no ptxas found, which is a part of the CUDA toolkit: LANEWISE_PTXAS, PATH, CUDA_HOME, CUDA_PATH and "
            "/usr/local/cuda* don't have it"
        )
    return found


def find_toolkit(settings: PtxasSettings) -> Path:
    """The folder of the CUDA toolkit that has the real ptxas and nvcc. Error if there is none."""
    chosen = settings.program
    for path in [chosen] if chosen is not None else _candidates(settings):
        folder = path.resolve().parent
        if (folder / "nvcc.profile").is_file():
            return folder.parent
    raise Error("no CUDA toolkit found: none of the ptxas has nvcc and its nvcc.profile beside it")


def _candidates(settings: PtxasSettings) -> Iterator[Path]:
    versions = sorted(_TOOLKITS.glob("cuda-*"), key=lambda path: [int(n) for n in re.findall(r"\d+", path.name)])
    for folder in [*settings.folders, *(path / "bin" for path in [_TOOLKITS / "cuda", *reversed(versions)])]:
        path = folder / "ptxas"
        if _is_program(path) and not _is_ours(path):
            yield path


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _is_ours(path: Path) -> bool:
    """True for a script that calls us."""
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except OSError:
        return False
    return head.startswith(b"#!") and OUR_NAME in head


# -- what the command line says --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Input:
    """A PTX file among the arguments: `name` is the argument at `place`, "-" for standard input."""

    place: int
    name: str
    data: bytes

    @property
    def is_stdin(self) -> bool:
        return self.name == "-"

    @property
    def title(self) -> str:
        """Its name in messages, the same as in those of ptxas."""
        return "<stdin>" if self.is_stdin else self.name

    @property
    def text(self) -> str:
        """Its text; `encoded` restores bytes that aren't UTF-8."""
        return self.data.decode("utf-8", "surrogateescape")


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def inputs_of(arguments: Sequence[str]) -> list[Input]:
    """The PTX files that ptxas is to read: the arguments that are no option and name a file with PTX in it."""
    if _ONLY_TALKS.intersection(arguments):
        return []
    found: list[Input] = []
    for place, argument in enumerate(arguments):
        if place and arguments[place - 1] in _NAMES_A_FILE:
            continue
        if argument == "-":
            found.append(Input(place, argument, sys.stdin.buffer.read()))
        elif not argument.startswith("-") and (data := _ptx_of(argument)) is not None:
            found.append(Input(place, argument, data))
    return found


def _ptx_of(name: str) -> bytes | None:
    """Content of a file, if it may be PTX. None if it can't be read: ptxas reports that."""
    try:
        data = Path(name).read_bytes() if os.path.isfile(name) else b""
    except OSError:
        return None
    return data if b".version" in data else None


def arch_of(arguments: Sequence[str]) -> str | None:
    """The GPU that ptxas is to compile for, such as "sm_60"; None if no argument names it."""
    for place, argument in reversed(list(enumerate(arguments))):
        name, equals, value = argument.partition("=")
        if name in ("-arch", "--gpu-name"):
            value = value if equals else next(iter(arguments[place + 1 :]), "")
            if match := _ARCHITECTURE(value):
                return f"sm_{match[1]}"
    return None


def is_for_debugging(arguments: Sequence[str]) -> bool:
    """True if the code is for debugging, so that every instruction must stay as written."""
    return not _DEBUGS.isdisjoint(arguments)


# -- running ---------------------------------------------------------------------------------------------------


def run_unchanged(
    ptxas: Path,
    arguments: Sequence[str],
    environment: Mapping[str, str],
    inputs: Sequence[Input] = (),
    stay: bool = False,
) -> int:
    """Run ptxas with the original arguments. It replaces this process, unless that is to `stay`, or has read standard
    input."""
    command = [os.fspath(ptxas), *arguments]
    taken = next((one.data for one in inputs if one.is_stdin), None)
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        if taken is None and not stay:
            os.execve(ptxas, command, environment)
        done = subprocess.run(command, input=taken, env=environment, check=False)
    except OSError as error:
        raise Error(f"{ptxas}: can't be run: {error.strerror}") from None
    return done.returncode if done.returncode >= 0 else 128 - done.returncode  # as a shell has it


def run_rewritten(
    ptxas: Path, arguments: Sequence[str], environment: Mapping[str, str], rewritten: Mapping[Input, bytes]
) -> int | None:
    """Run ptxas on the `rewritten` text of its inputs and pass on its output. None, without output, if it refuses
    them."""
    changed = list(arguments)
    with _ending_by_exceptions(), tempfile.TemporaryDirectory(prefix="lanewise-", ignore_cleanup_errors=True) as folder:
        names: dict[str, Input] = {}
        for one, data in rewritten.items():
            path = Path(folder, str(one.place), "stdin.ptx" if one.is_stdin else Path(one.name).name)
            path.parent.mkdir()
            path.write_bytes(data)
            changed[one.place] = os.fspath(path)
            names[changed[one.place]] = one
        command = [os.fspath(ptxas), *changed]
        try:
            done = subprocess.run(command, capture_output=True, env=environment, check=False)
        except OSError as error:
            raise Error(f"{ptxas}: can't be run: {error.strerror}") from None
    if done.returncode:
        return None
    for stream, said in ((sys.stdout, done.stdout), (sys.stderr, done.stderr)):
        stream.flush()
        stream.buffer.write(_in_the_user_s_words(said, names, rewritten))
        stream.buffer.flush()
    return 0


def _in_the_user_s_words(said: bytes, names: Mapping[str, Input], rewritten: Mapping[Input, bytes]) -> bytes:
    """The output of ptxas, with the names and lines of the user's files."""
    for path, one in names.items():
        lines: list[int] = []

        def named(match: re.Match[bytes], one: Input = one, lines: list[int] = lines) -> bytes:
            if match[1] is None:
                return one.title.encode()
            lines = lines or _lines_before(one.data, rewritten[one])
            line = int(match[1])
            return b"%b, line %d" % (one.title.encode(), lines[min(line, len(lines)) - 1])

        said = re.sub(re.escape(path.encode()) + rb"(?:, line (\d+))?", named, said)
    return said


def _lines_before(old: bytes, new: bytes) -> list[int]:
    """For each line of the new text, the line of the old text that it comes from. Both count from 1."""
    before = old.split(b"\n")
    after = new.split(b"\n")
    found = [0] * len(after)
    for block in difflib.SequenceMatcher(None, before, after).get_matching_blocks():
        for n in range(block.size):
            found[block.b + n] = block.a + n + 1
    last = 0
    for place, line in enumerate(found):  # new code precedes or replaces the next line
        last = line or last
        found[place] = line or min(last + 1, len(before))
    return found


@contextlib.contextmanager
def _ending_by_exceptions() -> Generator[None]:
    """Context in which SIGTERM and SIGHUP end the process like Ctrl-C, with all cleaning up."""

    def end(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)
        sys.exit(128 + number)

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:  # nohup
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
