# SPDX-License-Identifier: Apache-2.0
"""Arrays in which the iterations of a parallel loop add up: each work-item adds to a copy of its own.

The launch makes the copies, one after the other in memory, filled with what changes nothing (`jit.array_reductions`).
"""

import ast
from collections.abc import Callable, Mapping, Sequence

from lanewise.frontend.python.code import PythonCode, described
from lanewise.frontend.python.elementwise import assign_part, elements
from lanewise.frontend.python.python_types import INT, Array, Number, Type
from lanewise.frontend.python.reductions import LoopReduction
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.values import ArrayValue, NumberValue, Value
from lanewise.ir import types as ty
from lanewise.ir.values import Argument, i64
from lanewise.ir.values import Value as IrValue


def reduced_arrays(reductions: Sequence[LoopReduction], types: Mapping[str, Type]) -> dict[str, Array]:
    """The arrays among the reductions of a loop, in order."""
    found = {each.name: types[each.name] for each in reductions}
    return {name: of for name, of in found.items() if isinstance(of, Array)}


def open_copies(
    code: PythonCode,
    reductions: Sequence[LoopReduction],
    loop: ast.For | None,
    item: IrValue,
    pointer: Callable[[str, Number], Argument],
    number: Callable[[str, Number], NumberValue],
) -> None:
    """Let the variables of arrays that are added up in mean the copies of a work-item. `item`: its number in the grid.
    `pointer` and `number` make parameters. UnsupportedError for what no copies are made of."""
    forms = {each.name: each.form for each in reductions}
    for name, type_ in reduced_arrays(reductions, code.types).items():
        if type_.element.kind == "record":
            raise UnsupportedError(f"'{name}' is an array of records, which iterations can't add to", loop)
        if forms[name] == "both":
            raise UnsupportedError(
                f"'{name}' is an array that this loop updates in place and sets to a new one: write {name} += ... "
                "everywhere",
                loop,
            )
        own = code.types[name] = Array(type_.element, type_.ndim)
        memory = pointer(name, type_.element)
        shape = tuple(number(f"{name}.shape.{axis}", INT) for axis in range(type_.ndim))
        size: IrValue = i64(type_.element.size)
        for extent in shape:
            size = code.times(size, extent.ir)
        address = code.build.address(ty.I8, memory, [code.times(item, size)])
        code.write(name, ArrayValue(own, address, shape, code.strides_of(own, shape)))
    code.rebound = frozenset(name for name, form in forms.items() if form == "rebind")


def update_copy(code: PythonCode, name: str, array: ArrayValue, value: Value) -> None:
    """`array = array + x`: the same elements, in the copy."""
    found = elements(code, value).element
    if found.dtype != array.type.element.dtype:
        raise UnsupportedError(
            f"'{name}' is {described(array)}, and becomes one of {found.name} here: give it that dtype before the loop"
        )
    assign_part(code, array, value)
