# SPDX-License-Identifier: Apache-2.0
"""Runs a random kernel on the CPU and on the reference device, and compares to the bit: what it wrote, what it printed,
and whether it ended with a trap or an assertion."""

import contextlib
import io
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import lanewise as lw
from lanewise.config import default_mapping
from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda
from lanewise.program.kernel import Kernel
from lanewise.program.module import Module
from lanewise.program.source.compilation import compile_source

from .kernel import RandomKernel
from .mappings import BOTH, THROUGH_PTX, THROUGH_SPIRV, all_mappings
from .opencl.kernel import OpenClKernel
from .opencl.running import opened
from .opening import Opener, any_size, both_mappings, opener, session

AnyKernel = RandomKernel | OpenClKernel

OPTIONS = ("-w",)
ANY_SIZE = 9
"""Kernels with data of this seed also run in code for any local size."""

_WRITTEN = {0: "out", 1: "totals", 7: "words", 8: "lines", 9: "wave"}
_OF_WARPS = re.compile(r"_sync\(|\b__(syncwarp|activemask|ballot|all|any|shfl)\b")
_REFUSED = "on the CPU device"
_WITHOUT_PTX = "for which PTX has no instruction"
_NO_MAPPINGS = (BOTH, THROUGH_PTX, THROUGH_SPIRV)
_MISTRANSLATED = re.compile(r"\bconvert_u?(?:char|short|int|long)\d*_sat\b")
"""Conversions that clang 22 writes in SPIR-V with another sign than the source's."""
_MEANT_TO_END = re.compile(r"\b(__)?trap\b|assertion")


class Outcome(NamedTuple):
    """What a launch left behind."""

    arguments: Sequence[Any]
    printed: dict[str, list[str]]
    """Lines by work-item, whose order is open."""
    ended: bool
    """Whether a work-item trapped or an assertion failed; then all else is open."""


def compiled(kernel: AnyKernel, mapping: str | None = None) -> Module:
    """As users compile it, to look at."""
    return compile_source(session(), kernel.source, language=kernel.language, options=OPTIONS, mapping=mapping)


def check(kernel: AnyKernel, mappings: Sequence[str] = ()) -> bool:
    """AssertionError, or the device's error, where the kernel does not do the same on the reference device and on the
    CPU under each of some mappings; without any, under all that are tried. Returns whether the CPU took it: that it has
    not some operation of a warp is no failure."""
    if isinstance(kernel, OpenClKernel):
        make = opened(kernel)
    else:
        ir = compile_cuda(Source(kernel.source), CudaOptions(options=OPTIONS))
        make = opener(ir.text, ir.kernels[0].symbol, kernel.name, kernel.block)
    return check_compiled(kernel, make, mappings or all_mappings())


def check_compiled(kernel: AnyKernel, make: Opener, mappings: Sequence[str]) -> bool:
    """As `check`, of a kernel that is already compiled."""
    if _MISTRANSLATED.search(kernel.body):
        mappings = tuple(mapping for mapping in mappings if mapping != THROUGH_SPIRV)
    plain = next((mapping for mapping in mappings if mapping not in _NO_MAPPINGS), default_mapping())
    wanted = _launched(kernel, make(plain), "reference")
    taken = False
    for place, mapping in enumerate(mappings):
        try:
            _compare(_launched(kernel, make(mapping), _device(mapping)), wanted, mapping)
            taken = True
            if place == 0 and mapping == plain and kernel.data == ANY_SIZE:
                _compare(_launched(kernel, make(mapping), any_size()), wanted, f"{mapping}, any local size")
        except lw.CompileError as error:
            without_ptx = mapping == THROUGH_PTX and _WITHOUT_PTX in str(error)
            if not (without_ptx or (_REFUSED in str(error) and _OF_WARPS.search(kernel.body))):
                raise lw.CompileError(f"under {mapping}: {error}") from None
        except lw.Error as error:
            raise type(error)(f"under {mapping}: {error}") from None
    return taken


def _device(mapping: str) -> str | lw.Device:
    if mapping == BOTH:
        return both_mappings()
    return "simt" if mapping == THROUGH_PTX else "cpu"


def _compare(found: Outcome, wanted: Outcome, mapping: str) -> None:
    assert found.ended == wanted.ended, (
        f"under {mapping}: ended by a trap: {found.ended} on cpu, {wanted.ended} on reference"
    )
    if wanted.ended:
        return
    for place, name in _WRITTEN.items():
        if place < len(found.arguments):
            left, right = found.arguments[place], wanted.arguments[place]
            places = np.flatnonzero((left != right) & ((left == left) | (right == right)))  # NaNs count as equal
            differences = [(int(p), _bits(left[p]), _bits(right[p])) for p in places[:5]]
            assert not places.size, (
                f"under {mapping}: {name}: {places.size} of {left.size} differ; place, cpu, reference: {differences}"
            )
    assert found.printed == wanted.printed, (
        f"under {mapping}: printed: {found.printed} on cpu, {wanted.printed} on reference"
    )


def _bits(number: np.generic) -> str:
    return f"0x{number.tobytes()[::-1].hex()}"


def _launched(kernel: AnyKernel, program: Kernel, device: str | lw.Device) -> Outcome:
    arguments = kernel.arguments()[: len(program.params)]
    output, ended = io.StringIO(), False
    with contextlib.redirect_stdout(output):
        try:
            kernel.launch(program, arguments, device)
        except lw.LaunchError as error:
            if not _MEANT_TO_END.search(str(error)):
                raise
            ended = True
    lines: dict[str, list[str]] = defaultdict(list)
    for line in output.getvalue().splitlines():
        lines[line.partition(":")[0]].append(line)
    return Outcome(arguments, dict(lines), ended)
