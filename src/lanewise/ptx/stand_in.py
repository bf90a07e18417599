# SPDX-License-Identifier: Apache-2.0
"""Files that make a compiler call us instead of ptxas: a script of that name, or a CUDA toolkit of links around it.

By its nvcc.profile, nvcc looks for ptxas in its own folder before PATH. It takes that file from the folder through
which it was called, without following links. So nvcc in a folder of links calls the ptxas of that folder.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from lanewise.errors import Error
from lanewise.ptx.assembler import OUR_NAME

_MODE = 0o755


def install_script(folder: Path, ptxas: Path) -> Path:
    """Write `folder`/ptxas, which runs us and, through us, `ptxas`, unless the environment names another one."""
    path = folder / "ptxas"
    _refuse_what_is_not_ours(path)
    text = f"""#!/bin/sh
# {OUR_NAME.decode()}: loads become warp shuffles, then the real ptxas is run.
LANEWISE_PTXAS="${{LANEWISE_PTXAS:-"{_quoted(os.path.abspath(ptxas))}"}}"
export LANEWISE_PTXAS
exec {shlex.quote(sys.executable)} -P -m {OUR_NAME.decode()} "$@"
"""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        partial = folder / f".ptxas.{os.getpid()}.partial"
        partial.write_text(text)
        partial.chmod(_MODE)
        partial.replace(path)
    except OSError as error:
        raise Error(f"{path}: can't be written: {error.strerror}") from None
    return path


def install_toolkit(folder: Path, toolkit: Path) -> Path:
    """Make `folder` a copy of the CUDA toolkit `toolkit` by links, except for bin/ptxas, which is ours."""
    tools = folder / "bin"
    _refuse_what_is_not_ours(tools / "ptxas")
    try:
        tools.mkdir(parents=True, exist_ok=True)
        for path in toolkit.iterdir():
            if path.name != "bin":
                _link(folder / path.name, path)
        for path in (toolkit / "bin").iterdir():
            if path.name != "ptxas":
                _link(tools / path.name, path)
    except OSError as error:
        raise Error(f"{folder}: can't be made a toolkit: {error.strerror}: {error.filename}") from None
    return install_script(tools, toolkit / "bin" / "ptxas")


def _link(place: Path, target: Path) -> None:
    if place.is_symlink():
        place.unlink()
    elif place.exists():
        raise Error(f"{place} is in the way: it is no link")
    place.symlink_to(target)


def _refuse_what_is_not_ours(path: Path) -> None:
    if os.path.lexists(path) and not (path.is_file() and OUR_NAME in path.read_bytes()):
        raise Error(f"{path} exists, and is none of ours")


def _quoted(text: str) -> str:
    """`text` for between double quotes in a shell."""
    return "".join(f"\\{c}" if c in '$`"\\' else c for c in text)
