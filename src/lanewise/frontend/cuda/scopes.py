# SPDX-License-Identifier: Apache-2.0
"""Scopes of atomic operations, which clang drops for NVPTX.

    __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)

comes out as `atomicrmw add ptr %p, i32 %v monotonic`, an operation of the whole system. But only functions of our
headers have atomic operations, and they say their scope in their names: `atomicAdd_block`, and in instances of
`template <__lw_scope scope, class Type> __lw_fetch_add` it is an argument. From there it is put back.

    Before                                                  After
    define internal i32 @_ZL15atomicAdd_blockPii(...        define internal i32 @_ZL15atomicAdd_blockPii(...
      %3 = atomicrmw add ptr %1, i32 %2 monotonic             %3 = atomicrmw add ptr %1, i32 %2 syncscope("block") ...

Source: LLVM "User Guide for NVPTX Back-end", "Memory scopes"; PTX ISA, "Scope".
"""

from __future__ import annotations

import re
from typing import Final

_FUNCTION: Final = re.compile(
    r"^define [^\n]*@_ZL\d+(?:atomic(?:Add|Sub|Exch|Min|Max|Inc|Dec|CAS|And|Or|Xor)(?:_(?P<suffix>block|system))?P"
    r"|\w*10__lw_scope(?P<number>\d)E)"
    r"[^\n]*\n.*?^}",
    re.MULTILINE | re.DOTALL,
)
_OPERATION: Final = re.compile(
    r"^(  (?:%\S+ = )?(?:atomicrmw|cmpxchg|load atomic|store atomic|fence)\b[^\n]*?)"
    r" (?=(?:unordered|monotonic|acquire|release|acq_rel|seq_cst)\b)",
    re.MULTILINE,
)
_BY_SUFFIX: Final = {None: "device", "block": "block", "system": ""}
_BY_NUMBER: Final = {"0": "block", "1": "block", "2": "cluster", "3": "device", "4": ""}


def scoped(ir: str) -> str:
    """The module whose atomic operations have the scopes that the names of our headers' functions tell."""
    return _FUNCTION.sub(_scoped_function, ir)


def _scoped_function(function: re.Match[str]) -> str:
    number = function["number"]
    scope = _BY_NUMBER[number] if number else _BY_SUFFIX[function["suffix"]]
    return _OPERATION.sub(rf'\1 syncscope("{scope}") ', function[0]) if scope else function[0]
