# SPDX-License-Identifier: Apache-2.0
"""Lines that tell `checked_races.py` of accesses and fences, in programs for launches that look for races.

    v3 = load_2(v1)                        the access
    note_7(w, v1)                          its note

Accesses of private variables have none, nor has the function that writes the report of checks. Masked loads and
stores, textures and surfaces have none either.
"""

from collections.abc import Callable
from typing import Any, Final, final

from lanewise.device.reference.run import noted
from lanewise.device.reference.run.noted import ATOMIC, READ, WRITE, NotedAccess
from lanewise.device.reference.run.services import Services
from lanewise.device.reference.translate.program import Bind
from lanewise.device.reference.translate.translation import Translation
from lanewise.ir.address_spaces import GENERIC, GLOBAL, SHARED
from lanewise.ir.effects import access_size, pointer_operand
from lanewise.ir.instruction import Instruction, Ordering
from lanewise.ir.layout import size_of
from lanewise.ir.values import Value

_Bind = Callable[[Services, NotedAccess], Callable[..., Any]]
_NARROW: Final = ("block", "workgroup", "singlethread")
_NARROW_FENCE: Final = "llvm.nvvm.membar.cta"


@final
class RaceNotes:
    """The notes of one function; none unless `is_on`."""

    def __init__(self, to: Translation, *, is_on: bool) -> None:
        self._to: Final = to
        self._is_on: Final = is_on

    def read(self, pointer: Value, access: Instruction) -> None:
        """Emit the note of a read that was made, of what is the result of `access`."""
        if self._is_on and _may_be_seen_by_others(pointer):
            size = size_of(access.type, self._to.builder.module.types)
            self._to.emit(f"{self._bound(noted.note, access, READ, pointer, size)}(w, {self._to.value(pointer)})")

    def store(self, function: Bind, store: Instruction) -> str | None:
        """A store and its note, as an expression; None if it needs no note."""
        stored, pointer = store.operands
        if not self._is_on or not _may_be_seen_by_others(pointer):
            return None
        size = access_size(store, self._to.builder.module.types)
        name = self._bound(noted.noted_store, store, WRITE, pointer, size)
        return f"{name}(w, {self._to.builder.binding('store', function)}, {self._to.listed([pointer, stored])})"

    def atomic(self, access: Instruction) -> None:
        """Emit the note of an atomic operation that was made."""
        if not self._is_on:
            return
        pointer, size = pointer_operand(access), access_size(access, self._to.builder.module.types)
        is_exchange = access.op == "cmpxchg"
        name = self._bound(noted.note_exchange if is_exchange else noted.note, access, ATOMIC, pointer, size)
        result = f", {self._to.value(access)}" if is_exchange else ""
        self._to.emit(f"{name}(w, {self._to.value(pointer)}{result})")

    def range(self, kind: str, pointer: Value, size: Value, call: Instruction) -> None:
        """Emit the note of a copy or fill that was made, of `size` bytes."""
        if self._is_on and _may_be_seen_by_others(pointer):
            name = self._bound(noted.note_fill, call, kind, pointer, 0)
            self._to.emit(f"{name}(w, {self._to.value(pointer)}, {self._to.value(size)})")

    def fence(self, fence: Instruction) -> None:
        """Emit the note of a fence."""
        if not self._is_on:
            return
        is_wide = _is_wide(fence.ordering) if fence.op == "fence" else fence.callee != _NARROW_FENCE
        name = self._to.builder.shared_binding("note_fence", lambda on: noted.races_of(on).fence)
        self._to.emit(f"{name}(w, {is_wide})")

    def _bound(self, bind: _Bind, access: Instruction, kind: str, pointer: Value, size: int) -> str:
        ordering = access.ordering
        place = self._to.builder.locations.position(access, pointer)
        order = ordering.success if ordering is not None else ""
        noted_access = NotedAccess(kind, size, place, access.is_volatile, order, _is_wide(ordering))
        return self._to.builder.binding("note", lambda on: bind(on, noted_access))


def _is_wide(ordering: Ordering | None) -> bool:
    """True for a scope beyond the work-group."""
    return ordering is None or not any(name in ordering.scope for name in _NARROW)


def _may_be_seen_by_others(pointer: Value) -> bool:
    """True for an address that may be in shared or global memory."""
    is_private = isinstance(pointer, Instruction) and pointer.op == "alloca"
    return pointer.type.addrspace in (GENERIC, GLOBAL, SHARED) and not is_private
