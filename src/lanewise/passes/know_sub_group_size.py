# SPDX-License-Identifier: Apache-2.0
"""know-sub-group-size: reads of the size of a kernel's sub-groups become the number that the kernel has stored.

Why
    Where kernels of a program have sub-groups of different sizes, each stores its own for OpenCL C's built-in functions
    to read. LLVM knows what is in memory up to the first barrier or operation of the warp. Behind it, distances and
    masks of shuffles would be computed at run time.

Before
    @lw.sub_group_size = internal addrspace(3) global i32 undef, align 4
    declare void @f(i32)
    define ptx_kernel void @k() {
      store i32 16, ptr addrspace(3) @lw.sub_group_size, align 4
      %size = load i32, ptr addrspace(3) @lw.sub_group_size, align 4
      call void @f(i32 %size)
      ret void
    }

After
    @lw.sub_group_size = internal addrspace(3) global i32 undef, align 4
    declare void @f(i32)
    define ptx_kernel void @k() {
      store i32 16, ptr addrspace(3) @lw.sub_group_size, align 4
      call void @f(i32 16)
      ret void
    }

Needs
    1. The module has the variable of this name. The front end has each kernel store to it before anything else.
    2. All stores are of one constant: the module has one kernel.
    3. Nothing else than loads and stores of a whole number uses the variable.

Method
    The store stays for functions that are not in this module; LLVM drops what nobody reads.

When not
    PTX is made of all kernels of a module together, whose functions serve several kernels until LLVM has inlined them.

Neighbours
    Runs once a kernel is isolated, since other kernels store other sizes, and before calls are inlined.
"""

from __future__ import annotations

from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.sub_groups import SIZE
from lanewise.ir.values import Constant, Value


def run(module: Module) -> bool:
    """Replace the loads of a module of one kernel; see above. Returns whether there are any."""
    variable = module.symbols.get(SIZE)
    if variable is None:  # 1
        return False
    loads = [user for user in variable.users if user.op == "load" and user.type is ty.I32]
    stores = [user for user in variable.users if user not in loads]
    size = _stored(stores, variable)
    if size is None or not loads:
        return False
    for load in loads:
        load.replace_all_uses(size)
        load.erase()
    return True


def _stored(stores: list[Instruction], variable: Value) -> Constant | None:
    """The constant that all of these store to a variable; None if one doesn't."""
    found: Constant | None = None
    for store in stores:
        if store.op != "store" or store.operands[1] is not variable:  # 3
            return None
        value = store.operands[0]
        if not isinstance(value, Constant) or value.type is not ty.I32 or value.kind != "int":  # 3
            return None
        if found is not None and found.integer != value.integer:  # 2
            return None
        found = value
    return found
