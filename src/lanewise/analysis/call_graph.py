# SPDX-License-Identifier: Apache-2.0
"""The call graph of a module, and which of its functions can't be inlined into their callers.

Terms.
    addressed function   its address is taken: it is an operand other than the callee, or part of an initialiser
    cyclic function      it may call itself by direct calls, at once or through others
    out-of-line function    addressed or cyclic: it must exist by itself, as calls of it remain when all is inlined

A call through a pointer may lead to any addressed function of its type; calling a function through a pointer of another
type is undefined (C++ standard, [expr.reinterpret.cast]/6).

Method. Cyclic functions are those of strongly connected components with an edge inside (R. Tarjan, "Depth-First Search
and Linear Graph Algorithms", 1972), without recursion.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final, final

from lanewise.analysis.references import references, symbols_in
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.types import Type
from lanewise.ir.values import Global


@final
class CallGraph:
    """The calls of all functions that `module` defines. After a change of calls, a new graph is needed."""

    def __init__(self, module: Module, kept: frozenset[str] = frozenset()) -> None:
        """`kept`: symbols of further functions that are to be out of line."""
        self.module: Final = module
        self._kept: Final = kept
        self._direct: Final[dict[Function, tuple[Function, ...]]] = {}
        self._pointer_types: Final[dict[Function, tuple[Type, ...]]] = {}
        for function in module.functions:
            calls = [i for i in function.instructions() if i.op == "call"]
            callees = (c.operands[0] for c in calls)
            self._direct[function] = tuple(dict.fromkeys(c for c in callees if isinstance(c, Function) and c.blocks))
            self._pointer_types[function] = tuple(dict.fromkeys(map(called_type, filter(is_indirect, calls))))

    def callees(self, function: Function) -> tuple[Function, ...]:
        """Defined functions that `function` calls directly."""
        return self._direct[function]

    def has_indirect_calls(self, function: Function) -> bool:
        return bool(self._pointer_types[function])

    @cached_property
    def addressed(self) -> tuple[Function, ...]:
        """Addressed functions that are defined, in the order of the module."""
        found: set[Global] = set()
        for variable in self.module.variables:
            if "llvm.metadata" not in variable.suffix:
                found.update(references(variable))
        for function in self.module.functions:
            for instruction in function.instructions():
                if not instruction.is_debug_record:
                    for operand in instruction.arguments if instruction.op == "call" else instruction.operands:
                        found.update(symbols_in(operand))
        return tuple(f for f in self.module.functions if f.blocks and f in found and not f.is_kernel)

    @cached_property
    def cyclic(self) -> frozenset[Function]:
        """Functions that may call themselves by direct calls."""
        found: set[Function] = set()
        for component in self._components():
            if len(component) > 1 or component[0] in self._direct[component[0]]:
                found.update(component)
        return frozenset(found)

    @cached_property
    def out_of_line(self) -> tuple[Function, ...]:
        """Out-of-line functions, in the order of the module."""
        addressed = set(self.addressed)
        kept = addressed | {f for f in self.module.functions if f.symbol in self._kept}
        return tuple(f for f in self.module.functions if f in kept or f in self.cyclic)

    def targets(self, type_: Type) -> list[Function]:
        """Functions that a call of `type_` through a pointer may lead to."""
        return [f for f in self.addressed if f.value_type is type_]

    def reached(self, starts: Iterable[Function]) -> list[Function]:
        """`starts` and all that they may call, also through pointers, in the order found."""
        found: dict[Function, None] = {}
        work = list(starts)
        while work:
            function = work.pop()
            if function not in found:
                found[function] = None
                work.extend(self._direct[function])
                for type_ in self._pointer_types[function]:
                    work.extend(self.targets(type_))
        return list(found)

    def _components(self) -> list[list[Function]]:
        """Strongly connected components."""
        index: dict[Function, int] = {}
        low: dict[Function, int] = {}
        path: list[Function] = []
        on_path: set[Function] = set()
        found: list[list[Function]] = []
        for start in self._direct:
            work = [(start, iter(self._direct[start]))] if start not in index else []
            for function, _ in work:
                index[function] = low[function] = len(index)
                path.append(function)
                on_path.add(function)
            while work:
                function, rest = work[-1]
                callee = next(rest, None)
                if callee is None:
                    work.pop()
                    if work:
                        caller = work[-1][0]
                        low[caller] = min(low[caller], low[function])
                    if low[function] == index[function]:
                        at = path.index(function)
                        found.append(path[at:])
                        on_path.difference_update(path[at:])
                        del path[at:]
                elif callee not in index:
                    index[callee] = low[callee] = len(index)
                    path.append(callee)
                    on_path.add(callee)
                    work.append((callee, iter(self._direct[callee])))
                elif callee in on_path:
                    low[function] = min(low[function], index[callee])
        return found


def is_indirect(call: Instruction) -> bool:
    """True for a call through a pointer: its callee is neither a symbol nor inline assembly."""
    callee = call.operands[0]
    return call.op == "call" and not isinstance(callee, Global) and getattr(callee, "kind", "") != "asm"


def called_type(call: Instruction) -> Type:
    """The type of function that a call expects."""
    assert call.call is not None
    return call.call.function_type


def variables_used(functions: Iterable[Function]) -> set[GlobalVariable]:
    """Variables that the code of `functions` names."""
    return {symbol for f in functions for symbol in references(f) if isinstance(symbol, GlobalVariable)}
