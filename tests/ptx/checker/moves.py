# SPDX-License-Identifier: Apache-2.0
"""mov, cvt, cvta, ld and st (PTX ISA 9.0, 9.7.9)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from lanewise.ptx.language.operands import Address, Name, Operand, Vector

from .floats import saturated
from .formats import FORMATS, Format, Lanes
from .integers import computed
from .machine import Active, Machine, Step
from .memory import Fault, Undefined
from .operands import Operands, Source, Target, Variable

SPACES: Final = ("global", "shared", "local", "const", "param")
_u64: Final = FORMATS["u64"]
_HINTS: Final = (
    "nc ca cg cs lu cv wb wt weak volatile relaxed acquire release cta cluster gpu sys v2 v4 L1::evict_last "
    "L1::evict_first L1::no_allocate L1::evict_normal L1::evict_unchanged L2::128B L2::64B L2::256B shared::cta "
) + " ".join(SPACES)


def _mov(operands: Operands) -> Step:
    (of,) = operands.formats
    result, value = operands.instruction.operands
    if isinstance(value, Vector):
        return _packed(operands, of, result, value)
    if isinstance(result, Vector):
        return _unpacked(operands, of, result, value)
    return computed(operands, lambda a: a, of, [of])


def _packed(operands: Operands, of: Format, result: Operand, parts: Vector) -> Step:
    part = FORMATS[f"b{of.bits // len(parts.items)}"]
    sources, target = operands.sources(parts.items, part), operands.target(result, FORMATS[f"b{of.bits}"])

    def step(m: Machine, active: Active) -> None:
        values = [np.broadcast_to(source(m), (m.size,)) for source in sources]
        target(m, active, np.stack(values, axis=1).view(of.raw).reshape(-1))

    return step


def _unpacked(operands: Operands, of: Format, results: Vector, value: Operand) -> Step:
    part = FORMATS[f"b{of.bits // len(results.items)}"]
    targets = [operands.target(item, part) for item in results.items]
    source = operands.source(value, FORMATS[f"b{of.bits}"])

    def step(m: Machine, active: Active) -> None:
        whole = np.ascontiguousarray(np.broadcast_to(source(m), (m.size,)))
        parts = whole.view(part.raw).reshape(m.size, -1)
        for i, target in enumerate(targets):
            target(m, active, np.ascontiguousarray(parts[:, i]))

    return step


# -- conversions -------------------------------------------------------------------------------------------------

_ROUNDINGS: Final[dict[str, Callable[[Lanes], Lanes]]] = {
    "rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil,
}  # fmt: skip


def _limits(of: Format) -> tuple[int, int]:
    info = np.iinfo(of.dtype)
    return int(info.min), int(info.max)


def _to_integer(result: Format, rounded: Callable[[Lanes], Lanes]) -> Callable[[Lanes], Lanes]:
    """Out of range: the nearest there is; NaN: 0."""
    least, most = _limits(result)

    def converted(a: Lanes) -> Lanes:
        whole = rounded(a.astype(np.float64))
        inside = np.where((whole > least) & (whole < float(most)), whole, 0).astype(result.dtype)
        return np.where(whole >= float(most), most, np.where(whole <= least, least, inside)).astype(result.dtype)

    return converted


def _clamped(result: Format, source: Format) -> Callable[[Lanes], Lanes]:
    """.sat among integers."""
    least, most = _limits(result)
    lowest, highest = _limits(source)
    low, high = (np.array([bound], source.dtype) for bound in (max(least, lowest), min(most, highest)))
    return lambda a: np.clip(a, low, high).astype(result.dtype)


def _cvt(operands: Operands) -> Step:
    operands.allow("rn rz rm rp rni rzi rmi rpi ftz sat")
    result, of = operands.formats

    def converted(a: Lanes) -> Lanes:
        return a.astype(result.dtype)

    compute: Callable[..., Lanes]
    rounding = next((_ROUNDINGS[word] for word in operands.instruction.modifiers if word in _ROUNDINGS), None)
    if result.kind == "f" and of.kind == "f":
        if operands.has("rz", "rm", "rp"):
            raise operands.unsupported("rounding")

        def between_floats(a: Lanes) -> Lanes:
            return (rounding(a) if rounding else a).astype(result.dtype)

        compute = saturated(between_floats) if operands.has("sat") else between_floats
    elif result.kind != "f" and of.kind == "f":
        compute = _to_integer(result, rounding or np.trunc)
    elif result.kind != "f" and operands.has("sat"):
        compute = _clamped(result, of)
    else:
        compute = converted
    return computed(operands, compute, result, [of])


def _cvta(operands: Operands) -> Step:
    space = _space(operands)
    result, value = operands.instruction.operands
    source, target = operands.source(value, _u64), operands.target(result, _u64)
    if operands.has("to"):
        return lambda m, active: target(m, active, source(m) - np.uint64(m.memory.window(space)))
    return lambda m, active: target(m, active, source(m) + np.uint64(m.memory.window(space)))


def _isspacep(operands: Operands) -> Step:
    space = _space(operands)
    result, value = operands.instruction.operands
    source, target = operands.source(value, _u64), operands.target(result, FORMATS["pred"])

    def within(m: Machine, a: Lanes) -> Lanes:
        of = {name: a - np.uint64(m.memory.window(name)) < np.uint64(1 << 32) for name in ("shared", "local")}
        return of[space] if space in of else ~(of["shared"] | of["local"])

    return lambda m, active: target(m, active, within(m, source(m)))


# -- memory ------------------------------------------------------------------------------------------------------


def _space(operands: Operands) -> str:
    """Constants are where global variables are; both have whole addresses."""
    for space in SPACES:
        if operands.has(space, f"{space}::cta", f"{space}::entry"):
            if space == "param" and _is_of_call(operands):
                return "local"
            return "global" if space == "const" else space
    return "generic"


def _is_of_call(operands: Operands) -> bool:
    """True if what is accessed in parameter space is what a function is called with, or returns."""
    bases = [each.base for each in operands.instruction.operands if isinstance(each, Address)]
    found = [operands.scope.find(base.text) for base in bases if isinstance(base, Name)]
    return any(isinstance(each, Variable) and each.space == "local" for each in found)


def located(operands: Operands, width: int, operand: Operand) -> Callable[[Machine, Active], Lanes]:
    """Where in `views[width]` each active lane's access is."""
    space = _space(operands)
    address: Source = operands.address(operand)

    def places(m: Machine, active: Active) -> Lanes:
        lanes = active.lanes
        found = address(m)
        found = found[lanes] if len(found) > 1 else np.repeat(found, len(lanes))
        try:
            return m.memory.places(space, found, lanes, width)
        except Fault as fault:
            what = operands.instruction.opcode
            raise Undefined(f"line {operands.line}: {what} of {m.place(fault.lane)}: {fault}") from None

    return places


