# SPDX-License-Identifier: Apache-2.0
"""A kernel of the suite as an OpenACC compiler lays out `kernels loop` whose bounds are known at run time only.

Before
    int i = 1 + blockIdx.y * blockDim.x + threadIdx.x;
    int j = 1 + blockIdx.z;
    int k = 1 + blockIdx.x;
    if (i >= nx - 1 || j >= ny - 1 || k >= ns - 1)
        return;
    BODY

After
    for (int k = 1 + blockIdx.x; k < ns - 1; k += gridDim.x)
        for (int j = 1; j < ny - 1; j++)
            for (int tile = 1; tile < nx - 1; tile += blockDim.x) {
                int i = tile + threadIdx.x;
                if (i < nx - 1) {
                    BODY
                }
            }

Blocks share the outermost parallel loop, threads the innermost one, whose step is the block's size. Lanes part where
its last tile ends, and nothing says that they meet again before the next iteration of any loop. Such a compiler
doesn't unroll these loops, and each has a pragma that tells ours not to.
"""

from __future__ import annotations

import re
from typing import Final

_ROLLED: Final = '_Pragma("unroll 1") '
_FIRST: Final = r"(?:(?P<{}>\d+) \+ )?".format
_HEAD: Final = re.compile(
    rf"    int (?P<inner>[ij]) = {_FIRST('inner0')}blockIdx\.(?P<tiles>[xy]) \* blockDim\.x \+ threadIdx\.x;\n"
    rf"(?:    int j = {_FIRST('j0')}blockIdx\.[xz];\n)?"
    rf"(?:    int k = {_FIRST('k0')}blockIdx\.x;\n)?"
    r"    if \((?P<leaves>[^{}]*?)\)\n        return;\n"
)


def in_loops(source: str) -> str:
    """The source of a kernel with loops round its body."""
    head = _HEAD.search(source)
    if head is None:
        raise ValueError("the kernel doesn't begin with its indices and what they must not reach")
    ends = dict(condition.split(" >= ") for condition in head["leaves"].split(" || "))
    inner = head["inner"]
    by_blocks = head["tiles"] == "x"  # the only parallel loop is that of the blocks, too
    outermost = "" if by_blocks else "k" if "k" in ends else "j"
    loops: list[str] = []
    for name in ("k", "j"):
        if name not in ends or name == inner:
            continue
        first = head[f"{name}0"] or "0"
        start, step = (f"{first} + blockIdx.x", "gridDim.x") if name == outermost else (first, "1")
        loops.append(f"{_ROLLED}for (int {name} = {start}; {name} < {ends[name]}; {name} += {step})")
    first = head["inner0"] or "0"
    start, step = (
        (f"{first} + blockIdx.x * blockDim.x", "gridDim.x * blockDim.x") if by_blocks else (first, "blockDim.x")
    )
    loops.append(f"{_ROLLED}for (int tile = {start}; tile < {ends[inner]}; tile += {step}) {{")
    body, closing = source[head.end() :].rstrip()[:-1], "}\n    }\n}\n"
    within = f"    int {inner} = tile + threadIdx.x;\n    if ({inner} < {ends[inner]}) {{\n"
    return f"{source[: head.start()]}    {' '.join(loops)}\n{within}{body}    {closing}"
