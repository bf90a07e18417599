# SPDX-License-Identifier: Apache-2.0
"""Kernels of the OpenCL platform that are compiled one by one, at their first launch: those with images for the formats
and samplers of a launch, and those of large programs.

The platform tells them in lines (`opencl/runtime/image_variants.cpp`), none of them for code that takes any:

    kernel SYMBOL
    image NUMBER BYTES        of the argument's description, from `known_images.FIRST_KNOWN` on, in hexadecimal digits
    sampler NUMBER BITS
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from lanewise.cache import Cache, key
from lanewise.cuda.objects.variable_kinds import variable_kinds
from lanewise.errors import Error
from lanewise.frontend.opencl.known_images import BYTES, FIRST_KNOWN, KnownArgument, KnownImages
from lanewise.frontend.opencl.unit import OpenClUnit
from lanewise.program.source.translation import TranslatedUnit, translate

if TYPE_CHECKING:
    from lanewise.frontend.source import Source
    from lanewise.frontend.unit import KernelModule
    from lanewise.ir.module import Module

_OF_IMAGES: Final = re.compile(r"_Z\d+(?:read_image|write_image|get_image)").match
"""Mangled names of the built-in functions that look at an image's format."""
_PRUNING: Final = ("always-inline", "globaldce", "sroa", "sccp", "simplifycfg", "adce", "strip-dead-prototypes")
LARGE_PROGRAM: Final = 8_000
"""Lines of unoptimised kernel IR. To compile all kernels of such a program takes many seconds, and most runs launch few
of them. ggml's for attention over quantised numbers has 7 in 19,000 lines, which weren't done after 200 seconds on a
processor that others used, too."""


class KnownImagesUnit(NamedTuple):
    """A kernel of a unit in OpenCL C with what is known of its arguments; see `frontend.unit.Unit`. `program` is the
    key of the unit's translation, which files that it includes are part of."""

    base: OpenClUnit
    program: str
    known: KnownImages

    @property
    def name(self) -> str:
        return self.base.name

    @property
    def digest(self) -> str:
        return key("known images", self.program, repr(self.known))

    @property
    def arch(self) -> str:
        return self.base.arch

    @property
    def terms(self) -> str:
        return self.base.terms

    @property
    def is_foreign(self) -> bool:
        return False

    @property
    def main_line(self) -> None:
        return None

    def compile(self, cache: Cache, meanwhile: Callable[[], None]) -> "KernelModule":
        from lanewise.frontend.opencl import known_images  # a warm start compiles nothing
        from lanewise.frontend.unit import KernelModule
        from lanewise.ir.reader import read_module

        made = translate(self.base, {}, cache)
        module = read_module(made.program.ir(), [self.known.kernel])
        known_images.run(module, self.known)
        kernels = tuple(each for each in made.info.kernels if each.signature.symbol == self.known.kernel)
        return KernelModule(_pruned(module), made.info._replace(kernels=kernels))

    def for_arch(self, arch: str) -> "KnownImagesUnit":
        return self._replace(base=self.base.for_arch(arch))

    def with_instance(self, name: str) -> None:
        return None

    def in_general_form(self) -> None:
        return None

    @property
    def text(self) -> str:
        return self.base.text

    def ptx(self) -> "tuple[Source, ...]":
        return ()

    def hint(self, name: str) -> str:
        return ""


def _pruned(module: "Module") -> str:
    """The text of a module in which functions of images have become what is left of them for the known formats. Each
    has up to a thousand instructions at first, which the pipeline would read again and again. LLVM does no arithmetic
    here that the pipeline's own steps would do otherwise: constants go where they are used, and branches on them are
    gone."""
    from lanewise.ir.writer import write_module
    from lanewise.llvm import LlvmModule, Machine, run_passes

    for function in module.functions:
        if not function.blocks:
            function.metadata = ()  # of another kernel, that was not read
        elif _OF_IMAGES(function.symbol):
            function.suffix = f"{function.suffix} alwaysinline"
    pruned = LlvmModule.parse(write_module(module))
    run_passes(pruned, _PRUNING, Machine.nvptx("sm_80", 78))
    return pruned.text()


def writes_variables(made: TranslatedUnit) -> bool:
    """Return whether kernels of a program may write its variables. Few programs have both these and images: their code
    is made at once, for any images."""
    variables = made.program.variables
    return bool(variables) and not variable_kinds(made.program).constants.issuperset(variables)


def later_kernels(made: TranslatedUnit) -> frozenset[str]:
    """The symbols of the kernels that are compiled at their first launch, where that may be: those with images, when
    these are known, and all of a large program that includes no files, which may be others by then."""
    kernels = made.info.kernels
    if len(kernels) > 1 and not made.dependencies and made.program.ir().count("\n") > LARGE_PROGRAM:
        return frozenset(kernel.signature.symbol for kernel in kernels)
    return frozenset(
        kernel.signature.symbol
        for kernel in kernels
        if any(parameter.kind == "image" for parameter in kernel.signature.parameters)
    )


def read_known(text: str) -> KnownImages:
    """The kernel and the arguments that a request tells of. Error for what can't be read."""
    first, *rest = text.split("\n")
    try:
        return KnownImages(first.removeprefix("kernel "), tuple(_argument(line) for line in rest if line))
    except ValueError:
        raise Error("the description of a kernel's images can't be read") from None


def _argument(line: str) -> KnownArgument:
    kind, number, value = line.split(" ")
    if kind == "sampler":
        return KnownArgument(int(number), bits=int(value))
    description = bytes.fromhex(value)
    if kind != "image" or len(description) != BYTES - FIRST_KNOWN:
        raise ValueError(line)
    return KnownArgument(int(number), description)
