# SPDX-License-Identifier: Apache-2.0
"""Runs expressions of OpenCL C over arrays, a component at a time and as vectors.

Each test runs at every third width, other ones from test to test, or at all with LANEWISE_TEST_ALL_SHAPES=1.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import lanewise as lw

Array = NDArray[Any]

DTYPES = {
    "char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16, "int": np.int32, "uint": np.uint32,
    "long": np.int64, "ulong": np.uint64, "half": np.float16, "float": np.float32, "double": np.float64,
}  # fmt: skip
WIDTHS = (1, 2, 3, 4, 8, 16)
EVERY_WIDTH = os.environ.get("LANEWISE_TEST_ALL_SHAPES") == "1"
DEVICES = ("cpu", "reference")
BLOCK = 48
"""Inputs are of a multiple of as many elements, which all widths divide."""


def run_at_all_widths(
    inputs: Mapping[str, tuple[str, Array]],
    expressions: Mapping[str, str],
    widths: Sequence[int] = WIDTHS,
    devices: Sequence[str] = DEVICES,
    before: str = "",
    options: str = "",
) -> dict[tuple[str, int], dict[str, Array]]:
    """The values of `expressions` (text -> type of a component of the result), by device and width, of some `widths`.

    `inputs` are variables: a component's type and its values. In expressions, `N` stands for the width, or for nothing:
    `convert_intN(x)`.
    """
    if not EVERY_WIDTH and len(widths) > 2:
        widths = widths[zlib.crc32(repr((inputs.keys(), expressions)).encode()) % 3 :: 3]
    text = [f"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n{before}"]
    text += [_kernel(inputs, expressions, width) for width in widths]
    module = lw.compile("\n".join(text), language="opencl", options=options)
    arrays = [values for _, values in inputs.values()]
    count = len(arrays[0])
    assert count % BLOCK == 0
    found: dict[tuple[str, int], dict[str, Array]] = {}
    for device in devices:
        for width in widths:
            outputs = [np.zeros(count, DTYPES[type_]) for type_ in expressions.values()]
            launch = module[f"of_width_{width}"].ndrange(count // width, device=device)
            launch(*arrays, *outputs)
            found[device, width] = dict(zip(expressions, outputs, strict=True))
    return found


def _kernel(inputs: Mapping[str, tuple[str, Array]], expressions: Mapping[str, str], width: int) -> str:
    parameters = [f"global const {type_} *in_{name}" for name, (type_, _) in inputs.items()]
    parameters += [f"global {type_} *out_{i}" for i, type_ in enumerate(expressions.values())]
    n = "" if width == 1 else str(width)
    lines: list[str] = []
    for name, (type_, _) in inputs.items():
        value = f"vload{n}(i, in_{name})" if n else f"in_{name}[i]"
        lines.append(f"  {type_}{n} {name} = {value};")
    for index, expression in enumerate(expressions):
        value = expression.replace("N", n)
        lines.append(f"  vstore{n}({value}, i, out_{index});" if n else f"  out_{index}[i] = {value};")
    body = "\n".join(lines)
    return f"kernel void of_width_{width}({', '.join(parameters)}) {{\n  size_t i = get_global_id(0);\n{body}\n}}\n"


def same_bits(left: Array, right: Array) -> NDArray[np.bool_]:
    """Where elements are the same, bit by bit; NaNs are all the same."""
    if left.dtype.kind != "f":
        return left == right
    bits = f"u{left.dtype.itemsize}"
    return (left.view(bits) == right.view(bits)) | (np.isnan(left) & np.isnan(right))


def aligned(shape: tuple[int, ...], type_: str) -> Array:
    """Zeros that stand where the largest vector may."""
    size = int(np.prod(shape)) * np.dtype(DTYPES[type_]).itemsize
    data = np.zeros(size + 128, np.uint8)
    start = -data.ctypes.data % 128
    return data[start : start + size].view(DTYPES[type_]).reshape(shape)
