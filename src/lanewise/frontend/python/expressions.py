# SPDX-License-Identifier: Apache-2.0
"""Expressions: a function per kind of node of Python's syntax tree."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, Final, cast

from lanewise.frontend.python import arithmetic, arrays
from lanewise.frontend.python.array_functions import applied, array_function, method, of_mask, of_operator
from lanewise.frontend.python.code import CompiledFunction, PythonCode, described
from lanewise.frontend.python.complex_numbers import conjugate, parts
from lanewise.frontend.python.elementwise import combined, elements, evaluated, is_whole
from lanewise.frontend.python.mathematics import builtin
from lanewise.frontend.python.printing import printed
from lanewise.frontend.python.python_types import PYTHON_BOOL, Number, joined, number_of
from lanewise.frontend.python.records import field_name, field_view, load_field
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.trees import named_arguments, walk
from lanewise.frontend.python.values import (
    ArrayValue,
    Elementwise,
    NumberValue,
    PythonObject,
    RecordValue,
    TupleValue,
    Value,
)
from lanewise.frontend.python.views import base_of
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.values import Value as IrValue


def expression(code: PythonCode, node: ast.expr) -> Value:
    """The value of an expression, computed in the present block."""
    handler = _HANDLERS.get(type(node))
    if handler is None:
        raise UnsupportedError(_REASONS.get(type(node), f"'{ast.unparse(node)}' isn't compiled"), node)
    with code.at(node):
        return handler(code, node)


def condition(code: PythonCode, node: ast.expr) -> IrValue:
    """The truth value of an expression, as i1."""
    return code.is_true(expression(code, node))


def _constant(code: PythonCode, node: ast.Constant) -> Value:
    value = node.value
    if isinstance(value, bool | int | float | complex):
        return code.constant(value)
    if value is None or isinstance(value, str):
        return PythonObject(value)
    raise UnsupportedError(f"{value!r} can't be used in compiled code")


def _name(code: PythonCode, node: ast.Name) -> Value:
    value = code.read(node.id)
    if value is not None:
        return value
    if node.id in code.namespace:
        return of_python(code, node.id, code.namespace[node.id])
    if hasattr(builtins, node.id):
        return PythonObject(getattr(builtins, node.id))
    raise UnsupportedError(f"'{node.id}' is used before it has a value, or isn't known where the function was defined")


def of_python(code: PythonCode, name: str, value: Any) -> Value:
    """A value that exists while compiling: a number of it is a constant."""
    if isinstance(value, bool | int | float | complex) and type(value) in (bool, int, float, complex):
        return code.constant(value)
    if type(value) is tuple:
        items = cast("tuple[Any, ...]", value)
        return TupleValue(tuple(of_python(code, name, item) for item in items))
    if type(value).__module__ == "numpy" and hasattr(value, "dtype"):
        return _of_numpy(code, name, value)
    return PythonObject(value)


def _of_numpy(code: PythonCode, name: str, value: Any) -> NumberValue:
    if type(value).__name__ == "ndarray":
        raise UnsupportedError(f"'{name}' is an array from outside of the function: pass it as an argument")
    type_ = number_of(value.dtype)
    if type_ is None:
        raise UnsupportedError(f"'{name}' is a {type(value).__name__}, which compiled code doesn't have")
    return code.constant(value.item(), type_)


def _attribute(code: PythonCode, node: ast.Attribute) -> Value:
    owner = expression(code, node.value)
    name = node.attr
    if isinstance(owner, PythonObject):
        try:
            return of_python(code, ast.unparse(node), getattr(owner.object, name))
        except AttributeError as error:
            raise UnsupportedError(str(error)) from None
    is_field = isinstance(owner, ArrayValue) and any(each.name == name for each in owner.type.element.fields)
    if isinstance(owner, RecordValue) or is_field:
        return field(code, owner, name)
    if isinstance(owner, NumberValue) and name in ("real", "imag"):
        return parts(code, owner)[name == "imag"]
    if isinstance(owner, Elementwise):
        owner = evaluated(code, owner)
    if isinstance(owner, ArrayValue):
        match name:
            case "real" | "imag" if owner.type.element.kind == "complex":
                return arrays.part_of_complex(code, owner, imag=name == "imag")
            case "real":
                return owner
            case "shape":
                return TupleValue(owner.shape)
            case "ndim":
                return code.constant(owner.type.ndim)
            case "size":
                return arrays.size(code, owner)
            case "T":
                return arrays.transposed(owner)
            case "dtype":
                return PythonObject(_dtype(owner.type.element))
            case _:
                raise UnsupportedError(f"the attribute '{name}' of an array isn't compiled: shape, ndim, size, T are")
    raise UnsupportedError(f"{described(owner)} has no attribute '{name}' in compiled code")


def _dtype(element: Number) -> Any:
    import numpy as np  # arrays are of it

    return np.dtype(element.dtype)


def _subscript(code: PythonCode, node: ast.Subscript) -> Value:
    owner = expression(code, node.value)
    if isinstance(owner, Elementwise):
        owner = evaluated(code, owner)
    if isinstance(owner, TupleValue):
        return _item(code, owner, node.slice)
    name = field_name(node.slice)
    if name is not None:
        return field(code, owner, name)
    if not isinstance(owner, ArrayValue):
        raise UnsupportedError(f"{described(owner)} can't be indexed in compiled code")
    indices = subscript_indices(code, node.slice)
    if len(indices) == 1 and isinstance(indices[0], ArrayValue | Elementwise):
        mask = indices[0]
        if elements(code, mask).element.kind == "bool":
            return of_mask(code, owner, mask)
    address = arrays.element_address(code, owner, indices)
    if address is not None:
        return arrays.element(code, owner, address)
    return arrays.part(code, owner, indices)


def field(code: PythonCode, owner: Value, name: str) -> Value:
    """`owner[name]`, of a record or an array of them."""
    if isinstance(owner, RecordValue):
        return load_field(code, owner, name)
    if isinstance(owner, ArrayValue) and owner.type.element.fields:
        return field_view(code, owner, name)
    raise UnsupportedError(f"{described(owner)} has no fields")


def _item(code: PythonCode, owner: TupleValue, node: ast.expr) -> Value:
    if isinstance(node, ast.Slice):
        bounds = [None if part is None else _constant_int(code, part) for part in (node.lower, node.upper, node.step)]
        return TupleValue(owner.items[slice(*bounds)])
    place = _constant_int(code, node)
    if not -len(owner.items) <= place < len(owner.items):
        raise UnsupportedError(f"index {place} of a tuple of {len(owner.items)}")
    return owner.items[place]


def _constant_int(code: PythonCode, node: ast.expr) -> int:
    value = expression(code, node)
    if not isinstance(value, NumberValue) or not isinstance(value.constant, int):
        raise UnsupportedError("the index of a tuple must be a constant in compiled code")
    return value.constant


def subscript_indices(code: PythonCode, node: ast.expr) -> list[arrays.Index]:
    """The indices of a subscript, evaluated."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    indices: list[arrays.Index] = []
    for part in parts:
        if isinstance(part, ast.Slice):
            bounds = [
                None if bound is None else expression(code, bound) for bound in (part.lower, part.upper, part.step)
            ]
            indices.append(arrays.Slice(*(_not_none(bound) for bound in bounds)))
        elif isinstance(part, ast.Constant) and part.value is None:
            indices.append(arrays.NewAxis())
        elif isinstance(part, ast.Constant) and part.value is ...:
            raise UnsupportedError("'...' in a subscript isn't compiled: write a colon for each axis", part)
        else:
            indices.append(expression(code, part))
    return indices


