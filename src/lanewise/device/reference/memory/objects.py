# SPDX-License-Identifier: Apache-2.0
"""The memory that a launch can access: objects with an address, a size, a lifetime, and a record of written bits."""

import ctypes
from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, final
from zlib import crc32

from lanewise.device.reference.address_windows import PRIVATE_SHIFT, PRIVATE_WINDOW, SHARED_WINDOW, WINDOW_SHIFT
from lanewise.device.reference.arithmetic.indeterminate import Indeterminate, Value, unknown_result
from lanewise.device.reference.faults import Fault

_GUARD: Final = 64  # unused bytes between private variables, and the alignment that each can have at least

_UNKNOWN_BYTE: Final = b"\xff"

Cells: TypeAlias = Any
"""A memoryview of numbers of one type, or None."""


@final
class MemoryObject:
    """A range of bytes that accesses must stay within.

    `unknown` has one byte per byte, whose ones mark the bits never written; None if all are known."""

    __slots__ = ("_typed", "align", "base", "data", "name", "size", "unknown", "writable")

    def __init__(
        self,
        name: str,
        base: int,
        data: memoryview,
        *,
        unknown: memoryview | None = None,
        writable: bool = True,
    ) -> None:
        self.name: Final = name
        self.base: Final = base
        self.size: Final = len(data)
        self.data: Final = data
        self.unknown: Final = unknown
        self.writable: Final = writable
        self._typed: Final[dict[str, tuple[Cells, Cells]]] = {}

    @property
    def is_private(self) -> bool:
        """True for a private variable: no other work-item sees its content."""
        return self.base >> WINDOW_SHIFT == 2

    def typed(self, code: str, size: int, unsigned_code: str) -> tuple[Cells, Cells] | None:
        """The bytes, and the unknown bits, as elements of `size` bytes; None if they aren't aligned for them."""
        found = self._typed.get(code)
        if found is None:
            end = self.size // size * size
            if self.base % size or not end:
                return None
            data: Cells = self.data[:end]
            unknown: Cells = self.unknown[:end] if self.unknown is not None else None
            if unknown is not None:
                unknown = unknown.cast(unsigned_code)
            found = self._typed[code] = (data.cast(code), unknown)
        return found

    def forget(self) -> None:
        """Make the content undetermined."""
        if self.unknown is not None:
            self.unknown[:] = _UNKNOWN_BYTE * self.size

    def accept(self) -> None:
        """Make the content determined, whatever it is."""
        if self.unknown is not None:
            self.unknown[:] = bytes(self.size)

    def end_life(self) -> None:
        """Invalidate the views that accesses may remember: they raise a ValueError from now on."""
        for views in self._typed.values():
            for view in views:
                if view is not None:
                    view.release()
        self._typed.clear()


class HostRange(NamedTuple):
    """Memory of the host before it is an object: a name for messages, and its address range."""

    name: str
    base: int
    size: int
    writable: bool


def host_object(region: HostRange) -> MemoryObject:
    """Memory of the host, which the launching code keeps alive."""
    data = memoryview((ctypes.c_ubyte * region.size).from_address(region.base)).cast("B")
    return MemoryObject(region.name, region.base, data, writable=region.writable)


def fresh_object(name: str, base: int, size: int) -> MemoryObject:
    """New memory with undetermined content."""
    return MemoryObject(name, base, memoryview(bytearray(size)), unknown=memoryview(bytearray(_UNKNOWN_BYTE * size)))


