# SPDX-License-Identifier: Apache-2.0
"""PTX of a translation unit, for the architectures that the command line names."""

from collections.abc import Sequence
from typing import NamedTuple

from lanewise.errors import CompileError
from lanewise.log import step
from lanewise.program.source.translation import TranslatedUnit


class GpuCode(NamedTuple):
    """The PTX of all kernels of a unit for an architecture, `sm_80`; or none, and the reason."""

    arch: str
    ptx: str
    refusal: str = ""


def gpu_codes(translation: TranslatedUnit, archs: Sequence[str]) -> tuple[GpuCode, ...]:
    """The code for each of `archs`. A unit that PTX has no instructions for still runs on the CPU."""
    return tuple(_code(translation, arch) for arch in archs)


def _code(translation: TranslatedUnit, arch: str) -> GpuCode:
    with step(f"PTX for {arch}"):
        try:
            return GpuCode(arch, translation.products.ptx(arch))
        except CompileError as error:
            return GpuCode(arch, "", str(error))
