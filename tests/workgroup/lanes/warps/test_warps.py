# SPDX-License-Identifier: Apache-2.0
"""Vector code for operations of the warp: what each active lane gets, against the PTX manual's definition."""

import ctypes
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.kernels.warps import ptx_manual
from tests.kernels.warps.ptx_manual import FULL, LANES, bits_of, clamp

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.types import Type
from lanewise.ir.values import Argument, Constant, Value, i32, int_constant, poison
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule, Machine
from lanewise.runtime.library import load
from lanewise.toolchain import link_shared_object
from lanewise.workgroup.lanes.warps import expand, is_warp_operation

MODES = ("up", "down", "bfly", "idx")
Form = str | int
"""Of an operand: "scalar", "vector", "half" of a vector (the rest is poison, its lanes not active), or a constant."""

DTYPES = {ty.I1: np.uint8, ty.I32: np.uint32, ty.I64: np.uint64, ty.FLOAT: np.uint32}
"""Of operands and results in memory; the bits of a float."""
HALF = 0x0000FFFF
FLAGS = ty.vector(32, ty.I1)


@dataclass(frozen=True)
class Operation:
    """A call of llvm.nvvm.`name` with operands of these types, given in these forms."""

    name: str
    types: tuple[Type, ...]
    forms: tuple[Form, ...]


Operand = NDArray[Any]
Expectation = Callable[[list[list[Any]], int], Sequence[Any]]
"""Of operands, 32 elements each, and the active lanes: a result or a tuple of results for each lane, or None."""


def operand(build: Builder, element: Type, form: Form, pointer: Value) -> Value:
    if isinstance(form, int):
        return int_constant(element, form)
    memory = ty.I8 if element is ty.I1 else element
    value: Value = build.load(memory if form == "scalar" else ty.vector(32, memory), pointer, align=1)
    if element is ty.I1:
        value = build.cast("trunc", value, ty.I1.with_shape_of(value.type))
    if form == "half":
        kept = [i32(lane) if HALF >> lane & 1 else poison(ty.I32) for lane in LANES]
        mask = Constant(ty.vector(32, ty.I32), "aggregate", operands=tuple(kept))
        value = build.emit(Instruction("shufflevector", value.type, (value, poison(value.type), mask)))
    return value


def function_of(operation: Operation, module: Module, symbol: str) -> tuple[Type, ...]:
    """Adds the function (outputs..., operands..., active lanes), all but the last pointers to 32 elements; gives the
    types of its results."""
    arguments = [Argument(ty.PTR) for _ in range(2 + len(operation.types))] + [Argument(ty.I32)]
    type_ = ty.function(ty.VOID, tuple(a.type for a in arguments))
    function = Function(symbol, type_, arguments)
    module.add(function)
    build = Builder(function.add_block("entry"))
    scratch = build.alloca(ty.array(128, ty.I8), align=64)
    active = build.cast("bitcast", arguments[-1], FLAGS)
    operands: list[Value] = []
    for element, form, pointer in zip(operation.types, operation.forms, arguments[2:], strict=False):
        operands.append(operand(build, element, form, pointer))
    callee = Function(f"llvm.nvvm.{operation.name}", ty.function(ty.VOID, ()), [])
    call = Instruction("call", ty.VOID, (callee, *operands))
    assert is_warp_operation(call)
    result = expand(build, call, operands, active, module.declare, scratch)
    call.drop_operands()
    results = () if result is None else result if isinstance(result, tuple) else (result,)
    for value, pointer in zip(results, arguments, strict=False):
        wide = build.cast("zext", value, ty.I8.with_shape_of(value.type)) if value.type.scalar is ty.I1 else value
        build.store(wide, pointer, align=1)
    build.ret()
    return tuple(r.type for r in results)


def machines() -> list[Any]:
    """This host, and where it is an x86-64 also with the shorter vectors of older ones."""
    host = Machine.host()
    older = {"sse2": "x86-64", "avx2": "haswell"} if platform.machine() == "x86_64" else {}
    usable = [name for name in older if f"+{name}" in host.features.split(",")]
    return [pytest.param(host, id="host"), *(pytest.param(Machine(host.triple, older[n], ""), id=n) for n in usable)]


ON_ALL_MACHINES = pytest.mark.parametrize("machine", machines())


def compiled(operations: Sequence[Operation], machine: Machine) -> tuple[ctypes.CDLL, list[tuple[Type, ...]]]:
    """Functions f0, f1, ... of the operations, and the types of their results."""
    module = Module()
    types = [function_of(operation, module, f"f{i}") for i, operation in enumerate(operations)]
    llvm = LlvmModule.parse(write_module(module))
    machine.claim(llvm)
    machine.optimise(llvm)
    return load(link_shared_object([machine.object(llvm)])), types


