# SPDX-License-Identifier: Apache-2.0
"""Repeated functions: large functions of a large program that compute, and that are called from several places.

Why
    To inline all calls can make a hundred times the code: the kernels of hashcat's sha512crypt come from 31,000
    instructions, and have 3,100,000 with all calls inlined, since each of 30 calls of a function holds 10 of another
    one, and so on. Code that is wanted at once has these functions once instead.

Terms
    The *weight* of a function is the number of its instructions once all its calls are inlined, but those of repeated
    functions.

Needs
    1. A kernel of the program has more than `LARGE_KERNEL` instructions once all calls are inlined.
    2. Several places of the program call the function, and its weight is `LARGE_FUNCTION` at least, or `SMALL_FUNCTION`
       and that of all copies `LARGE_COPIES`.
    3. It and all that it calls compute: they don't ask for the work-item, meet no others, use no shared memory, not
       through pointers that they load either, and have no atomic or volatile accesses and no assembly. All else they do
       as well out of line.
    4. Its parameters and its result are numbers, pointers but those to shared memory, or vectors of 128 bits at most.
       Larger ones may be passed in other registers by code with other vectors.
    5. No function of the program is out of line already, no denormal is to count as 0, and no pointer to shared memory
       becomes one to any memory.
    6. No function compares the address of constant data or makes a number of it. Each part of the program may have a
       copy of the data (`workgroup/layout/symbols.py`).
"""

from collections.abc import Iterator
from typing import Final

from lanewise.analysis.call_graph import CallGraph, is_indirect
from lanewise.ir import effects
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.denormals import asks_to_flush_denormals
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import GlobalVariable, Module, constants_in
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value

LARGE_KERNEL: Final = 20_000
"""Instructions of unoptimised kernel IR. The largest kernel of bench/cpu has 5,600."""
LARGE_FUNCTION: Final = 200
"""Instructions of unoptimised kernel IR, some fifty once they are optimised."""
SMALL_FUNCTION: Final = 50
"""Instructions below which a call costs more than it saves, some twelve once they are optimised."""
LARGE_COPIES: Final = 10_000
MOST_INLINED: Final = 2_000_000
"""Instructions beyond which a kernel is not compiled with all calls inlined. To compile the 1,176,000 of hashcat's
md5crypt so takes 154 s of a processor."""
_WIDEST: Final = 128
_ON_ADDRESSES: Final = frozenset({"icmp", "ptrtoint", "ptrtoaddr", "sub"})


def repeated_functions(module: Module) -> frozenset[str]:
    """The symbols of the repeated functions of a module, all of whose kernels count."""
    graph = CallGraph(module)
    kernels = [function for function in module.functions if function.is_kernel and function.blocks]
    if graph.out_of_line or any(asks_to_flush_denormals(module, kernel) for kernel in kernels):
        return frozenset()  # 5
    order = _callees_first(graph, kernels)
    whole = _weights(order, frozenset())
    if max((whole[kernel] for kernel in kernels), default=0) <= LARGE_KERNEL:  # 1
        return frozenset()
    places = _places(order)
    if not any(_is_repeated(whole[f], places.get(f, 0)) for f in order if not f.is_kernel):
        return frozenset()  # weights are less where callees stay out of line
    if any(map(_makes_shared_generic, order)):  # 5
        return frozenset()
    if any(map(_looks_at_addresses_of_data, order)):  # 6
        return frozenset()
    return _chosen(order, places)


def has_too_many_copies(module: Module, symbol: str) -> bool:
    """Return whether a module has repeated functions, and a kernel of it more than `MOST_INLINED` instructions once all
    calls are inlined."""
    if not repeated_functions(module):
        return False
    kernel = module.function(symbol)
    return _weights(_callees_first(CallGraph(module), [kernel]), frozenset())[kernel] > MOST_INLINED


def _places(order: list[Function]) -> dict[Function, int]:
    """The number of places that call each function."""
    places: dict[Function, int] = {}
    for function in order:
        for callee in _called(function):
            places[callee] = places.get(callee, 0) + 1
    return places


def _chosen(order: list[Function], places: dict[Function, int]) -> frozenset[str]:
    weights: dict[Function, int] = {}
    computing: set[Function] = set()
    chosen: set[Function] = set()
    for function in order:
        weights[function] = _weight(function, weights, chosen)
        if _computes(function, computing):  # 3
            computing.add(function)
            is_repeated = _is_repeated(weights[function], places.get(function, 0))  # 2
            if is_repeated and not function.is_kernel and _has_plain_type(function):  # 4
                chosen.add(function)
    return frozenset(function.symbol for function in chosen)


