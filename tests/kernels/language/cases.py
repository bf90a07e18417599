# SPDX-License-Identifier: Apache-2.0
"""All kernels of the language's surface."""

from ..case import Case, Launch
from . import cases_control, cases_floats, cases_integers, cases_types

CASES: list[Case] = [
    *cases_integers.TABLE.cases,
    *cases_floats.TABLE.cases,
    *cases_types.TABLE.cases,
    *cases_control.TABLE.cases,
]

# For kernels that want no launches of their own; the reference device runs the first.
LAUNCHES = (Launch((2,), (40,)), Launch((7,), (96,)))