@final
class PrivateMemory:
    """One work-item's variables: a stack whose addresses only grow, so that a dead variable is recognised."""

    __slots__ = ("_alive", "_bases", "_next", "_objects", "number")

    def __init__(self, number: int) -> None:
        self.number: Final = number
        """Number of the work-item within its group."""
        self._bases: Final[list[int]] = []
        self._objects: Final[list[MemoryObject]] = []
        self._alive: Final[set[int]] = set()
        self._next = PRIVATE_WINDOW + (number << PRIVATE_SHIFT) + _GUARD

    def allocate(self, name: str, size: int, align: int, count: Value = 1, *, alive: bool = True) -> int:
        """The address of `count` new variables of `size` bytes, dead until `begin_life` unless `alive`."""
        if count.__class__ is Indeterminate:
            raise Fault(f"a private array whose size depends on {count.why}")
        size *= count
        align = max(align, 16)
        base = self._next = -(-self._next // align) * align
        self._next += size + _GUARD
        self._bases.append(base)
        self._objects.append(fresh_object(name, base, size))
        if alive:
            self._alive.add(base)
        return base

    def digest(self) -> int:
        """A number that changes with the content."""
        digest = self._next
        for item in self._objects:
            digest = crc32(item.data, digest & 0xFFFFFFFF)
        return digest

    def depth(self) -> int:
        """The argument with which `leave` returns to this state."""
        return len(self._bases)

    def leave(self, depth: int) -> None:
        """End the life of all variables made since `depth`."""
        for item in self._objects[depth:]:
            item.end_life()
            self._alive.discard(item.base)
        del self._bases[depth:], self._objects[depth:]

    def begin_life(self, base: int) -> None:
        """llvm.lifetime.start: the variable may be used; its content is undetermined."""
        self.at(base).forget()
        self._alive.add(base)

    def end_life(self, base: int) -> None:
        """llvm.lifetime.end."""
        self.at(base).end_life()
        self._alive.discard(base)

    def is_alive(self, item: MemoryObject) -> bool:
        return item.base in self._alive

    def at(self, address: int) -> MemoryObject:
        """The last variable that starts at or before an address."""
        index = bisect_right(self._bases, address) - 1
        if index < 0:
            raise Fault("a private variable whose function has returned")
        return self._objects[index]


class HeapInterface(Protocol):
    """The interface of a heap (`heap.py`) that `Memory` uses."""

    def find(self, address: int, access: str) -> MemoryObject | None: ...
    def allocate(self, size: Value) -> int: ...
    def release(self, address: Value) -> None: ...
    def objects(self) -> list[MemoryObject]: ...


@final
class Memory:
    """All objects of one launch. `current` is the private memory of the work-item that runs. `has_leftovers`: shared
    memory that nobody has written has some content or other, as on a device, rather than an undetermined one."""

    __slots__ = ("_bases", "_has_leftovers", "_host", "_shared", "_shared_bases", "current", "heap")

    def __init__(
        self,
        regions: Iterable[HostRange],
        shared: Iterable[MemoryObject],
        heap: HeapInterface,
        *,
        has_leftovers: bool = False,
    ) -> None:
        self._has_leftovers: Final = has_leftovers
        self.heap: Final = heap
        self._host: Final = [host_object(r) for r in merged(regions)]
        self._bases: Final = [o.base for o in self._host]
        self._shared: Final = sorted(shared, key=_base_of)
        self._shared_bases: Final = [o.base for o in self._shared]
        self.current: PrivateMemory = PrivateMemory(0)

    def begin_group(self) -> None:
        """Make shared memory undetermined for a new work-group, or let it have what the one before has left."""
        for item in self._shared:
            if self._has_leftovers:
                item.accept()
            else:
                item.forget()

    def digest(self) -> int:
        """A number that changes with the content of all memory except private memory."""
        digest = 0
        for item in (*self._host, *self._shared, *self.heap.objects()):
            digest = crc32(item.data, digest)
        return digest

    def shared_content(self) -> list[tuple[bytes, bytes]]:
        """Content and unknown bits of shared memory, for `set_shared_content`."""
        return [(bytes(item.data), bytes(item.unknown or b"")) for item in self._shared]

    def set_shared_content(self, content: list[tuple[bytes, bytes]]) -> None:
        for item, (data, unknown) in zip(self._shared, content, strict=True):
            item.data[:] = data
            if item.unknown is not None:
                item.unknown[:] = unknown

    def find(self, address: Value, size: int, align: int, access: str) -> MemoryObject:
        """The object that holds `size` bytes at `address`; a fault if there is none or the access isn't allowed.

        `access` is "load", "store" or another word for the message; only loads leave memory unchanged."""
        if address.__class__ is Indeterminate:
            raise Fault(f"a {access} at an address that depends on {address.why}")
        window = address >> WINDOW_SHIFT
        if window == 0:
            found = _below(self._host, self._bases, address)
        elif window == 1:
            found = _below(self._shared, self._shared_bases, address)
        elif window == 2:
            found = self._private(address, access)
        elif window == 4:
            found = self.heap.find(address, access)
        else:
            found = None
        if found is None or address + size > found.base + found.size:
            raise Fault(self._outside(address, size, access, found))
        if address & (align - 1):
            where = describe_place(found, address)
            raise Fault(f"a {access} of {size} bytes at {address:#x} ({where}), which is not a multiple of {align}")
        if not found.writable and access != "load":
            raise Fault(f"a {access} to {found.name}, which is read-only")
        return found

    def _private(self, address: int, access: str) -> MemoryObject | None:
        owner = (address - PRIVATE_WINDOW) >> PRIVATE_SHIFT
        if owner != self.current.number:
            raise Fault(f"a {access} of a private variable of another work-item (number {owner} of the group)")
        found = self.current.at(address)
        if found.base <= address < found.base + found.size and not self.current.is_alive(found):
            raise Fault(f"a {access} of {found.name}, which is out of scope")
        return found

    def _outside(self, address: int, size: int, access: str, near: MemoryObject | None) -> str:
        what = f"a {access} of {size} bytes at {address:#x}"
        if address < 4096:
            return f"{what}: a null pointer"
        if near is None and self._host and not address >> WINDOW_SHIFT:
            near = self._host[0]
        if near is None or abs(address - near.base) > 1 << 40:
            return f"{what}, where there is nothing that the launch was given"
        if near.base <= address < near.base + near.size:
            return f"{what}, of which {near.base + near.size - address} are the last of {near.name} ({near.size} bytes)"
        return f"{what}, which is {describe_place(near, address)}"


def describe_place(item: MemoryObject, address: int) -> str:
    """Description of an address relative to the object that it is in or near."""
    offset = address - item.base
    if offset < 0:
        return f"{-offset} bytes before {item.name} ({item.size} bytes)"
    if offset >= item.size:
        distance = f"{offset - item.size} bytes" if offset > item.size else "just"
        return f"{distance} past the end of {item.name} ({item.size} bytes)"
    return f"at offset {offset} of {item.name} ({item.size} bytes)"


def _base_of(item: MemoryObject) -> int:
    return item.base


def _below(objects: list[MemoryObject], bases: list[int], address: int) -> MemoryObject | None:
    index = bisect_right(bases, address) - 1
    return objects[index] if index >= 0 else None


def merged(regions: Iterable[HostRange]) -> list[HostRange]:
    """Regions in order of address; overlapping ones (the same array twice, views of one array) are merged."""
    result: list[HostRange] = []
    for region in sorted((r for r in regions if r.size), key=lambda r: r.base):
        last = result[-1] if result else None
        if last is not None and region.base < last.base + last.size:
            size = max(last.size, region.base + region.size - last.base)
            name = last.name if region.name == last.name else f"{last.name} and {region.name}"
            result[-1] = HostRange(name, last.base, size, last.writable or region.writable)
        else:
            result.append(region)
    return result


def is_shared(address: Value) -> bool:
    """True if an address is known to be in shared memory."""
    return address.__class__ is not Indeterminate and address >> WINDOW_SHIFT == SHARED_WINDOW >> WINDOW_SHIFT


def may_be_seen_by_others(address: Value) -> bool:
    """True if an address is known, and not in private memory."""
    return address.__class__ is int and address >> WINDOW_SHIFT != PRIVATE_WINDOW >> WINDOW_SHIFT


def is_in_window(window: int) -> Callable[[Value], Value]:
    """Test for addresses in a window of device memory, or (0) in memory of the host."""

    def test(address: Value) -> Value:
        if address.__class__ is Indeterminate:
            return unknown_result(address)
        return address >> WINDOW_SHIFT == window

    return test


# -- bytes ---------------------------------------------------------------------------------------------------------


def read_bits(item: MemoryObject, address: int, size: int) -> tuple[int, int]:
    """The bits of `size` bytes, and a mask of the unknown ones."""
    at = address - item.base
    bits = int.from_bytes(item.data[at : at + size], "little")
    return bits, int.from_bytes(item.unknown[at : at + size], "little") if item.unknown is not None else 0


def write_bits(item: MemoryObject, address: int, size: int, bits: int, unknown: int) -> None:
    """Write `size` bytes. If the object keeps no record of unknown bits, those bits stay unchanged."""
    at = address - item.base
    if unknown and item.unknown is None:
        before, _ = read_bits(item, address, size)
        bits = bits & ~unknown | before & unknown
    item.data[at : at + size] = bits.to_bytes(size, "little")
    if item.unknown is not None:
        item.unknown[at : at + size] = unknown.to_bytes(size, "little")


def copy_bytes(
    memory: Memory, target: Value, source: Value, size: Value, *, aligns: tuple[int, int], may_overlap: bool
) -> None:
    """memcpy and memmove, including the record of unknown bits. `aligns` are the alignments of target and source."""
    if size.__class__ is Indeterminate:
        raise Fault(f"a memory copy whose size depends on {size.why}")
    if not size:
        return
    count = size & ((1 << 64) - 1)
    from_ = memory.find(source, count, aligns[1], "load")
    to = memory.find(target, count, aligns[0], "store")
    if not may_overlap and source != target and source < target + count and target < source + count:
        raise Fault(f"a memcpy of {count} bytes between places that overlap")
    write_bits(to, target, count, *read_bits(from_, source, count))


def fill_bytes(memory: Memory, target: Value, value: Value, size: Value, *, align: int) -> None:
    """memset."""
    if size.__class__ is Indeterminate:
        raise Fault(f"a memory fill whose size depends on {size.why}")
    if value.__class__ is Indeterminate:
        raise Fault(f"a memory fill with a value that depends on {value.why}")
    if not size:
        return
    count = size & ((1 << 64) - 1)
    to = memory.find(target, count, align, "store")
    at = target - to.base
    to.data[at : at + count] = bytes([value & 0xFF]) * count
    if to.unknown is not None:
        to.unknown[at : at + count] = bytes(count)


def compare_bytes(memory: Memory, left: Value, right: Value, size: Value) -> int | Indeterminate:
    """memcmp: the order of the first bytes that differ. They and all bytes before them must be known."""
    if size.__class__ is Indeterminate:
        raise Fault(f"a memory comparison whose size depends on {size.why}")
    if not size:
        return 0
    count = size & ((1 << 64) - 1)
    first, second = memory.find(left, count, 1, "load"), memory.find(right, count, 1, "load")
    (a, a_unknown), (b, b_unknown) = read_bits(first, left, count), read_bits(second, right, count)
    if a_unknown or b_unknown:
        known = count if a == b else ((a ^ b) & -(a ^ b)).bit_length() - 1 >> 3
        unknown = a_unknown | b_unknown
        if (unknown & -unknown).bit_length() - 1 >> 3 <= known:
            return Indeterminate("a comparison of memory that was never written")
    one, other = a.to_bytes(count, "little"), b.to_bytes(count, "little")
    return (one > other) - (one < other)


def read_text(memory: Memory, address: Value) -> bytes:
    """The bytes of the NUL-terminated string at an address."""
    item = memory.find(address, 1, 1, "load")
    at = address - item.base
    text = bytes(item.data[at:])
    end = text.find(b"\0")
    if end < 0:
        raise Fault(f"a text without an end in {item.name}")
    return text[:end]
