# SPDX-License-Identifier: Apache-2.0
"""All kernels of the language's surface."""

from ..case import Case, Launch
from . import cases_floats, cases_integers

CASES: list[Case] = [*cases_integers.TABLE.cases, *cases_floats.TABLE.cases]


def launches(place: int, *, small: bool, every: bool) -> list[Launch]:
    return [Launch((2,), (40,)), Launch((7,), (96,))]
