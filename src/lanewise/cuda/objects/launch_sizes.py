# SPDX-License-Identifier: Apache-2.0
"""Block sizes that host code launches kernels with, where it gives constants.

They are read from the optimised LLVM IR of the host's pass, in which `dim3` has become numbers: what
`kernel<<<grid, block>>>(...)` pushes, and the stub of a kernel that follows. A wrong guess costs unused code and no
more: code for one size runs only launches of this size.
"""

import re
from collections.abc import Mapping
from typing import Final

Sizes = Mapping[str, tuple[tuple[int, int, int], ...]]
"""The block sizes by the kernel's symbol as host code has it, in the order of their first launch."""

MOST: Final = 4
"""Sizes of a kernel that code is made for."""
_MOST_THREADS: Final = 1024
_PUSH: Final = re.compile(r"@__cudaPushCallConfiguration\(i64 [^,]+, i32 [^,]+, i64 (?P<xy>[^,]+), i32 (?P<z>[^,]+),")
_LAUNCH: Final = re.compile(
    r"@cudaLaunch(?:Cooperative)?Kernel\(ptr (?:[a-z_]+ )*@(?P<stub>[\w.$]*__device_stub__[\w.$]*), "
    r"i64 [^,]+, i32 [^,]+, i64 (?P<xy>[^,]+), i32 (?P<z>[^,]+),"
)
_CALL: Final = re.compile(r"(?:call|invoke) [^@]*@(?P<stub>[\w.$]*__device_stub__[\w.$]*)\(")
_WORD: Final = "__device_stub__"
_STUB: Final = re.compile(rf"(\d*){_WORD}")


def launch_sizes(host_code: str) -> Sizes:
    """The sizes of the launches in host code, LLVM IR as text."""
    found: dict[str, dict[tuple[int, int, int], None]] = {}
    pushed: tuple[int, int, int] | None = None
    for line in host_code.splitlines():
        if line == "}":
            pushed = None
        elif "@__cudaPush" in line and (match := _PUSH.search(line)):
            pushed = _size(match)
        elif _WORD in line and ((match := _LAUNCH.search(line)) or (match := _CALL.search(line))):
            size = pushed if match.re is _CALL else _size(match) or pushed
            if size is not None:
                found.setdefault(_kernel(match["stub"]), {})[size] = None
            pushed = None
    return {kernel: tuple(sizes)[:MOST] for kernel, sizes in found.items()}


def sizes_of(sizes: Sizes, symbol: str) -> tuple[tuple[int, int, int], ...]:
    """The sizes of a kernel by the device's symbol of it, which has a suffix more for a static kernel of several
    files."""
    if symbol in sizes:
        return sizes[symbol]
    return next((of for name, of in sizes.items() if symbol.startswith((f"{name}.", f"{name}__"))), ())


def _size(launch: re.Match[str]) -> tuple[int, int, int] | None:
    """The size in the registers that a `dim3` is passed in, if these are constants that a launch may have."""
    xy, z = launch["xy"], launch["z"]
    if not (xy.isdecimal() and z.isdecimal()):
        return None
    size = int(xy) & 0xFFFFFFFF, int(xy) >> 32, int(z)
    return size if 0 < size[0] * size[1] * size[2] <= _MOST_THREADS else None


def _kernel(stub: str) -> str:
    """The symbol of the kernel that a stub stands for: clang puts a word in front of its name."""

    def named(match: re.Match[str]) -> str:
        return str(int(match[1]) - len(_WORD)) if match[1] else ""

    return _STUB.sub(named, stub, count=1)
