# SPDX-License-Identifier: Apache-2.0
"""Expectations of intrinsics on the halfwords and bytes of words, DPX, and dot products, in 64-bit NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..case import Arguments, Array, Launch, Table
from .cases_floats import to_each
from .cases_integers import columns

TABLE = Table(__file__)


def words(launch: Launch, rng: np.random.Generator) -> Array:
    """Any bits, with parts that are 0, the greatest, or the least number."""
    any_bits = rng.integers(0, 1 << 32, launch.size, np.uint32)
    ends = rng.choice(np.array([0, 1, 0x7F, 0x80, 0xFF], np.uint8), (launch.size, 4)).view(np.uint32)[:, 0]
    return np.where(rng.integers(0, 2, launch.size) == 0, any_bits, ends)


class Parts:
    """The parts of words as signed and unsigned numbers with room to compute in."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.low, self.high, self.mask = -(1 << bits - 1), (1 << bits - 1) - 1, (1 << bits) - 1

    def of(self, array: Array) -> tuple[Array, Array]:
        unsigned = array.view(f"u{self.bits // 8}").reshape(array.size, -1)
        return unsigned.view(f"i{self.bits // 8}").astype(np.int64), unsigned.astype(np.int64)

    def word(self, parts: Any) -> Array:
        """Parts put together, each cut to its size."""
        return (np.asarray(parts, np.int64) & self.mask).astype(f"u{self.bits // 8}").reshape(-1).view(np.uint32)

    def signed_clip(self, parts: Array) -> Array:
        return np.clip(parts, self.low, self.high)

    def unsigned_clip(self, parts: Array) -> Array:
        return np.clip(parts, 0, self.mask)


def in_parts(parts: Parts, given: Arguments) -> Array:
    (a, ua), (b, ub) = parts.of(given["a"]), parts.of(given["b"])
    clip, unsigned_clip = parts.signed_clip, parts.unsigned_clip
    results = [
        a + b, clip(a + b), unsigned_clip(ua + ub), a - b, clip(a - b), unsigned_clip(ua - ub), -a, clip(-a),
        np.abs(a), clip(np.abs(a)), np.abs(a - b), np.abs(ua - ub),
        (a + b + (a + b >= 0)) >> 1, (ua + ub + 1) >> 1, (ua + ub) >> 1,
        np.maximum(a, b), np.maximum(ua, ub), np.minimum(a, b), np.minimum(ua, ub),
    ]  # fmt: skip
    listed = [parts.word(result) for result in results]
    listed += [np.abs(a - b).sum(axis=1), np.abs(ua - ub).sum(axis=1)]
    for truth in (a == b, a != b, a >= b, ua >= ub, a > b, ua > ub, a <= b, ua <= ub, a < b, ua < ub):
        listed += [parts.word(-truth.astype(np.int64)), parts.word(truth)]
    return columns(*listed)


@TABLE.case("words.cu", to_each({"out": ("u4", 41)}, a=words, b=words))
def halfwords(launch: Launch, given: Arguments):
    return {"out": in_parts(Parts(16), given)}


@TABLE.case("words.cu", to_each({"out": ("u4", 41)}, a=words, b=words))
def bytes(launch: Launch, given: Arguments):
    return {"out": in_parts(Parts(8), given)}


@TABLE.case("words.cu", to_each({"out": ("u4", 44)}, a=words, b=words, c=words))
def dynamic_programming(launch: Launch, given: Arguments):
    whole, halves = Parts(32), Parts(16)
    names = ("a", "b", "c")
    (a, ua), (b, ub), (c, uc) = (whole.of(given[name]) for name in names)
    (p, up), (q, uq), (r, ur) = (halves.of(given[name]) for name in names)

    def wrapped(parts: Parts, total: Array, signed: bool) -> Array:
        total = total & parts.mask
        return total - ((total >> parts.bits - 1) << parts.bits) if signed else total

    def of(ext: Callable[[Array, Array], Array], first: Callable[[Array, Array], Array]) -> list[Array]:
        sums = {
            "s32": ext(wrapped(whole, a + b, True), c), "u32": ext(wrapped(whole, ua + ub, False), uc),
            "s16": ext(wrapped(halves, p + q, True), r), "u16": ext(wrapped(halves, up + uq, False), ur),
        }  # fmt: skip
        three, three_halves = ext(ext(a, b), c), ext(ext(p, q), r)
        signed, unsigned = first(p, q), first(up, uq)
        return [
            whole.word(three), whole.word(ext(ext(ua, ub), uc)), halves.word(three_halves),
            halves.word(ext(ext(up, uq), ur)), whole.word(np.maximum(three, 0)),
            halves.word(np.maximum(three_halves, 0)), whole.word(np.maximum(ext(a, b), 0)),
            halves.word(np.maximum(ext(p, q), 0)), whole.word(sums["s32"]), whole.word(sums["u32"]),
            halves.word(sums["s16"]), halves.word(sums["u16"]), whole.word(np.maximum(sums["s32"], 0)),
            halves.word(np.maximum(sums["s16"], 0)), whole.word(ext(a, b)), first(a, b)[:, 0], whole.word(ext(ua, ub)),
            first(ua, ub)[:, 0], halves.word(ext(p, q)), signed[:, 1] + 2 * signed[:, 0], halves.word(ext(up, uq)),
            unsigned[:, 1] + 2 * unsigned[:, 0],
        ]  # fmt: skip

    return {"out": columns(*of(np.maximum, np.greater_equal), *of(np.minimum, np.less_equal))}


@TABLE.case("words.cu", to_each({"out": ("u4", 12)}, a=words, b=words, c=words))
def dot_products(launch: Launch, given: Arguments):
    (a, ua), (b, ub) = (Parts(8).of(given[name]) for name in "ab")
    (p, up), _ = (Parts(16).of(given[name]) for name in "ab")
    c = given["c"].astype(np.int64)
    four, unsigned_four = (a * b).sum(axis=1) + c, (ua * ub).sum(axis=1) + c
    low, unsigned_low = (p * b[:, :2]).sum(axis=1) + c, (up * ub[:, :2]).sum(axis=1) + c
    high, unsigned_high = (p * b[:, 2:]).sum(axis=1) + c, (up * ub[:, 2:]).sum(axis=1) + c
    results = [four, unsigned_four, low, unsigned_low, high, unsigned_high, four, unsigned_four, low, unsigned_high]
    eight = np.concatenate([ua, ub], axis=1)
    results += [_permuted(eight, given["c"]), _permuted(eight, np.full_like(given["c"], 0xFB73))]
    return {"out": columns(*(result & 0xFFFFFFFF for result in results))}


def _permuted(eight: Array, selectors: Array) -> Array:
    """Each nibble of the selector picks one of eight bytes; its top bit spreads the byte's sign."""
    result = np.zeros(selectors.size, np.int64)
    for i in range(4):
        nibble = (selectors >> np.uint32(4 * i)).astype(np.int64) & 15
        byte = np.take_along_axis(eight, (nibble & 7)[:, None], axis=1)[:, 0]
        result |= np.where(nibble & 8, np.where(byte & 128, 255, 0), byte) << 8 * i
    return result
