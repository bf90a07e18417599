# SPDX-License-Identifier: Apache-2.0
"""The message of a failed launch."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from lanewise.device.launch import Arguments, Extent, Launch
from lanewise.errors import LaunchError, LaunchTimeoutError
from lanewise.runtime import Access, Failure, Known, Outcome

_NULL_PAGES: Final = 64 << 10
"""Addresses below this one are offsets from a null pointer: Linux maps nothing there."""

_NEAR: Final = 1 << 30
"""An address closer than this to an argument's array, in bytes, is reported relative to that array."""

_VERBS: Final = {
    Access.SOME: "access to",
    Access.READ: "read of",
    Access.WRITE: "write to",
    Access.EXECUTE: "execution of",
}

_SIGNALS: Final = {4: "an illegal instruction", 7: "a bus error", 8: "an arithmetic fault"}

_STUCK: Final = (
    "a work-item waits in a loop for a value that no running work-item will change, in {where}. Between barriers, the "
    "work-items of a block run one after another on the CPU; blocks start in increasing order, as many at once as "
    "there are threads, or all at once with cooperative=True. So a work-item may wait for earlier ones only. Use a "
    "barrier, operations of the warp or a cooperative launch; if the host changes the value, give the launch a timeout "
    "or set LANEWISE_WATCHDOG to more seconds or to off"
)


if TYPE_CHECKING:
    from lanewise.device.cpu.line_table import SourceLine


def report(
    outcome: Outcome, kernel: str, launch: Launch, line: SourceLine | None = None,
    place: Callable[[int], str] | None = None,
) -> None:  # fmt: skip
    """Pass on the output of a launch of `kernel`; raise LaunchError if it failed. `line` is the place in the source
    where it failed, if the machine code has line information. `place` describes addresses far from all arrays."""
    if outcome.output:
        sys.stdout.write(outcome.output.decode(errors="replace"))
        sys.stdout.flush()
    if outcome.failure is Failure.NONE:
        return
    kind = LaunchTimeoutError if outcome.failure is Failure.TIMED_OUT else LaunchError
    raise kind(f"kernel {kernel}: {_what(outcome, launch, line, place or _far)}")


def _what(outcome: Outcome, launch: Launch, line: SourceLine | None, far: Callable[[int], str]) -> str:
    match outcome.failure:
        case Failure.TRAP:
            return f"__trap() in {_where(outcome)}"
        case Failure.ASSERT:
            where = _where(outcome._replace(known=outcome.known & ~Known.PLACE))
            place = f"{outcome.file}:{outcome.line}: {outcome.function}"
            return f"{place}: assertion `{outcome.message}` failed in {where}"
        case Failure.FAULT:
            return (
                f"{_fault(outcome, launch.arguments, far)}, in {_where(outcome, launch, line)}{_advice(outcome, line)}"
            )
        case Failure.OVERRUN:
            return (
                f"it, or work beside it, wrote outside of its arrays: {place_of(outcome.address, launch.arguments)}; "
                "that was found when the launch had ended, so block and thread aren't known"
            )
        case Failure.STACK_OVERFLOW:
            where = f"{_where(outcome, launch, line)}{_advice(outcome, line)}"
            return f"the stack is full: recursion is too deep, or without end, in {where}"
        case Failure.TEXTURE:
            return f"{outcome.message}, in {_where(outcome)}"
        case Failure.BAD_FREE:
            return (
                "free() or delete of memory that malloc() or new has not given, or that was freed before, in "
                f"{_where(outcome)}"
            )
        case Failure.OUT_OF_MEMORY:
            return f"no memory for {outcome.message or 'its work-groups; use smaller blocks or fewer threads'}"
        case Failure.NOT_COOPERATIVE:
            return (
                f"grid synchronisation in a launch that is not cooperative, in {_where(outcome)}; launch it with "
                "cooperative=True"
            )
        case Failure.DEADLOCK:
            return f"{outcome.message} work-groups ended while the others wait for them in a grid synchronisation"
        case Failure.BARRIER:
            return f"{outcome.message}, in {_where(outcome, launch, line)}{_advice(outcome, line)}"
        case Failure.TIMED_OUT:
            at = f"; it was in {_where(outcome, launch, line)}" if outcome.known else ""
            return f"the launch ran longer than its timeout of {launch.timeout} s{at}"
        case Failure.STUCK:
            return f"{_STUCK.format(where=_where(outcome))}{_advice(outcome, line)}"
        case Failure.CANCELLED | Failure.NONE:
            return "the launch was cancelled"


