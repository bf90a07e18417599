# SPDX-License-Identifier: Apache-2.0
"""The text of faults: what, where, who, and the line of the source."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Final, final

from lanewise.errors import CheckError
from lanewise.frontend.checked_places import ALLOCATION, ARGUMENT, CHOICE, HEAP, LOCAL
from lanewise.program.checked.faults import RACE_OFFSETS, KernelFault, OtherAccess

_WRAPPED: Final = (1 << 32) - (1 << 16)
"""Least element that is taken for an index of 32 bits that has wrapped round."""
MOST: Final = 10
"""Faults that a message describes; the others are counted."""


@final
class Messages:
    """Makes errors of faults. `names`: of kernels by symbol, as the source has them. `source`: the text of the file
    called `name`, if it was given as text. `null`: the language's word for a pointer to nothing."""

    def __init__(self, names: dict[str, str], name: str, source: str | None, null: str = "None") -> None:
        self._names: Final = names
        self._null: Final = null
        known = () if source is None else (name, Path(name).name)  # debug information has the name without its folder
        self._texts: Final[dict[str, list[str]]] = dict.fromkeys(known, (source or "").splitlines())

    def error(self, kernel: str, faults: Sequence[KernelFault], most: int = MOST) -> CheckError:
        """The error of faults of a kernel (a symbol), which describes at most so many of them."""
        name = self.name(kernel)
        faults = [fault._replace(kernel=name) for fault in faults]
        count = f"{len(faults)} place{'s' if len(faults) > 1 else ''} at fault"
        told = [self._described(fault) for fault in faults[:most]]
        if 0 < most < len(faults):
            told.append(f"and {len(faults) - most} more")
        return CheckError("\n".join([f"kernel {name}: {count}", *told]), tuple(faults))

    def name(self, kernel: str) -> str:
        """The name of a kernel (a symbol) in the source."""
        return self._names.get(kernel, kernel)

    def what(self, fault: KernelFault) -> str:
        """The fault and who did it, in one line without the place."""
        more = (
            f", and {fault.times - 1} more times" if fault.times > 2 else ", and once more" if fault.times == 2 else ""
        )
        return f"{_what(fault, self._null)}, in work-group {fault.block}, work-item {fault.thread}{more}"

    def _described(self, fault: KernelFault) -> str:
        column = f":{fault.column}" if fault.column else ""
        place = f"{fault.file}:{fault.line}{column}: " if fault.line else ""
        return f"{place}error: {self.what(fault)}{self._excerpt(fault)}"

    def _excerpt(self, fault: KernelFault) -> str:
        """The line of the source, with a caret below it, as clang shows it."""
        lines = self._lines(fault.file)
        if not 1 <= fault.line <= len(lines):
            return ""
        line = lines[fault.line - 1]
        text = f"\n{fault.line:5} | {line.expandtabs(8)}"
        if not fault.column:
            return text
        return f"{text}\n      | {' ' * len(line[: fault.column - 1].expandtabs(8))}^"

    def _lines(self, file: str) -> list[str]:
        if file not in self._texts:
            try:
                self._texts[file] = Path(file).read_text(encoding="utf-8", errors="replace").splitlines()
            except OSError:
                self._texts[file] = []
        return self._texts[file]


def _what(fault: KernelFault, null: str) -> str:
    access = fault.access
    if fault.kind == "divergent barrier":
        return _barrier(fault)
    if fault.kind in ("mask lacks lane", "absent lanes"):
        return _mask(fault)
    if fault.other is not None:
        return _race(fault, fault.other)
    if fault.object == "value":
        return _operation(fault)
    if fault.kind == "index":
        return f"{access} out of bounds: index {fault.offset} {_dimension(fault)}"
    if fault.object == "null pointer":
        return f"{access} through a null pointer" + (f": argument '{fault.name}' is {null}" if fault.name else "")
    if fault.kind == "freed" and not fault.name:
        return f"{access} of memory that has been freed: {_element(fault)} of it"
    if fault.kind == "freed":
        return f"{access} of memory that has been freed: {_element(fault)} of what argument '{fault.name}' points to"
    if fault.kind == "unwritten":
        return f"{access} of {_element(fault)} of {_array(fault)}, which nobody has written"
    if fault.kind == "misaligned":
        what = f"misaligned {access} of {fault.size} bytes"
        return f"{what}: byte {fault.offset} of {_array(fault)} is at no multiple of {fault.align}"
    return f"{access} out of bounds: {_element(fault)} of {_array(fault)}{_distance(fault)}"


def _race(fault: KernelFault, other: OtherAccess) -> str:
    """Two accesses in either order."""
    here = (other.file, other.line, other.column) == (fault.file, fault.line, fault.column)
    place = "here" if here else f"at {other.file}:{other.line}:{other.column}"
    accessed = _array(fault) if fault.nbytes > RACE_OFFSETS else f"{_element(fault)} of {_array(fault)}"
    again = f"{other.access} of the same value" if fault.kind == "equal writes" else other.access
    what = f"{fault.kind}: {fault.access} of {accessed}, and {again} by work-item {other.thread}"
    if other.block is not None and other.block != fault.block:
        return f"{what} of work-group {other.block} {place}, though nothing orders work-groups"
    return f"{what} {place} without a barrier between them"


