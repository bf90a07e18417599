# SPDX-License-Identifier: Apache-2.0
"""scope-atomics: puts back the scopes of atomic operations, which clang drops for NVPTX.

Why
    `__scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)` comes out as an operation of the whole
    system, which takes longer than one of a block.

Before
    define internal i32 @_ZL15atomicAdd_blockPii(ptr %p, i32 %v) {
    entry:
      %x = atomicrmw add ptr %p, i32 %v monotonic, align 4
      ret i32 %x
    }

After
    define internal i32 @_ZL15atomicAdd_blockPii(ptr %p, i32 %v) {
    entry:
      %x = atomicrmw add ptr %p, i32 %v syncscope("block") monotonic, align 4
      ret i32 %x
    }

Needs
    1. The function is one of our headers, which say a scope in their names: `atomicAdd_block`, and as an argument of
       `template <__lw_scope scope, class Type> __lw_fetch_add`. In a program's own functions the system is meant.
    2. That scope isn't the system, which has no name in LLVM.
    3. The operation is atomic.

Source: LLVM, "User Guide for NVPTX Back-end", "Memory scopes"; PTX ISA, "Scope".
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.ir.function import Function
from lanewise.ir.module import Module

_FUNCTION: Final = re.compile(
    r"_ZL\d+(?:atomic(?:Add|Sub|Exch|Min|Max|Inc|Dec|CAS|And|Or|Xor)(?:_(?P<suffix>block|system))?P"
    r"|\w*10__lw_scope(?P<number>\d)E)"
).match
_MARKS: Final = ("atomic", "__lw_scope")
_BY_SUFFIX: Final = {None: "device", "block": "block", "system": ""}
_BY_NUMBER: Final = {"0": "block", "1": "block", "2": "cluster", "3": "device", "4": ""}


def may_apply(text: str) -> bool:
    """False if the text of a module shows that there is nothing to do."""
    return any(mark in text for mark in _MARKS)


def run(module: Module) -> bool:
    """Change all such functions; returns whether there were any."""
    return sum(_run(function) for function in module.functions if function.blocks) > 0


def _run(function: Function) -> bool:
    named = _FUNCTION(function.symbol)
    if named is None:  # 1
        return False
    number = named["number"]
    scope = _BY_NUMBER[number] if number else _BY_SUFFIX[named["suffix"]]
    if not scope:  # 2
        return False
    changed = False
    for instruction in function.instructions():
        ordering = instruction.ordering
        if ordering is not None and not ordering.scope:  # 3
            instruction.ordering = ordering._replace(scope=f'syncscope("{scope}")')
            changed = True
    return changed
