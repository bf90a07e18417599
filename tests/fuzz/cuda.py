# SPDX-License-Identifier: Apache-2.0
"""The dialect of random kernels in CUDA C++."""

from typing import Final

from . import control_flow, group_statements, private_statements
from .aggregates import AGGREGATES
from .arithmetic import FLOAT, INT, NUMBERS, OTHERS, UNSIGNED, converted
from .dialect import Dialect
from .expressions import INPUTS
from .prelude import TABLE
from .statements import KINDS, anywhere, can_loop, together
from .writer import Kind

CUDA: Final = Dialect(
    numbers=NUMBERS,
    unsigned=UNSIGNED,
    int=INT,
    operands=OTHERS,
    converted=converted,
    memory=(("in", UNSIGNED, INPUTS), ("fin", FLOAT, INPUTS), ("table", UNSIGNED, TABLE)),
    aggregates=AGGREGATES,
    kinds=(
        *KINDS,
        Kind(private_statements.exchange, anywhere, 1),
        Kind(private_statements.function, anywhere, 1),
        Kind(private_statements.output, lambda scope: scope.outputs, 2),
        Kind(private_statements.own_atomic, lambda scope: scope.outputs, 1),
        Kind(private_statements.print_values, lambda scope: scope.outputs and scope.prints and scope.weight == 1, 1),
        Kind(private_statements.fault, lambda scope: scope.faults, 2),
        Kind(group_statements.vote, together, 2),
        Kind(control_flow.fade, lambda scope: can_loop(scope) and scope.together and bool(scope.escapes), 2),
    ),
    barrier="__syncthreads();",
)
