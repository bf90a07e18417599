# SPDX-License-Identifier: Apache-2.0
"""The folder that stands in for a CUDA toolkit: what CUDA_HOME and CMake's CUDAToolkit_ROOT name.

bin/nvcc            this command
include/            our headers
lib64/              libcudart.so, libcudart_static.a, libcudadevrt.a
targets/            the last two once more, by the name of the platform, where Meson looks
nvvm/libdevice/     empty; build systems look for it
version.json
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import Final

from lanewise.backend.host.features import architecture
from lanewise.cache import Cache, key
from lanewise.cuda.libraries import library_folder
from lanewise.cuda.version import RELEASE, VERSION
from lanewise.errors import Error
from lanewise.frontend.cuda.prologue import HEADERS

_LIBDEVICE: Final = "libdevice.10.bc"


def cuda_home(cache: Cache, prefix: str | None = None) -> Path:
    """The folder, made at its first use: in the cache, or at `prefix`. Error if it can't be made."""
    if prefix is None:
        if cache.base is None:
            raise Error("the folder of a CUDA toolkit is kept in the cache, which is turned off; name a folder for it")
        home = cache.base / "cuda-home" / key("cuda home", "with targets", sys.executable, str(HEADERS))[:16]
        if (home / "version.json").is_file():
            return home
    else:
        home = Path(prefix).absolute()
    try:
        _make(home, library_folder(cache))
    except OSError as error:
        raise Error(f"{home}: can't be made: {error.strerror}") from None
    return home


def _make(home: Path, libraries: Path) -> None:
    target = home / "targets" / f"{architecture()}-linux"
    for folder in ("bin", "nvvm/libdevice", "nvvm/bin", target):
        (home / folder).mkdir(parents=True, exist_ok=True)
    _link(home / "include", HEADERS)
    _link(home / "lib64", libraries)
    _link(home / "lib", libraries)
    _link(target / "include", HEADERS)
    _link(target / "lib", libraries)
    script = f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m lanewise.cuda.nvcc "$@"\n'
    _write(home / "bin" / "nvcc", script, executable=True)
    _write(home / "nvvm" / "libdevice" / _LIBDEVICE, "")
    parts = {"cuda": {"name": "CUDA SDK", "version": VERSION}, "cuda_nvcc": {"name": "CUDA NVCC", "version": VERSION}}
    _write(home / "version.txt", f"CUDA Version {RELEASE}\n")
    _write(home / "version.json", json.dumps(parts, indent=3) + "\n")


def _link(link: Path, target: Path) -> None:
    partial = link.with_name(f".{link.name}.{os.getpid()}")
    partial.symlink_to(target)
    os.replace(partial, link)


def _write(path: Path, text: str, executable: bool = False) -> None:
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_text(text)
    partial.chmod(0o755 if executable else 0o644)
    os.replace(partial, path)
