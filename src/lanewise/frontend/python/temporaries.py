# SPDX-License-Identifier: Apache-2.0
"""Memory of arrays that compiled code makes: by device code's `malloc`, freed when the function ends.

A variable that no other name can refer to keeps one array: the one before is freed when the next is there. All others
are freed at the end; each has the address of the one before it in front of its elements.
"""

from __future__ import annotations

from typing import Final

from lanewise.frontend.python.code import PythonCode
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.values import Constant, Value, i64

_HEAD: Final = 16
"""Bytes in front of an array, which keep the alignment of malloc."""
_NULL: Final = Constant(ty.PTR, "null", "null")
LIST: Final = ""
"""The name under which arrays are kept that several names may refer to."""


def allocated(code: PythonCode, size: Value, keeper: str) -> Value:
    """The address of `size` bytes, which belong to the variable `keeper`."""
    slot = code.keepers.get(keeper)
    if slot is None:
        slot = code.keepers[keeper] = code.entry.alloca(ty.PTR, f"{keeper or 'list'}.memory")
        code.entry.store(_NULL, slot, 8)
    build = code.build
    malloc = code.program.module.declare("malloc", ty.function(ty.PTR, (ty.I64,)))
    return _linked(code, build.call_function(malloc, (code.plus(size, i64(_HEAD)),)), slot)


def _linked(code: PythonCode, memory: Value, slot: Value) -> Value:
    """The elements behind a head that has the address of the array before."""
    build = code.build
    build.store(build.load(ty.PTR, slot), memory, 8)
    build.store(memory, slot, 8)
    return build.offset(memory, _HEAD)


def release_older(code: PythonCode, keeper: str) -> None:
    """Free the array that a variable had before the present one."""
    build = code.build
    newest = build.load(ty.PTR, code.keepers[keeper])
    _free(code, build, build.load(ty.PTR, newest))
    build.store(_NULL, newest, 8)


def release_newest(code: PythonCode, keeper: str) -> None:
    """Free the array that was made last."""
    build, slot = code.build, code.keepers[keeper]
    newest = build.load(ty.PTR, slot)
    build.store(build.load(ty.PTR, newest), slot, 8)
    _free(code, build, newest)


def release_all(code: PythonCode) -> None:
    """Free all arrays at each end of a function."""
    if not code.keepers:
        return
    for block in list(code.function.blocks):
        if block.instructions and block.instructions[-1].op == "ret":
            end = block.instructions.pop()
            code.build.block = block
            for slot in code.keepers.values():
                _release_list(code, slot)
            code.build.emit(end)


def _release_list(code: PythonCode, slot: Value) -> None:
    build = code.build
    test, body, after = (code.new_block(f"release.{name}") for name in ("test", "body", "end"))
    build.branch(test)
    code.go_on(test)
    memory = build.load(ty.PTR, slot)
    build.branch_if(code.compare("eq", memory, _NULL), after, body)
    code.go_on(body)
    build.store(build.load(ty.PTR, memory), slot, 8)
    _free(code, build, memory)
    build.branch(test)
    code.go_on(after)


def _free(code: PythonCode, build: Builder, memory: Value) -> None:
    free = code.program.module.declare("free", ty.function(ty.VOID, (ty.PTR,)))
    build.call_function(free, (memory,))