def _not_none(bound: Value | None) -> Value | None:
    return None if isinstance(bound, PythonObject) and bound.object is None else bound


def _binary(code: PythonCode, node: ast.BinOp) -> Value:
    return operated(code, node.op, expression(code, node.left), expression(code, node.right))


def operated(code: PythonCode, op: ast.operator, a: Value, b: Value) -> Value:
    """An operator on numbers or arrays."""
    sign = arithmetic.SIGNS[type(op)]
    if is_whole(a) or is_whole(b):
        return of_operator(code, sign, a, b)
    return arithmetic.binary(code, sign, a, b)


def _unary(code: PythonCode, node: ast.UnaryOp) -> Value:
    value = expression(code, node.operand)
    if isinstance(node.op, ast.Not):
        true = code.constant(True).ir
        return NumberValue(PYTHON_BOOL, code.build.binary("xor", code.is_true(value), true))
    if is_whole(value):
        return combined(code, lambda values: _signed(code, node.op, values[0]), [value])
    return _signed(code, node.op, code.number(value))


def _signed(code: PythonCode, op: ast.unaryop, number: NumberValue) -> NumberValue:
    if isinstance(op, ast.USub):
        return arithmetic.negative(code, number)
    if isinstance(op, ast.Invert):
        return arithmetic.inverted(code, number)
    return number