def _barrier(fault: KernelFault) -> str:
    """A barrier that only some work-items of a group come to."""
    other = fault.other
    assert other is not None
    waiting, others = fault.threads
    wait = "waits" if waiting == 1 else "wait"
    counted = f"{waiting} of {waiting + others} work-items of the work-group {wait} at this barrier"
    first = f"the first of them is work-item {other.thread}"
    if other.access in ("past", "returned"):
        gone = "gone past it and ended" if other.access == "past" else "returned"
        have = "has" if others == 1 else "have"
        return f"divergent barrier: only {counted}, and {others} {have} {gone} ({first})"
    place = f"{other.file}:{other.line}:{other.column}"
    return f"divergent barrier: {counted}, and {others} at another one, at {place} ({first})"


def _mask(fault: KernelFault) -> str:
    """An operation of the warp whose mask is wrong."""
    mask, absent = fault.offset & 0xFFFFFFFF, fault.offset >> 32 & 0xFFFFFFFF
    if fault.kind == "mask lacks lane":
        return f"operation of the warp with the mask {mask:#010x}, which lacks the lane that executes it"
    lanes = [lane for lane in range(32) if absent >> lane & 1]
    which = f"{len(lanes)} of {mask.bit_count()} lanes never come: lane{'s' if len(lanes) > 1 else ''} {_ranges(lanes)}"
    return f"operation of the warp with the mask {mask:#010x}, of which {which}"


def _ranges(numbers: Sequence[int]) -> str:
    """Increasing numbers, as "1, 4 to 7"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def _operation(fault: KernelFault) -> str:
    """An operation with an undefined result."""
    bits, number = 8 * fault.size, fault.offset
    if fault.access in ("division", "remainder"):
        by = "zero" if fault.kind == "division by zero" else "-1, which overflows"
        return f"{fault.access} of {number} by {by}"
    if fault.access == "shift":
        return f"shift of a number of {bits} bits by {number}"
    if fault.access == "conversion":
        (value,) = struct.unpack("<d", struct.pack("<q", number))
        return f"conversion of {value:g} to an integer of {bits} bits, which it has no place in"
    return f"signed overflow: a {fault.access} of {bits} bits, which is {number} when it has wrapped round"


def _dimension(fault: KernelFault) -> str:
    """The array that an index is of."""
    if fault.extent not in fault.shape or fault.dtype:
        return f"of an array of {fault.extent} elements in {_array(fault)}"
    return f"of {_array(fault)}" if len(fault.shape) == 1 else f"in dimension {fault.dimension} of {_array(fault)}"


def _array(fault: KernelFault) -> str:
    if fault.object == CHOICE:
        return fault.name
    if fault.object in (HEAP, ALLOCATION):
        return fault.object
    if fault.object == LOCAL:
        return f"{fault.object} '{fault.name}' of {fault.nbytes} bytes"
    what = fault.object if fault.shape or fault.dtype else fault.object.replace("array", "variable")
    name = f"{what} '{fault.name}'" if fault.name else f"a {what}"
    if fault.inside:
        at = _element(fault._replace(offset=fault.inside))
        name = f"the array that {name} points to {at.removesuffix(',')} of"
    if fault.dtype:
        type_ = f"struct of {fault.element} bytes" if fault.dtype.startswith(("[", "{")) else fault.dtype
        return f"{name}, {type_}[{', '.join(map(str, fault.shape))}]"
    if fault.object == ARGUMENT and fault.element == 1:  # the language has no types of arrays
        return f"{name} of {fault.nbytes} bytes" if fault.shape else name
    extents = "".join(f"[{extent}]" for extent in fault.shape)
    return f"{name}{extents}" if extents else f"{name} of {fault.nbytes} bytes"


def _element(fault: KernelFault) -> str:
    if fault.element > 1:
        element, byte = divmod(fault.offset, fault.element)
        return f"element {element}" + (f", byte {byte} of it," if byte else "")
    return f"byte {fault.offset}"


def _distance(fault: KernelFault) -> str:
    if fault.object in (CHOICE, HEAP) or (fault.object == ALLOCATION and fault.offset >= 0):
        return ""
    if fault.offset < 0:
        return f": {-fault.offset} bytes before its start"
    if _WRAPPED <= (fault.offset - fault.inside) // fault.element < 1 << 32:
        return ": an unsigned index has gone below 0"
    over = fault.offset - fault.nbytes
    if over >= 0:
        return f": {over} bytes past its end" if over else ": just past its end"
    return f": its {fault.size} bytes reach past the end"
