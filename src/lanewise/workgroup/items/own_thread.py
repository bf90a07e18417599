# SPDX-License-Identifier: Apache-2.0
"""The code of one work-item as that of a call of the work-group function, whose thread has a stack of its own.

The runtime core calls the function once for each work-item, and switches among them where they wait
(`runtime/core/warps.c`). Place along x, y and z follow from the work-item's number:

    x = number % size.x        y = number / size.x % size.y        z = number / size.x / size.y
"""

from __future__ import annotations

from lanewise.ir.builder import Builder
from lanewise.ir.function import Block
from lanewise.ir.values import Value
from lanewise.workgroup.items.item_code import ItemCode
from lanewise.workgroup.layout.frame import ItemIds


def emit_alone(item: ItemCode, before: Builder, number: Value) -> tuple[Builder, ItemIds]:
    """Put the code of work-item `number` into its function, entered from `before`. Returns the place after it, and the
    ids of the work-item."""
    local = list(item.ids.local)
    item.unmark_accesses()
    remaining, above = number, [axis for axis in range(3) if item.indices[axis] is not None]
    for axis in above:
        index, extent = item.indices[axis], item.extents[axis]
        assert index is not None
        assert extent is not None
        place = remaining if axis == above[-1] else before.binary("urem", remaining, extent, "xyz"[axis])
        remaining = remaining if axis == above[-1] else before.binary("udiv", remaining, extent)
        item.first.instructions.remove(index)
        index.replace_all_uses(place)
        local[axis] = place
    done = Block(f"region.{item.number}.done", item.function)
    before.branch(item.first)
    Builder(item.last).branch(done)
    item.function.blocks += [*item.blocks(), item.last, done]
    return Builder(done), ItemIds((local[0], local[1], local[2]), item.ids.linear)
