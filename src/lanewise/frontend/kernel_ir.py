# SPDX-License-Identifier: Apache-2.0
"""Kernel IR as a source language: text that is compiled already, by whoever wrote it."""

from typing import TYPE_CHECKING

from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.source import Source
from lanewise.frontend.text_unit import TextUnit, text_unit

if TYPE_CHECKING:
    from lanewise.frontend.unit import KernelModule


def kernel_ir_unit(source: Source, given: GivenOptions) -> TextUnit:
    """The unit of a text."""
    return text_unit("ir", source, given, _read)


def _read(sources: tuple[Source, ...], options: GivenOptions) -> "KernelModule":
    from lanewise.frontend.description import describe  # a warm start describes nothing
    from lanewise.frontend.unit import KernelModule
    from lanewise.ir.reader import read_module

    (source,) = sources
    return KernelModule(source.text, describe(read_module(source.text), (), {}, ()))
