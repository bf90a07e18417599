# SPDX-License-Identifier: Apache-2.0
"""LLVM's OpenMP runtime, which clang's code of host functions with OpenMP calls; that of GCC has another interface."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

HOW_TO_GET_OPENMP: Final = "LLVM's OpenMP runtime is not installed (pip install intel-openmp)"


@functools.cache
def openmp_library() -> Path | None:
    """The library, of the package intel-openmp or of an LLVM of the system; None if there is none."""
    return next((path for path in _places() if path.is_file()), None)


def _places() -> Iterator[Path]:
    yield Path(sys.prefix, "lib", "libiomp5.so")
    yield from sorted(Path("/usr/lib").glob("llvm-*/lib/libomp.so"), reverse=True)
    yield from sorted(Path("/usr/lib").glob("*-linux-gnu/libomp.so*"))
    yield Path("/usr/lib64/libomp.so")
