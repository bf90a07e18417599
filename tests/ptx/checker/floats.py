# SPDX-License-Identifier: Apache-2.0
"""Floating-point arithmetic as NumPy has it (PTX ISA 9.0, 9.7.3 to 9.7.5).

A fused multiply-add of 32 bits is computed in 64, one of 64 bits unfused. Subnormals stay, with .ftz too, and what is
.approx is as exact as NumPy: two programs are compared that both run here, and a rounding more or less is the same in
both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from .formats import FORMATS, Lanes
from .integers import computed
from .machine import Step
from .operands import Operands


def fused(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    if a.dtype.itemsize == 8:
        return a * b + c
    return (a.astype(np.float64) * b + c).astype(a.dtype)


def _copysign(a: Lanes, b: Lanes) -> Lanes:
    return np.copysign(b, a)


def _reciprocal(a: Lanes) -> Lanes:
    return a.dtype.type(1) / a


def _reciprocal_root(a: Lanes) -> Lanes:
    return a.dtype.type(1) / np.sqrt(a)


_FUNCTIONS: Final[dict[str, Callable[..., Lanes]]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "fma": fused, "mad": fused,
    "min": np.fmin, "max": np.fmax, "abs": np.abs, "neg": np.negative, "rcp": _reciprocal, "sqrt": np.sqrt,
    "rsqrt": _reciprocal_root, "sin": np.sin, "cos": np.cos, "lg2": np.log2, "ex2": np.exp2, "tanh": np.tanh,
    "copysign": _copysign,
}  # fmt: skip


def saturated(compute: Callable[..., Lanes]) -> Callable[..., Lanes]:
    def clipped(*values: Lanes) -> Lanes:
        found = compute(*values)
        kind: Any = found.dtype.type
        return np.where(np.isnan(found), kind(0), np.clip(found, kind(0), kind(1)))

    return clipped


def arithmetic(operands: Operands) -> Step:
    operands.allow("rn ftz sat approx full")
    (of,) = operands.formats
    compute = _FUNCTIONS[operands.instruction.name]
    if operands.has("sat"):
        compute = saturated(compute)
    return computed(operands, compute, of, [of] * (len(operands.instruction.operands) - 1))


def _of_kind(operands: Operands) -> Step:
    of = operands.formats[0]
    tests: dict[str, Callable[[Lanes], Lanes]] = {
        "finite": np.isfinite, "infinite": np.isinf, "notanumber": np.isnan, "number": lambda a: ~np.isnan(a),
    }  # fmt: skip
    for name, test in tests.items():
        if operands.has(name):
            return computed(operands, test, FORMATS["pred"], [of])
    raise operands.unsupported()


FLOATS: Final[dict[str, Callable[[Operands], Step]]] = dict.fromkeys(_FUNCTIONS, arithmetic) | {"testp": _of_kind}
