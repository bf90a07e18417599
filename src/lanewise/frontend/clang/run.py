# SPDX-License-Identifier: Apache-2.0
"""One run of clang on a source text, with nothing written to disk.

The text, the dependency list and the overlay that puts the text in the place of a file are anonymous files in memory
(memfd), passed as /dev/fd/N. So no file is left, however a run ends.
"""

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import NamedTuple

from lanewise.cache import absolute
from lanewise.errors import CompileError, Error
from lanewise.frontend.clang.absent_files import Searched, absent_files
from lanewise.frontend.clang.diagnostics import Diagnostic, compile_error, read_diagnostics
from lanewise.frontend.clang.toolchain import find_toolchain
from lanewise.frontend.source import IN_MEMORY
from lanewise.log import step
from lanewise.toolchain import clang_command, memory_file

# What clang's driver says last when the compiler proper has crashed.
_CRASH = "clang frontend command failed"

# Far beyond what any real translation unit takes (a large one: 10 s), short enough that a batch job notices.
TIME_LIMIT_S = 120.0


class ClangOutput(NamedTuple):
    """Result of a successful run: its standard output, the names of the files that it read, absolute, and its
    warnings. `searched`: what it looked for files by."""

    data: bytes
    dependencies: tuple[str, ...]
    warnings: tuple[Diagnostic, ...]
    searched: Searched

    @property
    def text(self) -> str:
        """The standard output as text."""
        return self.data.decode(errors="surrogateescape")

    def outside(self, folders: Iterable[Path]) -> tuple[Path, ...]:
        """The dependencies that are in none of these folders. A program has dozens that are."""
        inside = tuple(f"{folder}{os.sep}" for folder in folders)
        return tuple(Path(name) for name in self.dependencies if not name.startswith(inside))

    def absent(self, folders: Iterable[Path]) -> tuple[str, ...]:
        """The files that would be read if they were there, as those outside `folders` include them."""
        return absent_files(self.searched, map(str, self.outside(folders)))


def run_clang(
    text: str,
    path: Path | None,
    arguments: Sequence[str],
    time_limit_s: float = TIME_LIMIT_S,
    meanwhile: Callable[[], None] = lambda: None,
    purpose: str | None = None,
    descriptors: Sequence[int] = (),
) -> ClangOutput:
    """Runs clang on `text` with `arguments`, which say the language and what to emit; output is kept in memory.

    `path` is the file that the text belongs to: it names the source in diagnostics as given, and `#include "x.h"`
    looks beside it. Without a path the text is called `<source>` and includes start at the current directory.

    `meanwhile` is called once, as soon as clang runs in its own process, for what can be done beside it. `purpose` is
    what the log says instead of the source's name. The open `descriptors` are passed on; arguments may name them, as
    /dev/fd/N.

    Raises `CompileError` with clang's diagnostics for source or options that it refuses, or if `path` is no file;
    `Error` if clang crashes, takes longer than `time_limit_s` seconds, or can't be run.
    """
    if path is not None and not path.is_file():
        raise CompileError(f"{path}: no such file")
    made = _run(text, path, arguments, time_limit_s, meanwhile, purpose, descriptors)
    # Where it is to list files, clang takes one that is embedded and not there for empty, and makes no list.
    if made is None:
        made = _run(text, path, arguments, time_limit_s, lambda: None, purpose, descriptors, lists_files=False)
    if made is None:
        raise Error(f"{path or IN_MEMORY}: clang listed no files")
    return made


