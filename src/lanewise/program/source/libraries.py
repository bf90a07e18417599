# SPDX-License-Identifier: Apache-2.0
"""Libraries that programs are linked with, for this machine and for GPUs."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from lanewise.cache import Cache
from lanewise.ir.counters import VARIABLE
from lanewise.log import step

if TYPE_CHECKING:
    from lanewise.ir.module import Module
    from lanewise.linking import Library


def link_for_host(module: Module, cache: Cache, *, fused: bool) -> bool:
    """Add to a module all that it calls of the mathematical library, and functions for its inline assembly; returns
    whether there was any. `fused`: for processors that multiply and add in one rounding."""
    from lanewise.linking import link_libraries  # a warm start links nothing
    from lanewise.mathlib import ON_HOSTS, WITHOUT_FUSED

    assembly = _has_assembly(module) and _define_assembly(module)
    with step("link library functions"):
        libraries = [_library(cache, fused), *_counting(module, cache)]
        return assembly | link_libraries(module, libraries, ON_HOSTS if fused else WITHOUT_FUSED)


def link_for_gpus(module: Module, cache: Cache, *, hardware: bool) -> bool:
    """The same for PTX: approximate instructions are left as they are. `hardware`: functions that the library has in a
    form for GPUs are taken in that form."""
    from lanewise.linking import link_libraries
    from lanewise.mathlib import ON_GPUS

    with step("link library functions"):
        return link_libraries(module, [_library(cache, True, hardware)], ON_GPUS)


def _has_assembly(module: Module) -> bool:
    return any(
        i.op == "call" and getattr(i.operands[0], "kind", "") == "asm"
        for f in module.functions
        for i in f.instructions()
    )


def _define_assembly(module: Module) -> bool:
    from lanewise.frontend.ptx.inline_assembly import define_assembly  # few programs have any

    with step("translate inline assembly"):
        return define_assembly(module)


def _counting(module: Module, cache: Cache) -> list[Library]:
    """The library of woven counters, if the module has some."""
    if VARIABLE not in module.symbols:
        return []
    from lanewise.frontend.ptx.counting.library import counting_library  # only who profiles needs it

    return [counting_library(cache)]


@functools.lru_cache(maxsize=4)
def _library(cache: Cache, fused: bool, hardware: bool = False) -> Library:
    """One library for all programs of a session, so that a unit is compiled once even if nothing is cached."""
    from lanewise.mathlib import math_library

    return math_library(cache, fused=fused, hardware=hardware)
