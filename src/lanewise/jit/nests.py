# SPDX-License-Identifier: Apache-2.0
"""The loop nest of a call, for `transfer`: the references of a region with the call's numbers put in."""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lanewise.frontend.python.references import ReferenceOfRegion, RegionReferences, SlicedAxis
from lanewise.transfer.affine import AffineForm, counter
from lanewise.transfer.nest import ArrayReference, HostArray, LoopRange, NormalNest, normalise

if TYPE_CHECKING:
    from numpy.typing import NDArray


class CallNest(NamedTuple):
    """Loops and references, as `transfer.plan` takes them."""

    loops: tuple[LoopRange, ...]
    references: tuple[ArrayReference, ...]

    def without_conditions(self) -> "CallNest":
        """The nest with whole arrays in place of conditional accesses, which need not stay within their arrays."""
        return CallNest(self.loops, tuple(_whole(each) if each.conditional else each for each in self.references))

    def without_subscripts(self) -> "CallNest":
        """The nest with whole arrays in place of all accesses."""
        return CallNest(self.loops, tuple(_whole(each) for each in self.references))


def _whole(reference: ArrayReference) -> ArrayReference:
    access = "read" if reference.access == "read" else "update"
    return replace(reference, subscripts=None, access=access, conditional=True, around=())


Values = Mapping[str, Any]
"""Numbers and arrays by their names."""


def nest_of(
    shape: RegionReferences, axes: Sequence[range], values: Values, host: Callable[[str], HostArray]
) -> CallNest:
    """The nest of a call. `axes`: the ranges of the grid's loops; `host`: an array by its name."""
    loops: list[LoopRange] = []
    known: set[str] = set()
    for number, loop in enumerate(shape.loops):
        if loop.bounds is None:
            axis = axes[number]
            loops.append(LoopRange(loop.name, axis.stop, axis.start, axis.step))
        else:
            if loop.along is None:
                made = _loop(loop.name, loop.bounds, values, known)
            else:
                made = _slice(loop.name, loop.along, values, known, normalise(tuple(loops)))
            if made is None:
                continue
            loops.append(made)
        known.add(loop.name)
    references = tuple(_reference(each, values, known, host(each.array)) for each in shape.references)
    return CallNest(tuple(loops), references)


def _loop(name: str, bounds: tuple[ast.expr, ...], values: Values, known: set[str]) -> LoopRange | None:
    """A loop with affine bounds and a constant step; None for another."""
    forms = [_affine(each, values, known) for each in bounds]
    if not 1 <= len(forms) <= 3 or any(each is None for each in forms):
        return None
    found = [each for each in forms if each is not None]
    lower, upper = (AffineForm(0), found[0]) if len(found) == 1 else found[:2]
    step = found[2] if len(found) == 3 else AffineForm(1)
    if step.terms or step.constant == 0:
        return None
    return LoopRange(name, _plain(upper), _plain(lower), step.constant, parallel=False)


def _slice(name: str, of: SlicedAxis, values: Values, known: set[str], around: NormalNest) -> LoopRange | None:
    """The positions of a slice, by Python's rules; None if its bounds aren't affine, or if it depends on the iteration
    whether they count from the end, or are cut off at it. `around`: the loops before it."""
    extent = int(values[of.array].shape[of.axis])
    step = AffineForm(1) if of.part.step is None else _affine(of.part.step, values, known)
    if step is None or step.terms or not step.constant:
        return None
    backwards = step.constant < 0
    first, end = (-1, extent - 1) if backwards else (0, extent)

    def bound(node: ast.expr | None, default: int) -> AffineForm | None:
        form = AffineForm(default) if node is None else _affine(node, values, known)
        if form is None or node is None:
            return form
        if not form.terms:
            position = form.constant + extent if form.constant < 0 else form.constant
            return AffineForm(min(max(position, first), end))
        counters = form.replace(around.variables)
        ranges = around.hull()
        if not all(name in ranges and ranges[name][1] for name, _ in counters.terms):
            return None
        least, greatest = counters.interval(ranges)
        return form if least >= max(first, 0) and greatest <= end else None

    lower = bound(of.part.lower, end if backwards else first)
    upper = bound(of.part.upper, first if backwards else end)
    if lower is None or upper is None:
        return None
    return LoopRange(name, _plain(upper), _plain(lower), step.constant, parallel=False)


def _reference(each: ReferenceOfRegion, values: Values, known: set[str], array: HostArray) -> ArrayReference:
    around = tuple(name for name in each.around if name in known)
    conditional = each.conditional or len(around) < len(each.around)
    forms = [_affine(part, values, set(around)) for part in each.subscripts or ()]
    if each.subscripts is None or any(form is None for form in forms):
        return ArrayReference(array, None, each.access, True, around)
    subscripts = [
        form.plus(extent) if not form.terms and form.constant < 0 else form
        for form, extent in zip((form for form in forms if form is not None), array.shape, strict=True)
    ]
    return ArrayReference(array, tuple(subscripts), each.access, conditional, around)


def _plain(form: AffineForm) -> AffineForm | int:
    return form if form.terms else form.constant


def _affine(node: ast.expr, values: Values, known: set[str]) -> AffineForm | None:
    """An expression as an affine function of loops; None if it isn't one."""
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return AffineForm(value)
        case ast.Name(id=name) if name in known:
            return counter(name)
        case ast.Name(id=name):
            return _number(values.get(name))
        case ast.UnaryOp(op=ast.USub(), operand=operand) if not _wraps(operand, values):
            form = _affine(operand, values, known)
            return None if form is None else form.times(-1)
        case ast.BinOp(left=left, op=op, right=right) if not (_wraps(left, values) or _wraps(right, values)):
            return _operation(op, _affine(left, values, known), _affine(right, values, known))
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr="shape"), slice=ast.Constant(value=axis)):
            shape = getattr(values.get(name), "shape", ())
            return AffineForm(shape[axis]) if isinstance(axis, int) and 0 <= axis < len(shape) else None
        case _:
            return None


def _operation(op: ast.operator, a: AffineForm | None, b: AffineForm | None) -> AffineForm | None:
    if a is None or b is None:
        return None
    constant = not a.terms and not b.terms
    match op:
        case ast.Add():
            return a.plus(b)
        case ast.Sub():
            return a.plus(b, -1)
        case ast.Mult() if not b.terms:
            return a.times(b.constant)
        case ast.Mult() if not a.terms:
            return b.times(a.constant)
        case ast.FloorDiv() if constant and b.constant:
            return AffineForm(a.constant // b.constant)
        case ast.Mod() if constant and b.constant:
            return AffineForm(a.constant % b.constant)
        case _:
            return None


def _number(value: Any) -> AffineForm | None:
    if isinstance(value, bool) or not hasattr(value, "__index__") or getattr(value, "ndim", 0):
        return None
    return AffineForm(value.__index__())


def _wraps(node: ast.expr, values: Values) -> bool:
    """True for a number of NumPy whose arithmetic isn't that of Python's int in 64 bits."""
    value = values.get(node.id) if isinstance(node, ast.Name) else None
    dtype = getattr(value, "dtype", None)
    return dtype is not None and dtype != np.dtype(np.int64)


def host_array(name: str, array: "NDArray[Any]") -> HostArray:
    """An array of NumPy, as plans have it."""
    address = int(array.__array_interface__["data"][0])
    return HostArray(name, address, array.shape, array.strides, array.itemsize)
