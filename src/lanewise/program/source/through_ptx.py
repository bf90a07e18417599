# SPDX-License-Identifier: Apache-2.0
"""Programs for devices that take PTX: of other languages, the PTX that a GPU would get."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.cache import Cache
from lanewise.device.program import Program
from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.ptx.unit import ptx_unit
from lanewise.frontend.source import Source
from lanewise.program.source.translation import translate

if TYPE_CHECKING:
    from lanewise.frontend.unit import Unit


def through_ptx(program: Program, unit: Unit, arch: str, cache: Cache) -> Program:
    """The program of `unit` as its PTX for `arch` makes it; the program itself if it is PTX. CompileError names what
    has no PTX, and what of all kernels has no translation from it; `refused` has the errors of some."""
    if unit.ptx():
        return program
    text = Source(program.product("ptx", arch))
    made = translate(ptx_unit(text, GivenOptions()), program.options, cache)
    return made.program._replace(name=program.name, names=program.names, refused=made.info.refused)
