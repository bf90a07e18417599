# SPDX-License-Identifier: Apache-2.0
"""Kernel IR in object files, for device code that is linked across files (`nvcc -rdc=true`).

The section `.lanewise.ir` holds records one after the other; a linker that joins objects joins the sections. Linking a
program drops it.

     0   4 bytes   LWIR
     4   4 bytes   length of the name
     8   4 bytes   length of the launches' sizes
    12   4 bytes   length of the text, compressed
    16             the source's name; the block sizes of launches, as JSON; the text, compressed by zlib
"""

import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.backend.host.features import architecture
from lanewise.backend.host.sections import section
from lanewise.cuda.objects.launch_sizes import Sizes
from lanewise.errors import Error
from lanewise.toolchain import memory_file, run_zig

SECTION: Final = ".lanewise.ir"
LINKED: Final = ".lanewise.linked"
"""The section of an object file that has the linked device code of others."""
_RECORD: Final = struct.Struct("<4sIII")
_MAGIC: Final = b"LWIR"
_ARCHIVE: Final = b"!<arch>\n"
_MEMBER_HEAD: Final = 60


class DeviceCode(NamedTuple):
    """The kernel IR of a source file, called `name`, and the block sizes that its host code launches kernels with."""

    name: str
    text: str
    sizes: Sizes


def object_of(code: DeviceCode) -> bytes:
    """An object file with nothing but this code."""
    name = code.name.encode(errors="surrogateescape")
    text = zlib.compress(code.text.encode(errors="surrogateescape"), 6)
    sizes = json.dumps(code.sizes).encode()
    record = _RECORD.pack(_MAGIC, len(name), len(sizes), len(text)) + name + sizes + text
    with memory_file(record) as data:
        lines = f'.section {SECTION},"e",@progbits\n.incbin "/dev/fd/{data}"\n.section .note.GNU-stack,"",@progbits\n'
        with memory_file(lines.encode()) as source:
            arguments = ["clang", "-target", f"{architecture()}-linux-gnu", "-x", "assembler", "-c"]
            arguments += [f"/dev/fd/{source}", "-o", "-"]
            return run_zig(arguments, "kernel IR could not be put into an object file", [data, source])


def codes_in(path: Path) -> list[DeviceCode]:
    """The device code in an object file, or in the members of a static library. Error if it can't be read."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Error(f"{path}: can't be read: {error.strerror}") from None
    try:
        return [code for member in _members(data) for code in _records(section(member, SECTION.encode()) or b"")]
    except (struct.error, IndexError, ValueError, zlib.error):
        raise Error(f"{path}: is damaged: its sections can't be read") from None


def is_linked(path: Path) -> bool:
    """True if the object file has linked device code, so that there is nothing left to link. Error as in `codes_in`."""
    try:
        return section(path.read_bytes(), LINKED.encode()) is not None
    except OSError as error:
        raise Error(f"{path}: can't be read: {error.strerror}") from None
    except (struct.error, IndexError, ValueError):
        raise Error(f"{path}: is damaged: its sections can't be read") from None


def _records(data: bytes) -> Iterator[DeviceCode]:
    at = 0
    while at < len(data):
        magic, *lengths = _RECORD.unpack_from(data, at)
        if magic != _MAGIC:
            raise ValueError("no record")
        at += _RECORD.size
        name, sizes, text = (data[at + sum(lengths[:i]) : at + sum(lengths[: i + 1])] for i in range(3))
        at += sum(lengths)
        launches: Sizes = {kernel: tuple((x, y, z) for x, y, z in of) for kernel, of in json.loads(sizes).items()}
        yield DeviceCode(
            name.decode(errors="surrogateescape"), zlib.decompress(text).decode(errors="surrogateescape"), launches
        )


def _members(data: bytes) -> Iterator[bytes]:
    """The file itself, or the members of an archive (System V ABI, "Archive File")."""
    if not data.startswith(_ARCHIVE):
        yield data
        return
    at = len(_ARCHIVE)
    while at + _MEMBER_HEAD <= len(data):
        size = int(data[at + 48 : at + 58])
        at += _MEMBER_HEAD
        yield data[at : at + size]
        at += size + size % 2
