# SPDX-License-Identifier: Apache-2.0
"""Random kernels in Python, compiled, against Python's threads: python -m tests.jit.random_kernels COUNT [SEED]

Values stay small, divisors above zero and indices within arrays. Barriers, shuffles and votes are in flow that is the
same in the whole group; branches and loops of single work-items, `break` and `continue` are between them. Each failing
kernel is printed with its seed.
"""

from __future__ import annotations

import random
import secrets
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from tests.frontend.python.generator.running import loaded

import lanewise as lw

from .threads import WorkGroups

GROUPS = 2
_HEAD = """\
ALL = 0xFFFFFFFF


def helper(a, b):
    if a > b + 3:
        return a - b
    for i in range(b % 4):
        a = (a + i * 7) % 503
        if a % 5 == i:
            return a
    return a ^ b


def kernel(x, y, sums, greatest, n):
    t, g = lw.local_id(), lw.group_id()
    s = lw.shared(64, lw.i64)
    q = lw.shared((8, 8), lw.f64)
    own = lw.local_array(4, lw.i64)
    for i in range(4):
        own[i] = i * t
    v0, v1, v2, f0, f1, seen = t, g + 3 * t, t ^ 7, 0.5 - t, t * 0.25, 0
"""
_TAIL = """\
    i = lw.global_id()
    x[i, 0], x[i, 1], x[i, 2], x[i, 3] = v0, v1, v2, own[0] + own[1] * 3 + own[3] * 5
    x[i, 4] = seen
    y[i, 0], y[i, 1] = f0, f1
"""


