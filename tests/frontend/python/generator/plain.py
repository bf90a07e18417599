# SPDX-License-Identifier: Apache-2.0
"""A stand-in for `lanewise` that leaves functions as they are: so Python runs a program with all that it calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

prange = range


def jit(**options: Any) -> Callable[[Any], Any]:
    return lambda function: function
