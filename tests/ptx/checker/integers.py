# SPDX-License-Identifier: Apache-2.0
"""Integer arithmetic, logic and shifts (PTX ISA 9.0, 9.7.1, 9.7.2, 9.7.7, 9.7.8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from .formats import FORMATS, Format, Lanes, wider
from .machine import Active, Machine, Step
from .operands import Operands

_u32: Final = FORMATS["u32"]


def quotient(a: Lanes, b: Lanes) -> Lanes:
    """Towards zero. By zero: something."""
    b = np.where(b == 0, b.dtype.type(1), b)
    if a.dtype.kind == "u":
        return a // b
    return (a - np.fmod(a, b)) // b


def remainder(a: Lanes, b: Lanes) -> Lanes:
    return np.fmod(a, np.where(b == 0, b.dtype.type(1), b))


def low(a: Lanes, b: Lanes) -> Lanes:
    return a * b


def wide(a: Lanes, b: Lanes) -> Lanes:
    twice = np.dtype(f"{a.dtype.kind}{2 * a.dtype.itemsize}")
    return a.astype(twice) * b.astype(twice)


def high(a: Lanes, b: Lanes) -> Lanes:
    if a.dtype.itemsize < 8:
        product = wide(a, b)
        return (product >> product.dtype.type(4 * product.dtype.itemsize)).astype(a.dtype)
    half, below = np.uint64(32), np.uint64(0xFFFFFFFF)
    x, y = a.view(np.uint64), b.view(np.uint64)
    middle = (x >> half) * (y & below) + ((x & below) * (y & below) >> half)
    other = (x & below) * (y >> half) + (middle & below)
    product = (x >> half) * (y >> half) + (middle >> half) + (other >> half)
    if a.dtype.kind == "i":
        product = product - np.where(a < 0, y, np.uint64(0)) - np.where(b < 0, x, np.uint64(0))
    return product.view(a.dtype)


def _absolute_difference(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    return np.where(a < b, b - a, a - b) + c


def shift_left(a: Lanes, by: Lanes) -> Lanes:
    bits = 8 * a.dtype.itemsize
    count = np.minimum(by, np.uint32(bits - 1)).astype(a.dtype)
    return np.where(by < bits, a << count, a.dtype.type(0))


def shift_right(a: Lanes, by: Lanes) -> Lanes:
    bits = 8 * a.dtype.itemsize
    count = np.minimum(by, np.uint32(bits - 1)).astype(a.dtype)
    return a >> count if a.dtype.kind == "i" else np.where(by < bits, a >> count, a.dtype.type(0))


def population(a: Lanes) -> Lanes:
    return np.bitwise_count(a).astype(np.uint32)


def _smeared(a: Lanes) -> Lanes:
    """All bits below the highest set, too."""
    shift = 1
    while shift < 8 * a.dtype.itemsize:
        a = a | a >> a.dtype.type(shift)
        shift *= 2
    return a


def leading_zeros(a: Lanes) -> Lanes:
    return np.uint32(8 * a.dtype.itemsize) - population(_smeared(a))


def highest_bit(a: Lanes) -> Lanes:
    if a.dtype.kind == "i":
        a = np.where(a < 0, ~a, a).view(np.dtype(f"u{a.dtype.itemsize}"))
    return population(_smeared(a)) - np.uint32(1)


def reverse(a: Lanes) -> Lanes:
    kind, width = a.dtype.type, 8 * a.dtype.itemsize
    result = np.zeros_like(a)
    for bit in range(width):
        result |= (a >> kind(bit) & kind(1)) << kind(width - 1 - bit)
    return result


def extract(a: Lanes, position: Lanes, length: Lanes) -> Lanes:
    """bfe (9.7.1.18): bits from `position`, of which those beyond the top are copies of the sign."""
    bits = 8 * a.dtype.itemsize
    position, length = position & np.uint32(255), length & np.uint32(255)
    raw = a.view(np.dtype(f"u{a.dtype.itemsize}"))
    shifted = shift_right(raw, position)
    mask = shift_left(np.ones_like(raw), length) - raw.dtype.type(1)
    found = shifted & mask
    if a.dtype.kind == "u":
        return found
    top = np.minimum(position + np.maximum(length, np.uint32(1)) - np.uint32(1), np.uint32(bits - 1))
    sign = (shift_right(raw, top) & raw.dtype.type(1)).astype(np.bool_) & (length != 0)
    available = np.minimum(length, np.uint32(bits) - np.minimum(position, np.uint32(bits)))
    kept = shift_left(np.ones_like(raw), available) - raw.dtype.type(1)
    return np.where(sign, found & kept | ~kept, found).view(a.dtype)


def insert(a: Lanes, b: Lanes, position: Lanes, length: Lanes) -> Lanes:
    position, length = position & np.uint32(255), length & np.uint32(255)
    mask = shift_left(shift_left(np.ones_like(a | b), length) - a.dtype.type(1), position)
    return b & ~mask | shift_left(a, position) & mask


def permute(a: Lanes, b: Lanes, selector: Lanes) -> Lanes:
    both = a.astype(np.uint64) | b.astype(np.uint64) << np.uint64(32)
    result = np.zeros_like(both)
    for i in range(4):
        chosen = (selector >> np.uint32(4 * i)).astype(np.uint64)
        octet = both >> (chosen & np.uint64(7)) * np.uint64(8) & np.uint64(255)
        sign = np.where(octet > 127, np.uint64(255), np.uint64(0))
        result = result | np.where(chosen & np.uint64(8), sign, octet) << np.uint64(8 * i)
    return result.astype(np.uint32)


def look_up(a: Lanes, b: Lanes, c: Lanes, table: Lanes) -> Lanes:
    result = np.zeros_like(a | b | c)
    for i in range(8):
        if int(table[0]) >> i & 1:
            result = result | (a if i & 4 else ~a) & (b if i & 2 else ~b) & (c if i & 1 else ~c)
    return result


def _funnel(operands: Operands) -> Step:
    to_left, clamp = operands.has("l"), operands.has("clamp")

    def shifted(a: Lanes, b: Lanes, count: Lanes) -> Lanes:
        count = np.minimum(count, np.uint32(32)) if clamp else count & np.uint32(31)
        both = b.astype(np.uint64) << np.uint64(32) | a.astype(np.uint64)
        if to_left:
            return (both << count.astype(np.uint64) >> np.uint64(32)).astype(np.uint32)
        return (both >> count.astype(np.uint64)).astype(np.uint32)

    return computed(operands, shifted, _u32, [_u32] * 3)


def computed(operands: Operands, compute: Callable[..., Lanes], result: Format, arguments: list[Format]) -> Step:
    """The first operand gets what `compute` makes of the others."""
    words = operands.instruction.operands
    if len(words) != len(arguments) + 1:
        raise operands.unsupported("operands")
    target = operands.target(words[0], result)
    sources = [operands.source(word, of) for word, of in zip(words[1:], arguments, strict=True)]
    if len(sources) == 2:
        first, second = sources
        return lambda m, active: target(m, active, compute(first(m), second(m)))
    return lambda m, active: target(m, active, compute(*[source(m) for source in sources]))


def _alike(compute: Callable[..., Lanes]) -> Callable[[Operands], Step]:
    """All operands have the instruction's type."""

    def step(operands: Operands) -> Step:
        operands.allow("lo")
        (of,) = operands.formats
        return computed(operands, compute, of, [of] * (len(operands.instruction.operands) - 1))

    return step