class _Writer:
    """The statements of one kernel, by a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._names = 0
        self.lines: list[str] = []

    def _pick(self, *texts: str) -> str:
        return self._random.choice(texts)

    def _name(self) -> str:
        self._names += 1
        return f"k{self._names}"

    def _line(self, depth: int, *texts: str) -> None:
        self.lines += [f"{'    ' * depth}{text}" for text in texts]

    # -- expressions -------------------------------------------------------------------------------------------

    def integer(self, depth: int = 0) -> str:
        def part() -> str:
            return self.integer(depth + 1)

        match self._random.randrange(11 if depth < 3 else 3):
            case 0:
                return str(self._random.randint(-9, 20))
            case 1 | 2:
                return self._pick("v0", "v1", "v2", "t", "g")
            case 3 | 4 | 5:
                return f"({part()} {self._pick('+', '-', '*', '&', '|', '^')} {part()})"
            case 6:
                return f"({part()} {self._pick('//', '%')} (abs({part()}) + 1))"
            case 7:
                return f"{self._pick('min', 'max')}({part()}, {part()})"
            case 8:
                return f"({part()} if {self.truth(depth + 1)} else {part()})"
            case 9:
                return f"own[{part()} % 4]"
            case _:
                return f"helper({part()}, {part()})"

    def truth(self, depth: int = 0) -> str:
        match self._random.randrange(4 if depth < 3 else 2):
            case 0 | 1:
                sign = self._pick("<", "<=", "==", "!=", ">")
                return f"{self.integer(depth + 1)} {sign} {self.integer(depth + 1)}"
            case 2:
                return f"({self.truth(depth + 1)} {self._pick('and', 'or')} {self.truth(depth + 1)})"
            case _:
                return f"(not {self.truth(depth + 1)})"

    def floating(self, depth: int = 0) -> str:
        match self._random.randrange(6 if depth < 2 else 2):
            case 0:
                return str(self._random.randint(-8, 8) / 4)
            case 1:
                return self._pick("f0", "f1")
            case 2 | 3:
                return f"({self.floating(depth + 1)} {self._pick('+', '-')} {self.floating(depth + 1)})"
            case 4:
                return f"({self.floating(depth + 1)} if {self.truth(depth + 1)} else {self.floating(depth + 1)})"
            case _:
                return f"({self.integer(depth + 1)} % 64) * 0.25"

    # -- statements --------------------------------------------------------------------------------------------

    def of_items(self, depth: int, nested: int = 0, *, in_loop: bool = False) -> None:
        """Statements in which work-items may go different ways."""
        for _ in range(self._random.randint(1, 3)):
            match self._random.randrange(8) if nested < 3 else 0:
                case 3:
                    self._line(depth, f"{self._pick('f0', 'f1')} = max(-4096.0, min({self.floating()}, 4096.0))")
                case 4:
                    self._line(depth, f"if {self.truth()}:")
                    self.of_items(depth + 1, nested + 1, in_loop=in_loop)
                    if self._random.random() < 0.5:
                        self._line(depth, "else:")
                        self.of_items(depth + 1, nested + 1, in_loop=in_loop)
                case 5:
                    name = self._name()
                    self._line(depth, f"for {name} in range({self.integer()} % 5):")
                    self.of_items(depth + 1, nested + 1, in_loop=True)
                    self._line(depth + 1, f"own[{name} % 4] = {self.integer()} % 77")
                case 6:
                    name = self._name()
                    self._line(depth, f"{name} = 0", f"while {name} < {self.integer()} % 4:", f"    {name} += 1")
                    self.of_items(depth + 1, nested + 1, in_loop=True)
                case 7:
                    self._line(depth, f"own[{self.integer()} % 4] = {self.integer()} % 501")
                case _:
                    self._line(depth, f"{self._pick('v0', 'v1', 'v2')} = {self.integer()} % 1009")
            if in_loop and self._random.random() < 0.15:
                self._line(depth, f"if {self.truth()}:", f"    {self._pick('break', 'continue')}")

    def of_group(self, depth: int, nested: int = 0) -> None:
        """Statements that all work-items of a group come to."""
        for _ in range(self._random.randint(2, 4)):
            match self._random.randrange(9):
                case 0 | 1:
                    self.of_items(depth)
                case 2:
                    self._line(depth, f"s[t] = {self.integer()} % 997", "lw.barrier()")
                    self._line(depth, f"v0 = s[(t + {self.integer()}) % n]", "lw.barrier()", _seen("v0"))
                case 3:
                    self._line(depth, f"q[t // 8, t % 8] = {self.floating()}", "lw.barrier()")
                    self._line(
                        depth, f"f0 = q[{self.integer()} % (n // 8), {self.integer()} % 8]", "lw.barrier()", _seen("f0")
                    )
                case 4:
                    name = self._pick("v0", "v1", "v2", "f0", "f1")
                    self._line(depth, f"{name} = lw.shfl_{self._shuffle(name)})", _seen(name))
                case 5:
                    self._line(depth, f"v1 = lw.ballot_sync(ALL, {self.truth()}) % 1009 + t", _seen("v1"))
                case 6:
                    vote = self._pick("lw.any_sync(ALL, ", "lw.all_sync(ALL, ", "lw.barrier_count(")
                    self._line(depth, f"v2 = {vote}{self.truth()}) + t", _seen("v2"))
                case 7 if nested < 2:
                    name = self._name()
                    self._line(depth, f"for {name} in range({self._pick('2', '3', 'g + 1')}):")
                    self.of_group(depth + 1, nested + 1)
                    self._line(depth + 1, f"v0 = (v0 + {name}) % 1009")
                case _:
                    update = self._pick("add(sums", "max(greatest")
                    self._line(depth, f"lw.atomic.{update}, {self.integer()} % 8, {self.integer()} % 100)")

    def _shuffle(self, name: str) -> str:
        match self._random.randrange(3):
            case 0:
                return f"xor_sync(ALL, {name}, {self._pick('1', '3', '16')}"
            case 1:
                return f"sync(ALL, {name}, {self._pick('0', '31', 't % 32')}, {self._pick('8', '32')}"
            case _:
                mode, width = self._pick("up", "down"), self._pick("width=16", "32")
                return f"{mode}_sync(ALL, {name}, {self._pick('1', '3', '8')}, {width}"


def _seen(name: str) -> str:
    """A statement that makes all results depend on the present value of a variable."""
    return f"seen = (seen * 31 + int(4 * {name})) % 1000003"


def random_kernel(seed: int) -> str:
    """The source of a kernel and of a function that it calls."""
    writer = _Writer(seed)
    writer.of_group(1)
    return _HEAD + "".join(f"{line}\n" for line in writer.lines) + _TAIL


def failures(seed: int, devices: tuple[str, ...]) -> list[str]:
    """The devices on which a compiled kernel does something else than Python, with the source."""
    source, size = random_kernel(seed), 32 + seed % 2 * 32
    found: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        plain = loaded(source, Path(folder) / f"plain_{seed}.py")
        groups = WorkGroups(GROUPS, size)
        expected = _arguments(size)
        _give(plain, groups)
        groups.run(plain.kernel, expected)
        ours = loaded(source, Path(folder) / f"kernel_{seed}.py")
        _give(ours, lw)
        ours.helper = lw.jit(ours.helper)  # type: ignore[attr-defined]
        kernel = lw.kernel(ours.kernel)
        for device in devices:
            given = _arguments(size)
            kernel.launch(GROUPS, size, given, device=device)
            if not all(np.array_equal(a, b) for a, b in zip(expected, given, strict=True)):
                found.append(f"{source}\nkernel {seed} with {size} work-items differs on {device}")
    return found


def _arguments(size: int) -> tuple[Any, ...]:
    items = GROUPS * size
    return np.zeros((items, 5), np.int64), np.zeros((items, 2)), np.zeros(8, np.int64), np.zeros(8, np.int64), size


def _give(module: ModuleType, functions: Any) -> None:
    module.lw = functions  # type: ignore[attr-defined]


def main() -> int:
    count = int(sys.argv[1])
    first = int(sys.argv[2]) if len(sys.argv) > 2 else secrets.randbits(40)
    failed = 0
    for seed in range(first, first + count):
        for text in failures(seed, ("cpu", "reference")):
            failed += 1
            print(text, flush=True)
    print(f"{count} random kernels from seed {first}: {failed or 'no'} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
