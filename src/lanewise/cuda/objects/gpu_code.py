# SPDX-License-Identifier: Apache-2.0
"""PTX of a translation unit, for the architectures that the command line names."""

from collections.abc import Sequence
from typing import NamedTuple

from lanewise.errors import CompileError
from lanewise.frontend.info import KernelInfo
from lanewise.log import step
from lanewise.program.source.translation import TranslatedUnit


class GpuCode(NamedTuple):
    """The PTX of a unit for an architecture, `sm_80`, and the reason why kernels are missing in it, or all of it."""

    arch: str
    ptx: str
    refusal: str = ""


def gpu_codes(translation: TranslatedUnit, archs: Sequence[str]) -> tuple[GpuCode, ...]:
    """The code for each of `archs`. A kernel that PTX has no instructions for is left out; the CPU still runs it."""
    return tuple(_code(translation, arch) for arch in archs)


def _code(translation: TranslatedUnit, arch: str) -> GpuCode:
    with step(f"PTX for {arch}"):
        try:
            return GpuCode(arch, translation.products.ptx(arch))
        except CompileError as error:
            refusal = str(error).replace(":\n", ": ").replace("\n", "; ")
        without = tuple(k.signature.symbol for k in translation.info.kernels if _lacks(translation, arch, k))
        try:
            return GpuCode(arch, translation.products.ptx(arch, without=without), refusal)
        except CompileError:
            return GpuCode(arch, "", refusal)


def _lacks(translation: TranslatedUnit, arch: str, kernel: KernelInfo) -> bool:
    """True if PTX has no instruction for something in a kernel."""
    try:
        translation.products.ptx(arch, kernel=kernel.signature.symbol)
    except CompileError:
        return True
    return False