def _shift(compute: Callable[..., Lanes]) -> Callable[[Operands], Step]:
    return lambda operands: computed(operands, compute, operands.formats[0], [operands.formats[0], _u32])


def _counted(compute: Callable[..., Lanes]) -> Callable[[Operands], Step]:
    def step(operands: Operands) -> Step:
        operands.allow("")
        return computed(operands, compute, _u32, operands.formats)

    return step


def _multiplied(operands: Operands) -> Step:
    """mul, mad, and mul24, mad24."""
    operands.allow("lo hi wide cc")
    (of,) = operands.formats
    name = operands.instruction.name
    multiply: Callable[[Lanes, Lanes], Lanes] = wide if operands.has("wide") else high if operands.has("hi") else low
    result = wider(of) if operands.has("wide") else of
    if name.endswith("24"):
        multiply = _product24(operands.has("hi"), of)
    if not name.startswith("mad"):
        return computed(operands, multiply, result, [of, of])
    return computed(operands, lambda a, b, c: multiply(a, b) + c, result, [of, of, result])


def _product24(upper: bool, of: Format) -> Callable[[Lanes, Lanes], Lanes]:
    def cut(a: Lanes) -> Lanes:
        long = a.astype(np.int64)
        return (long << 40 >> 40) if of.kind == "s" else long & 0xFFFFFF

    return lambda a, b: (cut(a) * cut(b) >> (16 if upper else 0)).astype(of.dtype)