def _compare(code: PythonCode, node: ast.Compare) -> Value:
    left = expression(code, node.left)
    result: NumberValue | None = None
    for op, right_node in zip(node.ops, node.comparators, strict=True):
        right = expression(code, right_node)
        if isinstance(op, ast.Is | ast.IsNot) and isinstance(right, PythonObject) and right.object is None:
            is_none = isinstance(left, PythonObject) and left.object is None
            found = code.constant(is_none == isinstance(op, ast.Is))
        elif is_whole(left) or is_whole(right):
            if len(node.ops) > 1:
                raise UnsupportedError("a chained comparison of arrays has no truth value: write two, joined by &")
            return _compare_elements(code, op, left, right)
        else:
            found = arithmetic.comparison(code, op, left, right)
        result = found if result is None else NumberValue(PYTHON_BOOL, code.build.binary("and", result.ir, found.ir))
        left = right
    assert result is not None
    return result


def _compare_elements(code: PythonCode, op: ast.cmpop, left: Value, right: Value) -> Value:
    return combined(code, lambda values: arithmetic.comparison(code, op, *values), [left, right])


def _boolean(code: PythonCode, node: ast.BoolOp) -> Value:
    """`and` and `or`. The right side is evaluated if the left doesn't decide, or if nothing can go wrong in it."""
    is_and = isinstance(node.op, ast.And)
    result = expression(code, node.values[0])
    for part in node.values[1:]:
        if is_harmless(part):
            right = expression(code, part)
            result = _choice(code, code.is_true(result), *((right, result) if is_and else (result, right)))
        else:
            result = _branching(code, code.is_true(result), part, result, is_and)
    return result


def _branching(code: PythonCode, decided: IrValue, part: ast.expr, left: Value, is_and: bool) -> Value:
    """`left and part`, with a branch around `part`."""
    evaluate, end = code.new_block("right"), code.new_block("decided")
    before = code.build.block
    code.build.branch_if(decided, *((evaluate, end) if is_and else (end, evaluate)))
    code.go_on(evaluate)
    right = expression(code, part)
    a, b = code.number(left), code.number(right)
    type_ = joined(a.type, b.type)
    if not isinstance(type_, Number):
        type_ = PYTHON_BOOL
    right_number = code.convert(b, type_)
    after = code.build.block
    code.branch(end)
    code.go_on(end)
    left_number = _converted_in(code, a, type_, before)
    return code.joined(type_, ((left_number, before), (right_number, after)))


def _converted_in(code: PythonCode, value: NumberValue, type_: Number, block: Any) -> NumberValue:
    """A conversion at the end of a block that has ended."""
    branch = block.instructions.pop()
    present, code.build.block = code.build.block, block
    converted = code.convert(value, type_)
    code.build.block = present
    block.instructions.append(branch)
    return converted


