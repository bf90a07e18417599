# SPDX-License-Identifier: Apache-2.0
"""What may happen between two loads of a random stencil, after which the second one is not what it seems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from .indices import condition
from .launches import Extent
from .writer import Array, Element, Writer


def _maybe_the_same(w: Writer, length: Callable[[Extent], int]) -> tuple[Array, str]:
    """An array to load from, and the address of one to store to, which in some launches is the same array."""
    array = Array(Element("f32", "f", 4) if w.in_floats else Element("b32", "r", 4))
    key = f"cells {len(w.makers)}"

    def first(extent: Extent, made: dict[str, Any], rng: np.random.Generator) -> Any:
        made[key] = (rng.random(length(extent)) * 100).astype(array.element.dtype)
        return made[key]

    def second(extent: Extent, made: dict[str, Any], rng: np.random.Generator) -> Any:
        return made[key] if rng.random() < 0.6 else np.zeros(length(extent), array.element.dtype)

    array.base = w.pointer(first)
    return array, w.pointer(second)


def _cell(w: Writer, base: str, index: str) -> str:
    return w.text.make("rd", "add.s64", base, w.text.make("rd", "mul.wide.u32", index, 4))


def _own(w: Writer, change: Callable[[str, str], None]) -> None:
    """A thread's own cell is read, changed by another name, and read again."""
    array, other = _maybe_the_same(w, lambda extent: extent.threads)
    index = w.flat_thread()
    here, there = _cell(w, array.base, index), _cell(w, other, index)
    w.pending.append((array, w.load(array, f"[{here}]", way="")))
    w.settle()
    change(there, w.sum)
    w.pending.append((array, w.load(array, f"[{here}]", way="")))


def _store(w: Writer) -> None:
    kind = "f32" if w.in_floats else "b32"
    _own(w, lambda there, value: w.text.do(f"st.global.{kind}", f"[{there}]", value))


def _atomic(w: Writer) -> None:
    kind = "f32" if w.in_floats else "u32"

    def change(there: str, value: str) -> None:
        if w.chance(0.5):
            w.text.do(f"red.global.add.{kind}", f"[{there}]", value)
        else:
            w.text.make("f" if w.in_floats else "r", f"atom.global.add.{kind}", f"[{there}]", value)

    _own(w, change)


def _exchange(w: Writer) -> None:
    """Neighbours' cells are read, each thread changes its own between two barriers, and they are read again."""
    text, room = w.text, 48
    array, other = _maybe_the_same(w, lambda extent: extent.threads + room * (extent.threads // _threads(extent) + 1))
    size = text.make("r", "add.s32", w.threads_in_block(), room)
    index = text.make("r", "mad.lo.s32", w.flat_block(), size, w.thread_in_block())
    here, there = _cell(w, array.base, index), _cell(w, other, index)
    for dx in w.rng.sample((0, 1, 2), 2):
        w.pending.append((array, w.load(array, f"[{here}+{4 * dx}]", way="")))
    w.settle()
    text.do("bar.sync", 0)
    text.do(f"st.global.{'f32' if w.in_floats else 'b32'}", f"[{there}]", w.sum)
    text.do("bar.sync", 0)
    for dx in w.rng.sample((0, 1, 2), 2):
        w.pending.append((array, w.load(array, f"[{here}+{4 * dx}]", way="")))


def _threads(extent: Extent) -> int:
    x, y, z = extent.block
    return x * y * z


def _barrier(w: Writer) -> None:
    w.text.do("bar.sync", 0)


def _some_place(w: Writer) -> tuple[Array, str]:
    array = w.rng.choice(w.arrays)
    return array, w.place(array, w.rng.choice(w.deltas), w.rng.choice(w.rows), w.rng.choice(w.planes))


def _volatile(w: Writer) -> None:
    array, place = _some_place(w)
    way = w.rng.choice((".volatile", ".relaxed")) if array.element.count == 1 else ".volatile"
    w.pending.append((array, w.load(array, place, way=way)))


def _exit(w: Writer) -> None:
    w.text.do(w.rng.choice(("ret", "exit")), guard=f"@{condition(w)}")


def _load_in_a_diamond(w: Writer) -> None:
    """Some threads load, and the others don't, or from elsewhere."""
    text, array = w.text, w.rng.choice(w.arrays)
    values = w.fresh(array, filled=True)
    predicate, other, end = condition(w), text.label(), text.label()
    text.do("bra", other, guard=f"@{predicate}")
    with w.aside():
        w.load(array, _place_in(w, array), into=values)
    if w.chance(0.5):
        text.do("bra.uni", end)
        text.at(other)
        with w.aside():
            w.load(array, _place_in(w, array), into=values)
    else:
        text.at(other)
    text.at(end)
    w.pending.append((array, values))


def _place_in(w: Writer, array: Array) -> str:
    return w.place(array, w.rng.choice(w.deltas), w.rng.choice(w.rows), w.rng.choice(w.planes))


def _predicated(w: Writer) -> None:
    array, place = _some_place(w)
    values = w.fresh(array, filled=True)
    w.load(array, place, guard=f"@{w.rng.choice(('', '!'))}{condition(w)}", into=values)
    w.pending.append((array, values))


def _overwritten_value(w: Writer) -> None:
    """The register of a load gets something else, after its value was used."""
    if not w.pending:
        array, place = _some_place(w)
        w.pending.append((array, w.load(array, place)))
    array, values = w.pending[-1]
    w.settle()
    if any(array is each for each in w.arrays) and w.chance(0.5):  # the cells of another trap are no such array
        w.load(array, _place_in(w, array), into=values)
    else:
        kind, register = array.element.register, values[0]
        opcode = {"f": "add.f32", "fd": "add.f64", "r": "add.s32", "rd": "add.s64", "rs": "add.s16"}[kind]
        one = {"f": "0f3F800000", "fd": "0d3FF0000000000000"}.get(kind, "1")
        w.text.do(opcode, register, register, one)
    w.pending.append((array, values))


def _overwritten_address(w: Writer) -> None:
    array, place = _some_place(w)
    register = place.strip("[]").split("+")[0]
    w.pending.append((array, w.load(array, place)))
    w.text.do("add.s64", register, register, w.rng.choice((1, -1, 2)) * array.element.size)
    w.pending.append((array, w.load(array, place)))
    array.addresses.clear()


_HAPPENINGS: Final[dict[str, Callable[[Writer], None]]] = {
    "store": _store, "exchange": _exchange, "atomic": _atomic, "barrier": _barrier, "volatile": _volatile,
    "exit": _exit, "load in a diamond": _load_in_a_diamond, "predicated": _predicated,
    "overwritten value": _overwritten_value, "overwritten address": _overwritten_address,
}  # fmt: skip


def happen(w: Writer, event: str) -> None:
    _HAPPENINGS[event](w)
