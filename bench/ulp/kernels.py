# SPDX-License-Identifier: Apache-2.0
"""CUDA C++ that calls the functions of rows, an element a work-item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .table import Row

BLOCK: Final = 256
_NAMES: Final = "xyzw"


def source(rows: Sequence[Row]) -> str:
    """A program with a kernel `over_points_N` for the row of number N, and `over_floats_N` for functions of a float."""
    return "\n".join(_kernels(row, number) for number, row in enumerate(rows))


def over_points(number: int) -> str:
    """Kernel's name: (results, an array for each argument, count). Integers arrive in the row's type, too."""
    return f"over_points_{number}"


def over_floats(number: int) -> str:
    """Kernel's name: (results, bits of the first float)."""
    return f"over_floats_{number}"


def _kernels(row: Row, number: int) -> str:
    arguments = list(zip(row.parameters, _NAMES, strict=False))
    names = ", ".join(name for _, name in arguments)
    body = row.body or f"return {row.symbol}({names});"
    parameters = ", ".join(f"{of} {name}" for of, name in arguments)
    declaration = f'extern "C" __device__ {row.result} {row.symbol}({parameters});\n' if row.opencl_only else ""
    arrays = ", ".join(f"const {row.type} *{name}" for _, name in arguments)
    elements = ", ".join(f"({of}){name}[i]" for of, name in arguments)
    text = f"""
namespace row_{number} {{
using T = {row.type};
{declaration}__device__ T measured({parameters}) {{ {body} }}
extern "C" __global__ void {over_points(number)}({row.type} *result, {arrays}, int count) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    result[i] = measured({elements});
}}
"""
    if row.takes_every_float:
        text += f"""
extern "C" __global__ void {over_floats(number)}(float *result, unsigned first) {{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  result[i] = measured(__uint_as_float(first + i));
}}
"""
    return f"{text}}}\n"
