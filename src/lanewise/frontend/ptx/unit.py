# SPDX-License-Identifier: Apache-2.0
"""PTX as a source language."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from lanewise.cache import Cache, key
from lanewise.frontend.given_options import DEFAULT_ARCH, GivenOptions, listed
from lanewise.frontend.source import Source

if TYPE_CHECKING:
    from lanewise.frontend.unit import KernelModule


class PtxUnit(NamedTuple):
    """See `frontend.unit.Unit`. Of the options, those for lines change the translation; each is part of the digest."""

    source: Source
    options: GivenOptions

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def digest(self) -> str:
        return key("ptx", self.name, self.source.text, repr(self.options))

    @property
    def arch(self) -> str:
        return self.options.arch or DEFAULT_ARCH

    @property
    def terms(self) -> str:
        return "cuda"

    @property
    def is_foreign(self) -> bool:
        return True

    @property
    def main_line(self) -> None:
        return None

    def compile(self, cache: Cache, meanwhile: Callable[[], None]) -> "KernelModule":
        from lanewise.frontend.ptx.translate import translate  # a warm start translates nothing
        from lanewise.frontend.unit import KernelModule
        from lanewise.ir.writer import write_module

        made = translate(self.source.text, self.source.name, self.options.options)
        return KernelModule(write_module(made.module), made.info, (), made.module)

    def for_arch(self, arch: str) -> "PtxUnit":
        return self

    def with_instance(self, name: str) -> None:
        return None

    def in_general_form(self) -> None:
        return None

    def hint(self, name: str) -> str:
        return ""


def ptx_unit(source: Source, given: GivenOptions) -> PtxUnit:
    """The unit of a text."""
    return PtxUnit(source, given._replace(options=listed("options", given.options)))
