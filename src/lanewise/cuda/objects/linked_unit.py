# SPDX-License-Identifier: Apache-2.0
"""The device code of several files as one translation unit."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from lanewise.cache import Cache, key
from lanewise.cuda.objects.device_code import DeviceCode
from lanewise.errors import CompileError
from lanewise.frontend.source import Source
from lanewise.log import step

if TYPE_CHECKING:
    from lanewise.frontend.unit import KernelModule


# Clang's table of the kernel templates that host code launches, which keeps their instances from being dropped.
_KEPT_ALIVE: Final = re.compile(r"^@(?:__clang_gpu_used_external|llvm\.compiler\.used) = [^\n]*\n", re.MULTILINE)


class LinkedUnit(NamedTuple):
    """See `frontend.unit.Unit`. `name` is that of the program."""

    name: str
    codes: tuple[DeviceCode, ...]
    arch: str

    @property
    def digest(self) -> str:
        return key("linked device code", self.arch, *(repr(code) for code in self.codes))

    @property
    def terms(self) -> str:
        return "cuda"

    @property
    def is_foreign(self) -> bool:
        return False

    @property
    def main_line(self) -> None:
        return None

    def compile(self, cache: Cache, meanwhile: Callable[[], None]) -> "KernelModule":
        """Link the code. CompileError for a symbol that two files define."""
        from lanewise.frontend.cuda import names
        from lanewise.frontend.description import describe
        from lanewise.frontend.unit import KernelModule
        from lanewise.frontend.unreached import without_unreached
        from lanewise.ir.reader import read_module

        with step(f"link the device code of {self.name}"):
            text = without_unreached(_linked(self.codes))
            module = read_module(text)
            info = describe(module, names.kernels(module), {}, ())
        return KernelModule(text, info, (), module)

    def for_arch(self, arch: str) -> "LinkedUnit":
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
        return ""


def _linked(codes: Sequence[DeviceCode]) -> str:
    from lanewise.llvm import LlvmError, LlvmModule

    try:
        return LlvmModule.linked([_KEPT_ALIVE.sub("", code.text) for code in codes]).text()
    except LlvmError as error:
        files = ", ".join(code.name for code in codes)
        raise CompileError(f"nvlink error   : {error} (device code of {files})") from None
