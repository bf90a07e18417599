# SPDX-License-Identifier: Apache-2.0
"""References between the symbols of a module: a function refers to the symbols in its code, a variable to those in its
initial value, an alias to its target. Debug records refer to nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, KeysView

from lanewise.ir.function import Function
from lanewise.ir.module import Alias, GlobalVariable, constants_in
from lanewise.ir.values import Constant, Global, Value


def symbols_in(value: Value) -> Iterator[Global]:
    """The symbols that a value names: itself, or those inside a constant."""
    return (inside for inside in constants_in(value) if isinstance(inside, Global))


def references(symbol: Global) -> Iterator[Global]:
    """The symbols that `symbol` names directly, as often as it does."""
    if isinstance(symbol, Function):
        for instruction in symbol.instructions():
            if not instruction.is_debug_record:
                for operand in instruction.operands:
                    if isinstance(operand, Global):
                        yield operand
                    elif isinstance(operand, Constant) and operand.operands:
                        yield from symbols_in(operand)
    elif isinstance(symbol, GlobalVariable) and symbol.initializer is not None:
        yield from symbols_in(symbol.initializer)
    elif isinstance(symbol, Alias):
        yield from symbols_in(symbol.aliasee)


def reached_from(roots: Iterable[Global]) -> KeysView[Global]:
    """`roots` and all symbols that they refer to, directly or through others: a set in the order found."""
    found = dict.fromkeys(roots)
    work = list(found)
    while work:
        for symbol in references(work.pop()):
            if symbol not in found:
                found[symbol] = None
                work.append(symbol)
    return found.keys()
