# SPDX-License-Identifier: Apache-2.0
"""globalise-constants: makes all constant memory global memory if a kernel takes a pointer to it.

Why
    Pointers to constant memory that a launch passes lead to global memory, which arrays are in. `ld.const` of PTX reads
    banks of constant memory only.

Before
    @table = addrspace(4) constant [2 x float] [float 1.0, float 2.0]
    define ptx_kernel void @k(ptr addrspace(4) %p, ptr addrspace(1) %out) {
    entry:
      %x = load float, ptr addrspace(4) %p
      %y = load float, ptr addrspace(4) @table
      %z = fadd float %x, %y
      store float %z, ptr addrspace(1) %out
      ret void
    }

After
    @table = addrspace(1) constant [2 x float] [float 1.0, float 2.0]
    define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %out) {
    entry:
      %x = load float, ptr addrspace(1) %p
      %y = load float, ptr addrspace(1) @table
      %z = fadd float %x, %y
      store float %z, ptr addrspace(1) %out
      ret void
    }

Needs
    1. A kernel takes such a pointer. Without one, constant memory is faster.
"""

from __future__ import annotations

from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.address_spaces import CONSTANT, GLOBAL
from lanewise.ir.module import Module
from lanewise.ir.retype import retype

_CONSTANT: Final = ty.pointer(CONSTANT)


def run(module: Module) -> bool:
    """Move the constant memory of a whole module; returns whether it did."""
    if not any(argument.type is _CONSTANT for kernel in module.kernels for argument in kernel.arguments):  # 1
        return False
    retype(module, {_CONSTANT: ty.pointer(GLOBAL)})
    return True
