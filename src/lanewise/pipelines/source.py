# SPDX-License-Identifier: Apache-2.0
"""Sources of a pipeline: kernel IR with all functions that it calls, as text, or as something that reads it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias

from lanewise.analysis.references import reached_from
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.pipelines.isolate import declare

Source: TypeAlias = str | Callable[[Collection[str] | None], Module]
"""Text, or a function as `read` below, which returns a module that the caller may change."""


def read(source: Source, roots: Collection[str] | None = None) -> Module:
    """The module; or the part of it that the functions `roots`, by symbol, need: others may be declarations."""
    return read_module(source, roots) if isinstance(source, str) else source(roots)


def keep_bodies(module: Module, roots: Collection[str]) -> None:
    """Make declarations of the functions that `roots` don't reach."""
    reached = reached_from([module.symbols[symbol] for symbol in roots])
    for function in module.functions:
        if function.blocks and function not in reached:
            declare(function)
