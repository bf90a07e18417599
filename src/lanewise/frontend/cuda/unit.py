# SPDX-License-Identifier: Apache-2.0
"""Translation units in CUDA C++: what is known of one before clang runs, and its compilation."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from lanewise.cache import Cache, key
from lanewise.errors import Error
from lanewise.frontend.cuda.options import CudaOptions
from lanewise.frontend.given_options import DEFAULT_ARCH, GivenOptions, listed
from lanewise.frontend.source import Source
from lanewise.log import step

if TYPE_CHECKING:
    from lanewise.frontend.unit import KernelModule

_TEMPLATE_NAMED: Final = r"\btemplate\b[^;{{}}]*\b__global__\b[^;{{}}]*\b{}\s*\("


class CudaUnit(NamedTuple):
    """See `frontend.unit.Unit`."""

    source: Source
    options: CudaOptions

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def digest(self) -> str:
        return key("cuda", self.name, self.source.text, repr(self.options))

    @property
    def arch(self) -> str:
        return self.options.arch

    @property
    def terms(self) -> str:
        return "cuda"

    @property
    def is_foreign(self) -> bool:
        return False

    @property
    def main_line(self) -> int | None:
        from lanewise.frontend.cuda.host_main import line_of_main  # for those who ask for warnings

        return line_of_main(self.source.text)

    def compile(self, cache: Cache, meanwhile: Callable[[], None]) -> "KernelModule":
        from lanewise.frontend.cuda.compile import compile_cuda  # a warm start compiles nothing

        made = compile_cuda(self.source, self.options, meanwhile, cache)
        from lanewise.frontend.description import describe  # loaded meanwhile
        from lanewise.frontend.unit import KernelModule

        with step(f"describe the kernels of {self.name}"):
            info = describe(made.module, made.kernels, made.instances, made.warnings)
        return KernelModule(made.text, info, made.dependencies, made.module, made.absent)

    def for_arch(self, arch: str) -> "CudaUnit":
        return self._replace(options=self.options._replace(arch=arch))

    def with_instance(self, name: str) -> "CudaUnit | None":
        if "<" not in name:
            return None
        return self._replace(options=self.options._replace(names=(*self.options.names, name)))

    def in_general_form(self) -> None:
        return None

    @property
    def text(self) -> str:
        return self.source.text

    def ptx(self) -> tuple[Source, ...]:
        return ()

    def hint(self, name: str) -> str:
        if re.search(_TEMPLATE_NAMED.format(re.escape(name)), self.source.text):
            return f"; of a template, an instance is named with its arguments, as in {name}<int>"
        return ""


def cuda_unit(source: Source, given: GivenOptions) -> CudaUnit:
    """The unit of a source text. `arch`, or one of nvcc's options, chooses the architecture. Error if they differ."""
    arch, options = given.arch, listed("options", given.options)
    if options:
        from lanewise.frontend.cuda.nvcc_options import split_architecture  # few programs need it

        chosen, options = split_architecture(options)
        if arch is not None and chosen is not None and arch != chosen:
            raise Error(f"arch is {arch!r}, but the options choose {chosen!r}")
        arch = arch or chosen
    return CudaUnit(source, CudaOptions(arch or DEFAULT_ARCH, given.defines, given.include_dirs, options))