def _conditional(code: PythonCode, node: ast.IfExp) -> Value:
    """`a if condition else b`."""
    test = condition(code, node.test)
    if is_harmless(node.body) and is_harmless(node.orelse):
        return _choice(code, test, expression(code, node.body), expression(code, node.orelse))
    yes, no, end = (code.new_block(name) for name in ("if.yes", "if.no", "if.end"))
    code.build.branch_if(test, yes, no)
    code.go_on(yes)
    first = expression(code, node.body)
    a_end = code.build.block
    code.build.branch(end)
    code.go_on(no)
    second = expression(code, node.orelse)
    if isinstance(first, RecordValue) and isinstance(second, RecordValue):
        b_end = code.build.block
        code.branch(end)
        code.go_on(end)
        return _either_record(code, first, second, (a_end, b_end))
    a, b = code.number(first), code.number(second)
    type_ = joined(a.type, b.type)
    if not isinstance(type_, Number):
        raise UnsupportedError(f"one value is a {a.type.name}, the other a {b.type.name}")
    b_number, b_end = code.convert(b, type_), code.build.block
    code.branch(end)
    a_number = _converted_in(code, a, type_, a_end)
    code.go_on(end)
    return code.joined(type_, ((a_number, a_end), (b_number, b_end)))


def _either_record(code: PythonCode, a: RecordValue, b: RecordValue, ends: tuple[Block, Block]) -> RecordValue:
    """The record of the block that control comes from."""
    if a.type != b.type:
        raise UnsupportedError(f"one value is a {a.type.name}, the other a {b.type.name}")
    address = code.build.phi(ty.PTR, list(zip((a.address, b.address), ends, strict=True)))
    return RecordValue(a.type, address, a.const or b.const)


def _choice(code: PythonCode, test: IrValue, a: Value, b: Value) -> NumberValue:
    x, y = code.number(a), code.number(b)
    type_ = joined(x.type, y.type)
    if not isinstance(type_, Number):
        raise UnsupportedError(f"one value is a {x.type.name}, the other a {y.type.name}")
    return code.selected(test, code.convert(x, type_), code.convert(y, type_))


def is_harmless(node: ast.expr) -> bool:
    """True if an expression can be evaluated without need: it accesses no memory, calls nothing and never divides."""
    for part in walk(node):
        if isinstance(part, ast.Subscript | ast.Call | ast.IfExp):
            return False
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div | ast.FloorDiv | ast.Mod | ast.Pow):
            return False
    return True


def _tuple(code: PythonCode, node: ast.Tuple) -> Value:
    return TupleValue(tuple(_kept(code, expression(code, item)) for item in node.elts))


def _kept(code: PythonCode, value: Value) -> Value:
    """A value that is used later: an expression of arrays is evaluated."""
    return evaluated(code, value) if isinstance(value, Elementwise) else value


def _call(code: PythonCode, node: ast.Call) -> Value:
    if isinstance(node.func, ast.Attribute):
        owner = expression(code, node.func.value)
        if is_whole(owner):
            found = method(node.func.attr)
            if found is None:
                raise UnsupportedError(f"the method '{node.func.attr}' of an array isn't compiled")
            return found(code, [owner, *(expression(code, each) for each in node.args)], _named(code, node))
        if isinstance(owner, NumberValue) and node.func.attr in ("conjugate", "conj") and not node.args:
            return conjugate(code, owner)
        if not isinstance(owner, PythonObject):
            raise UnsupportedError(f"the method '{node.func.attr}' isn't compiled")
    target = expression(code, node.func)
    if not isinstance(target, PythonObject):
        raise UnsupportedError(f"{described(target)} is called")
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        raise UnsupportedError("'*' in a call isn't compiled")
    function = target.object
    arguments = [expression(code, argument) for argument in node.args]
    whole = array_function(function)
    if whole is not None:
        return whole(code, arguments, _named(code, node))
    if any(is_whole(each) for each in arguments) and not node.keywords:
        made = applied(code, function, arguments)
        if made is not None:
            return made
    row = builtin(function)
    if row is not None:
        if node.keywords:
            raise UnsupportedError(f"arguments of {ast.unparse(node.func)} go by position in compiled code")
        return row(code, arguments)
    named = _named(code, node)
    arguments = [_kept(code, each) for each in arguments]
    if function is print and code.program.is_kernel:
        return printed(code, arguments, named)
    inner = getattr(function, "__lanewise_device__", None)
    if inner is not None:  # a function of the work-item: lw.global_id and the like
        return inner(code, arguments, named)
    compiled = getattr(function, "__lanewise_jit__", None)
    if compiled is None:
        raise UnsupportedError(
            f"'{ast.unparse(node.func)}' isn't compiled: mark a function of your own with @lw.jit; functions of math, "
            "NumPy's functions of numbers, min, max, abs, len, int, float are known"
        )
    return code.program.call(
        code, compiled, _bound(code, compiled, arguments, named), _shared_parameters(code, compiled, node)
    )


