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
    from collections.abc import Callable

    from lanewise.frontend.unit import Unit


def through_ptx(program: Program, unit: Unit, arch: str, cache: Cache) -> Program:
    """The program of `unit` as its PTX for `arch` makes it; the program itself if it is PTX. CompileError names what
    has no PTX, and what of all kernels has no translation from it; `refused` has the errors of some."""
    if unit.ptx():
        return program
    text = Source(program.product("ptx", arch))
    made = translate(ptx_unit(text, GivenOptions()), program.options, cache)
    return made.program._replace(name=program.name, names=program.names, refused=made.info.refused)


def as_ptx(program: Program, unit: Unit) -> Program:
    """The program of `unit` with its own text as the form ptx, if it is PTX of one file."""
    sources = unit.ptx()
    return program if len(sources) != 1 else program._replace(product=_with_text(program.product, sources[0].text))


def _with_text(product: Callable[[str, str], str], text: str) -> Callable[[str, str], str]:
    return lambda form, target: text if form == "ptx" else product(form, target)