def _with_carry(operands: Operands) -> Step:
    """add.cc, addc, sub.cc, subc, mad.cc, madc: whole additions with the carry that stands (9.7.2)."""
    operands.allow("cc lo hi")
    (of,) = operands.formats
    name = operands.instruction.name
    raw: Any = of.raw.type
    target = operands.target(operands.instruction.operands[0], FORMATS[f"u{of.bits}"])
    sources = operands.sources(operands.instruction.operands[1:], of)
    takes, gives, subtracts = name.endswith("c"), operands.has("cc"), name.startswith("sub")

    def step(m: Machine, active: Active) -> None:
        values = [np.broadcast_to(source(m), (m.size,)) for source in sources]
        if len(values) == 3:
            values = [(high if operands.has("hi") else low)(values[0], values[1]), values[2]]
        a, b = (np.ascontiguousarray(value).view(of.raw) for value in values)
        carry = m.carry.astype(of.raw) if takes else np.zeros(m.size, of.raw)
        if subtracts:
            total = a - b - carry
            out = (a < b) | ((a == b) & (carry != raw(0)))
        else:
            total = a + b + carry
            out = (total < a) | ((total == a) & (carry != raw(0)) & (b == ~raw(0)))
        if gives:
            m.carry = np.where(active.mask, out, m.carry)
        target(m, active, total)

    return step


def _sum(compute: Callable[..., Lanes]) -> Callable[[Operands], Step]:
    return lambda operands: _with_carry(operands) if operands.has("cc") else _alike(compute)(operands)


def _product(operands: Operands) -> Step:
    return _with_carry(operands) if operands.has("cc") else _multiplied(operands)


def _bit_field(operands: Operands) -> Step:
    of = operands.formats[0]
    if operands.instruction.name == "bfe":
        return computed(operands, extract, of, [of, _u32, _u32])
    return computed(operands, insert, of, [of, of, _u32, _u32])


def _permuted(operands: Operands) -> Step:
    operands.allow("")
    return computed(operands, permute, _u32, [_u32] * 3)


def _sum_of_differences(operands: Operands) -> Step:
    (of,) = operands.formats
    return computed(operands, _absolute_difference, of, [of, of, of])


INTEGERS: Final[dict[str, Callable[[Operands], Step]]] = {
    "add": _sum(np.add), "sub": _sum(np.subtract), "addc": _with_carry, "subc": _with_carry, "madc": _with_carry,
    "mul": _product, "mad": _product, "mul24": _multiplied, "mad24": _multiplied, "sad": _sum_of_differences,
    "div": _alike(quotient), "rem": _alike(remainder), "min": _alike(np.minimum), "max": _alike(np.maximum),
    "abs": _alike(np.abs), "neg": _alike(np.negative), "not": _alike(np.invert),
    "cnot": _alike(lambda a: (a == 0).astype(a.dtype)),
    "and": _alike(np.bitwise_and), "or": _alike(np.bitwise_or), "xor": _alike(np.bitwise_xor),
    "shl": _shift(shift_left), "shr": _shift(shift_right), "shf": _funnel,
    "popc": _counted(population), "clz": _counted(leading_zeros), "bfind": _counted(highest_bit),
    "brev": _alike(reverse),
    "bfe": _bit_field, "bfi": _bit_field,
    "prmt": _permuted,
    "lop3": lambda operands: computed(operands, look_up, _u32, [_u32] * 4),
}  # fmt: skip
