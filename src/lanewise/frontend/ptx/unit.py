# SPDX-License-Identifier: Apache-2.0
"""PTX as a source language: one module, or several that are linked."""

from typing import TYPE_CHECKING

from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.source import Source
from lanewise.frontend.text_unit import TextUnit, text_unit

if TYPE_CHECKING:
    from lanewise.frontend.unit import KernelModule


def ptx_unit(source: Source, given: GivenOptions) -> TextUnit:
    """The unit of a text."""
    return text_unit("ptx", source, given, _translate, links=True)


def counting_unit(sources: tuple[Source, ...]) -> TextUnit:
    """The unit of texts whose kernels count what they execute."""
    return TextUnit("ptx with counters", sources, GivenOptions(), _translate_with_counters)


def _translate(sources: tuple[Source, ...], options: GivenOptions) -> "KernelModule":
    return _translated(sources, options, counts=False)


def _translate_with_counters(sources: tuple[Source, ...], options: GivenOptions) -> "KernelModule":
    return _translated(sources, options, counts=True)


def _translated(sources: tuple[Source, ...], options: GivenOptions, *, counts: bool) -> "KernelModule":
    from lanewise.frontend.ptx.translate import translate  # a warm start translates nothing
    from lanewise.frontend.unit import KernelModule
    from lanewise.ir.writer import write_module

    made = translate(sources, options.options, counts)
    return KernelModule(write_module(made.module), made.info, (), made.module)
