# SPDX-License-Identifier: Apache-2.0
"""Modules saved to a file, and loaded again without a compiler, here or on a machine like this one."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from lanewise.cache import Cache, tool_versions
from lanewise.device.base import Saving
from lanewise.device.launch import Extent
from lanewise.device.program import Program
from lanewise.errors import Error
from lanewise.frontend.info import ProgramInfo, from_json
from lanewise.program.saved import lwo
from lanewise.program.saved.saved_unit import SavedUnit
from lanewise.program.source.mathematics import OPTION, mathematics_option
from lanewise.program.source.products import Products
from lanewise.program.source.translation import TranslatedUnit
from lanewise.workgroup.mapping import AUTO, mapping_of

_IR: Final = "kernel.ll"
_INFO: Final = "program.json"


class SavedModule(NamedTuple):
    """The content of a file: what a front end and its unit would have made."""

    unit: SavedUnit
    translation: TranslatedUnit
    options: Mapping[str, str]


class Contents(NamedTuple):
    """A program as a file holds it: what `lwo.write` takes."""

    about: dict[str, Any]
    files: dict[str, bytes]


def save(
    path: str | os.PathLike[str],
    program: Program,
    info: ProgramInfo,
    arch: str,
    blocks: Mapping[str, Sequence[Extent]],
    ir: bool,
    saving: Saving,
) -> None:
    """Write a program to a file, with code of the device that `saving` is of. `blocks`: local sizes that kernels, by
    symbol, are compiled for beside the version for any; `arch` is what the IR was made for. Error, CompileError."""
    sizes: dict[str, list[Extent | None]] = {}
    for kernel in info.kernels:
        symbol = kernel.signature.symbol
        only = kernel.bounds.block
        sizes[symbol] = [only] if only is not None else [None, *dict.fromkeys(blocks.get(symbol, ()))]
    lwo.write(Path(path), *contents(program, info, arch, sizes, ir, saving))


def contents(
    program: Program,
    info: ProgramInfo,
    arch: str,
    sizes: Mapping[str, Sequence[Extent | None]],
    ir: bool,
    saving: Saving,
) -> Contents:
    """A program with code of kernels, by symbol, for exactly these local sizes (None: for any). Otherwise as `save`."""
    files = {_INFO: info.to_json()}
    if ir:
        files[_IR] = program.ir().encode(errors="surrogateescape")
    files |= saving.files(program, sizes)
    about = {
        "source": program.name,
        "arch": arch,
        "mapping": program.options.get("mapping", str(AUTO)),
        OPTION: program.options.get(OPTION),
        "made by": tool_versions(),
        "needs": saving.requirements(),
    }
    return Contents(about, files)


def load(path: str | os.PathLike[str], specialise: bool, cache: Cache, saving: Saving) -> SavedModule:
    """The program in a file; see `lanewise.load`. `saving` is that of the device whose code it has."""
    if not isinstance(path, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance] : what users write is not type-checked
        raise Error(f"a saved module is named by a path, not by {path!r}")
    about, files, digest = lwo.read(Path(path))
    return restored(os.fspath(path), Contents(about, files), digest, specialise, cache, saving)


def restored(path: str, contents: Contents, digest: str, specialise: bool, cache: Cache, saving: Saving) -> SavedModule:
    """The program that has these contents, of which `digest` is one, in the file `path`. Otherwise as `load`."""
    about, files = contents
    if "targets" in about:
        raise Error(
            f"{path} was built of a module of Python by lanewise build, and is no saved module: import that one"
        )
    try:
        info = from_json(files[_INFO])
        needs: dict[str, Any] = about["needs"]
        arch = str(about["arch"])
        options = {"mapping": str(mapping_of(str(about["mapping"]))), **mathematics_option(about[OPTION])}
        saving.check(path, needs, files)
    except (KeyError, ValueError, TypeError):
        made_by = about.get("made by", "another version")
        raise Error(f"{path} was saved by {made_by}, which describes modules in another way; save it again") from None
    if specialise:
        if _IR not in files:
            raise Error(f"{path}: specialise=True needs the kernel IR, which the file was saved without (ir=False)")
        files = {name: data for name, data in files.items() if not saving.is_general(name)}
    names = {kernel.signature.symbol: kernel.qualified for kernel in info.kernels}
    key = f"saved {digest}"
    products = Products(key, path, _ir(path, files), cache, options)
    program = Program(key, path, products, names, files, options=options)
    return SavedModule(SavedUnit(path, key, arch), TranslatedUnit(program, info, products), options)


def _ir(path: str, files: Mapping[str, bytes]) -> Callable[[], str]:
    def ir() -> str:
        if _IR not in files:
            raise Error(
                f"{path} was saved without its kernel IR (ir=False), which PTX, assembly, other devices and code for "
                "another local size are made from"
            )
        return files[_IR].decode(errors="surrogateescape")

    return ir
