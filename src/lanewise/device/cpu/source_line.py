# SPDX-License-Identifier: Apache-2.0
"""The line of the source that an instruction of loaded machine code comes from."""

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lanewise.device.cpu.line_table import SourceLine, line_at


class Code(NamedTuple):
    """Machine code in memory: the address of a function, and the file or bytes that it was loaded from."""

    function: int
    shared_object: Path | bytes


def source_line(instruction: int, caller: int, codes: Sequence[Code]) -> SourceLine | None:
    """The source line of the instruction. If it is in none of `codes` (in the C library's memcpy, or not code at all),
    that of the call that returns to `caller`. None if neither is known."""
    bases = {base: code for code in codes if (base := _base(code.function))}
    for address in (instruction, caller - 1):
        base = _base(address)
        code = bases.get(base)
        if code is not None:
            data = _content(code.shared_object)
            return None if data is None else line_at(data, address - base)
    return None


class _SymbolInfo(ctypes.Structure):
    """Dl_info of dlfcn.h."""

    _fields_ = (
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("symbol", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    )
    base: int | None


def _base(address: int) -> int:
    """The load address of the shared object that holds `address`; 0 for none."""
    info = _SymbolInfo()
    if not address or not ctypes.CDLL(None).dladdr(ctypes.c_void_p(address), ctypes.byref(info)):
        return 0
    return info.base or 0


def _content(source: Path | bytes) -> bytes | None:
    if isinstance(source, bytes):
        return source
    try:
        return source.read_bytes()
    except OSError:  # evicted from the cache since
        return None
