# SPDX-License-Identifier: Apache-2.0
"""Runs a random kernel on the CPU and on the reference device, and compares to the bit: what it wrote, what it printed,
and whether it ended with a trap or an assertion."""

import contextlib
import io
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

import lanewise as lw
from lanewise.program.compilation import compile_source
from lanewise.program.kernel import Kernel
from lanewise.program.module import Module

from .kernel import RandomKernel
from .opencl.kernel import OpenClKernel
from .opencl.running import opened
from .opening import any_size, session

AnyKernel = RandomKernel | OpenClKernel

OPTIONS = ("-w",)
ANY_SIZE = 9
"""Kernels with data of this seed also run in code for any local size."""

_WRITTEN = {0: "out", 1: "totals", 7: "words"}
_MEANT_TO_END = re.compile(r"\b(__)?trap\b|assertion")


class Outcome(NamedTuple):
    """What a launch left behind."""

    arguments: Sequence[Any]
    printed: dict[str, list[str]]
    """Lines by work-item, whose order is open."""
    ended: bool
    """Whether a work-item trapped or an assertion failed; then all else is open."""


def compiled(kernel: AnyKernel) -> Module:
    return compile_source(session(), kernel.source, language=kernel.language, options=OPTIONS)


def check(kernel: AnyKernel) -> None:
    """AssertionError, or the device's error, where the kernel does not do the same on both devices."""
    make = opened(kernel) if isinstance(kernel, OpenClKernel) else lambda: compiled(kernel)[kernel.name]
    check_compiled(kernel, make(), make)


def check_compiled(kernel: AnyKernel, program: Kernel, again: Callable[[], Kernel]) -> None:
    """As `check`, of a kernel that is already compiled; `again`: the same, opened on no device yet."""
    wanted = _launched(kernel, program, "reference")
    _compare(_launched(kernel, program, "cpu"), wanted)
    if kernel.data == ANY_SIZE:
        _compare(_launched(kernel, again(), any_size()), wanted)


def _compare(found: Outcome, wanted: Outcome) -> None:
    assert found.ended == wanted.ended, f"ended by a trap: {found.ended} on cpu, {wanted.ended} on reference"
    if wanted.ended:
        return
    for place, name in _WRITTEN.items():
        if place < len(found.arguments):
            left, right = found.arguments[place], wanted.arguments[place]
            places = np.flatnonzero(left != right)
            differences = [(int(p), hex(left[p]), hex(right[p])) for p in places[:5]]
            assert not places.size, f"{name}: {places.size} of {left.size} differ; place, cpu, reference: {differences}"
    assert found.printed == wanted.printed, f"printed: {found.printed} on cpu, {wanted.printed} on reference"


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
