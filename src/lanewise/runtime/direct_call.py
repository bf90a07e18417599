# SPDX-License-Identifier: Apache-2.0
"""Calls of compiled loops that C makes: the Python side of `calls/calls.h`.

What a call costs is looking at its arguments, packing them and starting the launch. In Python that takes longer than
small loops run; in C, a fraction of it.
"""

import ctypes
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, final

from lanewise.cache import Cache
from lanewise.config import device_setting
from lanewise.runtime.build import call_library
from lanewise.runtime.library import load_for_python
from lanewise.runtime.native_launch import NativeLaunch

MISSED: Final = object()
"""The answer to a call that isn't as those before."""

_MOST_INPUTS: Final = 64
_MOST_RESULTS: Final = 8
_MOST_ARGS_BYTES: Final = 2048
_MOST_AXES: Final = 3
_SHAPES: Final = {"none": 0, "list": 1, "one": 2}


class DirectInput(NamedTuple):
    """An argument. `offset`: of what is passed of it. `code`: of a number or of elements, as in `struct`. The
    fields after it are those of arrays; others have no dimensions and None as `item_bytes`."""

    type: type[Any]
    offset: int
    code: str
    item_bytes: int | None = None
    dimensions: int = 0
    contiguous: bool = False
    dense: bool = False
    """The elements of a row lie side by side."""
    writeable: bool = False
    written: bool = False
    """Memory that no other array may overlap."""
    strided: bool = False
    """Its strides are passed."""


class DirectAxis(NamedTuple):
    """A loop over a range. `offset`: of its count, start and, if that is passed, step."""

    offset: int
    has_step: bool


class DirectResult(NamedTuple):
    """A value that the launch leaves. `type` makes it from a number of Python's; None: it is one. `fold`: the sign of a
    reduction's operation, "m" and "M" for min and max; empty for an output. `start`: the type of what a reduction
    starts with."""

    type: Callable[[Any], Any] | None
    offset: int
    code: str
    fold: str = ""
    start: object = None


class DirectPlan(NamedTuple):
    """The call of a kernel with values of certain types. `shape` of the results: "none", "list", or "one"."""

    inputs: Sequence[DirectInput]
    axes: Sequence[DirectAxis]
    results: Sequence[DirectResult]
    shape: str
    args_bytes: int
    chunk_offset: int
    unset: object
    finish: Callable[..., None]
    """Called with the number of a launch that isn't done at once, or 0 for one whose trial asks, and the arguments of
    the call."""


class _Input(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.py_object),
        ("offset", ctypes.c_uint32),
        ("item_bytes", ctypes.c_uint32),
        ("code", ctypes.c_uint8),
        ("is_array", ctypes.c_uint8),
        ("dimensions", ctypes.c_uint8),
        ("is_contiguous", ctypes.c_uint8),
        ("is_dense", ctypes.c_uint8),
        ("is_writeable", ctypes.c_uint8),
        ("is_written", ctypes.c_uint8),
        ("has_strides", ctypes.c_uint8),
    )


class _Axis(ctypes.Structure):
    _fields_ = (("offset", ctypes.c_uint32), ("has_step", ctypes.c_uint32))


class _Result(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.py_object),
        ("start_type", ctypes.py_object),
        ("offset", ctypes.c_uint32),
        ("code", ctypes.c_uint8),
        ("fold", ctypes.c_uint8),
    )


class _Plan(ctypes.Structure):
    _fields_ = (
        ("inputs", ctypes.POINTER(_Input)),
        ("axes", ctypes.POINTER(_Axis)),
        ("results", ctypes.POINTER(_Result)),
        ("num_inputs", ctypes.c_uint32),
        ("num_axes", ctypes.c_uint32),
        ("num_results", ctypes.c_uint32),
        ("shape", ctypes.c_uint32),
        ("args_bytes", ctypes.c_uint32),
        ("chunk_offset", ctypes.c_uint32),
        ("device", ctypes.c_char_p),
        ("array_type", ctypes.py_object),
        ("missed", ctypes.py_object),
        ("unset", ctypes.py_object),
        ("finish", ctypes.py_object),
    )


_Counts = ctypes.c_int64 * _MOST_AXES


@final
class DirectCall:
    """`call(...)` makes a call as the plan says, or returns MISSED: for other types, another device, or loops of which
    `add` hasn't said how they are launched."""

    __slots__ = ("_address", "_device", "_kept", "_library", "call")

    def __init__(self, plan: DirectPlan, cache: Cache) -> None:
        import numpy as np

        self._library: Final = _library(cache)
        self._device: Final = device_setting()
        inputs = (_Input * len(plan.inputs))(*[_input(each) for each in plan.inputs])
        axes = (_Axis * len(plan.axes))(*[_Axis(each.offset, each.has_step) for each in plan.axes])
        results = (_Result * len(plan.results))(*[_result(each) for each in plan.results])
        made = _Plan(
            inputs, axes, results, len(inputs), len(axes), len(results), _SHAPES[plan.shape], plan.args_bytes,
            plan.chunk_offset, self._device, np.ndarray, MISSED, plan.unset, plan.finish,
        )  # fmt: skip
        address = ctypes.c_void_p()
        self.call: Final[Callable[..., Any]] = self._library.lw_call_new(ctypes.byref(made), ctypes.byref(address))
        self._address: Final = address
        self._kept: Final = plan, made, inputs, axes, results
        """All that the function in C refers to."""

    def add(self, counts: Sequence[int], chunk: int, launch: NativeLaunch) -> None:
        """Say how loops of so many iterations are launched, on the device that the call is for."""
        if device_setting() != self._device:
            return
        self._library.lw_call_add(self._address, _Counts(*counts), chunk, launch.request, *launch.started_by())


def can_call_directly(plan: DirectPlan) -> bool:
    """True if C can make the calls of a plan in this process."""
    has_lock = getattr(sys, "_is_gil_enabled", lambda: True)()
    return (
        has_lock
        and len(plan.inputs) <= _MOST_INPUTS
        and len(plan.results) <= _MOST_RESULTS
        and plan.args_bytes <= _MOST_ARGS_BYTES
    )


_libraries: Final[list[ctypes.PyDLL]] = []


def _library(cache: Cache) -> ctypes.PyDLL:
    if not _libraries:
        try:
            library = load_for_python(call_library(cache))
        except OSError:
            library = load_for_python(call_library(cache))  # another process has evicted it since
        library.lw_call_new.restype = ctypes.py_object
        library.lw_call_new.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
        library.lw_call_add.restype = None
        library.lw_call_add.argtypes = (
            ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p,
            ctypes.c_void_p,
        )  # fmt: skip
        _libraries.append(library)
    return _libraries[0]


def _input(each: DirectInput) -> _Input:
    return _Input(
        each.type, each.offset, each.item_bytes or 0, ord(each.code), each.item_bytes is not None, each.dimensions,
        each.contiguous, each.dense, each.writeable, each.written, each.strided,
    )  # fmt: skip


def _result(each: DirectResult) -> _Result:
    made = _Result(offset=each.offset, code=ord(each.code), fold=ord(each.fold) if each.fold else 0)
    if each.type is not None:
        made.type = each.type
    if each.start is not None:
        made.start_type = each.start
    return made