def called(function: Any, types: tuple[Type, ...], given: list[Operand], active: int) -> list[list[Any]]:
    """The results, 32 elements each."""
    outputs = [np.zeros(32, DTYPES[t.scalar]) for t in types]
    unused = [np.zeros(32)] * (2 - len(types))
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (*outputs, *unused, *given)]
    function(*pointers, ctypes.c_uint32(active))
    return [(o if t.is_vector else np.repeat(o[:1], 32)).tolist() for o, t in zip(outputs, types, strict=True)]


def check(
    operations: Sequence[Operation],
    machine: Machine,
    random_operands: Callable[[np.random.Generator], list[Operand]],
    expected: Callable[[Operation], Expectation],
) -> None:
    """Runs all operations on some operands and sets of active lanes."""
    library, types = compiled(operations, machine)
    rng = np.random.default_rng(7)
    compared = 0
    for place, operation in enumerate(operations):
        for active in (*ACTIVE, *map(int, rng.integers(1, 1 << 32, 3, np.uint64))):
            given = random_operands(rng)
            for array, form in zip(given, operation.forms, strict=True):
                if form == "half":
                    active = (active & HALF) or 1
                elif form != "vector":
                    array[:] = array[0] if form == "scalar" else form
            found = called(library[f"f{place}"], types[place], given, active)
            wanted = expected(operation)([array.tolist() for array in given], active)
            for lane, own in enumerate(wanted):
                for value, want in zip(found, own if isinstance(own, tuple) else (own,), strict=own is not None):
                    compared += want is not None
                    assert want in (None, value[lane]), f"{operation}, active {active:#x}, lane {lane}: not {want}"
    assert compared


ACTIVE = (FULL, 1, 0xAAAAAAAA, 0xFF, 0x80000000, FULL ^ 1 << 13)


def integers(rng: np.random.Generator, high: int = 1 << 32) -> NDArray[np.uint32]:
    return rng.integers(0, high, 32, np.uint32)


def masks(rng: np.random.Generator) -> NDArray[np.uint32]:
    """All lanes, a random half, or tiles that have masks of their own; the first lane's names it and most others."""
    kind = rng.integers(3)
    if kind == 0:
        return np.full(32, FULL, np.uint32)
    if kind == 1:
        return np.full(32, integers(rng)[0] | 1, np.uint32)
    tile = integers(rng, 3)
    return np.array([bits_of([m for m in LANES if tile[m] == tile[lane]]) for lane in LANES], np.uint32)


# -- shuffles ------------------------------------------------------------------------------------------------------


def shuffled(operation: Operation) -> Expectation:
    mode = operation.name.split(".")[2]

    def expected(operands: list[list[Any]], active: int) -> Sequence[Any]:
        _, value, b, c = operands
        pairs = ptx_manual.shuffle(mode, value, b, c, active)
        return pairs if operation.name.endswith("p") else [p and p[:1] for p in pairs]

    return expected


def shuffle(mode: str, kind: str, *forms: Form) -> Operation:
    return Operation(f"shfl.sync.{mode}.{kind}", (ty.I32, FLOATS[kind[:3]], ty.I32, ty.I32), (FULL, *forms))


FLOATS = {"i32": ty.I32, "f32": ty.FLOAT}


@ON_ALL_MACHINES
@pytest.mark.parametrize("mode", MODES)
def test_shuffles_by_constants(mode: str, machine: Machine):
    operations = [
        shuffle(mode, "i32p", "vector", b, clamp(mode, width)) for b in (0, 1, 5, 16, 31, 35) for width in (32, 8, 2, 1)
    ]
    operations += [shuffle(mode, "i32p", "vector", 3, c) for c in (0x0004, 0x1807, 0x1F00, 0x0515)]
    operations += [shuffle(mode, "i32p", "scalar", 3, clamp(mode, 8)), shuffle(mode, "f32", "vector", 2, 31)]
    check(operations, machine, lambda rng: [integers(rng) for _ in range(4)], shuffled)


@ON_ALL_MACHINES
@pytest.mark.parametrize("mode", MODES)
def test_shuffles_by_values_of_the_run(mode: str, machine: Machine):
    forms = product(("vector", "scalar"), ("scalar", "vector"), (clamp(mode, 32), clamp(mode, 4), "scalar", "vector"))
    operations = [shuffle(mode, "i32p", *f) for f in forms]
    operations += [shuffle(mode, "i32", "vector", 3, "vector"), shuffle(mode, "f32", "vector", "vector", 31)]

    def operands(rng: np.random.Generator) -> list[Operand]:
        c = np.array([clamp(mode, 1 << width) for width in rng.integers(0, 6, 32)], np.uint32)
        b = integers(rng) if rng.integers(2) else integers(rng, 8)
        return [integers(rng), integers(rng, 1 << 23), b, c if rng.integers(4) else integers(rng)]

    check(operations, machine, operands, shuffled)


def test_the_same_lane_for_all_is_a_scalar():
    for operation in (shuffle("idx", "i32", "vector", "scalar", 31), shuffle("idx", "f32", "vector", 7, 31)):
        assert not function_of(operation, Module(), "f")[0].is_vector


