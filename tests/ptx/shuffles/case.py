# SPDX-License-Identifier: Apache-2.0
"""Small kernels that say of each load what becomes of it.

A case is the middle of a kernel. A comment on a load's line says what is expected:

    ld.global.f32 %f2, [%a+4];      // = 1                          the value of the lane one place on
    ld.global.v2.f32 ..., [%a];     // = 0 -2                       so for each element
    ld.global.f32 %f2, [%a+4];      // stays: another iteration     declined, for a reason that says so
    ld.global.f32 %f2, [%a+4];      // stays                        nothing is said of it

All other loads stay as they are, and nothing is said of them. Before the middle stand, for thread (x, y, z) of a block,

    %x %y %z %nx %ny %nz %n     its place, the block's extents, and a parameter that is 5
    %t                          its number in the block
    %i                          an index that neighbours in x have one after the other, and rows apart
    %in %other %a               64-bit pointers: two arrays, with 32000 elements either way, and %in + 4 %i
    %o                          where the thread stores its result, which is %s, made up of what `use` adds to it
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

import lanewise as lw
from lanewise.ptx.shuffles.synthesis import Synthesis

from ..checker.judge import Arguments, Difference, Launch, compare
from ..checker.launches import BLOCKS

_FRAME: Final = """.version {version}
.target {target}
.address_size 64
{module}
.visible .entry k(.param .u64 k_0, .param .u64 k_1, .param .u64 k_2, .param .u32 k_3)
{directives}
{{
    .reg .pred %p<30>;
    .reg .b16 %h<30>;
    .reg .b32 %r<60>;
    .reg .b64 %d<60>;
    .reg .f32 %f<60>;
    .reg .f64 %g<60>;
    .reg .b32 %x, %y, %z, %nx, %ny, %nz, %n, %t, %i, %b, %s;
    .reg .b64 %in, %other, %out, %a, %o, %wide;
    {variables}
    ld.param.u64 %out, [k_0];
    ld.param.u64 %in, [k_1];
    ld.param.u64 %other, [k_2];
    ld.param.u32 %n, [k_3];
    mov.u32 %x, %tid.x;
    mov.u32 %y, %tid.y;
    mov.u32 %z, %tid.z;
    mov.u32 %nx, %ntid.x;
    mov.u32 %ny, %ntid.y;
    mov.u32 %nz, %ntid.z;
    mad.lo.s32 %t, %z, %ny, %y;
    mad.lo.s32 %t, %t, %nx, %x;
    mul.lo.s32 %b, %nx, %ny;
    mul.lo.s32 %b, %b, %nz;
    mov.u32 %i, %ctaid.x;
    mad.lo.s32 %b, %b, %i, %t;
    mul.wide.u32 %wide, %b, 4;
    add.s64 %o, %out, %wide;
    mad.lo.s32 %i, %y, 67, %x;
    mad.lo.s32 %i, %z, 131, %i;
    mul.wide.u32 %wide, %i, 4;
    add.s64 %a, %in, %wide;
    mov.u32 %s, 1;
{body}
    st.global.u32 [%o], %s;
    ret;
{tail}
}}
"""
_USE: Final = re.compile(r"^(\s*)use ([^;]+);$", re.MULTILINE)
_EXPECTED: Final = re.compile(r"//\s*(?:=\s*(-?\d+(?: -?\d+)*)|stays(?::\s*(.+))?)\s*$")
ROOM: Final = 64_000
"""Elements of an array, which the pointer is in the middle of."""


def _used(match: re.Match[str]) -> str:
    """`use %f1, %r2;` mixes 32-bit registers into the result, `use %d1, ...` those of 64."""
    lines: list[str] = []
    for register in match[2].split(", "):
        if register[1] in "dg":
            lines += [f"mov.b64 {{%r58, %r59}}, {register};", "mad.lo.s32 %s, %s, 31, %r58;"]
            lines.append("mad.lo.s32 %s, %s, 31, %r59;")
        elif register[1] == "h":
            lines += [f"cvt.u32.u16 %r59, {register};", "mad.lo.s32 %s, %s, 31, %r59;"]
        else:
            lines += [f"mov.b32 %r59, {register};", "mad.lo.s32 %s, %s, 31, %r59;"]
    return "\n".join(match[1] + line for line in lines)


@dataclass(frozen=True, slots=True)
class Case:
    """A kernel. `body`: its middle; `variables`: declarations before it; `tail`: what comes after its last `ret`;
    `module`: declarations and functions before the kernel."""

    body: str
    directives: str = ""
    variables: str = ""
    module: str = ""
    tail: str = ""
    version: str = "8.0"
    target: str = "sm_80"

    @property
    def text(self) -> str:
        return _FRAME.format(
            version=self.version, target=self.target, module=self.module, directives=self.directives,
            variables=self.variables, body=_USE.sub(_used, self.body.strip("\n")), tail=self.tail,
        )  # fmt: skip

    def synthesise(self, **options: Any) -> Synthesis:
        return lw.ptx.synthesise_shuffles(lw.ptx.parse(self.text, "case.ptx"), **{"always": True, **options})


def check(case: Case, **options: Any) -> Synthesis:
    """What is said of each load of a case agrees with what is done. Returns what was made."""
    made = case.synthesise(**options)
    (report,) = made.kernels
    wanted: dict[int, tuple[int, ...]] = {}
    reasons: dict[int, str] = {}
    silent: set[int] = set()
    for number, line in enumerate(case.text.splitlines(), 1):
        match = _EXPECTED.search(line)
        if match is None:
            continue
        if match[1]:
            wanted[number] = tuple(map(int, match[1].split()))
        elif match[2]:
            reasons[number] = match[2]
        else:
            silent.add(number)
    said = {declined.line: declined.why for declined in report.declined}
    assert {load.line: load.lanes for load in report.replaced} == wanted, said
    for line, reason in reasons.items():
        assert reason in said.get(line, "nothing is said"), said
    assert said.keys() == reasons.keys(), said
    if not wanted:
        assert made.text == case.text, "nothing was replaced, but the text has changed"
    return made


# -- running -----------------------------------------------------------------------------------------------------------


def arguments(rng: np.random.Generator, threads: int) -> Arguments:
    """Of the frame's kernel: results, two arrays, and 5."""
    data, other = (rng.integers(0, 1 << 32, ROOM, np.uint32) for _ in range(2))
    return (np.zeros(threads, np.uint32), data[ROOM // 2 :], other[ROOM // 2 :], 5)


def launches(blocks: Any = BLOCKS, grid: int = 2) -> list[Launch]:
    return [Launch((grid, 1, 1), block, partial(arguments, threads=grid * int(np.prod(block)))) for block in blocks]


def difference(case: Case, rewritten: str, blocks: Any = BLOCKS, seeds: Any = (1,)) -> Difference | None:
    """Where the rewritten kernel does something else than the case's."""
    return compare(case.text, rewritten, "k", launches(blocks), seeds)
