# SPDX-License-Identifier: Apache-2.0
"""Small kernels of PTX, and what their accesses cost by enumeration of all lanes, from the definitions alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from math import prod

HEAD = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 in) {
    .reg .b64 %out; .reg .b64 %in; .reg .b64 %a; .reg .b64 %b; .reg .b64 %g; .reg .b64 %v<8>;
    .reg .b32 %x; .reg .b32 %y; .reg .b32 %t; .reg .b32 %i; .reg .b32 %j; .reg .b32 %n; .reg .b32 %r<8>;
    .reg .f32 %f<8>; .reg .f64 %d<4>; .reg .b16 %h<4>; .reg .pred %p<8>;
    .shared .align 16 .b8 s[16384];
    ld.param.u64 %out, [out];
    ld.param.u64 %in, [in];
    mov.u32 %x, %tid.x;
    mov.u32 %y, %tid.y;
    mov.u32 %r0, %ntid.x;
    mad.lo.u32 %t, %y, %r0, %x;
"""
"""%t is the thread's number in its block. Six instructions."""
HEAD_INSTRUCTIONS = 6


def module(body: str) -> str:
    """A module with the kernel `k`: `body` after HEAD, and a `ret`."""
    return f"{HEAD}{body}\n    ret;\n}}\n"


def indexed(index: str, scale: int, access: str, base: str = "%in") -> str:
    """`access` at %a = base + scale * index(t); `index` are instructions that set %i from %x, %y and %t."""
    return f"""
    {index}
    mul.wide.u32 %a, %i, {scale};
    add.u64 %a, %a, {base};
    {access}
"""


def warps(block: tuple[int, int]) -> list[list[tuple[int, int, int]]]:
    """The threads (x, y, t) of each warp of a block."""
    threads = [(t % block[0], t // block[0], t) for t in range(prod(block))]
    return [threads[first : first + 32] for first in range(0, len(threads), 32)]


Address = Callable[[int, int, int], int | None]
"""A thread's address in bytes; None if it doesn't access."""


def sectors(block: tuple[int, int], address: Address, size: int) -> int:
    """Sectors of 32 bytes, summed over the warps of a block."""
    return sum(
        len({byte // 32 for at in of_warp for byte in range(at, at + size)}) for of_warp in _accesses(block, address)
    )


def wavefronts(block: tuple[int, int], address: Address, size: int) -> int:
    """The most words of one bank, summed over warps, or halves or quarters of them."""
    lanes = 32 if size <= 4 else 128 // size
    total = 0
    for threads in warps(block):
        for first in range(0, 32, lanes):
            found = [at for x, y, t in threads[first : first + lanes] if (at := address(x, y, t)) is not None]
            words = {word for at in found for word in range(at // 4, (at + size - 1) // 4 + 1)}
            total += max(Counter(word % 32 for word in words).values(), default=0)
    return total


def repeats(block: tuple[int, int], address: Address) -> int:
    """Atomic operations of a warp that wait for another one on the same address."""
    return sum(max(Counter(each).values()) - 1 for each in _accesses(block, address))


def _accesses(block: tuple[int, int], address: Address) -> Iterable[list[int]]:
    for threads in warps(block):
        found = [at for x, y, t in threads if (at := address(x, y, t)) is not None]
        if found:
            yield found
