# SPDX-License-Identifier: Apache-2.0
"""Modules saved to a file, and loaded again without a compiler, here or on a machine like this one."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from lanewise.cache import Cache, tool_versions
from lanewise.device.base import Extent, Program
from lanewise.device.cpu.machine_code import for_any_size
from lanewise.device.cpu.saving import check_files, check_requirements, files_of, requirements
from lanewise.errors import Error
from lanewise.frontend.info import ProgramInfo, from_json
from lanewise.program import lwo
from lanewise.program.libraries import linker
from lanewise.program.module import Module
from lanewise.program.saved_unit import SavedUnit
from lanewise.session import Session
from lanewise.workgroup.mapping import mapping_of

_IR: Final = "kernel.ll"
_INFO: Final = "program.json"


def save(
    path: str | os.PathLike[str],
    program: Program,
    info: ProgramInfo,
    arch: str,
    blocks: Mapping[str, Sequence[Extent]],
    ir: bool,
    cache: Cache,
) -> None:
    """Write a program to a file. `blocks`: local sizes that kernels, by symbol, are compiled for beside the version
    for any; `arch` is what the IR was made for. Error, CompileError."""
    sizes: dict[str, list[Extent | None]] = {}
    for kernel in info.kernels:
        symbol = kernel.signature.symbol
        only = kernel.bounds.block
        sizes[symbol] = [only] if only is not None else [None, *dict.fromkeys(blocks.get(symbol, ()))]
    files = {_INFO: info.to_json()}
    if ir:
        files[_IR] = program.text().encode(errors="surrogateescape")
    files |= files_of(program, sizes, cache)
    about = {
        "source": program.name,
        "arch": arch,
        "mapping": str(program.mapping),
        "made by": tool_versions(),
        "needs": requirements(),
    }
    lwo.write(Path(path), about, files)


def load(session: Session, path: str | os.PathLike[str], specialise: bool) -> Module:
    """See `lanewise.load`."""
    if not isinstance(path, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance] : what users write is not type-checked
        raise Error(f"a saved module is named by a path, not by {path!r}")
    program, info, arch = _read(Path(path), specialise, session.cache)
    return Module(SavedUnit(str(Path(path)), program.key, arch), session, compiled=(program, info))


def _read(path: Path, specialise: bool, cache: Cache) -> tuple[Program, ProgramInfo, str]:
    """The program in a file, what is known of it, and the arch that its IR was made for."""
    content = lwo.read(path)
    files = content.files
    try:
        info = from_json(files[_INFO])
        needs: dict[str, Any] = content.about["needs"]
        arch = str(content.about["arch"])
        mapping = mapping_of(str(content.about["mapping"]))
        check_requirements(str(path), needs)
        check_files(files)
    except (KeyError, ValueError, TypeError):
        made_by = content.about.get("made by", "another version")
        raise Error(f"{path} was saved by {made_by}, which describes modules in another way; save it again") from None
    if specialise:
        if _IR not in files:
            raise Error(f"{path}: specialise=True needs the kernel IR, which the file was saved without (ir=False)")
        files = {name: data for name, data in files.items() if not for_any_size(name)}
    names = {kernel.signature.symbol: kernel.qualified for kernel in info.kernels}
    key, text = f"saved {content.digest}", _text(path, files)
    return Program(key, str(path), text, names, files, link=linker(cache), mapping=mapping), info, arch


def _text(path: Path, files: Mapping[str, bytes]) -> Callable[[], str]:
    def text() -> str:
        if _IR not in files:
            raise Error(
                f"{path} was saved without its kernel IR (ir=False), which PTX, assembly, other devices and code for "
                "another local size are made from"
            )
        return files[_IR].decode(errors="surrogateescape")

    return text
