# SPDX-License-Identifier: Apache-2.0
"""Expressions of whole arrays in compiled code: `a[i, :] * b + 1`.

The value of one is a function that makes the code of an element (`Elementwise`), so that operations on top of each
other become one loop. It is evaluated where it is stored, added up, or kept in a variable, which takes memory.

Shapes go together by NumPy's rules, when the code runs: an extent of 1 is repeated. There are two loops, if that isn't
known while compiling: one for extents that are all those of the result, whose loads are plain, and one for others.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from lanewise.frontend.python import arrays
from lanewise.frontend.python.bounds import checked
from lanewise.frontend.python.code import PythonCode, described
from lanewise.frontend.python.python_types import INT, Array, Number
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.temporaries import LIST, allocated, release_newest
from lanewise.frontend.python.values import ArrayValue, Elementwise, Leaf, NumberValue, Value
from lanewise.ir import types as ty
from lanewise.ir.values import Value as IrValue
from lanewise.ir.values import i64

Operation = Callable[[list[NumberValue]], Value]
"""An operation on an element of each operand."""
_MOST_DIMENSIONS: Final = 6


class _Extent(NamedTuple):
    """An extent of an operand beside that of the result. `repeats`: i1, that it is 1; None if it never is."""

    repeats: IrValue | None
    always: bool


def is_whole(value: Value) -> bool:
    """True for arrays and expressions of arrays."""
    return isinstance(value, ArrayValue | Elementwise)


def elements(code: PythonCode, value: Value) -> Elementwise:
    """An array, a number or an expression as a function of the indices of an element."""
    if isinstance(value, Elementwise):
        return value
    if isinstance(value, ArrayValue):
        array = value

        def load(code: PythonCode, indices: Sequence[IrValue], same: bool) -> NumberValue:
            positions: list[arrays.Index] = [NumberValue(INT, index) for index in indices]
            address = arrays.address_within(code, array, positions)
            return arrays.load(code, array, address)

        return Elementwise(array.type.element, array.shape, load, (Leaf(array, each=True),), ())
    number = code.number(value)

    def itself(code: PythonCode, indices: Sequence[IrValue], same: bool) -> NumberValue:
        return number

    return Elementwise(number.type, (), itself, (), ())


def combined(code: PythonCode, operation: Operation, operands: Sequence[Value]) -> Elementwise:
    """An operation on the elements of operands, of which one is an array at least."""
    parts = [elements(code, each) for each in operands]
    shape, maps, equal = _together(code, [part.shape for part in parts])

    def at(code: PythonCode, indices: Sequence[IrValue], same: bool) -> NumberValue:
        values = [
            part.at(code, _mapped(code, indices, extents, same), same)
            for part, extents in zip(parts, maps, strict=True)
        ]
        return code.number(operation(values))

    leaves = tuple(leaf for part in parts for leaf in part.leaves)
    equal = (*(each for part in parts for each in part.equal), *equal)
    made = Elementwise(INT.strong, shape, at, leaves, equal)
    return made._replace(element=element_of(code, made))


def element_of(code: PythonCode, made: Elementwise) -> Number:
    """The type of an expression's elements: that of code which is made and thrown away."""
    build, function = code.build, code.function
    block, count = build.block, len(function.blocks)
    code.go_on(code.new_block("type"))
    try:
        found = made.at(code, [i64(0)] * len(made.shape), True).type
    finally:
        for each in function.blocks[count:]:
            for instruction in each.instructions:
                instruction.drop_operands()
        del function.blocks[count:]
        build.block = block
    return found.strong if found.kind != "bool" else found._replace(weak=False)


def _together(
    code: PythonCode, shapes: Sequence[tuple[NumberValue, ...]]
) -> tuple[tuple[NumberValue, ...], list[list[_Extent]], tuple[IrValue, ...]]:
    """The shape of operands together, the extents of each beside it, and tests that all extents are the same."""
    ndim = max(len(each) for each in shapes)
    if ndim > _MOST_DIMENSIONS:
        raise UnsupportedError(f"arrays have at most {_MOST_DIMENSIONS} dimensions in compiled code")
    shape: list[NumberValue] = []
    for place in range(ndim, 0, -1):
        result: NumberValue | None = None
        for each in shapes:
            if len(each) >= place:
                result = each[-place] if result is None else _larger(code, result, each[-place])
        assert result is not None
        shape.append(result)
    tests: list[IrValue] = []
    maps: list[list[_Extent]] = []
    for each in shapes:
        made: list[_Extent] = []
        for extent, whole in zip(each, shape[ndim - len(each) :], strict=True):
            if _are_same(extent, whole):
                made.append(_Extent(None, always=False))
            elif extent.constant == 1:
                made.append(_Extent(None, always=True))
            else:
                tests.append(code.compare("eq", extent.ir, whole.ir))
                made.append(_Extent(_repeats(code, extent, whole), always=False))
        maps.append(made)
    return tuple(shape), maps, tuple(tests)


