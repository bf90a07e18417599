# SPDX-License-Identifier: Apache-2.0
"""Random affine nests, the bytes they touch by brute force, and a check of a plan against them.

`python -m tests.transfer.nests 1000` checks that many and prints the worst ratio of bytes copied to bytes touched.
"""

import random
import sys
from collections.abc import Iterator
from typing import Literal

import numpy as np

from lanewise.transfer.affine import AffineForm, form
from lanewise.transfer.nest import ArrayReference, HostArray, LoopRange
from lanewise.transfer.perform import pack_in, unpack_out
from lanewise.transfer.plan import NestPlan, plan

ORIGIN = 4096
ACCESSES: list[Literal["read", "write", "update"]] = ["read", "read", "write", "update"]
Loops = tuple[LoopRange, ...]


def iterations(loops: Loops, values: dict[str, int] | None = None) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
    """The variables and the normal counters of each iteration, by running the loops."""

    def run(level: int, values: dict[str, int], counters: dict[str, int]):
        if level == len(loops):
            yield values, counters
            return
        loop = loops[level]
        for n, value in enumerate(range(form(loop.lower).at(values), form(loop.upper).at(values), loop.step)):
            yield from run(level + 1, {**values, loop.name: value}, {**counters, loop.name: n})

    return run(0, {}, {})


def _around(loops: Loops, reference: ArrayReference) -> Loops:
    return tuple(loop for loop in loops if reference.around is None or loop.name in reference.around)


def byte_sets(loops: Loops, references: list[ArrayReference]) -> tuple[set[int], set[int], set[int]]:
    """Bytes touched, bytes whose old values are needed, bytes written."""
    needed: set[int] = set()
    written: set[int] = set()
    for reference in references:
        address = reference.address()
        assert address is not None
        touched = {
            address.at(values) + part
            for values, _ in iterations(_around(loops, reference))
            for part in range(reference.array.itemsize)
        }
        if reference.needs_old_value:
            needed |= touched
        if reference.writes:
            written |= touched
    return needed | written, needed, written


def check(loops: Loops, references: list[ArrayReference], made: NestPlan) -> float:
    """Check injectivity, coverage and the round trip; return bytes copied over bytes touched."""
    _, needed, written = byte_sets(loops, references)
    rng = np.random.default_rng(1)
    end = max(reference.array.interval()[1] for reference in references)
    memory = rng.integers(0, 256, end - ORIGIN, dtype=np.uint8)
    before = memory.copy()
    grouped = {number for group in made.groups for number in group.references}
    for number, reference in enumerate(references):
        if number not in grouped:
            assert not any(True for _ in iterations(_around(loops, reference))), "a reference has no buffer"
    expected = before.copy()
    for group in made.groups:
        buffer = np.full(group.size, 0xAA, dtype=np.uint8)
        pack_in(group, memory, ORIGIN, buffer)
        home: dict[int, int] = {}
        for number, packed in zip(group.references, group.addresses, strict=True):
            reference = references[number]
            address = reference.address()
            assert address is not None
            assert packed is not None
            for values, counters in iterations(_around(loops, reference)):
                host, device = address.at(values), packed.at(counters)
                assert device % reference.array.itemsize == host % reference.array.itemsize, "an element not aligned"
                view = group.views.get(reference.array.name)
                if view is not None:
                    places = [form(each).at(values) for each in reference.subscripts or ()]
                    assert device == view.offset + sum(p * s for p, s in zip(places, view.strides, strict=True))
                for part in range(reference.array.itemsize):
                    assert home.setdefault(host + part, device + part) == device + part, "two places of one byte"
        places = list(home.values())
        assert len(set(places)) == len(places), "two bytes meet"
        assert all(0 <= place < group.size for place in places)
        for host, device in home.items():
            if host in needed:
                assert buffer[device] == before[host - ORIGIN]
            if host in written:
                buffer[device] = expected[host - ORIGIN] = (host * 7 + 3) % 256
        unpack_out(group, memory, ORIGIN, buffer)
        if group.kind == "packed":  # the paper's count, of the whole packed buffer, each way
            assert all(sum(c.bytes for c in side) <= group.size for side in (group.copies_in, group.copies_out))
    assert (memory == expected).all(), "bytes differ after the copy out"
    union = len(needed) + len(written)
    assert made.bytes_in >= len(needed)
    assert made.bytes_out >= len(written)
    return (made.bytes_in + made.bytes_out) / union if union else 1.0


