# SPDX-License-Identifier: Apache-2.0
"""Writes a random stencil: what it chooses, its guards, and how compilers come from an index to an address."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from .launches import BLOCKS, Extent
from .text import Text


@dataclass(frozen=True, slots=True)
class Element:
    """What one load of an array brings: `count` values of type `name`, in registers `register`."""

    name: str
    register: str
    bytes: int
    count: int = 1

    @property
    def size(self) -> int:
        return self.bytes * self.count

    @property
    def suffix(self) -> str:
        return f"{f'v{self.count}.' if self.count > 1 else ''}{self.name}"

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(self.name.replace("s", "i").replace("b", "u").translate({ord(a): None for a in "0123456789"})
                        + str(self.bytes))  # fmt: skip


_ELEMENTS: Final = (
    (10, Element("f32", "f", 4)), (3, Element("s32", "r", 4)), (1, Element("u32", "r", 4)), (1, Element("b32", "r", 4)),
    (3, Element("f64", "fd", 8)), (1, Element("u64", "rd", 8)),
    (2, Element("f32", "f", 4, 2)), (1, Element("f32", "f", 4, 4)), (1, Element("s32", "r", 4, 2)),
    (1, Element("u8", "rs", 1)), (1, Element("s8", "rs", 1)), (1, Element("u16", "rs", 2)), (1, Element("s16", "r", 2)),
)  # fmt: skip
_INDICES: Final = (
    "strided", "reversed", "tid & 31", "tid rem n", "tid * tid", "tid >> 1", "tid ^ 1", "tid.y", "laneid", "looked up",
    "offset by a diamond", "offset by selp", "scaled by a parameter", "block of warps",
)  # fmt: skip
_EVENTS: Final = (
    "store", "exchange", "atomic", "barrier", "volatile", "exit", "load in a diamond", "predicated",
    "overwritten value", "overwritten address",
)  # fmt: skip
_STYLES: Final = ("folded s32", "added s32", "folded u32", "added u32", "wide", "mixed", "mixed")
_BITS: Final = {"rs": 16, "r": 32, "f": 32, "rd": 64, "fd": 64}
_ONES: Final = {"f": "0f3F800000", "fd": "0d3FF0000000000000"}
_ORIGIN: Final = 96
_ROWS: Final = 4
"""Rows and planes that a load is away at most, those of a loop included."""


Maker = Callable[[Extent, dict[str, Any], np.random.Generator], Any]
"""Makes an argument of a launch. The dictionary is the launch's own, for arguments that have to do with one another."""


@dataclass(slots=True)
class Array:
    element: Element
    base: str = ""
    """The register with its address."""
    addresses: dict[tuple[int, int, int, str], str] = field(default_factory=dict[tuple[int, int, int, str], str])