def _repeats(code: PythonCode, extent: NumberValue, whole: NumberValue) -> IrValue:
    is_one = code.compare("eq", extent.ir, i64(1))
    if code.faults is not None:  # else it must be the whole extent: the last index of the larger one isn't in the other
        longer = code.compare("sgt", extent.ir, whole.ir)
        most, least = (code.build.select(longer, *pair) for pair in ((extent.ir, whole.ir), (whole.ir, extent.ir)))
        fits = code.build.binary("or", is_one, code.compare("eq", extent.ir, whole.ir))
        last = code.plus(most, i64(-1))
        checked(code, code.build.select(fits, i64(0), last), code.build.select(fits, i64(1), least), 0)
    return is_one


def _larger(code: PythonCode, a: NumberValue, b: NumberValue) -> NumberValue:
    if _are_same(a, b) or b.constant == 1:
        return a
    if a.constant == 1:
        return b
    if b.constant is not None:
        return b
    if a.constant is not None:
        return a
    return NumberValue(INT, code.build.select(code.compare("eq", a.ir, i64(1)), b.ir, a.ir))


def _are_same(a: NumberValue, b: NumberValue) -> bool:
    return a.ir is b.ir or (a.constant is not None and a.constant == b.constant)


def _mapped(code: PythonCode, indices: Sequence[IrValue], extents: Sequence[_Extent], same: bool) -> list[IrValue]:
    """The indices of an operand's element, from those of the result's."""
    made: list[IrValue] = []
    for index, extent in zip(indices[len(indices) - len(extents) :], extents, strict=True):
        if extent.always:
            made.append(i64(0))
        elif extent.repeats is None or same:
            made.append(index)
        else:
            made.append(code.build.select(extent.repeats, i64(0), index))
    return made


# -- loops -----------------------------------------------------------------------------------------------------


def loops(code: PythonCode, extents: Sequence[IrValue], body: Callable[[list[IrValue]], None]) -> None:
    """A nest of loops over indices, the first outermost."""
    _nest(code, list(extents), [], body)


def _nest(
    code: PythonCode, extents: list[IrValue], indices: list[IrValue], body: Callable[[list[IrValue]], None]
) -> None:
    if not extents:
        body(indices)
        return
    counter = code.entry.alloca(ty.I64, "element")
    test, inner, end = (code.new_block(f"elements.{name}") for name in ("test", "body", "end"))
    code.build.store(i64(0), counter)
    code.branch(test)
    code.go_on(test)
    code.build.branch_if(code.compare("slt", code.build.load(ty.I64, counter), extents[0]), inner, end)
    code.go_on(inner)
    index = code.build.load(ty.I64, counter)
    _nest(code, extents[1:], [*indices, index], body)
    code.build.store(code.plus(code.build.load(ty.I64, counter), i64(1)), counter)
    code.branch(test)
    code.go_on(end)


def for_each(code: PythonCode, value: Elementwise, body: Callable[[list[IrValue], NumberValue], None]) -> None:
    """A loop over the elements of an expression."""
    extents = [extent.ir for extent in value.shape]

    def run(same: bool) -> None:
        loops(code, extents, lambda indices: body(indices, value.at(code, indices, same)))

    if not value.equal:
        run(same=True)
        return
    plain, other, end = (code.new_block(f"shapes.{name}") for name in ("same", "other", "end"))
    code.build.branch_if(_all(code, value.equal), plain, other)
    code.go_on(plain)
    run(same=True)
    code.branch(end)
    code.go_on(other)
    run(same=False)
    code.branch(end)
    code.go_on(end)


def _all(code: PythonCode, tests: Sequence[IrValue]) -> IrValue:
    result = tests[0]
    for each in tests[1:]:
        result = code.build.binary("and", result, each)
    return result


# -- memory ----------------------------------------------------------------------------------------------------


def new_array(code: PythonCode, element: Number, shape: tuple[NumberValue, ...], keeper: str) -> ArrayValue:
    """An array of the function's own, in C order."""
    type_ = Array(element, len(shape))
    size: IrValue = i64(element.size)
    for extent in shape:
        size = code.times(size, extent.ir)
    pointer = allocated(code, size, keeper)
    return ArrayValue(type_, pointer, shape, code.strides_of(type_, shape))


