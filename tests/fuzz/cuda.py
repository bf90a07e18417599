# SPDX-License-Identifier: Apache-2.0
"""The dialect of random kernels in CUDA C++."""

from typing import Final

from . import control_flow, group_statements, private_statements
from .aggregates import AGGREGATES
from .arithmetic import (
    BYTE,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    NUMBERS,
    OTHERS,
    SHORT,
    UNSIGNED,
    UNSIGNED_LONG,
    converted,
)  # fmt: skip
from .dialect import Dialect
from .expressions import INPUTS
from .prelude import TABLE
from .statements import KINDS, anywhere, can_loop, together
from .writer import Kind

_STREAMS: Final = (
    ("in[{p}]", UNSIGNED), ("in[{p} + 1]", UNSIGNED), ("(in + 7)[(int){p} - 5]", UNSIGNED), ("fin[{p}]", FLOAT),
    ("in[2 * {p} + 1]", UNSIGNED), ("fin[2 * {p}]", FLOAT), ("in[3 * {p}]", UNSIGNED), ("fin[4 * {p} + 2]", FLOAT),
    ("in[SIZE + 3 - {p}]", UNSIGNED), ("fin[2 * SIZE - 2 * {p}]", FLOAT), ("in[{p} / 2]", UNSIGNED),
    ("in[{p} / 4 + 5]", UNSIGNED), ("in[{p} % 8]", UNSIGNED), ("in[{p} ^ 1]", UNSIGNED), ("in[{p} & ~3u]", UNSIGNED),
    ("((const unsigned char *)in)[{p}]", BYTE), ("((const short *)in)[{p} + 1]", SHORT),
    ("((const signed char *)in)[2 * {p}]", CHAR), ("((const unsigned long long *)in)[{p}]", UNSIGNED_LONG),
    ("((const long long *)in)[SIZE - {p}]", LONG), ("((const uint4 *)in)[{p}].z", UNSIGNED),
    ("((const float2 *)fin)[{p}].y", FLOAT), ("((const double *)fin)[{p}]", DOUBLE),
    ("in[threadIdx.x + {p} % 2]", UNSIGNED), ("fin[threadIdx.y]", FLOAT),
    ("in[threadIdx.y + blockDim.y * threadIdx.x]", UNSIGNED), ("fin[(threadIdx.x + 64 - threadIdx.y) & 63]", FLOAT),
)  # fmt: skip
_PLACES: Final = (
    "item", "threadIdx.x", "threadIdx.y", "threadIdx.z", "(item % 32)", "(item / 32)", "(threadIdx.x + threadIdx.y)",
)  # fmt: skip
_SIDES: Final = (
    "item & 1", "threadIdx.x < 3", "threadIdx.y & 1", "threadIdx.y == 0", "threadIdx.x == blockDim.x - 1",
    "threadIdx.y > 2", "item % 32 < 16", "item % 32 == 31", "threadIdx.x >= threadIdx.y", "threadIdx.z == 0",
    "item < ITEMS / 2", "item % 3 == 0", "item == 0", "blockIdx.x & 1", "threadIdx.x / 8 == 0",
)  # fmt: skip

CUDA: Final = Dialect(
    numbers=NUMBERS,
    unsigned=UNSIGNED,
    int=INT,
    operands=OTHERS,
    converted=converted,
    memory=(("in", UNSIGNED, INPUTS), ("fin", FLOAT, INPUTS), ("table", UNSIGNED, TABLE)),
    streams=_STREAMS,
    places=_PLACES,
    sides=_SIDES,
    aggregates=AGGREGATES,
    kinds=(
        *KINDS,
        Kind(private_statements.exchange, anywhere, 1),
        Kind(private_statements.function, anywhere, 1),
        Kind(private_statements.output, lambda scope: scope.outputs, 2),
        Kind(private_statements.own_vector, lambda scope: scope.outputs, 1),
        Kind(private_statements.own_atomic, lambda scope: scope.outputs, 1),
        Kind(private_statements.print_values, lambda scope: scope.outputs and scope.prints and scope.weight == 1, 1),
        Kind(private_statements.fault, lambda scope: scope.faults, 2),
        Kind(group_statements.vote, together, 2),
        Kind(control_flow.fade, lambda scope: can_loop(scope) and scope.together and bool(scope.escapes), 2),
    ),
    barrier="__syncthreads();",
)
