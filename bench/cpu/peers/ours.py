# SPDX-License-Identifier: Apache-2.0
"""Lanewise on its CPU device, on NumPy's arrays in place."""

from __future__ import annotations

from importlib.metadata import version

import numpy as np

import lanewise as lw

from ..order import Order
from ..problem import Local
from . import Prepared


class Lanewise:
    def __init__(self, mapping: str) -> None:
        self.version = f"Lanewise {version('lanewise')}"
        self._mapping = mapping or "auto"

    def prepare(self, order: Order) -> Prepared:
        kernel = lw.compile(order.source, options=order.options, mapping=self._mapping)[order.kernel]
        run = kernel.ndrange(order.global_size, order.local_size, device="cpu")
        arguments = [lw.local(each.nbytes) if isinstance(each, Local) else each for each in order.arguments]
        return Prepared(
            lambda: run(*arguments),
            lambda: [np.asarray(order.arguments[place]) for place in order.results],
            is_settled=lambda: not any("launches also try" in remark for remark in kernel.remarks(order.local_size)),
        )