def evaluated(code: PythonCode, value: Value, keeper: str = LIST) -> ArrayValue:
    """An expression's elements in an array; an array as it is."""
    if isinstance(value, ArrayValue):
        return value
    expression = elements(code, value)
    made = new_array(code, expression.element, expression.shape, keeper)
    for_each(code, expression, lambda indices, element: _put(code, made, indices, element))
    return made


def _put(code: PythonCode, array: ArrayValue, indices: Sequence[IrValue], element: NumberValue) -> None:
    positions: list[arrays.Index] = [NumberValue(INT, index) for index in indices]
    arrays.store(code, array, arrays.address_within(code, array, positions), element)


def assign_part(code: PythonCode, target: ArrayValue, value: Value) -> None:
    """`target[...] = value`. All elements are computed before the first is stored, if what is stored may be read."""
    if target.type.const:
        raise UnsupportedError(f"{described(target)} is read-only, and is assigned to")
    given = elements(code, value)
    if len(given.shape) > target.type.ndim:
        raise UnsupportedError(f"{described(value)} is assigned to a part of {target.type.ndim} dimensions")
    fitted = _fitted(code, given, target)

    def store(indices: list[IrValue], element: NumberValue) -> None:
        _put(code, target, indices, element)

    if not given.leaves:
        for_each(code, fitted, store)
        return
    first, direct, end = (code.new_block(f"assign.{name}") for name in ("first", "direct", "end"))
    meets = _meets(code, target, given)
    code.build.branch_if(meets, first, direct)
    code.go_on(direct)
    for_each(code, fitted, store)
    code.branch(end)
    code.go_on(first)
    copy = evaluated(code, fitted._replace(equal=(), at=_general(fitted)))
    for_each(code, elements(code, copy), store)
    release_newest(code, LIST)
    code.branch(end)
    code.go_on(end)


def _general(value: Elementwise) -> Callable[[PythonCode, Sequence[IrValue], bool], NumberValue]:
    """An expression's elements whatever its shapes are."""
    same_always = not value.equal
    return lambda code, indices, same: value.at(code, indices, same_always)


def _fitted(code: PythonCode, given: Elementwise, target: ArrayValue) -> Elementwise:
    """An expression with the shape of what it is assigned to."""
    _, maps, equal = _together(code, [given.shape, target.shape])
    extents = maps[0]
    repeats = any(each.always for each in extents)

    def at(code: PythonCode, indices: Sequence[IrValue], same: bool) -> NumberValue:
        return given.at(code, _mapped(code, indices, extents, same), same)

    leaves = tuple(leaf._replace(each=leaf.each and not repeats) for leaf in given.leaves)
    return Elementwise(given.element, target.shape, at, leaves, (*given.equal, *equal))


def _meets(code: PythonCode, target: ArrayValue, given: Elementwise) -> IrValue:
    """Test if storing an element may change one that is read later, as i1."""
    result: IrValue = code.constant(False).ir
    first, last = _span(code, target)
    for leaf in given.leaves:
        low, high = _span(code, leaf.array)
        apart = code.build.binary("or", code.compare("ule", high, first), code.compare("ule", last, low))
        fine: IrValue = apart
        if leaf.each and leaf.array.type.ndim == target.type.ndim:
            fine = code.build.binary("or", apart, _is_same_part(code, target, leaf.array))
        result = code.build.binary("or", result, code.build.binary("xor", fine, code.constant(True).ir))
    return result


def _is_same_part(code: PythonCode, a: ArrayValue, b: ArrayValue) -> IrValue:
    pairs = [
        (code.build.cast("ptrtoint", a.pointer, ty.I64), code.build.cast("ptrtoint", b.pointer, ty.I64)),
        *((x.ir, y.ir) for x, y in zip(a.shape, b.shape, strict=True)),
        *zip(a.strides, b.strides, strict=True),
    ]
    return _all(code, [code.compare("eq", x, y) for x, y in pairs])


def _span(code: PythonCode, array: ArrayValue) -> tuple[IrValue, IrValue]:
    """The first address of an array's elements, and the one after the last."""
    build = code.build
    low: IrValue = build.cast("ptrtoint", array.pointer, ty.I64)
    high = low
    for extent, stride in zip(array.shape, array.strides, strict=True):
        way = code.times(code.plus(extent.ir, i64(-1)), stride)
        negative = code.compare("slt", way, i64(0))
        low = code.plus(low, build.select(negative, way, i64(0)))
        high = code.plus(high, build.select(negative, i64(0), way))
    return low, code.plus(high, i64(array.type.element.size))
