# SPDX-License-Identifier: Apache-2.0
"""Functions and intrinsics that the runtime core answers: by a service, or by a field of the launch descriptor.

Before
    define ptx_kernel void @k(ptr %p, i64 %n) {
      %m = call ptr @malloc(i64 %n)
      store ptr %m, ptr %p, align 8
      ret void
    }
    declare ptr @malloc(i64)

After, with a table of services in the launch descriptor
      %1 = getelementptr inbounds i8, ptr %launch, i64 8
      %2 = load ptr, ptr %1, align 8
      %3 = getelementptr inbounds i8, ptr %2, i64 40
      %4 = load ptr, ptr %3, align 8
    ...
      %memory = call ptr %4(i64 %n)
      store ptr %memory, ptr %p, align 8

`vprintf`, `__assertfail`, `malloc` and `free` are those that CUDA's device code may call (CUDA C++ Programming Guide,
"Formatted Output", "Assertion", "Dynamic Global Memory Allocation"); names that start with `__lw_` are our own. Calls
for textures are in `textures.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.intrinsics import CHECK_FAULT, CHECK_GLOBAL, CHECK_MEETING, CHECK_SHARED, MEMORY_BYTES, MEMORY_START
from lanewise.ir.types import Type
from lanewise.ir.values import Value, i32
from lanewise.workgroup.layout import abi
from lanewise.workgroup.layout.frame import Frame, ItemIds
from lanewise.workgroup.lowering.positions import keep_position

RuntimeCall = Callable[[Sequence[Value], Frame, Builder, ItemIds | None], Value | None]
"""The function that appends the host's form of a call with these arguments. `ids` is None in code that runs once per
group."""


def _print(arguments: Sequence[Value], frame: Frame, build: Builder, ids: ItemIds | None) -> Value:
    printf = frame.service(abi.SERVICE_PRINTF)
    return build.call(printf, abi.PRINTF, (frame.launch, *arguments), "printed")


def _allocate(arguments: Sequence[Value], frame: Frame, build: Builder, ids: ItemIds | None) -> Value:
    return build.call(frame.service(abi.SERVICE_ALLOCATE), abi.ALLOCATE, arguments, "memory")


def _release(arguments: Sequence[Value], frame: Frame, build: Builder, ids: ItemIds | None) -> None:
    _from_item(abi.SERVICE_RELEASE, abi.RELEASE, arguments, frame, build, ids)


def _fail(arguments: Sequence[Value], frame: Frame, build: Builder, ids: ItemIds | None) -> None:
    """The fifth argument, the size of a character, is always 1."""
    _from_item(abi.SERVICE_ASSERT, abi.ASSERT, arguments[:4], frame, build, ids)


def _trap(arguments: Sequence[Value], frame: Frame, build: Builder, ids: ItemIds | None) -> None:
    _from_item(abi.SERVICE_TRAP, abi.TRAP, (), frame, build, ids)


def _yield(arguments: Sequence[Value], frame: Frame, build: Builder, ids: ItemIds | None) -> None:
    """A work-item that sleeps is likely to wait for another work-group, which gets its thread."""
    build.call(frame.service(abi.SERVICE_YIELD), abi.YIELD, (frame.launch,))


def _synchronise_grid(arguments: Sequence[Value], frame: Frame, build: Builder, ids: ItemIds | None) -> None:
    build.call(frame.service(abi.SERVICE_GRID_SYNC), abi.GRID_SYNC, (frame.launch,))


def _is_cooperative(arguments: Sequence[Value], frame: Frame, build: Builder, ids: ItemIds | None) -> Value:
    flags = build.load(ty.I32, build.offset(frame.launch, abi.LAUNCH_FLAGS), align=4)
    return build.cast("trunc", flags, ty.I1)


def _from_item(
    service: int, type_: Type, more: Sequence[Value], frame: Frame, build: Builder, ids: ItemIds | None
) -> None:
    """Call a service that is told the work-item; it may not return. In code of the group, its first work-item answers
    for it."""
    item = ids.local if ids is not None else (i32(0), i32(0), i32(0))
    build.call(frame.service(service), type_, (frame.launch, *frame.group, *item, *more))


def _tell_of_fault(arguments: Sequence[Value], frame: Frame, build: Builder, ids: ItemIds | None) -> None:
    _from_item(abi.SERVICE_CHECK_FAULT, abi.CHECK_FAULT, arguments, frame, build, ids)


def _look_for_race(arguments: Sequence[Value], frame: Frame, build: Builder, ids: ItemIds | None) -> None:
    _from_item(abi.SERVICE_CHECK_SHARED, abi.CHECK_SHARED, arguments, frame, build, ids)


def _look_for_race_of_groups(arguments: Sequence[Value], frame: Frame, build: Builder, ids: ItemIds | None) -> None:
    _from_item(abi.SERVICE_CHECK_GLOBAL, abi.CHECK_SHARED, arguments, frame, build, ids)


def _look_for_absent(arguments: Sequence[Value], frame: Frame, build: Builder, ids: ItemIds | None) -> None:
    _from_item(abi.SERVICE_CHECK_MEETING, abi.CHECK_MEETING, arguments, frame, build, ids)


def _find_start(arguments: Sequence[Value], frame: Frame, build: Builder, ids: ItemIds | None) -> Value:
    return build.call(frame.service(abi.SERVICE_MEMORY_START), abi.FIND_MEMORY, (frame.launch, *arguments))


def _find_bytes(arguments: Sequence[Value], frame: Frame, build: Builder, ids: ItemIds | None) -> Value:
    return build.call(frame.service(abi.SERVICE_MEMORY_BYTES), abi.FIND_MEMORY, (frame.launch, *arguments))


RUNTIME_CALLS: Final[dict[str, RuntimeCall]] = {
    "__assertfail": _fail,
    CHECK_FAULT: _tell_of_fault,
    CHECK_GLOBAL: _look_for_race_of_groups,
    CHECK_MEETING: _look_for_absent,
    CHECK_SHARED: _look_for_race,
    MEMORY_BYTES: _find_bytes,
    MEMORY_START: _find_start,
    "__lw_grid_is_cooperative": _is_cooperative,
    "__lw_grid_sync": _synchronise_grid,
    "free": _release,
    "llvm.nvvm.nanosleep": _yield,
    "llvm.trap": _trap,
    "malloc": _allocate,
    "vprintf": _print,
    abi.POSITION_MARK: keep_position,
}
"""Name of a function, or of an intrinsic without the suffixes of its types -> the call of the core."""