def _fault(outcome: Outcome, arguments: Arguments, far: Callable[[int], str]) -> str:
    if outcome.signal in _SIGNALS:
        return _SIGNALS[outcome.signal]
    if outcome.access is Access.NO_ADDRESS:
        return "access to an address that no pointer can hold: not one that was given or computed right"
    if outcome.access is Access.UNKNOWN_ADDRESS:
        return "access to a wrong address"
    return f"{_VERBS[outcome.access]} address {outcome.address:#x} ({place_of(outcome.address, arguments, far)})"


def _far(address: int) -> str:
    """Description of an address of the host that is far from all arrays."""
    del address
    return "not in any array of the arguments"


def place_of(address: int, arguments: Arguments, far: Callable[[int], str] = _far) -> str:
    """Description of an address relative to the null pointer, or to the nearest array among the arguments; by `far`
    if none is near."""
    if address < _NULL_PAGES:
        return f"null pointer + {address}" if address else "a null pointer"
    nearest, number, array = min(
        ((_distance(address, each), number, each) for number, each in _arrays(arguments)),
        key=lambda found: found[:2],
        default=(_NEAR, 0, None),
    )
    if array is None or nearest >= _NEAR:
        return far(address)
    names = arguments.parameters.names
    name = names[number] if number < len(names) else ""
    shown = f"argument '{name}'" if name else f"argument {number + 1}"
    start: int = array.ctypes.data
    if start <= address < start + array.nbytes:
        return f"in {shown}"
    index = (address - start) // array.itemsize
    side = "past its end" if address > start else "before its start"
    count = f"{nearest} byte{'' if nearest == 1 else 's'}"
    elements = "struct" if array.dtype.names else array.dtype
    return f"element {index} of {shown}, {elements}[{','.join(map(str, array.shape))}]: {count} {side}"


def _arrays(arguments: Arguments) -> Iterator[tuple[int, NDArray[Any]]]:
    """The arrays among the arguments, by number, except those whose elements take no memory."""
    for number, referred in enumerate(arguments.arrays):
        if isinstance(referred, np.ndarray):
            array = cast("NDArray[Any]", referred)
            if array.itemsize:
                yield number, array


def _distance(address: int, array: NDArray[Any]) -> int:
    """Bytes from the end of an array to an address, or from there to its start; 0 inside."""
    start: int = array.ctypes.data
    return max(address - start - array.nbytes, start - address, 0)


def _where(outcome: Outcome, launch: Launch | None = None, line: SourceLine | None = None) -> str:
    """Block, work-item and line, as far as they are known. `launch`: for machine code that says more."""
    parts = [f"block {_shown(outcome.block)}"]
    if outcome.known & Known.THREAD:
        parts.append(f"thread {_shown(outcome.thread)}")
    elif launch is not None:
        x, y, z = launch.block
        several = f"one of the threads (0, 0, 0) to {_shown((x - 1, y - 1, z - 1))}"
        parts.append("thread (0, 0, 0)" if x * y * z == 1 else several)
    if outcome.known & Known.PLACE:
        inside = f" ({outcome.function})" if outcome.function else ""
        parts.append(f"at {outcome.file}:{outcome.line}{inside}")
    elif line is not None:
        parts.append(f"at {line.file}:{line.line}")
    return ", ".join(parts)


def _advice(outcome: Outcome, line: SourceLine | None) -> str:
    if outcome.known & Known.PLACE:
        return ""
    return f'; compiled with options=["-g"], it says the {"line" if line is None else "thread"}'


def _shown(extent: Extent) -> str:
    return "({}, {}, {})".format(*extent)
