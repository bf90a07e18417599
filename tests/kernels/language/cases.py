# SPDX-License-Identifier: Apache-2.0
"""All kernels of the language's surface."""

from ..case import Case, Launch
from . import (
    cases_calls,
    cases_control,
    cases_floats,
    cases_integers,
    cases_library,
    cases_narrow,
    cases_objects,
    cases_rounding,
    cases_types,
    cases_words,
)

CASES: list[Case] = [
    *cases_integers.TABLE.cases,
    *cases_floats.TABLE.cases,
    *cases_narrow.TABLE.cases,
    *cases_rounding.TABLE.cases,
    *cases_words.TABLE.cases,
    *cases_types.TABLE.cases,
    *cases_control.TABLE.cases,
    *cases_calls.TABLE.cases,
    *cases_objects.TABLE.cases,
    *cases_library.TABLE.cases,
]

# For kernels that want no launches of their own; the reference device runs the first.
LAUNCHES = (Launch((2,), (40,)), Launch((7,), (96,)))