# -- votes ---------------------------------------------------------------------------------------------------------


def voted(operation: Operation) -> Expectation:
    kind = operation.name.split(".")[1]

    def expected(operands: list[list[Any]], active: int) -> Sequence[Any]:
        mask, predicate = operands if len(operands) == 2 else ([FULL] * 32, operands[0])
        return ptx_manual.vote(kind, mask, predicate, active)

    return expected


def predicates(rng: np.random.Generator) -> NDArray[np.uint8]:
    return (rng.random(32) < rng.choice([0, 0.1, 0.5, 0.97, 1])).astype(np.uint8)


@ON_ALL_MACHINES
@pytest.mark.parametrize("kind", ["all", "any", "uni", "ballot"])
def test_votes(kind: str, machine: Machine):
    forms = list(product((FULL, 0x0F0F00FF, "scalar", "vector"), ("scalar", "vector", 1)))
    operations = [Operation(f"vote.{kind}.sync", (ty.I32, ty.I1), form) for form in forms]
    check(operations, machine, lambda rng: [masks(rng), predicates(rng)], voted)
    older = [Operation(f"vote.{kind}", (ty.I1,), (form,)) for form in ("scalar", "vector")]
    check(older, machine, lambda rng: [predicates(rng)], voted)


def test_the_active_mask_and_the_barrier():
    active = Operation("activemask", (), ())
    check([active], Machine.host(), lambda rng: [], lambda _: lambda _, here: [here] * 32)
    assert function_of(Operation("bar.warp.sync", (ty.I32,), ("scalar",)), Module(), "f") == ()


# -- matches and reductions ----------------------------------------------------------------------------------------


def matched(operation: Operation) -> Expectation:
    match = ptx_manual.match_any if ".any." in operation.name else ptx_manual.match_all
    return lambda operands, active: match(operands[0], operands[1], active)


@ON_ALL_MACHINES
@pytest.mark.parametrize("type_", [ty.I32, ty.I64], ids=str)
def test_matches(type_: Type, machine: Machine):
    dtype = DTYPES[type_]

    def operands(rng: np.random.Generator) -> list[Operand]:
        few = rng.integers(0, 1 << 32 if dtype is np.uint32 else 1 << 63, 32, np.uint64)
        few[3:6] = few[2] ^ np.array([1, 1 << 16, 1 << (type_.bits - 1)], np.uint64)
        return [masks(rng), few[rng.integers(0, rng.choice([1, 2, 8]), 32)].astype(dtype)]

    operations = [
        Operation(f"match.{name}", (ty.I32, type_), form)
        for name in (f"any.sync.{type_}", f"all.sync.{type_}p")
        for form in product((FULL, "scalar", "vector"), ("scalar", "vector"))
    ]
    check(operations, machine, operands, matched)


def reduced(operation: Operation) -> Expectation:
    name = operation.name.split(".")[2]
    return lambda operands, active: ptx_manual.redux(name, operands[1], operands[0], active)


@ON_ALL_MACHINES
@pytest.mark.parametrize("names", [("add", "and", "or", "xor"), ("min", "max", "umin", "umax")], ids="-".join)
def test_reductions(names: tuple[str, ...], machine: Machine):
    operations = [
        Operation(f"redux.sync.{name}", (ty.I32, ty.I32), form)
        for name in names
        for form in product(("scalar", "vector"), (FULL, 0x0000FF0F, "scalar", "vector"))
    ]

    def operands(rng: np.random.Generator) -> list[Operand]:
        values = integers(rng) | integers(rng) if rng.integers(2) else integers(rng) & integers(rng)
        return [values, masks(rng)]

    check(operations, machine, operands, reduced)


def test_lanes_that_are_not_active_spread_no_poison():
    def shuffles(*forms: Form) -> list[Operation]:
        return [shuffle(mode, "i32p", *forms) for mode in MODES]

    def masked(*names: str) -> list[Operation]:
        return [Operation(name, (ty.I32, ty.I32), (form, "half")) for name in names for form in (FULL, "half")]

    machine = Machine.host()
    few = [np.repeat(np.arange(4, dtype=np.uint32), 8), np.arange(32, dtype=np.uint32) // 20]
    check(shuffles("half", "half", 0x1C1F), machine, lambda rng: [integers(rng) for _ in range(4)], shuffled)
    check(
        masked("match.any.sync.i32", "match.all.sync.i32p"), machine, lambda rng: [masks(rng), rng.choice(few)], matched
    )
    votes = [Operation(f"vote.{kind}.sync", (ty.I32, ty.I1), (FULL, "half")) for kind in ("all", "any", "ballot")]
    check(votes, machine, lambda rng: [masks(rng), predicates(rng)], voted)
    sums = [Operation("redux.sync.add", (ty.I32, ty.I32), ("half", form)) for form in (FULL, "half")]
    check(sums, machine, lambda rng: [integers(rng), masks(rng)], reduced)