def _scattered(m: Machine, lanes: Lanes, values: Lanes) -> Lanes:
    result = np.zeros(m.size, values.dtype)
    result[lanes] = values
    return result


def _ld(operands: Operands) -> Step:
    operands.allow(_HINTS)
    of = operands.formats[-1]
    result, address = operands.instruction.operands
    items = operands.items(result)
    targets = [operands.target(item, of) for item in items]
    if _space(operands) == "param":
        return _ld_param(operands, of, address, targets)
    width = of.bytes
    places = located(operands, width * len(items), address)

    def step(m: Machine, active: Active) -> None:
        at = places(m, active)
        view = m.memory.views[width]
        for i, target in enumerate(targets):
            values = view[at * at.dtype.type(len(targets)) + at.dtype.type(i)]
            target(m, active, _scattered(m, active.lanes, values).view(of.dtype))

    return step


def _ld_param(operands: Operands, of: Format, address: Operand, targets: list[Target]) -> Step:
    """By the parameter's name: the same for all lanes."""
    if not isinstance(address, Address):
        raise operands.unsupported()
    named = isinstance(address.base, Name) and isinstance(operands.scope.find(address.base.text), Variable)
    if not named:
        raise operands.unsupported("a parameter without its name")
    source = operands.address(address)

    def step(m: Machine, active: Active) -> None:
        begin = int(source(m)[0])
        if begin % (of.bytes * len(targets)):
            raise Undefined(f"line {operands.line}: a parameter is read without alignment")
        at = begin // of.bytes
        for i, target in enumerate(targets):
            target(m, active, m.memory.views[of.bytes][at + i : at + i + 1].copy().view(of.dtype))

    return step


def _st(operands: Operands) -> Step:
    operands.allow(_HINTS)
    of = operands.formats[-1]
    address, value = operands.instruction.operands
    sources = operands.sources(operands.items(value), of)
    count, width = len(sources), of.bytes
    places = located(operands, width * count, address)

    def step(m: Machine, active: Active) -> None:
        at = places(m, active)
        for i, source in enumerate(sources):
            found = source(m)
            here = at * at.dtype.type(count) + at.dtype.type(i)
            m.memory.views[width][here] = (found[active.lanes] if len(found) > 1 else found).view(of.raw)
            note(m, here, width, active.lanes)

    return step


def note(m: Machine, places: Lanes, width: int, lanes: Lanes) -> None:
    """Who wrote there, where it is asked for."""
    if m.memory.writers is not None:
        for octet in range(width):
            m.memory.writers[places.astype(np.int64) * width + octet] = lanes


def _nothing(operands: Operands) -> Step:
    """Fences among threads that run one after the other, hints."""
    return lambda m, active: None


MOVES: Final[dict[str, Callable[[Operands], Step]]] = {
    "mov": _mov, "cvt": _cvt, "cvta": _cvta, "isspacep": _isspacep, "ld": _ld, "ldu": _ld, "st": _st,
    "membar": _nothing, "fence": _nothing, "prefetch": _nothing, "prefetchu": _nothing, "nanosleep": _nothing,
    "pmevent": _nothing,
}  # fmt: skip