class Writer:
    """Writes one kernel. `plain`: two loads at one address register are neighbours, and
    nothing is between them but, in half of the kernels, a use of the first one's register for something else."""

    def __init__(self, seed: int, plain: bool = False) -> None:
        self.seed = seed
        self.rng = random.Random(seed)
        self.plain = plain
        self.text = Text()
        self.traps: list[str] = []
        self.makers: list[Maker] = []
        """Of each argument."""
        self.pitches: dict[str, str] = {}
        """Registers with the elements from row to row, and from plane to plane."""
        self.out = ""
        self.pending: list[tuple[Array, list[str]]] = []
        """What was loaded, and is not in the sum yet."""
        self._caches: dict[tuple[str, ...], str] = {}
        self._choose()
        self.way = self.rng.choice(("", "", ".nc")) if not plain else ""

    # -- choices ------------------------------------------------------------------------------------------------

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def _choose(self) -> None:
        rng = self.rng
        self.dimensions = rng.choice((1, 1, 2, 2, 3))
        self.rows_first = self.dimensions > 1 and self.chance(0.3)
        self.style = rng.choice(_STYLES) if not self.plain else rng.choice(("folded s32", "folded u32", "wide"))
        self.index = rng.choice(_INDICES) if not self.plain and self.chance(0.35) else "i"
        if self.index != "i":
            self.traps.append(self.index)
        if self.index in ("tid & 31", "tid rem n", "tid * tid", "tid >> 1", "tid ^ 1", "laneid"):
            self.rows_first = False
        self.origin = "u32" in self.style or self.style == "mixed" or self.chance(0.4)
        self.body = rng.choices(("straight", "loop", "carried", "shared"), (6, 2, 1, 1.5))[0]
        if self.plain:
            self.body = "straight"
        if self.body == "carried":
            self.traps.append("carried by a loop")
        self.divergent_loop = self.body in ("loop", "carried") and self.chance(0.3)
        if self.divergent_loop:
            self.traps.append("divergent loop")
        weights, elements = zip(*_ELEMENTS, strict=True)
        kinds = rng.choices(elements, weights, k=rng.randint(1, 4))
        if self.plain:
            kinds = [Element("f32", "f", 4) if self.chance(0.7) else Element("s32", "r", 4) for _ in kinds[:2]]
        elif self.chance(0.6):
            kinds = [kinds[0]] * len(kinds)
        self.arrays = [Array(kind) for kind in kinds]
        self.in_floats = all(kind.name == "f32" for kind in kinds)
        self.events: list[str] = []
        if not self.plain and self.body == "straight" and self.chance(0.45):
            self.events = rng.sample(_EVENTS, rng.choice((1, 1, 1, 2)))
        elif not self.plain and self.body != "shared" and self.chance(0.2):
            self.events = [rng.choice(("volatile", "predicated", "overwritten value"))]
        if self.plain and self.chance(0.5):
            self.events = ["overwritten value"]
        self.traps += self.events
        self.own_out = (
            self.index != "i" or bool(self.events) or self.divergent_loop or self.body == "shared" or self.chance(0.6)
        )
        self.block = rng.choice(BLOCKS) if self.chance(0.15) else None
        self.deltas = sorted(rng.sample(self._offsets(), rng.randint(2, 5)))
        self.rows = rng.sample(range(-2, 3), rng.randint(1, 3)) if self.dimensions > 1 else [0]
        self.planes = rng.sample(range(-2, 3), rng.randint(1, 2)) if self.dimensions > 2 else [0]

    def _offsets(self) -> list[int]:
        rng = self.rng
        near = rng.choice((1, 2, 2, 4, 8, 31, 40))
        found = list(range(-near, near + 1))
        if len(found) < 5:
            found += rng.choice(([3, 4], [3, 100]))
        if self.index == "strided":
            found = [2 * offset for offset in found if abs(offset) < 48] + [1]
        return found

    # -- parameters and indices ---------------------------------------------------------------------------------

    def pointer(self, make: Maker) -> str:
        name = self.text.parameter("u64")
        self.makers.append(make)
        address = self.text.make("rd", "ld.param.u64", f"[{name}]")
        return self.text.make("rd", "cvta.to.global.u64", address)

    def number(self, value: Callable[[Extent], int]) -> str:
        name = self.text.parameter("u32")
        self.makers.append(lambda extent, made, rng: value(extent))
        return self.text.make("r", "ld.param.u32", f"[{name}]")

    def once(self, key: tuple[str, ...], make: Callable[[], str]) -> str:
        if key not in self._caches:
            self._caches[key] = make()
        return self._caches[key]

    def special(self, name: str) -> str:
        return self.once((name,), lambda: self.text.make("r", "mov.u32", f"%{name}"))

    def _global(self, block: str, axis: str) -> str:
        return self.text.make(
            "r", "mad.lo.s32", self.special(f"ctaid.{block}"), self.special(f"ntid.{axis}"), self.special(f"tid.{axis}")
        )

    def positions(self) -> None:
        """Those of the point: i, y and z, "" where there are none. `x` is what stands for i in addresses."""
        if self.rows_first:
            self.i = self._global("y", "x")
            self.y, self.z = self.special("ctaid.x"), self.special("ctaid.z") if self.dimensions > 2 else ""
        else:
            self.i = self._global("x", "x")
            self.y = self._global("y", "y") if self.dimensions > 1 else ""
            self.z = self._global("z", "z") if self.dimensions > 2 else ""
        self.x = self.i

    def guards(self) -> None:
        """Leaves out the points beyond n and m."""
        text, rng = self.text, self.rng
        self.end = text.label()
        if self.chance(0.15):
            return
        beyond = rng.choice((0, 0, 1, 3, 17, -9))
        conditions: list[tuple[str, str, str | int]] = [
            ("setp.ge.s32", self.i, self.number(lambda extent: max(extent.x - beyond, 1)))
        ]
        if self.chance(0.4):
            conditions.append(("setp.lt.s32", self.i, rng.choice((1, 1, 2, 5))))
        if self.y and self.chance(0.7):
            conditions.append(("setp.ge.s32", self.y, self.number(lambda extent: max(extent.y - 1, 1))))
        out = [text.make("p", *condition) for condition in conditions]
        if self.chance(0.5):
            while len(out) > 1:
                out = [text.make("p", "or.pred", out[0], out[1]), *out[2:]]
        for predicate in out:
            if self.chance(0.3):
                inside = text.label()
                text.do("bra", inside, guard=f"@!{predicate}")
                text.do("bra.uni", self.end)
                text.at(inside)
            elif self.chance(0.3):
                text.do("ret", guard=f"@{predicate}")
            else:
                text.do("bra", self.end, guard=f"@{predicate}")

    # -- addresses ----------------------------------------------------------------------------------------------

    def index_of(self, dy: int, dz: int) -> str:
        """The index of the point that is dy rows and dz planes away, in 32 bits."""
        text = self.text

        def here() -> str:
            e = text.make("r", "add.s32", self.x, _ORIGIN) if self.origin else self.x
            for axis, pitch in ((self.y, "pitch"), (self.z, "plane")):
                if axis:
                    far = text.make("r", "add.s32", axis, _ROWS) if self.origin else axis
                    e = text.make("r", "mad.lo.s32", far, self.pitches[pitch], e)
            return e

        def moved() -> str:
            e = self.once(("e", "0", "0"), here)
            for distance, pitch in ((dy, "pitch"), (dz, "plane")):
                for _ in range(abs(distance)):
                    e = text.make("r", "add.s32" if distance > 0 else "sub.s32", e, self.pitches[pitch])
            return e

        return self.once(("e", str(dy), str(dz)), moved)

    def _extended(self, e: str, size: int, unsigned: bool) -> str:
        text, sign = self.text, "u" if unsigned else "s"
        if self.chance(0.15):
            return self._times(text.make("rd", f"cvt.{sign}64.{sign}32", e), size)
        return text.make("rd", f"mul.wide.{sign}32", e, size)

    def _times(self, long: str, size: int) -> str:
        return self.text.make("rd", "shl.b64", long, size.bit_length() - 1) if size > 1 else long

    def _wide_e(self, dy: int, dz: int) -> str:
        """The same index, put together in 64 bits of what is extended by itself."""
        text = self.text

        def here() -> str:
            if self.index == "i" and not self.rows_first and self.chance(0.6):
                tile = text.make("r", "mul.lo.s32", self.special("ctaid.x"), self.special("ntid.x"))
                thread = text.make("rd", "cvt.u64.u32", self.special("tid.x"))
                e = text.make("rd", "add.s64", thread, text.make("rd", "cvt.s64.s32", tile))
            else:
                e = text.make("rd", "cvt.s64.s32", self.x)
            if self.origin:
                e = text.make("rd", "add.s64", e, _ORIGIN)
            for axis, pitch in ((self.y, "pitch"), (self.z, "plane")):
                if axis:
                    far = text.make("r", "add.s32", axis, _ROWS) if self.origin else axis
                    e = text.make("rd", "mad.wide.s32", far, self.pitches[pitch], e)
            return e

        def moved() -> str:
            e = self.once(("wide", "0", "0"), here)
            for distance, pitch in ((dy, "pitch"), (dz, "plane")):
                for _ in range(abs(distance)):
                    step = self.once((pitch,), lambda pitch=pitch: text.make("rd", "cvt.s64.s32", self.pitches[pitch]))
                    e = text.make("rd", "add.s64" if distance > 0 else "sub.s64", e, step)
            return e

        return self.once(("wide", str(dy), str(dz)), moved)

    def place(self, array: Array, dx: int, dy: int, dz: int) -> str:
        """`[...]` of an element."""
        text, size = self.text, array.element.size
        style = self.rng.choice(_STYLES[:5]) if self.style == "mixed" else self.style
        unsigned = style.endswith("u32")
        added = style.startswith("added") or (style == "wide" and not self.plain and self.chance(0.3))
        key = (dx if added else 0, dy, dz, style)

        def address() -> str:
            if style == "wide":
                long = self._wide_e(dy, dz)
                if added and dx:
                    long = text.make("rd", "add.s64", long, dx)
                return text.make("rd", "add.s64", array.base, self._times(long, size))
            e = self.index_of(dy, dz)
            if added and dx:
                e = text.make("r", "add.s32", e, dx)
            return text.make("rd", "add.s64", array.base, self._extended(e, size, unsigned))

        def by_pointer() -> str:
            """From the address of another row, in 64 bits."""
            step = self.once(("step", str(size)), lambda: text.make("rd", "mul.wide.s32", self.pitches["pitch"], size))
            register = array.addresses[(0, dy - 1, dz, style)]
            return text.make("rd", "add.s64", register, step)

        if key not in array.addresses:
            near = not added and (0, dy - 1, dz, style) in array.addresses and not self.plain
            array.addresses[key] = by_pointer() if near and self.chance(0.4) else address()
        offset = 0 if added else dx * size
        return f"[{array.addresses[key]}{f'+{offset}' if offset else ''}]"

    @contextmanager
    def aside(self) -> Generator[None]:
        """For code that not all threads run: nothing that is computed within is taken up behind."""
        caches = (self._caches, [array.addresses for array in self.arrays])
        self._caches = dict(self._caches)
        for array in self.arrays:
            array.addresses = dict(array.addresses)
        yield
        self._caches = caches[0]
        for array, addresses in zip(self.arrays, caches[1], strict=True):
            array.addresses = addresses

    # -- values -------------------------------------------------------------------------------------------------

    def fresh(self, array: Array, filled: bool = False) -> list[str]:
        """Registers for an element, with something in them where asked for."""
        kind = array.element.register
        results = [self.text.new(kind) for _ in range(array.element.count)]
        for result in results if filled else ():
            self.text.do(self.move(array), result, _ONES.get(kind, 5))
        return results

    def load(
        self, array: Array, place: str, space: str = "global", guard: str = "", into: list[str] | None = None,
        way: str | None = None,
    ) -> list[str]:  # fmt: skip
        element = array.element
        results = into or self.fresh(array)
        way = way if way is not None else "" if space != "global" else self.way
        operand = results[0] if len(results) == 1 else f"{{{', '.join(results)}}}"
        if way == ".volatile":
            opcode = f"ld.volatile.{space}.{element.suffix}"
        elif way == ".relaxed":
            opcode = f"ld.relaxed.gpu.{space}.{element.suffix}"
        else:
            opcode = f"ld.{space}{way}.{element.suffix}"
        self.text.do(opcode, operand, place, guard=guard)
        return results

    def mix(self, array: Array, values: list[str]) -> None:
        """The accumulator takes them in, so that another value or another order gives another result."""
        text, rng = self.text, self.rng
        for value in values:
            if self.in_floats:
                weight = f"0f{rng.choice((0x3F000000, 0xBE99999A, 0x3DCCCCCD, 0x3F8CCCCD)):08X}"
                self._take("f", "fma.rn.f32", value, weight, self.sum)
                continue
            bits = _BITS[array.element.register]
            if bits == 16:
                words = [text.make("r", "cvt.u32.u16", value)]
            elif bits == 64:
                words = [text.new("r"), text.new("r")]
                text.do("mov.b64", f"{{{words[0]}, {words[1]}}}", value)
            else:
                words = [text.make("r", "mov.b32", value)] if array.element.register == "f" else [value]
            for word in words:
                self._take("r", "mad.lo.s32", self.sum, rng.choice((31, 16777619, 5)), word)

    def settle(self) -> None:
        for array, values in self.pending:
            self.mix(array, values)
        self.pending = []

    def move(self, array: Array) -> str:
        """The mov of an array's registers."""
        kind = array.element.register
        return f"mov.{'f' if kind[0] == 'f' else 'b'}{_BITS[kind]}"

    def _take(self, kind: str, opcode: str, *operands: str | int) -> None:
        if self.sum_stays:
            self.text.do(opcode, self.sum, *operands)
        else:
            self.sum = self.text.make(kind, opcode, *operands)

    def begin_sum(self) -> None:
        self.sum_stays = self.body in ("loop", "carried")
        self.sum = self.text.make(*(("f", "mov.f32", "0f3F800000") if self.in_floats else ("r", "mov.u32", 1)))

    # -- the whole ----------------------------------------------------------------------------------------------

    def _flat(self, *kinds: tuple[str, str]) -> str:
        """Indices of three axes as one number, the last first."""
        text, result = self.text, ""
        for name, extent in kinds:
            for axis in "zyx":
                own, size = self.special(f"{name}.{axis}"), self.special(f"{extent}.{axis}")
                result = text.make("r", "mad.lo.s32", result, size, own) if result else own
        return result

    def flat_thread(self) -> str:
        """A number of its own for each thread of the grid."""
        return self.once(("flat thread",), lambda: self._flat(("ctaid", "nctaid"), ("tid", "ntid")))

    def flat_block(self) -> str:
        return self.once(("flat block",), lambda: self._flat(("ctaid", "nctaid")))

    def thread_in_block(self) -> str:
        return self.once(("thread in block",), lambda: self._flat(("tid", "ntid")))

    def threads_in_block(self) -> str:
        x, y, z = (self.special(f"ntid.{axis}") for axis in "xyz")
        return self.text.make("r", "mul.lo.s32", self.text.make("r", "mul.lo.s32", x, y), z)

    def in_tile(self, tile: str, index: str, size: int) -> str:
        """The address of an element in shared memory."""
        text = self.text
        if self.chance(0.5):
            return text.make("r", "mad.lo.s32", index, size, tile)
        return text.make("r", "add.s32", tile, text.make("r", "shl.b32", index, size.bit_length() - 1))

    def store(self) -> None:
        text = self.text
        kind = "f32" if self.in_floats else "b32"
        if self.own_out:
            index = self.flat_thread()
            address = text.make("rd", "add.s64", self.out, text.make("rd", "mul.wide.u32", index, 4))
        else:
            address = text.make("rd", "add.s64", self.out, text.make("rd", "mul.wide.s32", self.index_of(0, 0), 4))
        text.do(f"st.global.{kind}", f"[{address}]", self.sum)

    # -- data ---------------------------------------------------------------------------------------------------

    def pitch(self, extent: Extent) -> int:
        """Elements from row to row, a multiple of 4."""
        return (self._reach(extent) + 3 + self.seed % 3 * 4) // 4 * 4

    def _reach(self, extent: Extent) -> int:
        """How far x gets in addresses."""
        width = extent.block[0]
        if self.body == "shared":
            return max(extent.x + 40 * extent.block[1], width * width, 400)
        return {
            "strided": 2 * extent.x, "tid * tid": width * width, "tid.y": extent.x + 40 * extent.block[1],
            "scaled by a parameter": 2 * extent.x, "block of warps": 40 * (extent.threads // 32 + 2),
            "looked up": extent.x + 8, "laneid": extent.x + 32,
        }.get(self.index, extent.x + 5)  # fmt: skip

    def input(self, array: Array, extent: Extent, rng: np.random.Generator) -> np.ndarray[Any, Any]:
        """An array that all loads stay in; the pointer is somewhere in its midst."""
        pitch = self.pitch(extent) if self.dimensions > 1 else 0
        plane = pitch * (extent.y + 1) if self.dimensions > 2 else 0
        before = 128 + (_ROWS + 1) * (pitch + plane)
        after = before + _ORIGIN + self._reach(extent) + pitch * (extent.y + 2 * _ROWS) + plane * (extent.z + 2 * _ROWS)
        if array.element.dtype.kind == "f":
            whole = (rng.random((before + after) * array.element.count) * 2 - 1).astype(array.element.dtype)
        else:
            octets = rng.bytes((before + after) * array.element.size)
            whole = np.frombuffer(octets, array.element.dtype).copy()
        return whole[before * array.element.count :]