def _shared_parameters(code: PythonCode, function: CompiledFunction, node: ast.Call) -> frozenset[str]:
    """The parameters of a function that get arrays, or parts of such, with elements that other work-items add to."""
    if not code.shared:
        return frozenset()
    bases = {name: base_of(each) for name, each in named_arguments(node, function.parameters).items()}
    return frozenset(name for name, base in bases.items() if base is not None and base.id in code.shared)


def _named(code: PythonCode, node: ast.Call) -> dict[str | None, Value]:
    return {keyword.arg: expression(code, keyword.value) for keyword in node.keywords}


def _bound(
    code: PythonCode, function: CompiledFunction, arguments: list[Value], named: dict[str | None, Value]
) -> list[Value]:
    """Arguments in the order of a function's parameters."""
    names = function.parameters
    if len(arguments) > len(names) or None in named:
        raise UnsupportedError(f"{function.name} takes {len(names)} arguments, not {len(arguments) + len(named)}")
    by_name: dict[str, Value] = dict(zip(names, arguments, strict=False))
    for name, value in named.items():
        assert name is not None
        if name not in names or name in by_name:
            raise UnsupportedError(f"{function.name} has no parameter '{name}', or has it already")
        by_name[name] = value
    for name, value in function.defaults.items():
        if name not in by_name:
            by_name[name] = of_python(code, name, value)
    missing = [name for name in names if name not in by_name]
    if missing:
        raise UnsupportedError(f"{function.name} lacks the argument '{missing[0]}'")
    return [by_name[name] for name in names]


_HANDLERS: Final[MappingProxyType[type[ast.expr], Callable[[PythonCode, Any], Value]]] = MappingProxyType(
    {
        ast.Constant: _constant,
        ast.Name: _name,
        ast.Attribute: _attribute,
        ast.Subscript: _subscript,
        ast.BinOp: _binary,
        ast.UnaryOp: _unary,
        ast.Compare: _compare,
        ast.BoolOp: _boolean,
        ast.IfExp: _conditional,
        ast.Tuple: _tuple,
        ast.Call: _call,
    }
)
_COMPREHENSION: Final = "a comprehension isn't compiled: write a loop"
_REASONS: Final[dict[type[ast.expr], str]] = {
    ast.List: "a list isn't compiled: use a tuple, or an array",
    ast.Dict: "a dict isn't compiled: use arrays",
    ast.Set: "a set isn't compiled: use arrays",
    ast.Lambda: "a lambda isn't compiled: define a function with @lw.jit",
    ast.ListComp: _COMPREHENSION,
    ast.SetComp: _COMPREHENSION,
    ast.DictComp: _COMPREHENSION,
    ast.GeneratorExp: "a generator isn't compiled: write a loop",
    ast.JoinedStr: "an f-string isn't compiled: make text outside of compiled code",
    ast.NamedExpr: "':=' isn't compiled: assign in a statement before",
    ast.Await: "'await' isn't compiled",
    ast.Yield: "'yield' isn't compiled: store the values in an array",
    ast.YieldFrom: "'yield' isn't compiled: store the values in an array",
    ast.Starred: "'*' isn't compiled: write the items one by one",
}
