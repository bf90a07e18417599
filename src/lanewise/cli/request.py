# SPDX-License-Identifier: Apache-2.0
"""The file that a command is about: compiled, loaded, or refused by its kind."""

import sys
import time
from typing import TYPE_CHECKING, Final, NamedTuple

import lanewise
from lanewise.cli.terminal import Terminal
from lanewise.config import checks_named
from lanewise.errors import Error

if TYPE_CHECKING:
    from lanewise.program.kernel import Kernel
    from lanewise.program.module import Module

STANDARD_INPUT: Final = "-"


class Request(NamedTuple):
    """A source to compile, and how, from the command line. `file` may be "-"; `defines` are NAME or NAME=VALUE. `more`
    are files of PTX that are linked with the first one."""

    file: str
    language: str | None = None
    defines: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    arch: str | None = None
    mapping: str | None = None
    more: tuple[str, ...] = ()
    math: str | None = None
    checks: str | None = None
    """Names of checks, separated by commas; "1": all."""

    @property
    def is_saved(self) -> bool:
        """True if it names a saved module."""
        return self.language is None and self.file.endswith(".lwo")

    @property
    def is_ptx(self) -> bool:
        """True if it names PTX."""
        return self.language == "ptx" or (self.language is None and self.file.endswith(".ptx"))


def compiled(request: Request, terminal: Terminal) -> "Module":
    """The module, compiled or loaded from a saved one. Its warnings go to the terminal."""
    if request.is_saved and not request.more:
        return _loaded(request)
    start = time.perf_counter()
    module = _linked(request) if request.more else _compiled(request)
    terminal.detail(f"front end: {1e3 * (time.perf_counter() - start):.1f} ms")
    for warning in module.warnings:
        if warning != module.main_warning:  # of no interest to those who want one kernel, or PTX
            terminal.note(warning)
    return module


def _linked(request: Request) -> "Module":
    files = [file if file != STANDARD_INPUT else _text_of_standard_input() for file in (request.file, *request.more)]
    return lanewise.link(files, arch=request.arch, options=request.options, mapping=request.mapping)


def _compiled(request: Request) -> "Module":
    source = request.file if request.file != STANDARD_INPUT else _text_of_standard_input()
    return lanewise.compile(
        source,
        language=request.language,
        arch=request.arch,
        defines=dict(_define(text) for text in request.defines),
        include_dirs=request.include_dirs,
        options=request.options,
        mapping=request.mapping,
        math=request.math,
        checked=None if request.checks is None else checks_named(request.checks),
    )


def _text_of_standard_input() -> str:
    """The text of standard input, with the last line ended so that it isn't taken for the name of a file."""
    text = sys.stdin.read()
    return text if text.endswith("\n") else f"{text}\n"


def _loaded(request: Request) -> "Module":
    given = {
        "--define": request.defines,
        "--include-dir": request.include_dirs,
        "--option": request.options,
        "--mapping": () if request.mapping is None else (request.mapping,),
        "--math": () if request.math is None else (request.math,),
        "--check": () if request.checks is None else (request.checks,),
    }
    for option, values in given.items():
        if values:
            raise Error(f"{request.file} is compiled already: {option} {values[0]} comes too late")
    return lanewise.load(request.file)


def the_kernel(module: "Module", name: str | None) -> "Kernel":
    """The kernel called `name`, or the only one if that is None. An Error names the kernels that there are."""
    if name is not None:
        return module[name]
    if not module.kernels:
        raise Error(
            "the file has no kernel: mark one with __global__, __kernel in OpenCL C or .entry in PTX; of a template, "
            "name an instance, such as --kernel 'scale<float>', or launch one from host code in the file"
        )
    if len(module) != 1:
        raise Error(f"say which kernel with --kernel: {', '.join(module.kernels)}")
    return next(iter(module))


def _define(text: str) -> tuple[str, str | None]:
    name, equals, value = text.partition("=")
    return name, value if equals else None
