# SPDX-License-Identifier: Apache-2.0
"""Statements: a function per kind of node of Python's syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any, Final

from lanewise.frontend.python import arithmetic, arrays
from lanewise.frontend.python.code import LoopTargets, PythonCode, described
from lanewise.frontend.python.device_functions.atomics import accumulate
from lanewise.frontend.python.elementwise import assign_part, combined, elements, evaluated, for_each
from lanewise.frontend.python.expressions import condition, expression, field, operated, subscript_indices
from lanewise.frontend.python.private_copies import update_copy
from lanewise.frontend.python.python_types import INT, Number
from lanewise.frontend.python.records import field_as_array, field_name, load_field, store_field
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.shared_elements import OPERATIONS
from lanewise.frontend.python.temporaries import LIST, release_older
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
from lanewise.ir.values import Value as IrValue
from lanewise.ir.values import i64


def statements(code: PythonCode, body: Sequence[ast.stmt]) -> None:
    """Translate statements one after the other. What follows a `return`, `break` or `continue` is left out."""
    for statement in body:
        if code.has_ended:
            return
        handler = _HANDLERS.get(type(statement))
        if handler is None:
            raise UnsupportedError(_REASONS.get(type(statement), "this isn't compiled"), statement)
        with code.at(statement):
            handler(code, statement)


def _assign(code: PythonCode, node: ast.Assign) -> None:
    value = expression(code, node.value)
    if isinstance(value, Elementwise) and len(node.targets) > 1:
        value = evaluated(code, value)
    for target in node.targets:
        assign(code, target, value)


def assign(code: PythonCode, target: ast.expr, value: Value) -> None:
    """Assign to a name, an element, or each item of a tuple."""
    match target:
        case ast.Name(id=name) if name in code.rebound and isinstance(before := code.read(name), ArrayValue):
            update_copy(code, name, before, value)
        case ast.Name():
            keeper = target.id if target.id in code.unshared else LIST
            code.write(target.id, evaluated(code, value, keeper) if isinstance(value, Elementwise) else value)
            if isinstance(value, Elementwise) and keeper:
                release_older(code, keeper)
        case ast.Subscript():
            _assign_element(code, target, value)
        case ast.Attribute():  # outside of a parallel loop, whose tree has none (`fields_as_subscripts`)
            index = ast.copy_location(ast.Constant(target.attr), target)
            _assign_element(code, ast.copy_location(ast.Subscript(target.value, index, ast.Store()), target), value)
        case ast.Tuple() | ast.List():
            if not isinstance(value, TupleValue) or len(value.items) != len(target.elts):
                raise UnsupportedError(f"{described(value)} can't be taken apart into {len(target.elts)}", target)
            for part, item in zip(target.elts, value.items, strict=True):
                assign(code, part, item)
        case _:
            raise UnsupportedError("only names and elements of arrays are assigned to in compiled code", target)


def _assign_element(code: PythonCode, target: ast.Subscript, value: Value) -> None:
    name = field_name(target.slice)
    if name is not None:
        owner = expression(code, target.value)
        if isinstance(owner, RecordValue):
            store_field(code, owner, name, value)
        else:
            assign_part(code, _array_of(field(code, owner, name), target), value)
        return
    array, address = _place(code, target)
    if isinstance(address, list):
        _assign_part(code, array, address, value, None)
    else:
        arrays.store(code, array, address, value)


def _place(code: PythonCode, target: ast.Subscript) -> tuple[ArrayValue, IrValue | list[arrays.Index]]:
    """The address of the element that a subscript names, or the indices of a part with several."""
    array = _array_of(expression(code, target.value), target)
    indices = subscript_indices(code, target.slice)
    address = arrays.element_address(code, array, indices)
    return array, indices if address is None else address


def _array_of(value: Value, target: ast.expr) -> ArrayValue:
    if not isinstance(value, ArrayValue):
        raise UnsupportedError(f"{described(value)} can't be assigned to by an index", target)
    return value


def _update_field(code: PythonCode, target: ast.Subscript, name: str, node: ast.AugAssign) -> None:
    """`a[i]['x'] += value`."""
    owner = expression(code, target.value)
    base = base_of(target)
    is_shared = base is not None and base.id in code.shared
    if isinstance(owner, RecordValue):
        if is_shared:
            array = field_as_array(code, owner, name)
            accumulate(code, array, array.pointer, OPERATIONS[type(node.op)], expression(code, node.value))
            return
        before = load_field(code, owner, name)
        store_field(code, owner, name, operated(code, node.op, before, expression(code, node.value)))
        return
    part = _array_of(field(code, owner, name), target)
    value = expression(code, node.value)
    if is_shared:
        _add_to_each(code, part, OPERATIONS[type(node.op)], value)
    else:
        assign_part(code, part, _kept_type(code, part, operated(code, node.op, part, value)))


def _assign_part(
    code: PythonCode, array: ArrayValue, indices: list[arrays.Index], value: Value, op: ast.operator | None
) -> None:
    """`array[indices] = value`, or with an operator of an augmented assignment."""
    mask = indices[0]
    if len(indices) == 1 and isinstance(mask, ArrayValue | Elementwise):
        old = elements(code, array)
        if elements(code, mask).element.kind != "bool" or isinstance(value, ArrayValue | Elementwise):
            raise UnsupportedError(
                "an index that is an array must be a mask, for an assignment of a number: write a loop"
            )
        new = value if op is None else operated(code, op, array, value)
        chosen = combined(code, lambda values: _chosen(code, array, *values), [mask, new, old])
        assign_part(code, array, chosen)
        return
    part = arrays.part(code, array, indices)
    assign_part(code, part, value if op is None else _kept_type(code, part, operated(code, op, part, value)))


def _chosen(code: PythonCode, array: ArrayValue, test: NumberValue, new: NumberValue, old: NumberValue) -> NumberValue:
    return code.selected(code.is_true(test), code.convert(new, array.type.element), old)


def _kept_type(code: PythonCode, part: ArrayValue, value: Value) -> Value:
    """The result of an augmented assignment, which NumPy stores only in a type of its kind."""
    order = {"bool": 0, "uint": 1, "int": 1, "float": 2, "complex": 3}
    found = elements(code, value).element
    if order[found.kind] > order[part.type.element.kind]:
        raise UnsupportedError(
            f"{described(part)} is updated in place by values of {found.name}, which NumPy refuses, too: convert them"
        )
    return value


def _augmented(code: PythonCode, node: ast.AugAssign) -> None:
    sign = arithmetic.SIGNS[type(node.op)]
    if isinstance(node.target, ast.Subscript):
        name = field_name(node.target.slice)
        if name is not None:
            _update_field(code, node.target, name, node)
            return
        array, address = _place(code, node.target)
        base = base_of(node.target)
        is_shared = base is not None and base.id in code.shared
        if isinstance(address, list):
            value = expression(code, node.value)
            if is_shared:
                _add_to_each(code, arrays.part(code, array, address), OPERATIONS[type(node.op)], value)
            else:
                _assign_part(code, array, address, value, node.op)
            return
        if is_shared:
            accumulate(code, array, address, OPERATIONS[type(node.op)], expression(code, node.value))
            return
        before: Value = arrays.load(code, array, address)
        arrays.store(code, array, address, operated(code, node.op, before, expression(code, node.value)))
        return
    if not isinstance(node.target, ast.Name):
        raise UnsupportedError("only names and elements of arrays are assigned to in compiled code", node.target)
    found = code.read(node.target.id)
    if found is None:
        raise UnsupportedError(f"'{node.target.id}' is used before it has a value")
    if isinstance(found, ArrayValue):
        if code.updated_in_place is not None and node.target.id not in code.updated_in_place:
            raise UnsupportedError(
                f"'{node.target.id}' is {described(found)}, which this updates in place: write "
                f"{node.target.id}[{', '.join(':' * found.type.ndim)}] {sign}= ..."
            )
        value = operated(code, node.op, found, expression(code, node.value))
        assign_part(code, found, _kept_type(code, found, value))
        return
    code.write(node.target.id, operated(code, node.op, found, expression(code, node.value)))


def _add_to_each(code: PythonCode, part: ArrayValue, operation: str, value: Value) -> None:
    """`part += value` and the like, of elements that other work-items update, too."""
    added = combined(code, lambda values: values[1], [part, value])

    def add(indices: list[IrValue], element: NumberValue) -> None:
        positions: list[arrays.Index] = [NumberValue(INT, index) for index in indices]
        accumulate(code, part, arrays.address_within(code, part, positions), operation, element)

    for_each(code, added, add)


def _annotated(code: PythonCode, node: ast.AnnAssign) -> None:
    """`x: lw.f32 = 0.0` declares the type of a local variable."""
    if not isinstance(node.target, ast.Name):
        raise UnsupportedError("only a name is declared in compiled code", node.target)
    declared = expression(code, node.annotation)
    type_ = getattr(getattr(declared, "object", None), "__lanewise_number__", None)
    if type_ is None and isinstance(declared, PythonObject):
        type_ = {int: INT, float: Number("float", 64, weak=True)}.get(declared.object)
    if not isinstance(type_, Number):
        raise UnsupportedError("the type of a local variable is int, float, or one such as lw.f32", node.annotation)
    code.declared[node.target.id] = type_
    if node.value is not None:
        code.write(node.target.id, expression(code, node.value))


def _for(code: PythonCode, node: ast.For) -> None:
    if node.orelse:
        raise UnsupportedError("'else' of a loop isn't compiled", node.orelse[0])
    if not isinstance(node.target, ast.Name):
        raise UnsupportedError("a compiled loop counts by one variable", node.target)
    if not isinstance(node.iter, ast.Call):
        _for_each(code, node, node.target.id, expression(code, node.iter))
        return
    start, stop, step = range_of(code, node.iter)
    counter = code.entry.alloca(ty.I64, f"{node.target.id}.counter")
    code.build.store(start.ir, counter)
    test, body, after, end = (code.new_block(f"for.{name}") for name in ("test", "body", "next", "end"))
    code.branch(test)
    code.go_on(test)
    code.build.branch_if(is_before(code, code.build.load(ty.I64, counter), stop, step), body, end)
    code.go_on(body)
    code.write(node.target.id, NumberValue(INT, code.build.load(ty.I64, counter)))
    code.loops.append(LoopTargets(after, end))
    statements(code, node.body)
    code.loops.pop()
    code.branch(after)
    code.go_on(after)
    code.build.store(code.build.binary("add", code.build.load(ty.I64, counter), step.ir, flags=("nsw",)), counter)
    code.branch(test)
    code.go_on(end)


def _for_each(code: PythonCode, node: ast.For, target: str, value: Value) -> None:
    """A loop over the elements of an array, or its rows."""
    if not isinstance(value, ArrayValue) or value.type.ndim == 0:
        raise UnsupportedError("a compiled loop is over range, lw.prange or an array", node.iter)
    counter = code.entry.alloca(ty.I64, f"{target}.counter")
    code.build.store(i64(0), counter)
    test, body, after, end = (code.new_block(f"each.{name}") for name in ("test", "body", "next", "end"))
    code.branch(test)
    code.go_on(test)
    code.build.branch_if(code.compare("slt", code.build.load(ty.I64, counter), value.shape[0].ir), body, end)
    code.go_on(body)
    indices: list[arrays.Index] = [NumberValue(INT, code.build.load(ty.I64, counter))]
    if value.type.ndim == 1:
        code.write(target, arrays.element(code, value, arrays.address_within(code, value, indices)))
    else:
        code.write(target, arrays.part(code, value, indices))
    code.loops.append(LoopTargets(after, end))
    statements(code, node.body)
    code.loops.pop()
    code.branch(after)
    code.go_on(after)
    code.build.store(code.plus(code.build.load(ty.I64, counter), i64(1)), counter)
    code.branch(test)
    code.go_on(end)


def range_of(code: PythonCode, node: ast.expr) -> tuple[NumberValue, NumberValue, NumberValue]:
    """Start, stop and step of a `range` or `prange`."""
    if isinstance(node, ast.Call) and not node.keywords and 1 <= len(node.args) <= 3:
        target = expression(code, node.func)
        if isinstance(target, PythonObject) and is_range(target.object):
            bounds = [code.index(expression(code, argument)) for argument in node.args]
            if len(bounds) == 1:
                bounds.insert(0, code.constant(0))
            if len(bounds) == 2:
                bounds.append(code.constant(1))
            if bounds[2].constant == 0:
                raise UnsupportedError("the step of a range must not be 0", node)
            return bounds[0], bounds[1], bounds[2]
    raise UnsupportedError("a compiled loop is over range or lw.prange", node)


def is_range(target: object) -> bool:
    """True for `range` and `lw.prange`."""
    return target is range or getattr(target, "__lanewise_range__", False)


def is_before(code: PythonCode, counter: IrValue, stop: NumberValue, step: NumberValue) -> IrValue:
    """Test if a loop goes on at a value of its counter, as i1."""
    if step.constant is not None:
        return code.compare("slt" if step.constant > 0 else "sgt", counter, stop.ir)
    up = code.compare("slt", counter, stop.ir)
    down = code.compare("sgt", counter, stop.ir)
    is_up, is_down = code.compare("sgt", step.ir, i64(0)), code.compare("slt", step.ir, i64(0))
    build = code.build
    return build.binary("or", build.binary("and", is_up, up), build.binary("and", is_down, down))


def _while(code: PythonCode, node: ast.While) -> None:
    if node.orelse:
        raise UnsupportedError("'else' of a loop isn't compiled", node.orelse[0])
    test, body, end = (code.new_block(f"while.{name}") for name in ("test", "body", "end"))
    code.branch(test)
    code.go_on(test)
    code.build.branch_if(condition(code, node.test), body, end)
    code.go_on(body)
    code.loops.append(LoopTargets(test, end))
    statements(code, node.body)
    code.loops.pop()
    code.branch(test)
    code.go_on(end)


def _if(code: PythonCode, node: ast.If) -> None:
    test = expression(code, node.test)
    if isinstance(test, NumberValue) and test.constant is not None:  # decided while compiling
        statements(code, node.body if test.constant else node.orelse)
        return
    yes, no, end = (code.new_block(f"if.{name}") for name in ("yes", "no", "end"))
    code.build.branch_if(code.is_true(test), yes, no if node.orelse else end)
    code.go_on(yes)
    statements(code, node.body)
    code.branch(end)
    if node.orelse:
        code.go_on(no)
        statements(code, node.orelse)
        code.branch(end)
    code.go_on(end)


def _break(code: PythonCode, node: ast.Break) -> None:
    end = code.loops[-1].end
    if end is None:
        raise UnsupportedError("'break' can't leave a parallel loop, whose iterations run in any order: use range")
    code.branch(end)


def _continue(code: PythonCode, node: ast.Continue) -> None:
    code.branch(code.loops[-1].next)


def _return(code: PythonCode, node: ast.Return) -> None:
    if code.return_value is None:
        raise UnsupportedError("'return' can't leave a parallel loop")
    code.return_value(code, PythonObject(None) if node.value is None else expression(code, node.value), node)


def _expression(code: PythonCode, node: ast.Expr) -> None:
    if isinstance(node.value, ast.Constant):  # a docstring
        return
    if isinstance(node.value, ast.Call):
        expression(code, node.value)
        return
    raise UnsupportedError("this expression has no effect", node)


def _pass(code: PythonCode, node: ast.Pass) -> None:
    pass


_HANDLERS: Final[MappingProxyType[type[ast.stmt], Callable[[PythonCode, Any], None]]] = MappingProxyType(
    {
        ast.Assign: _assign,
        ast.AugAssign: _augmented,
        ast.AnnAssign: _annotated,
        ast.For: _for,
        ast.While: _while,
        ast.If: _if,
        ast.Break: _break,
        ast.Continue: _continue,
        ast.Return: _return,
        ast.Expr: _expression,
        ast.Pass: _pass,
    }
)
_REASONS: Final[dict[type[ast.stmt], str]] = {
    ast.With: "'with' isn't compiled: move it to code that Python runs",
    ast.Try: "'try' isn't compiled: move it to code that Python runs",
    ast.Raise: "'raise' isn't compiled: return or store a value that says what went wrong",
    ast.Assert: "'assert' isn't compiled: check in code that Python runs",
    ast.FunctionDef: "a function within compiled code isn't compiled: define it outside, with @lw.jit",
    ast.ClassDef: "a class isn't compiled",
    ast.Import: "'import' belongs to the top of the file",
    ast.ImportFrom: "'import' belongs to the top of the file",
    ast.Delete: "'del' isn't compiled",
    ast.Global: "'global' isn't compiled: return the value",
    ast.Nonlocal: "'nonlocal' isn't compiled: return the value",
    ast.Match: "'match' isn't compiled: write if and elif",
}
