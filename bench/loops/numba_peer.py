# SPDX-License-Identifier: Apache-2.0
"""Numba in the place of Lanewise: after `stand_in`, workloads that import `lanewise` get Numba's `prange`, and a `jit`
that compiles by Numba. So both compile the same source.

Numba may fuse products and sums, as Lanewise may without `exact=True`, and divides without a check for zero.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import numba  # pyright: ignore[reportMissingImports] : installed for measurements only

VERSION = f"Numba {numba.__version__}"


def stand_in() -> None:
    """Must come before the first import of a workload."""
    # Numba looks for the name `numba.prange`, and takes the first half from the module's own name.
    module = ModuleType("numba")
    vars(module).update(jit=_jit, prange=numba.prange)
    sys.modules["lanewise"] = module


def _jit(function: FunctionType) -> Callable[..., Any]:
    parallel = "prange" in function.__code__.co_names
    return numba.njit(parallel=parallel, fastmath={"contract"}, error_model="numpy")(function)
