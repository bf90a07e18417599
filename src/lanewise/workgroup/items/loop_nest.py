# SPDX-License-Identifier: Apache-2.0
"""The loops over the work-items of a group: z around y around x, each as long as the local size says."""

from __future__ import annotations

from typing import Final

from lanewise.ir.builder import Builder
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction, Metadata
from lanewise.ir.module import Module
from lanewise.ir.values import Constant, Value, i32
from lanewise.workgroup.items.item_code import ItemCode
from lanewise.workgroup.items.leading_items import leading_items

_NO_WRAP: Final = ("nuw", "nsw")


def emit_loops(module: Module, item: ItemCode, before: Builder) -> Builder:
    """Put the code of one work-item into its function, in loops that are entered from `before`. Returns the place after
    them. An axis that is known to have one work-item has no loop."""
    function, number = item.function, item.number
    axes = [(name, item.indices[axis], item.extents[axis]) for axis, name in ((2, "z"), (1, "y"), (0, "x"))]
    names: list[str] = []
    indices: list[Instruction] = []
    sizes: list[Value] = []
    for name, index, size in axes:
        if index is not None and size is not None:
            names.append(name)
            indices.append(index)
            sizes.append(size)
    done = Block(f"region.{number}.done", function)
    leading = leading_items(item)
    if leading is not None:
        sizes[-1] = leading.number(sizes[-1], before)
        leading.test_no_more()
        some = Block(f"region.{number}.some", function)
        before.branch_if(before.compare("ne", sizes[-1], i32(0)), some, done)
        function.blocks.append(some)
        before = Builder(some)
    if not names:
        before.branch(item.first)
        Builder(item.last).branch(done)
        function.blocks += [*item.blocks(), item.last, done]
        return Builder(done)

    # The code of a work-item is the body of the innermost loop.
    item.first.name, item.last.name = f"{names[-1]}.loop.{number}", f"{names[-1]}.next.{number}"
    loops = [*(Block(f"{name}.loop.{number}", function) for name in names[:-1]), item.first]
    latches = [*(Block(f"{name}.next.{number}", function) for name in names[:-1]), item.last]
    entering = before.block
    before.branch(loops[0])
    for depth, (loop, index) in enumerate(zip(loops, indices, strict=True)):
        item.first.instructions.remove(index)
        loop.insert(0, index)
        index.append_operand(i32(0))
        index.append_operand(entering)
        entering = loop
        if depth + 1 < len(loops):
            Builder(loop).branch(loops[depth + 1])
    for depth, latch in enumerate(latches):
        build = Builder(latch)
        following = build.binary("add", indices[depth], i32(1), flags=_NO_WRAP)
        indices[depth].append_operand(following)
        indices[depth].append_operand(latch)
        more = build.compare("ult", following, sizes[depth])
        outer = latches[depth - 1] if depth else done
        innermost = depth + 1 == len(latches)
        known = isinstance(sizes[depth], Constant)
        hints = _loop_metadata(module, item.access_group, may_unroll=known and not innermost)
        build.branch_if(more, loops[depth], outer, hints)
    function.blocks += [*loops, *item.blocks()[1:], *reversed(latches), done]
    return Builder(done)


def _loop_metadata(module: Module, access_group: str | None, may_unroll: bool) -> Metadata:
    """Hints to LLVM: the iterations of the loop don't depend on each other, and whether it may be unrolled.

    The innermost loop may not: unrolling happens before vectorisation, which then takes the loop around it and gathers
    along y elements that are neighbours along x. Nor may an outer loop whose length isn't known: four copies of all
    inner code take four times as long to compile, most of that in LLVM's loop strength reduction.
    """
    hints: list[str] = []
    if access_group is not None:
        hints.append(module.add_metadata(f'!{{!"llvm.loop.parallel_accesses", {access_group}}}'))
    if not may_unroll:
        hints.append(module.add_metadata('!{!"llvm.loop.unroll.disable"}'))
    if not hints:
        return ()
    loop = module.add_metadata("")
    module.metadata[loop] = f"distinct !{{{', '.join([loop, *hints])}}}"
    return (("!llvm.loop", loop),)
