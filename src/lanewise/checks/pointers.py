# SPDX-License-Identifier: Apache-2.0
"""The object of a pointer that comes from memory, from an integer or from a call: found when the kernel runs.

    %p = load ptr, ptr %at                      the pointer, which may be to anything

    %start = select %inside.a, %a, ...          the argument that it points into,
    %size  = select %inside.a, %a.size, ...     else the allocation, which the runtime core is asked for

An address that is in none of these is not checked: other memory of the process may be meant. Nor is a pointer just past
the end of its array, which may be compared but leads to other memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, final

from lanewise.checks.inserting import InsertBefore, InsertBehind
from lanewise.checks.objects import Object, chosen_from, is_choice, root_of
from lanewise.frontend.checked_places import ALLOCATION, FREED
from lanewise.ir import types as ty
from lanewise.ir.address_spaces import GENERIC, GLOBAL
from lanewise.ir.builder import Builder
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import MEMORY_BYTES, MEMORY_START, UNKNOWN_BYTES
from lanewise.ir.module import Module
from lanewise.ir.values import Argument, Constant, Value, i32, i64

MEMORY_TYPE: Final = ty.function(ty.I64, (ty.PTR,))
"""The type of the functions that ask for the allocation at an address."""

UNKNOWN_MEMORY: Final = f"""
define internal i64 @{MEMORY_START}(ptr %address) nounwind {{
entry:
  %start = ptrtoint ptr %address to i64
  ret i64 %start
}}
define internal i64 @{MEMORY_BYTES}(ptr %address) nounwind {{
entry:
  ret i64 {UNKNOWN_BYTES}
}}
"""
"""These functions for devices that know of no allocations."""

_FROM_ELSEWHERE: Final = ("load", "inttoptr", "extractvalue", "call")


@final
class MemoryPointers:
    """The objects of such pointers in one kernel. `sizes`, `before`: as `Objects` has them."""

    def __init__(
        self, module: Module, sizes: Mapping[Argument | None, Value], before: Mapping[Argument, Value]
    ) -> None:
        self._module: Final = module
        self._arguments: Final = [
            Object(each, size, before=before.get(each))
            for each, size in sizes.items()
            if each is not None and each.type.is_pointer
        ]
        self._known: Final[dict[Value, Object | None]] = {}

    def of(self, pointer: Value) -> Object | None:
        """The object of a pointer, found by code that is added where it comes from; None for pointers of other kinds,
        such as those to shared memory."""
        root = _origin(root_of(pointer))
        if root not in self._known:
            self._known[root] = self._found(root)
        return self._known[root]

    def _found(self, root: Value) -> Object | None:
        if not isinstance(root, Instruction) or not (root.op in _FROM_ELSEWHERE or is_choice(root)):
            return None
        if root.type.addrspace not in (GENERIC, GLOBAL):
            return None
        block = root.parent
        first = next(each for each in block.instructions if each.op != "phi")
        with InsertBefore(first) if root.op == "phi" else InsertBehind(root) as build:
            return self._made(root, build)

    def _made(self, root: Instruction, build: Builder) -> Object:
        number = build.cast("ptrtoint", root, ty.I64)
        generic = root if root.type is ty.PTR else build.cast("addrspacecast", root, ty.PTR)
        start, size = (
            build.call_function(self._module.declare(name, MEMORY_TYPE), (generic,))
            for name in (MEMORY_START, MEMORY_BYTES)
        )
        nowhere, allocation, freed, null = (
            Object(root, i64(0), kind=kind) for kind in ("unknown", ALLOCATION, FREED, "null pointer")
        )
        choices = (*self._arguments, nowhere, allocation, freed, null)
        is_unknown = build.compare("eq", size, i64(UNKNOWN_BYTES))
        is_freed = build.compare("eq", size, i64(0))
        which: Value = build.select(is_freed, _number(choices, freed), _number(choices, allocation))
        which = build.select(is_unknown, _number(choices, nowhere), which)
        before: Value = build.select(is_unknown, i64(UNKNOWN_BYTES // 2), i64(0))
        for each in self._arguments:
            at = build.cast("ptrtoint", each.start, ty.I64)
            earlier = each.before or i64(0)
            inside = build.compare("ult", build.binary("add", build.binary("sub", number, at), earlier), each.size)
            start, size = build.select(inside, at, start), build.select(inside, each.size, size)
            before = build.select(inside, earlier, before)
            which = build.select(inside, _number(choices, each), which)
        is_null = build.compare("eq", number, i64(0))
        start, size, before = (build.select(is_null, i64(0), each) for each in (start, size, before))
        which = build.select(is_null, _number(choices, null), which)
        return Object(build.cast("inttoptr", start, root.type), size, choices, which, before)


def _number(choices: Sequence[Object], one: Object) -> Value:
    return i32(next(number for number, each in enumerate(choices) if each is one))


def _origin(root: Value) -> Value:
    """The value that all of a choice's pointers are computed from, as in a loop over an array; the choice itself if
    there are several."""
    seen: dict[Value, None] = {}
    origins: dict[Value, None] = {}
    work = [root]
    while work:
        value = work.pop()
        if not is_choice(value):
            origins[value] = None
        elif value not in seen:
            seen[value] = None
            work += [root_of(each) for each in chosen_from(value)]
    one, *others = origins or {root: None}
    return root if others or isinstance(one, Constant) else one
