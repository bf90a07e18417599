# SPDX-License-Identifier: Apache-2.0
"""Programs for devices that take PTX: of other languages, the PTX that a GPU would get."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lanewise.cache import Cache
from lanewise.device.program import Program
from lanewise.errors import CompileError
from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.ptx.unit import ptx_unit
from lanewise.frontend.source import Source
from lanewise.program.source.translation import translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.frontend.unit import Unit


_TARGET: Final = re.compile(r"^[ \t]*\.target[ \t]+sm_(\d+)([af]?)", re.MULTILINE)


def through_ptx(program: Program, unit: Unit, arch: str, cache: Cache) -> Program:
    """The program of `unit` as its PTX for `arch` makes it, by default with the mathematics of the CPU; the program
    itself if it is PTX. CompileError names what
    has no PTX, what of all kernels has no translation from it, and PTX for newer GPUs than `arch`; `refused` has the
    errors of some."""
    if sources := unit.ptx():
        for source in sources:
            _check_target(source, arch)
        return program
    text = Source(program.product("simulated-ptx", arch))
    made = translate(ptx_unit(text, GivenOptions()), program.options, cache)
    return made.program._replace(name=program.name, names=program.names, refused=made.info.refused)


def _check_target(source: Source, arch: str) -> None:
    """CompileError for PTX whose `.target` a GPU of `arch` doesn't run (PTX ISA, section ".target"): a newer one, one
    with the features of another GPU alone (`sm_90a`), or those of another family (`sm_100f`)."""
    found = _TARGET.search(source.text)
    if found is None:
        return
    target, suffix, own = int(found[1]), found[2], int(arch.removeprefix("sm_").rstrip("af"))
    in_family = suffix != "f" or target // 10 == own // 10
    if target > own or not in_family or (suffix == "a" and target != own):
        line = source.text.count("\n", 0, found.start(1)) + 1
        raise CompileError(
            f"{source.name}:{line}: PTX for sm_{target}{suffix} doesn't run on an {arch} GPU, which the device is; "
            f"choose another one by lw.device('simt', gpu=...), or compile the PTX for {arch}"
        )


def as_ptx(program: Program, unit: Unit) -> Program:
    """The program of `unit` with its own text as the form ptx, if it is PTX of one file."""
    sources = unit.ptx()
    return program if len(sources) != 1 else program._replace(product=_with_text(program.product, sources[0].text))


def _with_text(product: Callable[[str, str], str], text: str) -> Callable[[str, str], str]:
    return lambda form, target: text if form == "ptx" else product(form, target)
