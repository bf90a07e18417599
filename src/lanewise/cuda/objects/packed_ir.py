# SPDX-License-Identifier: Apache-2.0
"""The kernel IR that a program carries for the compile service: a saved module without machine code, compressed."""

import zlib
from typing import Final, NamedTuple

from lanewise.cache import Cache, tool_versions
from lanewise.device.program import Program
from lanewise.errors import Error
from lanewise.frontend.info import ProgramInfo, from_json
from lanewise.program.saved import lwo
from lanewise.program.source.products import Products

_IR: Final = "kernel.ll"
_INFO: Final = "program.json"
_TEXT: Final = "source"
_MAPPING: Final = "mapping"
_MOST_BYTES: Final = 1 << 28


class PackedProgram(NamedTuple):
    """The content that programs carry of a unit: the name of its source, its kernel IR and its description, the mapping
    of work-items, the source's text where no file has it, and a digest of all that."""

    name: str
    ir: str
    info: ProgramInfo
    mapping: str
    text: str | None
    digest: str


def packed_ir(program: Program, info: ProgramInfo, text: str | None = None) -> bytes:
    """The IR and the description of a program. `text`: that of its source, if no file has it."""
    about = {"source": program.name, _MAPPING: program.options[_MAPPING], "made by": tool_versions()}
    files = {_INFO: info.to_json(), _IR: program.ir().encode(errors="surrogateescape")}
    if text is not None:
        files[_TEXT] = text.encode(errors="surrogateescape")
    return zlib.compress(lwo.packed(about, files))


def unpacked(data: bytes) -> PackedProgram:
    """The content that was packed. Error for anything else."""
    reader = zlib.decompressobj()
    try:
        content = lwo.unpacked(reader.decompress(data, _MOST_BYTES), "the program's kernel IR")
        info, mapping = from_json(content.files[_INFO]), str(content.about[_MAPPING])
        ir = content.files[_IR].decode(errors="surrogateescape")
        text = content.files[_TEXT].decode(errors="surrogateescape") if _TEXT in content.files else None
    except (zlib.error, KeyError, ValueError, TypeError):
        raise Error("the program's kernel IR can't be read") from None
    return PackedProgram(str(content.about.get("source", "")), ir, info, mapping, text, content.digest)


def unpacked_ir(data: bytes, cache: Cache) -> Program:
    """The program that was packed. Its key is that of its content, so its machine code is found in the cache. Error
    for anything else."""
    found = unpacked(data)
    names = {kernel.signature.symbol: kernel.qualified for kernel in found.info.kernels}
    key = f"packed {found.digest}"
    products = Products(key, found.name, lambda: found.ir, cache)
    return Program(key, found.name, products, names, options={_MAPPING: found.mapping}, module=products.module)
