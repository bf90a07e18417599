# SPDX-License-Identifier: Apache-2.0
"""Translation units whose kernels are checked."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from lanewise.cache import Cache, key
from lanewise.frontend.source import Source
from lanewise.log import step

if TYPE_CHECKING:
    from lanewise.frontend.unit import KernelModule, Unit


class CheckedUnit(NamedTuple):
    """A unit with checks woven into its kernels; see `frontend.unit.Unit`. `parts`: the names of the checks.
    `point_inside`: arguments may point into the middle of an array, and launches tell by how many bytes."""

    inner: "Unit"
    parts: tuple[str, ...]
    point_inside: bool = False

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def digest(self) -> str:
        form = ("inside",) if self.point_inside else ()
        return key("checked", self.inner.digest, *self.parts, *form)

    @property
    def arch(self) -> str:
        return self.inner.arch

    @property
    def terms(self) -> str:
        return self.inner.terms

    @property
    def is_foreign(self) -> bool:
        return self.inner.is_foreign

    @property
    def main_line(self) -> int | None:
        return self.inner.main_line

    def compile(self, cache: Cache, meanwhile: Callable[[], None]) -> "KernelModule":
        made = self.inner.compile(cache, meanwhile)
        from lanewise.checks.weave import text_with_checks  # a warm start compiles nothing
        from lanewise.child import guarded
        from lanewise.frontend.unit import KernelModule

        with step(f"weave checks into {self.name}"):
            what = f"{self.name}: checks"
            text, info = guarded(
                self.is_foreign, what, text_with_checks, made.text, made.info, self.parts, self.point_inside
            )
        return KernelModule(text, info, made.dependencies, absent=made.absent)

    def for_arch(self, arch: str) -> "CheckedUnit":
        return self._replace(inner=self.inner.for_arch(arch))

    def with_instance(self, name: str) -> "CheckedUnit | None":
        unit = self.inner.with_instance(name)
        return None if unit is None else self._replace(inner=unit)

    def in_general_form(self) -> "CheckedUnit | None":
        unit = self.inner.in_general_form()
        return None if unit is None else self._replace(inner=unit)

    @property
    def text(self) -> str | None:
        return self.inner.text

    def ptx(self) -> tuple[Source, ...]:
        return ()

    def hint(self, name: str) -> str:
        return self.inner.hint(name)
