# SPDX-License-Identifier: Apache-2.0
"""`lanewise compile`: the text of a stage, machine code, a saved module, or remarks."""

from __future__ import annotations

import sys
import time
from pathlib import PurePath
from typing import Final

import typer

from lanewise.cli.output import write_bytes
from lanewise.cli.passes import NO_LOOK, Look, passes_shown
from lanewise.cli.request import Request, compiled, the_kernel
from lanewise.cli.terminal import Terminal
from lanewise.program.arguments.geometry import DEFAULT_BLOCK
from lanewise.program.module import Module

_BY_SUFFIX: Final = {".ptx": "ptx", ".ll": "ir", ".s": "asm", ".asm": "asm", ".so": "obj", ".o": "obj", ".lwo": "lwo"}
_ON_THE_TERMINAL: Final = "-"
_ANYTHING: Final = "/dev/null"


def write_compiled(
    request: Request,
    out: str | None,
    emit: str | None,
    after: str,
    kernel: str | None,
    block: tuple[int, ...] | None,
    terminal: Terminal,
    look: Look = NO_LOOK,
) -> None:
    """Write `emit` ("ptx", "ir", "asm", "obj", "lwo" or "remarks") of a file to `out`.

    None and "-" are standard output. If `look` asks for something, that is written instead.
    """
    to_terminal = out is None or out == _ON_THE_TERMINAL
    emit = emit or _by_name(out)
    if emit in ("obj", "lwo") and to_terminal:
        what = "an object" if emit == "obj" else "a saved module"
        raise typer.BadParameter(f"{what} is not for the terminal; name a file with -o", param_hint="--emit")
    if emit in ("obj", "lwo") and look.is_wanted:
        raise typer.BadParameter(
            f"what steps of the pipeline make or change is text, and {out} would be none; name another file, or none",
            param_hint="--out",
        )
    module = compiled(request, terminal)
    if kernel is None and not module.kernels and emit in ("ptx", "lwo"):
        the_kernel(module, None)  # says that there is none
    if look.is_wanted:
        name = kernel if emit == "ptx" else the_kernel(module, kernel).name
        _write(passes_shown(module, "ptx" if emit == "ptx" else "cpu", name, block, look).encode(), out)
        return
    if emit == "lwo":
        _save(module, str(out), kernel, block)
        return
    start = time.perf_counter()
    data = _emitted(module, request.arch, emit, after, kernel, block or DEFAULT_BLOCK)
    terminal.detail(f"{emit}: {1e3 * (time.perf_counter() - start):.1f} ms")
    _write(data, out)


def _write(data: bytes, out: str | None) -> None:
    """Write to a file, or to standard output for None and "-"."""
    if out is None or out == _ON_THE_TERMINAL:
        sys.stdout.write(data.decode())
    else:
        write_bytes(out, data)


def _by_name(out: str | None) -> str:
    """The format to write, by the ending of the file's name. BadParameter if the ending is not known."""
    if out in (None, _ON_THE_TERMINAL, _ANYTHING):
        return "ptx"
    suffix = PurePath(str(out)).suffix
    if suffix not in _BY_SUFFIX:
        hint = "; cubin files are made by NVIDIA's ptxas, from PTX" if suffix == ".cubin" else ""
        raise typer.BadParameter(
            f"{out}: the name's ending doesn't tell what to write: expected {', '.join(_BY_SUFFIX)}, or --emit{hint}",
            param_hint="--out",
        )
    return _BY_SUFFIX[suffix]


def _save(module: Module, out: str, kernel: str | None, block: tuple[int, ...] | None) -> None:
    """Save a module, with code for `block` of `kernel` or of each kernel. An instance of a template is made first."""
    names = [module[kernel].name] if kernel is not None else list(module.kernels)
    module.save(out, blocks={name: [block] for name in names} if block is not None else None)


def _emitted(
    module: Module, arch: str | None, emit: str, after: str, kernel: str | None, block: tuple[int, ...]
) -> bytes:
    if emit == "ptx":
        return module.ptx(arch, kernel=kernel).encode()
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
