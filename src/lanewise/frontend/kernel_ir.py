# SPDX-License-Identifier: Apache-2.0
"""Kernel IR as a source language: text that is compiled already, by whoever wrote it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from lanewise.cache import Cache, key
from lanewise.frontend.given_options import DEFAULT_ARCH, GivenOptions, listed
from lanewise.frontend.source import Source

if TYPE_CHECKING:
    from lanewise.frontend.unit import KernelModule


class KernelIrUnit(NamedTuple):
    """See `frontend.unit.Unit`. No option changes the text; each is part of the digest all the same."""

    source: Source
    options: GivenOptions

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def digest(self) -> str:
        return key("ir", self.name, self.source.text, repr(self.options))

    @property
    def arch(self) -> str:
        return self.options.arch or DEFAULT_ARCH

    @property
    def terms(self) -> str:
        return "cuda"  # whose names the intrinsics have

    @property
    def is_foreign(self) -> bool:
        return True

    @property
    def main_line(self) -> None:
        return None

    def compile(self, cache: Cache, meanwhile: Callable[[], None]) -> "KernelModule":
        from lanewise.frontend.description import describe  # a warm start describes nothing
        from lanewise.frontend.unit import KernelModule
        from lanewise.ir.reader import read_module

        return KernelModule(self.source.text, describe(read_module(self.source.text), (), {}, ()))

    def for_arch(self, arch: str) -> "KernelIrUnit":
        return self

    def with_instance(self, name: str) -> None:
        return None

    def in_general_form(self) -> None:
        return None

    @property
    def text(self) -> str:
        return self.source.text

    def ptx(self) -> None:
        return None

    def hint(self, name: str) -> str:
        return ""


def kernel_ir_unit(source: Source, given: GivenOptions) -> KernelIrUnit:
    """The unit of a text."""
    return KernelIrUnit(source, given._replace(options=listed("options", given.options)))
