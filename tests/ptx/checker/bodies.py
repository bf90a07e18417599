# SPDX-License-Identifier: Apache-2.0
"""What stands between the guards of a random stencil and its store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from .traps import happen
from .writer import Array, Writer

_HALO: Final = 8
_MOST_THREADS: Final = 256


class Point(NamedTuple):
    array: Array
    dx: int
    dy: int
    dz: int


def points(w: Writer) -> list[Point]:
    """Some of all combinations, some twice, in order or not."""
    every = [Point(array, dx, dy, dz) for array in w.arrays for dz in w.planes for dy in w.rows for dx in w.deltas]
    found = w.rng.sample(every, min(len(every), w.rng.randint(2, 9)))
    if w.chance(0.6):
        found.sort(key=every.index)
    if w.chance(0.15):
        found.append(w.rng.choice(found))
    return found


def straight(w: Writer) -> None:
    chosen = points(w)
    due = [(w.rng.randint(0, len(chosen)), event) for event in w.events]
    late = w.chance(0.5)
    w.pending = []
    for number, point in enumerate(chosen):
        for at, event in due:
            if at == number:
                happen(w, event)
        values = w.load(point.array, w.place(*point))
        w.pending.append((point.array, values))
        if not late:
            w.settle()
    for at, event in due:
        if at == len(chosen):
            happen(w, event)
    if due and w.chance(0.5):  # what came before, once more
        point = w.rng.choice(chosen)
        w.pending.append((point.array, w.load(point.array, w.place(*point))))
    w.settle()


def _trips(w: Writer) -> str:
    text = w.text
    if not w.divergent_loop:
        most = w.rng.choice((1, 2, 3))
        return w.number(lambda extent: most) if w.chance(0.5) else text.make("r", "mov.u32", most)
    bits = text.make("r", "and.b32", w.special("tid.x"), w.rng.choice((1, 2)))
    return text.make("r", "add.s32", bits, 1)


def loop(w: Writer) -> None:
    """Over rows, or to the right, by addresses or by indices that grow."""
    text, carried = w.text, w.body == "carried"
    by_index = w.chance(0.4)
    size = {array.element.size for array in w.arrays}
    e = text.make("r", "mov.u32", w.index_of(0, 0)) if by_index else ""
    step = w.pitches["pitch"] if w.dimensions > 1 else str(w.rng.choice((1, 1, 2, 16)))
    addresses: list[str] = []
    strides: dict[int, str] = {}
    if not by_index:
        for array in w.arrays:
            addresses.append(text.make("rd", "mov.u64", w.place(array, 0, 0, 0).strip("[]")))
        for each in sorted(size):
            wide = text.make("r", "mov.u32", step)
            strides[each] = text.make("rd", "mul.wide.s32", wide, each)
    before = [w.fresh(array, filled=True) for array in w.arrays] if carried else []
    trips, iteration, again = _trips(w), text.make("r", "mov.u32", 0), text.label()
    text.at(again)
    w.pending = []
    for number, array in enumerate(w.arrays):
        address = addresses[number] if addresses else text.make(
            "rd", "add.s64", array.base, text.make("rd", "mul.wide.s32", e, array.element.size)
        )  # fmt: skip
        values: list[str] = []
        for dx in w.deltas:
            offset = dx * array.element.size
            values = w.load(array, f"[{address}{f'+{offset}' if offset else ''}]")
            w.pending.append((array, values))
            if w.events and w.chance(0.3):
                happen(w, w.events[0])
        if carried:
            w.pending.append((array, before[number]))
            w.settle()
            _carry(w, array, values, before[number])
    w.settle()
    for number, array in enumerate(w.arrays):
        if addresses:
            text.do("add.s64", addresses[number], addresses[number], strides[array.element.size])
    if by_index:
        text.do("add.s32", e, e, step)
    text.do("add.s32", iteration, iteration, 1)
    text.do("bra", again, guard=f"@{text.make('p', 'setp.lt.s32', iteration, trips)}")


def _carry(w: Writer, array: Array, values: list[str], before: list[str]) -> None:
    kind = w.move(array)
    for old, value in zip(before, values, strict=True):
        w.text.do(kind, old, value)


def shared(w: Writer) -> None:
    """A tile of an array is copied to shared memory, with a halo; a barrier; then neighbours are read from there."""
    text, array = w.text, w.arrays[0]
    size = array.element.size
    text.shared.append(f"\t.shared .align 16 .b8 tile[{(_MOST_THREADS + 2 * _HALO) * size}];")
    lane = w.thread_in_block()
    threads = w.threads_in_block()
    total = text.make("r", "add.s32", threads, 2 * _HALO)
    tile = text.make("r", "mov.u32", "tile")
    at, again, done = text.make("r", "mov.u32", lane), text.label(), text.label()
    text.at(again)
    text.do("bra", done, guard=f"@{text.make('p', 'setp.ge.s32', at, total)}")
    e = text.make("r", "add.s32", at, w.special("ctaid.x"))
    address = text.make("rd", "add.s64", array.base, text.make("rd", "mul.wide.s32", e, size))
    values = w.load(array, f"[{address}]")
    operand = values[0] if len(values) == 1 else f"{{{', '.join(values)}}}"
    text.do(f"st.shared.{array.element.suffix.replace('s8', 'u8')}", f"[{w.in_tile(tile, at, size)}]", operand)
    text.do("add.s32", at, at, threads)
    text.do("bra.uni", again)
    text.at(done)
    text.do("bar.sync", 0)
    w.guards()
    w.pending = []
    base = w.in_tile(tile, lane, size)
    for dx in w.deltas:
        if abs(dx) <= _HALO:
            w.pending.append((array, w.load(array, f"[{base}+{(dx + _HALO) * size}]", "shared")))
    if array.element.bytes == 4 and array.element.count == 1 and w.chance(0.5):
        w.settle()
        w.traps.append("stores to shared memory")
        text.do("bar.sync", 0)
        text.do(f"st.shared.{'f32' if w.in_floats else 'b32'}", f"[{base}+{_HALO * size}]", w.sum)
        text.do("bar.sync", 0)
        for dx in w.rng.sample((-1, 0, 1, 2), 2):
            w.pending.append((array, w.load(array, f"[{base}+{(dx + _HALO) * size}]", "shared")))
    for point in points(w)[:3]:
        w.pending.append((point.array, w.load(point.array, w.place(*point))))
    w.settle()


BODIES: Final[dict[str, Callable[[Writer], None]]] = {
    "straight": straight, "loop": loop, "carried": loop, "shared": shared,
}  # fmt: skip
