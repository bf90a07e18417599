# SPDX-License-Identifier: Apache-2.0
"""Expressions of whole arrays, evaluated: by one compiled loop if the arrays are large, else by Python."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast, final

import numpy as np

from lanewise.errors import CompileError
from lanewise.frontend.python.code import Options
from lanewise.frontend.python.python_types import number_of
from lanewise.frontend.python.region import parallel_region
from lanewise.frontend.python.trees import copied
from lanewise.jit.expressions import LEAF, TOTAL, WHERE, ArrayExpression, loop_over
from lanewise.jit.ranges import prange
from lanewise.jit.region_kernel import RegionKernel
from lanewise.session import Session

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lanewise.transfer.plan import Transfers

    AnyArray: TypeAlias = NDArray[Any]

_PRANGE: Final = "__lanewise_prange"
LARGE: Final = 1 << 13
"""Elements from which a compiled loop is faster than NumPy's operations, one by one."""
_MOST_DIMENSIONS: Final = 3
_AXES: Final = tuple([tuple(range(ndim)) for ndim in range(_MOST_DIMENSIONS + 1)])
"""The dimensions of a result that those of an array of its shape go with."""


@final
class FusedExpression:
    """An expression, as the driver calls it with its leaves."""

    def __init__(
        self, expression: ArrayExpression, namespace: Mapping[str, Any], options: Options,
        session: Callable[[], Session], transfers: Transfers,
    ) -> None:  # fmt: skip
        self.expression: Final = expression
        self._namespace: Final = {**namespace, _PRANGE: prange}
        self._options: Final = options._replace(bounds=False, watched=False)  # nothing can go wrong
        self._session: Final = session
        self._transfers: Final[Transfers] = transfers
        self._plain: Final = _plain(expression, namespace)
        self._kernels: Final[dict[object, RegionKernel]] = {}
        self._dtypes: Final[dict[object, np.dtype[Any] | None]] = {}

    @property
    def kernels(self) -> tuple[RegionKernel, ...]:
        """The compiled loops, one for each way in which the shapes of leaves went together."""
        return tuple(self._kernels.values())

    def __call__(self, *leaves: Any) -> Any:
        shape = _shape(leaves)
        if shape is None:
            return self._plain(*leaves)
        dtype = self._dtype(leaves)
        layout = _in_order_of_memory(leaves, shape)
        out = None if dtype is None or len(layout.shape) > _MOST_DIMENSIONS else self._run(layout, dtype)
        return self._plain(*leaves) if out is None else out

    def into(self, array: Any, index: Any, *leaves: Any) -> None:
        """`array[index] = expression`, for an index of slices."""
        view: Any = array[index] if type(array) is np.ndarray else None
        if type(view) is np.ndarray and view.flags.writeable and _shape(leaves) == view.shape:
            parts = _arrays(leaves)
            if (
                view.ndim <= _MOST_DIMENSIONS
                and self._dtype(leaves) == view.dtype
                and all(_may_be_written(view, each) for each in parts)
            ):
                layout = _Layout(view.shape, list(leaves), view, lambda out: out)
                if self._run(layout, view.dtype) is not None:
                    return
        array[index] = self(*leaves)

    # -- types -------------------------------------------------------------------------------------------------

    def _dtype(self, leaves: Sequence[Any]) -> np.dtype[Any] | None:
        """The type of the result's elements; None if compiled loops can't do what NumPy does."""
        kinds = tuple([_kind(each) for each in leaves])
        if kinds in self._dtypes:
            return self._dtypes[kinds]
        found = self._found_dtype(leaves)
        if not (int in kinds and any(isinstance(kind, np.dtype) and kind.kind in "iu" for kind in kinds)):
            self._dtypes[kinds] = found  # else it depends on the number whether it fits
        return found

    def _found_dtype(self, leaves: Sequence[Any]) -> np.dtype[Any] | None:
        for each in leaves:
            dtype = getattr(each, "dtype", None)
            number = number_of(dtype)
            if dtype is None and type(each) not in (int, float, bool):
                return None
            if dtype is not None and (number is None or number.kind == "complex" or number.dtype == "<f2"):
                return None
        parts: list[Any] = [each.reshape(-1)[:1] if isinstance(each, np.ndarray) else each for each in leaves]
        try:
            with np.errstate(all="ignore"):
                result: Any = self._plain(*parts)
        except Exception:  # of any kind: Python raises it where it belongs
            return None
        is_right = type(result) is np.ndarray if self.expression.total is None else isinstance(result, np.generic)
        if not is_right or number_of(result.dtype) is None:
            return None
        if self.expression.has_powers and not np.issubdtype(result.dtype, np.floating):
            return None  # NumPy refuses negative exponents of integers
        return None if result.dtype == np.float16 else result.dtype

    # -- running -----------------------------------------------------------------------------------------------

    def _run(self, layout: _Layout, dtype: np.dtype[Any]) -> Any:
        """The result; None if the loop can't be compiled."""
        shape = layout.shape
        axes = _AXES[len(shape)]
        subscripts = tuple(
            [axes if getattr(each, "shape", None) == shape else _subscripts(each, shape) for each in layout.leaves]
        )
        kernel = self._kernels.get(subscripts)
        if kernel is None:
            kernel = self._kernels[subscripts] = self._made(len(layout.shape), subscripts)
        values = {f"{LEAF}{number}": each for number, each in enumerate(layout.leaves)}
        bounds = tuple([(extent,) for extent in layout.shape])
        try:
            if self.expression.total is not None:
                return kernel(bounds, *[values[name] for name in kernel.region.inputs], dtype.type(0))[0]
            out = values["out"] = np.empty(layout.shape, dtype) if layout.out is None else layout.out
            kernel(bounds, *[values[name] for name in kernel.region.inputs])
        except CompileError:
            self._dtypes[tuple([_kind(each) for each in layout.leaves])] = None
            return None
        return layout.back(out)

    def _made(self, ndim: int, subscripts: Sequence[tuple[int | None, ...] | None]) -> RegionKernel:
        expression = self.expression
        loop = loop_over(expression, ndim, subscripts, _PRANGE)
        local = frozenset(("out", TOTAL, *(f"{LEAF}{number}" for number in range(len(subscripts)))))
        later = frozenset[str]() if expression.total is None else frozenset((TOTAL,))
        region = parallel_region(expression.name, expression.file, loop, self._namespace, self._options, local, later)
        return RegionKernel(region, self._session, self._transfers)


