# SPDX-License-Identifier: Apache-2.0
"""Runs a program and writes its kernel launches to a folder.

python -m bench.unseen.record FOLDER COMMAND [ARGUMENT ...]

The program runs as ever, on the platform that it chooses, by a loader that knows layers (OPENCL_LAYERS): ocl-icd since
2.3. Programs that keep binaries must be told not to, since those have no source:
PYOPENCL_NO_CACHE=1 and OPENCV_OPENCL_CACHE_ENABLE=0, which are set here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from lanewise.runtime.build import compile_object
from lanewise.toolchain import link_shared_object

_SOURCE: Final = Path(__file__).with_name("recorder.c")
_LIBRARY: Final = "recorder.so"


def recorder(folder: Path) -> Path:
    """The layer, built into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / _LIBRARY
    unfinished = path.with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(link_shared_object([compile_object(_SOURCE)], soname=_LIBRARY))
    unfinished.replace(path)
    return path


def environ(folder: Path, layer: Path) -> dict[str, str]:
    """Environment variables of a program whose launches go to `folder`."""
    return os.environ | {
        "OPENCL_LAYERS": str(layer.resolve()),
        "BENCH_UNSEEN_FOLDER": str(folder.resolve()),
        "PYOPENCL_NO_CACHE": "1",
        "OPENCV_OPENCL_CACHE_ENABLE": "0",
    }


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    if shutil.which(sys.argv[2]) is None:
        print(f"{sys.argv[2]}: there is no such program", file=sys.stderr)
        return 2
    return subprocess.run(sys.argv[2:], env=environ(folder, recorder(folder)), check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
