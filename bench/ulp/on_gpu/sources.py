# SPDX-License-Identifier: Apache-2.0
"""CUDA C++ that finds the worst result of a function among all floats, and which functions are looked at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from ..hardware import hardware_rows
from ..table import Row, rows

INDEX: Final = "functions.json"
"""The names of functions in a packed folder, in the order of their numbers."""
POINTS: Final = 1 << 16
"""Points of functions that don't take every float, beside the special ones."""

WRONG: Final = 16
"""Results that are wrong in kind, of which so many are judged again."""

_HELPERS: Final = """
__device__ double error_of(float got, double exact) {
  const double most = 3.4028234663852886e+38, beyond = 3.402823669209385e+38;
  double value = isinf(got) ? copysign(beyond, (double)got) : got;
  double limited = fabs(exact) > beyond ? copysign(beyond, exact) : exact;
  int exponent = limited == 0 ? -126 : max(min(ilogb(limited), 127), -126);
  return fabs(value - limited) / ldexp(1.0, exponent - 23) * (fabs(limited) > most && isinf(got) ? 0 : 1);
}

__device__ bool wrong_in_kind(float got, double exact) {
  return isnan(got) != isnan(exact) || (got < 0 && exact > 0) || (got > 0 && exact < 0);
}
"""


def every_float() -> list[Row]:
    """Functions of one float, of which CUDA has one in double precision."""
    return [row for row in rows() if row.takes_every_float and row.body is None and not row.opencl_only]


def at_points() -> list[Row]:
    """Functions with a form for GPUs that don't take every float."""
    return [row for row in hardware_rows() if not row.takes_every_float]


def judge(number: int) -> str:
    """Kernel's name: (results, bits of the first float, count, the worst, how many are wrong in kind, some of these).

    The worst is the error's bits as a float, then those of its argument, as one number of 64 bits."""
    return f"judge_{number}"


def judges(chosen: Sequence[Row]) -> str:
    """A program with a kernel `judge_N` for the row of number N."""
    return _HELPERS + "".join(_judge(row, number) for number, row in enumerate(chosen))


def _judge(row: Row, number: int) -> str:
    low, high = (_number(each) for each in row.interval)
    inside = f"x >= {low} && x <= {high}"
    return f"""
extern "C" __global__ void {judge(number)}(const float *got, unsigned first, unsigned count, unsigned long long *worst,
                                           unsigned *wrong, unsigned *some) {{
  unsigned long long own = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {{
    unsigned bits = first + i;
    float x = __uint_as_float(bits), result = got[i];
    double exact = {row.function}((double)x);
    if (wrong_in_kind(result, exact)) {{
      unsigned place = atomicAdd(wrong, 1u);
      if (place < {WRONG})
        some[place] = bits;
    }} else if (!isnan(exact) && ({"" if row.holds_inside else "!"}({inside}))) {{
      unsigned long long key = (unsigned long long)__float_as_uint((float)error_of(result, exact)) << 32 | bits;
      own = max(own, key);
    }}
  }}
  for (int distance = 16; distance > 0; distance /= 2)
    own = max(own, __shfl_xor_sync(0xffffffffu, own, distance));
  if (threadIdx.x % 32 == 0)
    atomicMax(worst, own);
}}
"""


def _number(value: float) -> str:
    return (
        ("" if value > 0 else "-") + "__longlong_as_double(0x7ff0000000000000ll)" if math.isinf(value) else repr(value)
    )
