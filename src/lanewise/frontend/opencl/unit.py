# SPDX-License-Identifier: Apache-2.0
"""Translation units in OpenCL C: what is known of one before clang runs, and its compilation."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from lanewise.cache import Cache, key
from lanewise.errors import CompileError, Error
from lanewise.frontend.given_options import DEFAULT_ARCH, GivenOptions, listed
from lanewise.frontend.opencl.options import OpenClOptions
from lanewise.frontend.source import Source
from lanewise.log import step

if TYPE_CHECKING:
    from lanewise.frontend.opencl.held_files import HeldFiles
    from lanewise.frontend.unit import KernelModule


class OpenClUnit(NamedTuple):
    """See `frontend.unit.Unit`. `is_linked`: the source is not OpenCL C but LLVM IR, as `linked_program` makes it, or
    bitcode or SPIR-V, decoded as UTF-8 with surrogates for what isn't. `held`: the files that the source
    includes, which are read otherwise."""

    source: Source
    options: OpenClOptions
    arch: str
    is_linked: bool = False
    held: "HeldFiles | None" = None

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def digest(self) -> str:
        held = "" if self.held is None else repr(self.held)
        return key("opencl", self.name, self.source.text, self.arch, repr(self.options), str(self.is_linked), held)

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
        # A warm start compiles nothing.
        from lanewise.frontend.opencl.compile import ClangIR, compile_opencl, kernel_ir

        if self.is_linked:
            made = kernel_ir(ClangIR(self._ir), self.name, self.options, cache)
        else:
            made = compile_opencl(self.source.text, self.source.path, self.options, cache, meanwhile, self.held)
        from lanewise.frontend.description import describe  # loaded meanwhile
        from lanewise.frontend.unit import KernelModule

        with step(f"describe the kernels of {self.name}"):
            info = describe(made.module, (), {}, made.warnings, made.refused)
            info = info._replace(global_bytes=made.global_bytes)
        return KernelModule(made.text, info, made.dependencies, made.module, made.absent)

    @property
    def _ir(self) -> str:
        """The program as clang would write it. CompileError for bitcode or SPIR-V that isn't taken."""
        from lanewise.frontend.opencl.spir import is_bitcode, spir_program
        from lanewise.frontend.spirv import is_spirv

        data = self.source.text.encode(errors="surrogateescape")
        if is_bitcode(data):
            translate = spir_program
        elif is_spirv(data):
            from lanewise.frontend.opencl.compile import require_options
            from lanewise.frontend.spirv.translate import spirv_program  # few programs come as SPIR-V

            require_options(self.options)  # no run of clang for the program sees them
            translate = spirv_program
        else:
            return self.source.text
        try:
            return translate(data)
        except CompileError as error:
            raise CompileError(f"{self.name}: {error}") from None

    def for_arch(self, arch: str) -> "OpenClUnit":
        return self._replace(arch=arch)

    def with_instance(self, name: str) -> None:
        return None

    def in_general_form(self) -> "OpenClUnit | None":
        return None if self.options.general else self._replace(options=self.options._replace(general=True))

    @property
    def text(self) -> str:
        return self.source.text

    def ptx(self) -> tuple[Source, ...]:
        return ()

    def hint(self, name: str) -> str:
        return ""


def opencl_unit(source: Source, given: GivenOptions) -> OpenClUnit:
    """The unit of a source text. `options` may be one string, as for clBuildProgram."""
    words = given.options
    options = (words,) if isinstance(words, str) else listed("options", words)
    return OpenClUnit(source, OpenClOptions(given.defines, given.include_dirs, options), given.arch or DEFAULT_ARCH)


def binary_unit(source: object, given: GivenOptions) -> OpenClUnit:
    """The unit of a program in bytes: LLVM bitcode for `spir64`, or SPIR-V; of a file, bytes as surrogates in a text.
    CompileError for other bytes, Error for options of sources."""
    from lanewise.frontend.opencl.spir import is_bitcode  # few programs come in bytes
    from lanewise.frontend.spirv import is_spirv

    if not isinstance(source, bytes | Source):
        raise Error(f"source must be bytes of LLVM bitcode or SPIR-V, not {type(source).__name__}")
    read = source if isinstance(source, Source) else Source(source.decode(errors="surrogateescape"))
    data = read.text.encode(errors="surrogateescape")
    if not is_bitcode(data) and not is_spirv(data):
        raise CompileError(
            f"{read.name}: neither LLVM bitcode, which begins with 'BC' 0xC0DE, nor SPIR-V, which begins with "
            "0x07230203"
        )
    if given.defines or given.include_dirs:
        raise Error("defines and include_dirs are for sources: the program has been compiled")
    unit = opencl_unit(read, given)
    return unit._replace(is_linked=True)
