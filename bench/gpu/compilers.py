# SPDX-License-Identifier: Apache-2.0
"""The compilers that are compared, each from CUDA C++ to PTX.

"lanewise" is what users get. What is left out of it is named by steps of the GPU's pipeline, and by LLVM's switches for
GPUs, which then have LLVM's own value. "llvm" is the same with all steps of the GPU's pipeline left out that LLVM's own
pipeline doesn't have, but those without which there would be no code: LLVM with our switches.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import lanewise as lw
from lanewise.backend.nvptx.targets import target
from lanewise.ir.reader import read_module
from lanewise.pipelines.drive import Drive, View, check
from lanewise.pipelines.gpu import GPU, Goal
from lanewise.pipelines.step import Group, Step, Table
from lanewise.program.source.libraries import link_for_gpus
from lanewise.session import session_of_this_process

from .llvms_own import SWITCHES, llvms_own
from .tools import Tools, nvcc_ptx

NAMES: Final = ("lanewise", "nvcc", "llvm")
_LLVMS_OWN: Final = frozenset({"hide-other-kernels", "keep-debug-directives", "optimise"})
"""Steps that LLVM's own pipeline has, too, beside those that are required."""


def left_out() -> frozenset[str]:
    """The steps that "llvm" is without."""
    return frozenset(step.name for step in _leaves(GPU) if not step.required and step.name not in _LLVMS_OWN)


def check_steps(steps: frozenset[str], enabled: frozenset[str] = frozenset()) -> None:
    """Error for a step that is no switch and that the GPU's pipeline hasn't, or that can't be left out."""
    check(View(disabled=steps.difference(SWITCHES), enabled=enabled), GPU)


def ptx(
    compiler: str,
    source: str,
    arch: str,
    tools: Tools,
    without: frozenset[str] = frozenset(),
    enabled: frozenset[str] = frozenset(),
) -> str:
    """PTX of a source with one kernel, by a compiler of `NAMES`; that of "lanewise" is made `without` some steps and
    switches, and with those steps `enabled` that otherwise don't run."""
    if compiler == "nvcc":
        return nvcc_ptx(tools, source, arch)
    if compiler == "llvm":
        return _ptx_without(source, arch, left_out())
    changed = without or enabled
    return (
        _ptx_without(source, arch, without, enabled)
        if changed
        else lw.compile(source, language="cuda", arch=arch).ptx(arch)
    )


def _ptx_without(source: str, arch: str, without: frozenset[str], enabled: frozenset[str] = frozenset()) -> str:
    module = read_module(lw.compile(source, language="cuda", arch=arch).ir())
    link_for_gpus(module, session_of_this_process().cache, hardware=True)
    goal = Goal(target(arch, None), None, lambda: module)
    view = View(disabled=without.difference(SWITCHES), enabled=enabled)
    with llvms_own(without.intersection(SWITCHES)):
        drive = Drive(module, goal, f"PTX for {arch}", view).run(GPU)
        goal.machine.claim(drive.llvm)
        return goal.machine.assembly(drive.llvm)


def _leaves(table: Table[Goal]) -> Iterator[Step[Goal]]:
    for step in table:
        if isinstance(step, Group):
            yield from _leaves(step.steps)
        else:
            yield step