def _is_repeated(weight: int, places: int) -> bool:
    is_large = weight >= LARGE_FUNCTION or (weight >= SMALL_FUNCTION and weight * places >= LARGE_COPIES)
    return is_large and places > 1


def _weights(order: list[Function], chosen: frozenset[Function]) -> dict[Function, int]:
    weights: dict[Function, int] = {}
    for function in order:
        weights[function] = _weight(function, weights, chosen)
    return weights


def _weight(function: Function, weights: dict[Function, int], chosen: set[Function] | frozenset[Function]) -> int:
    own = sum(len(block.instructions) for block in function.blocks)
    return own + sum(weights[callee] for callee in _called(function) if callee not in chosen)


def _called(function: Function) -> Iterator[Function]:
    """The defined functions that `function` calls, as often as it does."""
    for instruction in function.instructions():
        callee = instruction.operands[0] if instruction.op == "call" else None
        if isinstance(callee, Function) and callee.blocks:
            yield callee


def _callees_first(graph: CallGraph, kernels: list[Function]) -> list[Function]:
    """All functions that kernels reach, each after those that it calls. None calls itself."""
    order: dict[Function, None] = {}
    for kernel in kernels:
        work = [(kernel, iter(graph.callees(kernel)))]
        while work:
            function, rest = work[-1]
            callee = next(rest, None)
            if callee is None:
                order.setdefault(function)
                work.pop()
            elif callee not in order:
                work.append((callee, iter(graph.callees(callee))))
    return list(order)


def _computes(function: Function, computing: set[Function]) -> bool:
    """Condition 3, for a function whose callees that meet it are `computing`."""
    return all(_is_plain(instruction, computing) for instruction in function.instructions())


def _is_plain(instruction: Instruction, computing: set[Function]) -> bool:
    if instruction.is_debug_record:
        return True
    if any(_points_to_shared(value.type) for value in (instruction, *_values_in(instruction))):
        return False
    if instruction.op != "call":
        return not effects.is_ordered(instruction)
    if effects.is_copy(instruction):
        return not effects.orders(instruction)
    callee = instruction.operands[0]
    if is_indirect(instruction) or not isinstance(callee, Function):
        return False
    return callee in computing if callee.blocks else callee.symbol.startswith("llvm.") and "nvvm" not in callee.symbol


def _values_in(instruction: Instruction) -> Iterator[Value]:
    """The operands of an instruction, and all that is inside those that are constants."""
    for operand in instruction.operands:
        yield from constants_in(operand)


def _points_to_shared(type_: Type) -> bool:
    return type_.scalar.kind == "ptr" and type_.scalar.addrspace == SHARED


def _has_plain_type(function: Function) -> bool:
    type_ = function.value_type
    return not type_.vararg and all(map(_is_plain_type, (type_.inner, *type_.fields)))


def _is_plain_type(type_: Type) -> bool:
    match type_.kind:
        case "ptr":
            return type_.addrspace != SHARED
        case "vector":
            return type_.inner.kind != "ptr" and type_.count * type_.inner.bits <= _WIDEST
        case "int":
            return type_.bits <= _WIDEST
        case kind:
            return kind in ("float", "double", "void")


def _makes_shared_generic(function: Function) -> bool:
    """Return whether an instruction or a constant of a function makes a generic pointer of one to shared memory."""
    return any(
        _is_shared_cast(value)
        for instruction in function.instructions()
        if not instruction.is_debug_record
        for value in (instruction, *_values_in(instruction))
    )


def _is_shared_cast(value: Value) -> bool:
    if isinstance(value, Instruction):
        return value.op == "addrspacecast" and _points_to_shared(value.operands[0].type)
    if not isinstance(value, Constant) or value.kind != "expr":
        return False
    return any(_points_to_shared(operand.type) for operand in value.operands) and not _points_to_shared(value.type)


def _looks_at_addresses_of_data(function: Function) -> bool:
    """Return whether a function has an operation that tells copies of constant data apart by their addresses."""
    return any(
        _is_constant_data(inside)
        for instruction in function.instructions()
        if not instruction.is_debug_record
        for value in _values_in(instruction)
        if _tells_apart(instruction) or _tells_apart(value)
        for inside in constants_in(value)
    )


def _tells_apart(value: Value) -> bool:
    if isinstance(value, Instruction):
        return value.op in _ON_ADDRESSES
    return isinstance(value, Constant) and value.kind == "expr" and value.opcode in _ON_ADDRESSES


def _is_constant_data(value: Value) -> bool:
    return isinstance(value, GlobalVariable) and value.is_constant
