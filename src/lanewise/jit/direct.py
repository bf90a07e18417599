# SPDX-License-Identifier: Apache-2.0
"""Plans by which C calls the kernels of regions; see `runtime.direct_call`."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast, final

import numpy as np

from lanewise.cache import Cache
from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.python_types import Number, Type
from lanewise.frontend.python.region import RETURN, PythonRegion
from lanewise.jit.arguments import has_dense_rows, is_strided
from lanewise.runtime.direct_call import (
    DirectAxis,
    DirectCall,
    DirectInput,
    DirectPlan,
    DirectResult,
    can_call_directly,
)
from lanewise.runtime.native_launch import NativeLaunch

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEW: Final = 8
"""Calls that Python makes before C does."""

_FOLDS: Final = {"+": "+", "*": "*", "min": "m", "max": "M", "&": "&", "|": "|", "^": "^"}
_FOLDED: Final = {"d": "+*mM", "f": "+*mM", "i": "+*mM&|^", "q": "+*mM&|^"}
"""Reductions that C has, by the code of their numbers."""
_CODES: Final = {
    "|b1": "?", "<i1": "b", "<i2": "h", "<i4": "i", "<i8": "q", "|i1": "b", "|u1": "B", "<u2": "H", "<u4": "I",
    "<u8": "Q", "<f4": "f", "<f8": "d",
}  # fmt: skip
"""Codes of numbers that C packs; half precision isn't among them."""
_WEAK: Final[dict[object, str]] = {int: "q", float: "d", bool: "?"}


@final
class DirectCalls:
    """The calls of one kernel that C makes, once there have been enough to be worth it."""

    __slots__ = ("_call", "_launches")

    def __init__(self) -> None:
        self._launches: int = 0
        self._call: DirectCall | None = None

    def is_wanted(self) -> bool:
        """True if C may make calls like the present one, which Python has made."""
        self._launches += 1
        return self._launches > FEW

    def learn(
        self, plan: Callable[[], DirectPlan | None], counts: tuple[int, ...], chunk: int, launch: NativeLaunch,
        cache: Cache,
    ) -> Callable[..., Any] | None:  # fmt: skip
        """The function that makes calls, with such counts of iterations, too; None if C can't make them."""
        if self._call is None:
            made = plan()
            if made is None or not can_call_directly(made):
                self._launches = -sys.maxsize
                return None
            self._call = DirectCall(made, cache)
        self._call.add(counts, chunk, launch)
        return self._call.call


def places_of_arrays(arrays: Sequence[object], numbers: Iterable[int]) -> set[int]:
    """The places of the arrays with these numbers among all that is passed."""
    places = [place for place, each in enumerate(arrays) if each is not None]
    return {places[number] for number in numbers}


def plan_of(
    region: PythonRegion,
    grid: Grid | None,
    packing: struct.Struct,
    results: Sequence[tuple[str, Number]],
    apart: frozenset[int],
    inputs: Sequence[Any],
    unset: object,
    finish: Callable[..., None],
    types: Mapping[str, Type],
) -> DirectPlan | None:
    """The plan for inputs like these; None if C can't make such calls. `packing` of all that is passed, `apart`: the
    places in it of arrays that no other may overlap. `types` of the kernel's inputs."""
    if region.options.bounds or region.options.watched or (grid is not None and grid.copied):
        return None
    offsets = _offsets(packing.format)
    place = 0
    axes: list[DirectAxis] = []
    for axis in grid.axes if grid is not None else ():
        axes.append(DirectAxis(offsets[place], axis.step is None))
        place += 3 if axis.step is None else 2
    chunk = 0
    if region.reductions:
        chunk = offsets[place]
        place += 1
    made: list[DirectInput] = []
    for name, value in zip(region.inputs, inputs, strict=False):
        strided = is_strided(types[name])
        found = _input(value, offsets[place] if place < len(offsets) else 0, place in apart, strided=strided)
        if found is None:
            return None
        made.append(found)
        place += 1 + found.dimensions * (2 if strided else 1)
    starts = inputs[len(region.inputs) :]
    outputs = _results(region, results, offsets[place:], starts)
    if outputs is None:
        return None
    names = [name for name, _ in results]
    if names and names != ([RETURN] if region.returns else list(region.outputs)):
        return None
    shape = "none" if not names else "one" if region.returns else "list"
    return DirectPlan(made, axes, outputs, shape, packing.size, chunk, unset, finish)


def _input(value: Any, offset: int, written: bool, *, strided: bool) -> DirectInput | None:
    if isinstance(value, np.ndarray):
        array = cast("NDArray[Any]", value)
        if type(array) is not np.ndarray:
            return None
        code = memoryview(array.data).format
        if array.dtype.str not in _CODES or len(code) != 1:
            return None
        flags = array.flags
        dense = flags.c_contiguous or has_dense_rows(array)
        return DirectInput(
            np.ndarray, offset, code, array.itemsize, array.ndim, flags.c_contiguous, dense, flags.writeable, written,
            strided,
        )  # fmt: skip
    code = _WEAK.get(cast("object", type(value)))
    if code is None:
        dtype = getattr(value, "dtype", None)
        code = _CODES.get(getattr(dtype, "str", ""))
    return None if code is None else DirectInput(type(value), offset, code)


def _results(
    region: PythonRegion, results: Sequence[tuple[str, Number]], offsets: Sequence[int], starts: Sequence[Any]
) -> list[DirectResult] | None:
    made: list[DirectResult] = []
    for number, ((_, type_), offset) in enumerate(zip(results, offsets, strict=True)):
        dtype = np.dtype(type_.dtype)
        code = _CODES.get(dtype.str)
        fold = _FOLDS.get(region.reductions[number].operation, "none") if region.reductions else ""
        if code is None or (fold and fold not in _FOLDED.get(code, "")):
            return None
        start = cast("object", type(starts[number])) if region.reductions else None
        made.append(DirectResult(None if type_.weak else dtype.type, offset, code, fold, start))
    return made


def _offsets(format_: str) -> list[int]:
    """The offset of each value that a struct of native alignment has."""
    offsets: list[int] = []
    end = 0
    for code in format_.lstrip("@"):
        size = struct.calcsize(code)
        end = -(-end // size) * size
        offsets.append(end)
        end += size
    return offsets
