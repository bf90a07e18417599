# SPDX-License-Identifier: Apache-2.0
"""Numba: loops in Python, the outermost in parallel. Like OpenCL C it may round products and sums together."""

from __future__ import annotations

import numba  # pyright: ignore[reportMissingImports] : installed for measurements only
import numpy as np

from ..order import Order
from ..problem import Local, kernel
from . import Prepared


class Loops:
    def __init__(self) -> None:
        self.version = f"Numba {numba.__version__}"

    def prepare(self, order: Order) -> Prepared:
        loops = kernel(order.kernel).numba
        if loops is None:
            raise RuntimeError("there are no loops in Python of this kernel")
        compiled = numba.njit(parallel=True, fastmath={"contract"}, error_model="numpy")(loops)
        arguments = [each for each in order.arguments if not isinstance(each, Local)]
        return Prepared(lambda: compiled(*arguments), lambda: [np.asarray(order.arguments[p]) for p in order.results])
