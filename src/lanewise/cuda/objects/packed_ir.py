# SPDX-License-Identifier: Apache-2.0
"""The kernel IR that a program carries for the compile service: a saved module without machine code, compressed."""

import zlib
from typing import Final

from lanewise.cache import Cache, tool_versions
from lanewise.device.program import Program
from lanewise.errors import Error
from lanewise.frontend.info import ProgramInfo, from_json
from lanewise.program.saved import lwo
from lanewise.program.source.products import Products

_IR: Final = "kernel.ll"
_INFO: Final = "program.json"
_MAPPING: Final = "mapping"
_MOST_BYTES: Final = 1 << 28


def packed_ir(program: Program, info: ProgramInfo) -> bytes:
    """The IR and the description of a program."""
    about = {"source": program.name, _MAPPING: program.options[_MAPPING], "made by": tool_versions()}
    files = {_INFO: info.to_json(), _IR: program.ir().encode(errors="surrogateescape")}
    return zlib.compress(lwo.packed(about, files))


def unpacked_ir(data: bytes, cache: Cache) -> Program:
    """The program that was packed. Its key is that of its content, so its machine code is found in the cache. Error
    for anything else."""
    reader = zlib.decompressobj()
    try:
        content = lwo.unpacked(reader.decompress(data, _MOST_BYTES), "the program's kernel IR")
        info, mapping = from_json(content.files[_INFO]), str(content.about[_MAPPING])
        ir = content.files[_IR].decode(errors="surrogateescape")
    except (zlib.error, KeyError, ValueError, TypeError):
        raise Error("the program's kernel IR can't be read") from None
    names = {kernel.signature.symbol: kernel.qualified for kernel in info.kernels}
    name, key = str(content.about.get("source", "")), f"packed {content.digest}"
    products = Products(key, name, lambda: ir, cache)
    return Program(key, name, products, names, options={_MAPPING: mapping}, module=products.module)