def nest(seed: int) -> tuple[Loops, list[ArrayReference]]:
    """A nest of one to three loops, some triangular or stepped, with one to four references to one or two arrays."""
    rng = random.Random(seed)
    loops: list[LoopRange] = []
    for level in range(rng.randint(1, 3)):
        upper: AffineForm | int = rng.randint(0 if rng.random() < 0.05 else 1, 7)
        lower: AffineForm | int = rng.choice([0, 0, 0, -2, 1])
        step = rng.choice([1, 1, 1, 1, 2, -1, -2])
        if level and rng.random() < 0.3:
            outer = rng.choice(loops).name
            upper = AffineForm(rng.randint(-2, 4), ((outer, rng.choice([1, 1, -1, 2])),))
        if step < 0:
            lower, upper = upper, lower
        loops.append(LoopRange("ijk"[level], upper, lower, step))
    points = _points(loops)
    references: list[ArrayReference] = []
    address = ORIGIN
    for name in "ab"[: rng.randint(1, 2)]:
        rank = rng.randint(1, 3)
        chosen: list[tuple[list[AffineForm], tuple[str, ...] | None]] = []
        for _ in range(rng.randint(1, 3)):
            subscripts: list[AffineForm] = []
            for _ in range(rank):
                count = rng.choice([0, 1, 1, 1, 2])
                terms = {rng.choice(loops).name: rng.choice([1, 1, 1, 2, -1, 3]) for _ in range(count)}
                subscripts.append(AffineForm(rng.randint(-2, 2), tuple(terms.items())))
            around = _some_around(rng, loops, subscripts) if rng.random() < 0.3 else None
            chosen.append((subscripts, around))
        reached = [
            [each.at(point) for each in subscripts]
            for subscripts, around in chosen
            for point in (points if around is None else _points([each for each in loops if each.name in around]))
        ]
        low = [min(place[d] for place in reached) for d in range(rank)]
        high = [max(place[d] for place in reached) for d in range(rank)]
        shape = tuple(h - lo + 1 + rng.randint(0, 2) for lo, h in zip(low, high, strict=True))
        itemsize = rng.choice([1, 4, 8])
        strides, size = [0] * rank, itemsize
        for d in rng.sample(range(rank), rank):
            strides[d] = size * rng.choice([1, 1, -1])
            size *= shape[d]
        start = address + sum(-s * (n - 1) for s, n in zip(strides, shape, strict=True) if s < 0)
        array = HostArray(name, start, shape, tuple(strides), itemsize)
        for subscripts, around in chosen:
            moved = tuple(s.plus(-lo) for s, lo in zip(subscripts, low, strict=True))
            access = rng.choice(ACCESSES)
            references.append(ArrayReference(array, moved, access, rng.random() < 0.2, around))
        address += rng.choice([size, size, size // 2 // itemsize * itemsize])
        address += -address % 8
    return tuple(loops), references


def _points(loops: list[LoopRange]) -> list[dict[str, int]]:
    """The loops' variables in each iteration; zeros if there is none."""
    return [values for values, _ in iterations(tuple(loops))] or [dict.fromkeys("ijk", 0)]


def _some_around(rng: random.Random, loops: list[LoopRange], subscripts: list[AffineForm]) -> tuple[str, ...]:
    """The loops that subscripts name, those that the bounds of these name, and some others."""
    names = {name for each in subscripts for name, _ in each.terms}
    for loop in reversed(loops):
        if loop.name in names or rng.random() < 0.3:
            names |= {loop.name, *(name for bound in (loop.lower, loop.upper) for name, _ in form(bound).terms)}
    return tuple(loop.name for loop in loops if loop.name in names)


def worst(count: int) -> float:
    return max(
        check(*made, plan(*made, strided=strided)) for made in map(nest, range(count)) for strided in (False, True)
    )


if __name__ == "__main__":
    print(worst(int(sys.argv[1])))
