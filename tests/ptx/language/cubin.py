# SPDX-License-Identifier: Apache-2.0
"""Machine code and data in what ptxas writes, an ELF file of 64 bits."""

from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path

PTXAS = shutil.which("ptxas")
_KEPT = (".text.", ".nv.constant", ".nv.global.init")


def assembled(text: str, arch: str, folder: Path, *options: str) -> dict[str, bytes]:
    """The sections of code and of initialised data that ptxas makes of a PTX text, by name. AssertionError with its
    words if it refuses the text."""
    assert PTXAS is not None
    source, cubin = folder / "text.ptx", folder / "text.cubin"
    source.write_text(text)
    command = [PTXAS, f"-arch={arch}", *options, "-o", str(cubin), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return {name: data for name, data in sections(cubin.read_bytes()).items() if name.startswith(_KEPT)}


def sections(image: bytes) -> dict[str, bytes]:
    """All sections by name; those of a name, and of no bits, are as in the file."""
    (table,) = struct.unpack_from("<Q", image, 0x28)
    size, count, names = struct.unpack_from("<HHH", image, 0x3A)
    rows = [struct.unpack_from("<IIQQQQ", image, table + i * size) for i in range(count)]
    strings = rows[names][4]
    found: dict[str, bytes] = {}
    for name, kind, _, _, offset, length in rows:
        at = strings + name
        word = image[at : image.index(b"\0", at)].decode()
        found[word] = b"" if kind == 8 else image[offset : offset + length]
    return found
