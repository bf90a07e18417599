# SPDX-License-Identifier: Apache-2.0
"""TranslatedUnit units of saved modules, which were compiled before they were saved."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from lanewise.cache import Cache
from lanewise.errors import Error
from lanewise.frontend.source import Source

if TYPE_CHECKING:
    from lanewise.frontend.unit import KernelModule


class SavedUnit(NamedTuple):
    """See `frontend.unit.Unit`. `name` is the file's path, `arch` what its kernel IR was made for."""

    name: str
    digest: str
    arch: str

    @property
    def terms(self) -> str:
        return "opencl"

    @property
    def is_foreign(self) -> bool:
        return False

    @property
    def main_line(self) -> None:
        return None

    def compile(self, cache: Cache, meanwhile: Callable[[], None]) -> "KernelModule":
        raise Error(f"{self.name} is a saved module, compiled already")

    def for_arch(self, arch: str) -> "SavedUnit":
        return self

    def with_instance(self, name: str) -> None:
        return None

    def in_general_form(self) -> None:
        return None

    @property
    def text(self) -> None:
        return None

    def ptx(self) -> tuple[Source, ...]:
        return ()

    def hint(self, name: str) -> str:
        if "<" not in name:
            return ""
        return "; of templates, a saved module has the instances that were made before it was saved"