def _run(
    text: str,
    path: Path | None,
    arguments: Sequence[str],
    time_limit_s: float,
    meanwhile: Callable[[], None],
    purpose: str | None,
    descriptors: Sequence[int],
    *,
    lists_files: bool = True,
) -> ClangOutput | None:
    """One run. None if it was to list files and has not."""
    with ExitStack() as files:
        files.enter_context(step(f"clang {purpose or path or IN_MEMORY}"))
        dependencies = files.enter_context(_text_file(""))
        find_toolchain()
        command = [*clang_command(), *arguments]
        command += ["-fno-crash-diagnostics", "-fno-color-diagnostics"]
        command += ["-MD", "-MF", f"/dev/fd/{dependencies}"] if lists_files else []
        if path is None:
            source = files.enter_context(_text_file(f'#line 1 "{IN_MEMORY}"\n{text}'))
            passed = (dependencies,)
            command += ["-o", "-", "-"]
        else:
            source = files.enter_context(_text_file(text))
            overlay = files.enter_context(_text_file(_overlay(path, f"/dev/fd/{source}")))
            passed = (dependencies, source, overlay)
            command += ["-ivfsoverlay", f"/dev/fd/{overlay}", "-o", "-", "--", str(path)]
        try:
            with subprocess.Popen(
                command,
                stdin=source if path is None else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(*passed, *descriptors),
                # Nothing of the caller's environment (CPATH, CCC_OVERRIDE_OPTIONS, ...) may change the result.
                env={"LC_ALL": "C"},
            ) as clang:
                try:
                    meanwhile()
                    written, told = clang.communicate(timeout=time_limit_s)
                except BaseException:  # Ctrl-C, too: leaving the block waits for clang
                    clang.kill()
                    raise
        except subprocess.TimeoutExpired:
            name = path or IN_MEMORY
            raise Error(f"{name}: clang took more than {time_limit_s:g} s and was stopped") from None
        except OSError as error:
            raise Error(f"clang could not be run ({command[0]}): {error.strerror}") from error
        read = _read(dependencies)
    diagnostics = read_diagnostics(told.decode(errors="replace"))
    if clang.returncode != 0:
        errors = [diagnostic for diagnostic in diagnostics if diagnostic.is_error]
        crashed = any(_CRASH in error.text for error in errors)
        if clang.returncode == 1 and not errors and told.strip():  # LLVM itself refuses an option, in a form of its own
            raise CompileError(f"{path or IN_MEMORY}: {told.decode(errors='replace').strip()}")
        if crashed or not errors:
            causes = [error.text for error in errors if _CRASH not in error.text]
            reason = f": {causes[0]}" if causes else ""
            raise Error(f"{path or IN_MEMORY}: clang crashed (exit status {clang.returncode}){reason}")
        raise compile_error(diagnostics)
    if lists_files and not read:
        return None
    return ClangOutput(
        data=written,
        dependencies=_dependencies(read, path),
        warnings=tuple(diagnostic for diagnostic in diagnostics if diagnostic.severity == "warning"),
        searched=Searched(text, path, tuple(arguments)),
    )


def _text_file(text: str) -> AbstractContextManager[int]:
    return memory_file(text.encode(errors="surrogateescape"))


def _read(descriptor: int) -> str:
    size = os.fstat(descriptor).st_size
    return os.pread(descriptor, size, 0).decode(errors="surrogateescape")


def _overlay(path: Path, contents: str) -> str:
    """An overlay file system of clang in which the file at `path` has the contents of the file `contents`."""
    entry = {"type": "file", "name": os.path.abspath(path), "external-contents": contents}
    return json.dumps({"version": 0, "case-sensitive": True, "use-external-names": False, "roots": [entry]})


def _dependencies(makefile: str, source: Path | None) -> tuple[str, ...]:
    """The absolute names in a makefile's one rule, but for the source itself, each once."""
    _, _, listed = makefile.replace("\\\n", " ").partition(":")
    if "\\" in listed or "$" in listed:
        words = [re.sub(r"\\(.)", r"\1", word.replace("$$", "$")) for word in re.findall(r"(?:\\.|\$\$|\S)+", listed)]
    else:
        words = listed.split()
    own = None if source is None else absolute(source)
    return tuple(name for name in dict.fromkeys(map(absolute, words)) if name != own)