class _Layout:
    """Arrays of the same elements whose order in memory suits a loop. `back` makes the result from the loop's."""

    __slots__ = ("back", "leaves", "out", "shape")

    def __init__(
        self, shape: tuple[int, ...], leaves: Sequence[Any], out: Any, back: Callable[[AnyArray], AnyArray]
    ) -> None:
        self.shape: Final = shape
        self.leaves: Final = leaves
        self.out: Final = out
        self.back: Final = back


def _shape(leaves: Sequence[Any]) -> tuple[int, ...] | None:
    """The shape of the result; None if Python is to evaluate the expression."""
    shape: tuple[int, ...] | None = None
    for each in leaves:
        if type(each) is not np.ndarray:
            if isinstance(each, np.ndarray):
                return None
            continue
        array: AnyArray = each
        if array.ndim == 0:
            return None
        if shape is None:
            shape = array.shape
        elif shape != array.shape:
            try:
                shape = np.broadcast_shapes(shape, array.shape)
            except ValueError:
                return None
    if shape is None:
        return None
    size = 1
    for extent in shape:
        size *= extent
    return shape if size >= LARGE else None


def _in_order_of_memory(leaves: Sequence[Any], shape: tuple[int, ...]) -> _Layout:
    arrays = _arrays(leaves)
    if all(array.shape == shape and array.flags.c_contiguous for array in arrays):
        flat = _with_arrays(leaves, _flat)
        return _Layout((arrays[0].size,), flat, None, lambda out: out.reshape(shape))
    if all(array.shape == shape and array.flags.f_contiguous for array in arrays):
        flat = _with_arrays(leaves, lambda array: _flat(array.T))
        return _Layout((arrays[0].size,), flat, None, lambda out: out.reshape(shape[::-1]).T)
    return _Layout(shape, leaves, None, lambda out: out)


def _arrays(leaves: Sequence[Any]) -> list[AnyArray]:
    return [cast("AnyArray", each) for each in leaves if isinstance(each, np.ndarray)]


def _flat(array: AnyArray) -> AnyArray:
    return array.reshape(-1)


def _with_arrays(leaves: Sequence[Any], change: Callable[[AnyArray], AnyArray]) -> list[Any]:
    """The leaves with other arrays."""
    return [change(cast("AnyArray", each)) if isinstance(each, np.ndarray) else each for each in leaves]


def _kind(leaf: Any) -> object:
    """The property of a leaf that the type of a result depends on."""
    return cast("AnyArray", leaf).dtype if isinstance(leaf, np.ndarray) else cast("object", type(leaf))


def _subscripts(leaf: Any, shape: tuple[int, ...]) -> tuple[int | None, ...] | None:
    """The dimension of the result that each dimension of an array goes with; None for a number."""
    if not isinstance(leaf, np.ndarray):
        return None
    array = cast("AnyArray", leaf)
    first = len(shape) - array.ndim
    return tuple(
        [None if extent == 1 and shape[first + axis] != 1 else first + axis for axis, extent in enumerate(array.shape)]
    )


def _may_be_written(view: AnyArray, leaf: AnyArray) -> bool:
    """True if writing an element of `view` changes no element of `leaf` that is read later."""
    if not np.may_share_memory(view, leaf):
        return True
    same = view.__array_interface__["data"][0] == leaf.__array_interface__["data"][0]
    return same and view.shape == leaf.shape and view.strides == leaf.strides


def _plain(expression: ArrayExpression, namespace: Mapping[str, Any]) -> Callable[..., Any]:
    """The expression as Python evaluates it."""
    names = [f"{LEAF}{number}" for number in range(len(expression.leaves))]
    made = ast.parse(f"lambda {', '.join(names)}: 0", mode="eval")
    assert isinstance(made.body, ast.Lambda)
    made.body.body = copied(expression.body if expression.total is None else expression.total)
    code = compile(ast.fix_missing_locations(made), expression.file, "eval", dont_inherit=True)
    return eval(code, {**namespace, WHERE: np.where})
