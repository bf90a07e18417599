# SPDX-License-Identifier: Apache-2.0
"""`lanewise compile`: the text of a stage, machine code, a saved module, or remarks."""

from __future__ import annotations

import sys
from pathlib import PurePath
from typing import Final

import typer

from lanewise.cli.output import write_bytes
from lanewise.cli.run import Request, compiled, the_kernel
from lanewise.program.geometry import DEFAULT_BLOCK
from lanewise.program.module import Module

_BY_SUFFIX: Final = {".ptx": "ptx", ".ll": "ir", ".s": "asm", ".asm": "asm", ".so": "obj", ".o": "obj", ".lwo": "lwo"}


def write_compiled(
    request: Request, out: str | None, emit: str | None, after: str, kernel: str | None, block: tuple[int, ...] | None
) -> None:
    """Write `emit` ("ptx", "ir", "asm", "obj", "lwo" or "remarks") of a file to `out`, or to standard output for None
    and "-"."""
    to_terminal = out is None or out == "-"
    if emit is None:
        emit = _BY_SUFFIX.get(PurePath(out or "").suffix, "ptx")
    if emit in ("obj", "lwo") and to_terminal:
        what = "an object" if emit == "obj" else "a saved module"
        raise typer.BadParameter(f"{what} is not for the terminal; say where with -o", param_hint="--emit")
    module = compiled(request)
    if emit == "lwo":
        _save(module, str(out), kernel, block)
        return
    data = _emitted(module, request.arch, emit, after, kernel, block or DEFAULT_BLOCK)
    if to_terminal:
        sys.stdout.write(data.decode())
    else:
        write_bytes(str(out), data)


def _save(module: Module, out: str, kernel: str | None, block: tuple[int, ...] | None) -> None:
    """`kernel`, made now where it is an instance of a template, or each kernel has code of its own for `block`."""
    names = [module[kernel].name] if kernel is not None else list(module.kernels)
    module.save(out, blocks={name: [block] for name in names} if block is not None else None)


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
    if emit == "remarks":
        return "".join(f"{remark}\n" for remark in module[name].remarks(block)).encode()
    from lanewise.backend.host.compile import compile_shared_object

    return compile_shared_object(module.ir("work-group", name, block))
