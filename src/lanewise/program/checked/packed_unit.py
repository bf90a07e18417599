# SPDX-License-Identifier: Apache-2.0
"""Kernel IR that a program carries, as a unit, so that checks can be woven into it while the program runs."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from lanewise.cache import Cache, key
from lanewise.frontend.info import ProgramInfo

if TYPE_CHECKING:
    from lanewise.frontend.source import Source
    from lanewise.frontend.unit import KernelModule, Unit


class PackedUnit(NamedTuple):
    """See `frontend.unit.Unit`. `content`: the digest of what the program carries, `terms` the language of messages."""

    name: str
    content: str
    ir: str
    info: ProgramInfo
    terms: str = "cuda"

    @property
    def digest(self) -> str:
        return key("packed unit", self.content)

    @property
    def arch(self) -> str:
        return ""

    @property
    def is_foreign(self) -> bool:
        return False

    @property
    def main_line(self) -> None:
        return None

    def compile(self, cache: Cache, meanwhile: Callable[[], None]) -> "KernelModule":
        from lanewise.frontend.unit import KernelModule  # a warm start compiles nothing

        return KernelModule(self.ir, self.info)

    def for_arch(self, arch: str) -> "PackedUnit":
        return self

    def with_instance(self, name: str) -> None:
        return None

    def in_general_form(self) -> None:
        return None

    @property
    def text(self) -> None:
        return None

    def ptx(self) -> "tuple[Source, ...]":
        return ()

    def hint(self, name: str) -> str:
        return ""


def checked_unit(unit: PackedUnit, parts: tuple[str, ...]) -> "Unit":
    """The unit with the checks `parts`. Its arguments may point into the middle of arrays, as programs pass them."""
    from lanewise.checks.unit import CheckedUnit

    return CheckedUnit(unit, parts, point_inside=True)
