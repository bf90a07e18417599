# SPDX-License-Identifier: Apache-2.0
"""What a launch that failed says of itself."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

import numpy as np

from lanewise.device.base import Extent, LaunchOptions
from lanewise.errors import LaunchError
from lanewise.runtime import Access, Failure, Known, Outcome

_NULL_PAGES: Final = 64 << 10
"""Addresses below are offsets from a null pointer: Linux maps nothing there."""

_NEAR: Final = 1 << 30
"""An address this many bytes from an argument's array is told as a place outside of that array."""

_SIGNALS: Final = {4: "an illegal instruction", 7: "a bus error", 8: "an arithmetic fault"}

_STUCK: Final = (
    "a work-item waits in a loop for a value that no running work-item will change, in {where}. Between barriers, the "
    "work-items of a block run one after another on the CPU; blocks start in increasing order, as many at once as "
    "there are threads, or all at once with cooperative=True. So a work-item may wait for earlier ones only. Use a "
    "barrier, operations of the warp or a cooperative launch; if the host changes the value, give the launch a timeout "
    "or set LANEWISE_WATCHDOG to more seconds or to off"
)


def report(outcome: Outcome, kernel: str, options: LaunchOptions, referred: Sequence[object]) -> None:
    """Pass on what a kernel printed; raise LaunchError where it failed. `referred` is what its arguments refer to."""
    if outcome.output:
        sys.stdout.write(outcome.output.decode(errors="replace"))
        sys.stdout.flush()
    if outcome.failure is Failure.NONE:
        return
    raise LaunchError(f"kernel {kernel}: {_what(outcome, options, referred)}")


def _what(outcome: Outcome, options: LaunchOptions, referred: Sequence[object]) -> str:
    match outcome.failure:
        case Failure.TRAP:
            return f"__trap() in {_where(outcome)}"
        case Failure.ASSERT:
            where = _where(outcome._replace(known=outcome.known & ~Known.PLACE))
            line = f"{outcome.file}:{outcome.line}: {outcome.function}"
            return f"{line}: assertion `{outcome.message}` failed in {where}"
        case Failure.FAULT:
            return f"{_fault(outcome, referred)}, in {_where(outcome)}{_advice(outcome)}"
        case Failure.STACK_OVERFLOW:
            return f"the stack is full: recursion is too deep, or without end, in {_where(outcome)}{_advice(outcome)}"
        case Failure.TEXTURE:
            return f"{outcome.message}, in {_where(outcome)}"
        case Failure.BAD_FREE:
            return (
                "free() or delete of memory that malloc() or new has not given, or that was freed before, in "
                f"{_where(outcome)}"
            )
        case Failure.OUT_OF_MEMORY:
            return "no memory for its work-groups; use smaller blocks or fewer threads"
        case Failure.NOT_COOPERATIVE:
            return (
                f"grid synchronisation in a launch that is not cooperative, in {_where(outcome)}; launch it with "
                "cooperative=True"
            )
        case Failure.DEADLOCK:
            return f"{outcome.message} work-groups ended while the others wait for them in a grid synchronisation"
        case Failure.TIMED_OUT:
            at = f"; it was in {_where(outcome)}" if outcome.known else ""
            return f"the launch ran longer than its timeout of {options.timeout} s{at}"
        case Failure.STUCK:
            return f"{_STUCK.format(where=_where(outcome))}{_advice(outcome)}"
        case Failure.CANCELLED | Failure.NONE:
            return "the launch was cancelled"


def _fault(outcome: Outcome, referred: Sequence[object]) -> str:
    if outcome.signal in _SIGNALS:
        return _SIGNALS[outcome.signal]
    if outcome.access is Access.NO_ADDRESS:
        return "access to an address that no pointer can hold: not one that was given or computed right"
    if outcome.access is Access.UNKNOWN_ADDRESS:
        return "access to a wrong address"
    verb = {Access.READ: "read of", Access.WRITE: "write to"}.get(outcome.access, "access to")
    return f"{verb} address {outcome.address:#x} ({_relation(outcome.address, referred)})"


def _relation(address: int, referred: Sequence[object]) -> str:
    """Where an address lies: by the null pointer, or by the nearest array among the arguments."""
    if address < _NULL_PAGES:
        return f"null pointer + {address}" if address else "a null pointer"
    nearest = _NEAR
    relation = "not in any array of the arguments"
    for index, array in enumerate(referred):
        if not isinstance(array, np.ndarray):
            continue
        start: int = array.ctypes.data
        end = start + array.nbytes
        if start <= address < end:
            return f"in the array of argument {index + 1}, which can't be written or read"
        if 0 <= address - end < nearest:
            nearest = address - end
            relation = f"{nearest} bytes behind the array of argument {index + 1}"
        elif 0 < start - address < nearest:
            nearest = start - address
            relation = f"{nearest} bytes before the array of argument {index + 1}"
    return relation


def _where(outcome: Outcome) -> str:
    """Block, work-item and line, as far as they are known."""
    parts = [f"block {_shown(outcome.block)}"]
    if outcome.known & Known.THREAD:
        parts.append(f"thread {_shown(outcome.thread)}")
    if outcome.known & Known.PLACE:
        inside = f" ({outcome.function})" if outcome.function else ""
        parts.append(f"at {outcome.file}:{outcome.line}{inside}")
    return ", ".join(parts)


def _advice(outcome: Outcome) -> str:
    return "" if outcome.known & Known.PLACE else '; compiled with options=["-g"], it says the line'


def _shown(extent: Extent) -> str:
    return "({}, {}, {})".format(*extent)
