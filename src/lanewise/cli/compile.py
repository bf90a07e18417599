# SPDX-License-Identifier: Apache-2.0
"""`lanewise compile`: the text of a stage, or machine code."""

from __future__ import annotations

import sys
from pathlib import PurePath
from typing import Final

import typer

from lanewise.cli.output import write_bytes
from lanewise.cli.run import Request, compiled, the_kernel
from lanewise.program.module import Module

_BY_SUFFIX: Final = {".ptx": "ptx", ".ll": "ir", ".s": "asm", ".asm": "asm", ".so": "obj", ".o": "obj"}


def write_compiled(
    request: Request, out: str | None, emit: str | None, after: str, kernel: str | None, block: tuple[int, ...]
) -> None:
    """Write `emit` ("ptx", "ir", "asm" or "obj") of a file to `out`, or to standard output for None and "-"."""
    to_terminal = out is None or out == "-"
    if emit is None:
        emit = _BY_SUFFIX.get(PurePath(out or "").suffix, "ptx")
    if emit == "obj" and to_terminal:
        raise typer.BadParameter("an object is not for the terminal; say where with -o", param_hint="--emit")
    data = _emitted(compiled(request), request.arch, emit, after, kernel, block)
    if to_terminal:
        sys.stdout.write(data.decode())
    else:
        write_bytes(str(out), data)


def _emitted(module: Module, arch: str, emit: str, after: str, kernel: str | None, block: tuple[int, ...]) -> bytes:
    if emit == "ptx":
        if kernel is not None:
            _ = module[kernel]  # makes the instance of a template
        return module.ptx(arch).encode()
    if emit == "ir" and after == "front-end" and kernel is None:
        return module.ir().encode()
    name = the_kernel(module, kernel).name
    if emit == "ir":
        return module.ir(after, name, block).encode()
    if emit == "asm":
        return module.asm(name, block).encode()
    from lanewise.backend.host.compile import compile_shared_object

    return compile_shared_object(module.ir("work-group", name, block))
