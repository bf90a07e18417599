# SPDX-License-Identifier: Apache-2.0
"""The state of a launch, and who runs next.

All threads of the grid are lanes of NumPy vectors, warp by warp, the last warp of a block filled up with lanes that
never live. A step runs one basic block for the lanes that stand there, of any number of warps: warps don't depend on
one another's timing, so that is one of the orders that a GPU may take.

Within a warp there are two orders. *In order* the group of lanes that is least far in the text goes first, so lanes
meet again where paths join. *At random* groups part at a divergent branch, any of them goes first, and two at the same
place may meet again or not: PTX promises nothing of that, and correct programs don't rest on it. In half of these runs
one basic block is *held*: lanes that come there wait until all others have come, too, or can't go on. Then they execute
it together, although they may be in different iterations, or have read memory at different times. Code that takes lanes
that are active together for lanes that are alike fails there.

No lane waits for ever for one that could go on: a block that is run again and again lets others go first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from .formats import Lanes
from .memory import Memory, Undefined

WARP: Final = 32
WAITING: Final = 1 << 29
ENDED: Final = 1 << 30
_MOST_STEPS: Final = 200_000
_PATIENCE: Final = 8
"""How often a block is run before others go first; times the number of blocks, how long held lanes wait for others."""


class Active:
    """The lanes that execute an instruction: `mask`, of which `lanes` are the numbers. `full`: all that live."""

    __slots__ = ("_lanes", "full", "mask")

    def __init__(self, mask: Lanes, full: bool) -> None:
        self.mask = mask
        self.full = full
        self._lanes: Lanes | None = None

    @property
    def lanes(self) -> Lanes:
        if self._lanes is None:
            self._lanes = np.flatnonzero(self.mask)
        return self._lanes

    def only(self, condition: Lanes) -> Active | None:
        """Those of them for which it holds; None without any."""
        mask = self.mask & condition
        if not mask.any():
            return None
        return Active(mask, self.full and bool(np.array_equal(mask, self.mask)))


Step = Callable[["Machine", Active], None]


class Machine:
    """`size`: lanes, `block` the number of each one's block; `registers` by number, never changed in place."""

    def __init__(
        self,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        rng: np.random.Generator,
        formats: list[np.dtype[np.generic]],
        random_order: bool,
    ) -> None:
        self.rng = rng
        self.memory = Memory(rng)
        self.symbols: dict[str, int] = {}
        self._geometry(grid, block)
        self.meets = float(rng.choice([0.0, 0.5])) if random_order else 1.0
        """How likely two groups of a warp at the same place become one. (At random, that is.)"""
        self.random_order = random_order
        self._holds = random_order and rng.random() < 0.5
        self._held = -1
        self._turns = np.zeros(0, np.int64)
        """In order: how often each block was run since another one was let go first."""
        self._patience = 0
        """Held lanes: how many more steps they wait."""
        self.pc = np.where(self.exists, 0, ENDED).astype(np.int32)
        self.live = int(self.exists.sum())
        self._group = np.arange(self.size, dtype=np.int64) // WARP
        self._groups = int(self.size)
        self._barrier = np.full(self.size, -1, np.int64)
        self._resume = np.zeros(self.size, np.int32)
        self._anyone_waits = False
        noise = np.frombuffer(rng.bytes(8 * (self.size + len(formats) + 1)), np.uint8)
        # What nobody wrote yet: any bits.
        self.registers: list[Lanes] = [
            (noise[8 * i : 8 * i + self.size * dtype.itemsize] & 1).view(np.bool_)
            if dtype.kind == "b"
            else noise[8 * i : 8 * i + self.size * dtype.itemsize].view(dtype)
            for i, dtype in enumerate(formats)
        ]
        self.carry: Lanes = noise[: self.size] > 127

    def _geometry(self, grid: tuple[int, int, int], block: tuple[int, int, int]) -> None:
        threads = block[0] * block[1] * block[2]
        padded = (threads + WARP - 1) // WARP * WARP
        blocks = grid[0] * grid[1] * grid[2]
        self.size = padded * blocks
        number = np.tile(np.arange(padded), blocks)
        self.block = np.repeat(np.arange(blocks), padded)
        self.exists = number < threads
        self.lane = (np.arange(self.size) % WARP).astype(np.uint32)
        self.special: dict[str, Lanes] = {"%laneid": self.lane, "%warpid": (number // WARP).astype(np.uint32)}
        for name, value, extent in (("tid", number, block), ("ctaid", self.block, grid)):
            rest = value
            for axis, length in zip("xyz", extent, strict=True):
                self.special[f"%{name}.{axis}"] = (rest % length).astype(np.uint32)
                rest = rest // length
        for name, extent in (("ntid", block), ("nctaid", grid)):
            for axis, length in zip("xyz", extent, strict=True):
                self.special[f"%{name}.{axis}"] = np.full(self.size, length, np.uint32)
        self.special["%nwarpid"] = np.full(self.size, padded // WARP, np.uint32)
        bit = np.uint32(1) << self.lane
        below = bit - np.uint32(1)
        self.special |= {
            "%lanemask_eq": bit, "%lanemask_lt": below, "%lanemask_le": below | bit,
            "%lanemask_gt": ~(below | bit), "%lanemask_ge": ~below,
        }  # fmt: skip

    # -- what instructions do -----------------------------------------------------------------------------------

    def write(self, active: Active, register: int, value: Lanes) -> None:
        if len(value) != self.size:
            value = np.repeat(value, self.size)
        self.registers[register] = value if active.full else np.where(active.mask, value, self.registers[register])

    def place(self, lane: int) -> str:
        """A lane as people name it."""
        x, y, z = (int(self.special[f"%tid.{axis}"][lane]) for axis in "xyz")
        i, j, k = (int(self.special[f"%ctaid.{axis}"][lane]) for axis in "xyz")
        return f"thread ({x}, {y}, {z}) of block ({i}, {j}, {k})"

    def masks(self, mask: Lanes) -> Lanes:
        """For each lane the lanes of its warp in `mask`, as 32 bits."""
        words = np.packbits(mask.reshape(-1, WARP), axis=1, bitorder="little").view("<u4")
        return np.repeat(words.reshape(-1), WARP)

    def garbage(self) -> Lanes:
        """Any 32 bits for each lane."""
        return self.rng.integers(0, 1 << 32, self.size, np.uint32)

    def parted(self, taken: Active, active: Active) -> None:
        """`taken`, of `active`, went another way than the others, if there are others."""
        if self.random_order and not np.array_equal(taken.mask, active.mask):
            self._name(taken.mask)

    def end(self, active: Active) -> None:
        self.pc[active.mask] = ENDED
        self.live = int((self.pc != ENDED).sum())
        self._release()

    def wait(self, active: Active, barrier: Lanes, resume: int) -> None:
        """At the block's barrier of that number, until all of its threads that live wait there."""
        self._barrier[active.mask] = np.broadcast_to(barrier, (self.size,))[active.mask]
        self._sleep(active, resume)

    def wait_for_warp(self, active: Active, members: Lanes, resume: int) -> None:
        """Until those of `members`, 32 bits, that live wait for the same members, here or elsewhere (PTX ISA 9.0,
        9.7.13.1 "bar.warp.sync"); then those at one place go on as one group."""
        code = (1 << 40) + np.broadcast_to(members, (self.size,)).astype(np.int64)
        self._barrier[active.mask] = code[active.mask]
        self._sleep(active, resume)

    def _sleep(self, active: Active, resume: int) -> None:
        self._resume[active.mask] = resume
        self.pc[active.mask] = WAITING
        self._anyone_waits = True
        self._release()

    def _release(self) -> None:
        if not self._anyone_waits:
            return
        waiting = self.pc == WAITING
        alive = self.pc != ENDED
        for code in np.unique(self._barrier[waiting]):
            here = waiting & (self._barrier == code)
            if code >= 1 << 40:
                named = (np.uint32(code & 0xFFFFFFFF) >> self.lane) & 1 != 0
                missing = self.masks(alive & ~here & named) != 0
                self._wake(here & ~missing)
                for resume in np.unique(self._resume[here & ~missing]):
                    self._name(here & ~missing & (self._resume == resume))
            else:
                blocks = np.bincount(self.block[alive], minlength=int(self.block[-1]) + 1)
                self._wake(here & (np.bincount(self.block[here], minlength=len(blocks)) == blocks)[self.block])
        self._anyone_waits = bool((self.pc == WAITING).any())

    def _wake(self, mask: Lanes) -> None:
        self.pc[mask] = self._resume[mask]
        self._barrier[mask] = -1

    def _name(self, mask: Lanes) -> None:
        """Those lanes become a group of their own in each warp."""
        self._group[mask] = self._groups + np.flatnonzero(mask) // WARP
        self._groups += self.size // WARP

    # -- the loop -----------------------------------------------------------------------------------------------

    def run(self, blocks: list[tuple[Step, ...]]) -> None:
        """Each block's steps end with one that says where its lanes go, by `pc`."""
        self._turns = np.zeros(len(blocks), np.int64)
        if self._holds:
            steps = np.array([len(block) for block in blocks], np.float64)
            self._held = int(self.rng.choice(len(blocks), p=steps / steps.sum()))
        for _ in range(_MOST_STEPS):
            at = self._in_order() if not self.random_order else self._any()
            if at >= WAITING:
                if at == WAITING:
                    lane = int(np.flatnonzero(self.pc == WAITING)[0])
                    raise Undefined(f"{self.place(lane)} waits at a barrier that not all come to")
                return
            mask = self.pc == at
            if self.random_order:
                mask = self._chosen(mask, at)
            active = Active(mask, int(mask.sum()) == self.live)
            for step in blocks[at]:
                step(self, active)
        raise Undefined(f"no end after {_MOST_STEPS} steps")

    def _least_far(self) -> int:
        return int(self.pc.min())

    def _in_order(self) -> int:
        at = self._least_far()
        if at < WAITING:
            self._turns[at] += 1
            if self._turns[at] > _PATIENCE:
                self._turns[:] = 0
                others = self.pc[(self.pc < WAITING) & (self.pc != at)]
                return int(others.min()) if len(others) else at
        return at

    def _any(self) -> int:
        ready = np.flatnonzero(self.pc < WAITING)
        if self._holds and len(ready):
            others = ready[self.pc[ready] != self._held]
            self._patience -= 1
            if len(others) == len(ready):
                self._patience = _PATIENCE * len(self._turns)
            elif len(others) and self._patience > 0:
                ready = others
            else:
                self._patience = _PATIENCE * len(self._turns)
                return self._held
        if not len(ready):
            return self._least_far()
        places = np.unique(self.pc[ready])
        return int(places[self.rng.integers(len(places))])

    def _chosen(self, mask: Lanes, at: int) -> Lanes:
        """Of each warp one group of those there, or all of them, as one from now on."""
        if at == self._held or self.rng.random() < self.meets:
            self._name(mask)
            return mask
        lanes = np.flatnonzero(mask)
        groups = self._group[lanes]
        if (np.diff(groups)[np.diff(lanes // WARP) == 0] == 0).all():  # a group a warp
            return mask
        order = self.rng.permutation(len(lanes))
        warps = lanes[order] // WARP
        chosen = np.unique(warps, return_index=True)[1]
        return mask & np.isin(self._group, groups[order][chosen])
