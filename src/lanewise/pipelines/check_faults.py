# SPDX-License-Identifier: Apache-2.0
"""Faults of checked kernels on the CPU: the runtime core tells of them, by a service."""

from __future__ import annotations

from typing import Final

from lanewise.ir.function import Function
from lanewise.ir.intrinsics import CHECK_FAULT, CHECK_GLOBAL, CHECK_MEETING, CHECK_SHARED, MEMORY_BYTES, MEMORY_START
from lanewise.ir.module import Module
from lanewise.pipelines.isolate import declare

_ATTRIBUTES: Final = "nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)"
"""It writes to the report alone, so that values that were loaded before are known after it."""

_OF_A_QUESTION: Final = "nofree nosync nounwind willreturn memory(none)"
"""Allocations stay as they are while a kernel runs."""


def tell_by_service(module: Module) -> None:
    """Take away the definitions of functions that the runtime core has."""
    tell = dict.fromkeys((CHECK_FAULT, CHECK_SHARED, CHECK_GLOBAL, CHECK_MEETING), _ATTRIBUTES)
    for name, attributes in (tell | dict.fromkeys((MEMORY_START, MEMORY_BYTES), _OF_A_QUESTION)).items():
        function = module.symbols.get(name)
        if isinstance(function, Function):
            declare(function)
            function.suffix = attributes
