# SPDX-License-Identifier: Apache-2.0
"""Keys of the compile cache: a digest of everything that a result depends on.

Every key covers the versions of Lanewise and of the tools, and the clang that `LANEWISE_CLANG` names. Versions are read
from the names of their `*.dist-info` folders: importing `importlib.metadata` alone takes a good part of the 15 ms that
a warm start may.
"""

from __future__ import annotations

import functools
import hashlib
import os
from pathlib import Path

from lanewise.toolchain import clang_identity, package_folder

_VERSIONED = ("lanewise", "ziglang", "llvmlite")


def key(*parts: bytes | str) -> str:
    """The digest, in 64 hexadecimal digits, of `parts` in order and of all tools.

    Each part is preceded by its length, so `key("ab", "c")` and `key("a", "bc")` differ.
    """
    digest = hashlib.sha256()
    for part in (_tools(), *parts):
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


@functools.cache
def tool_versions() -> str:
    """The versions that determine the result of a compilation, as one line of text."""
    return " ".join(_version(name) for name in _VERSIONED)


def _tools() -> str:
    """The versions of all tools, and the identity of the chosen clang, which includes a path and is only for keys."""
    clang = clang_identity()
    return tool_versions() if clang is None else f"{tool_versions()} clang {clang}"


def _version(name: str) -> str:
    folder = package_folder(name)
    if folder is None:
        return f"{name}-absent"
    with os.scandir(folder.parent) as entries:
        for entry in entries:
            if entry.name.startswith(f"{name}-") and entry.name.endswith(".dist-info"):
                return entry.name.removesuffix(".dist-info")
    # A source checkout has no metadata beside it, and its files change under one version number.
    return f"{name}-{_state_of_files(folder)}"


def _state_of_files(folder: Path) -> str:
    """A digest of name, size and modification time of all files under `folder`, except compiled Python."""
    lines: list[str] = []
    pending = [str(folder)]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != "__pycache__":
                        pending.append(entry.path)
                else:
                    status = entry.stat()
                    lines.append(f"{entry.path}\0{status.st_size}\0{status.st_mtime_ns}\n")
    return hashlib.sha256("".join(lines).encode(errors="surrogateescape")).hexdigest()
