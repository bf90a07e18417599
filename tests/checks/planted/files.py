# SPDX-License-Identifier: Apache-2.0
"""Files of planted faults.

Before each kernel stands how it is launched, and what must be told:

    // launch: blur[4, 64](f4(256), f4(250), 250)
    // told: out of bounds of 'in' by thread 0 of block 0
    __global__ void blur(float *out, const float *in, int n) {
        ...
        out[i] = in[i - 1];  // FAULT, MENDED: out[i] = in[max(i - 1, 0)];

The launch is Python, with grid, block and bytes of dynamic shared memory in brackets and the names of `arrays`. A line
with `// FAULT` is told; one with `// MENDED:` becomes what follows in the mended twin. Neither line moves. Ranges such
as `thread 0-7,3 of block 0-1` hold the threads at fault, of which one is told; what isn't there may be any.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import lanewise as lw

from .arrays import names

FOLDER = Path(__file__).parent
FILES = sorted(path for path in FOLDER.iterdir() if path.suffix in (".cu", ".cl"))

_TOLD = re.compile(
    r"(?P<kind>.*?)(?: of (?P<names>'.*'))?(?: by thread (?P<thread>[\d,-]+))?(?: (?:by|of) block (?P<block>[\d,-]+))?"
)
_MENDED = re.compile(r"^( *)(.*?) *// (?:FAULT, )?MENDED: ?(.*)$", re.MULTILINE)

USUAL = ("memory", "values", "unwritten", "races", "barriers")
"""All checks of `checked=True`."""

Ranges = tuple[range, ...]
"""For x, y and z, the numbers that a thread or a block at fault may have; none if it may have any."""


class Launch(NamedTuple):
    """The kernel, its extents and its arguments."""

    kernel: str
    grid: Any
    block: Any
    shared: int
    arguments: tuple[Any, ...]


class Planted(NamedTuple):
    """A kernel with a fault, and what must be told of it."""

    path: Path
    kernel: str
    expression: str
    """The launch."""
    kind: str
    names: frozenset[str]
    """The arrays; none if the fault is in no array with a name."""
    threads: Ranges
    blocks: Ranges
    lines: frozenset[int]

    def launch(self, kept: list[lw.Buffer]) -> Launch:
        """The launch with arrays of its own; `kept` must outlast it."""
        kernel = _Kernel(self.kernel)
        return eval(self.expression, {**names(kept), self.kernel: kernel})


class _Kernel(NamedTuple):
    """The name of a kernel in the expression of its launch."""

    name: str

    def __getitem__(self, extents: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        grid, block, *shared = extents
        return lambda *arguments: Launch(self.name, grid, block, shared[0] if shared else 0, arguments)


def planted() -> Iterator[Planted]:
    """All faults, in the order of files and lines."""
    for path in FILES:
        lines = path.read_text().splitlines()
        first = 0
        for number, line in enumerate(lines):
            if not line.startswith("// launch: "):
                continue
            end = lines.index("}", number)
            yield _case(path, lines, range(first, end), number)
            first = end + 1


def _case(path: Path, lines: list[str], region: range, at: int) -> Planted:
    expression = lines[at].removeprefix("// launch: ")
    told = _TOLD.fullmatch(lines[at + 1].removeprefix("// told: "))
    assert told is not None
    return Planted(
        path,
        expression.partition("[")[0],
        expression,
        told["kind"],
        frozenset(re.findall(r"'([^']*)'", told["names"] or "")),
        _ranges(told["thread"]),
        _ranges(told["block"]),
        frozenset(number + 1 for number in region if "// FAULT" in lines[number]),
    )


def _ranges(text: str | None) -> Ranges:
    if not text:
        return ()
    pairs = [part.split("-") for part in text.split(",")]
    pairs += [["0"]] * (3 - len(pairs))
    return tuple(range(int(pair[0]), int(pair[-1]) + 1) for pair in pairs)


def mended(text: str) -> str:
    """The text of a file with all faults mended, line for line."""
    return _MENDED.sub(lambda line: line[1] + line[3], text)


@cache
def compiled(path: Path, *, twin: bool, more: str = "") -> lw.Module:
    """The module of a file, with its faults or without. `more`: a check beside those that users get."""
    text = path.read_text()
    language = "cuda" if path.suffix == ".cu" else "opencl"
    checks = [*USUAL, more] if more else True
    return lw.compile(mended(text) if twin else text, language=language, checked=checks)
