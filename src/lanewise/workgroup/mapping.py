# SPDX-License-Identifier: Apache-2.0
"""Mappings of a kernel's regions to the code of a processor, as users ask for them.

    lanes      explicit SIMD: `width` work-items side by side in vectors, `chunks` of these vectors interleaved
    loop       a loop over work-items, which LLVM may vectorise
    threads    each work-item on a stack of its own, one after the other where they wait: right for all, and slow
    auto       lanes if that is possible, else a loop, with a remark that says why
    lock-step  the same as auto, but never threads

Threads are also what becomes of kernels that lanes in lock-step, or work-items in turn, would get wrong or never end,
unless lock-step is asked for.

As text: `auto`, `loop`, `threads`, `lock-step`, `lanes`, `lanes:16` (the width), `lanes:16x4` (width and chunks).
"""

from typing import Final, NamedTuple

from lanewise.errors import Error

LOCK_STEP: Final = "lock-step"
KINDS: Final = ("auto", "lanes", "loop", "threads", LOCK_STEP)
WIDTHS: Final = (2, 4, 8, 16, 32)
CHUNKS: Final = (1, 2, 4, 8, 16)


class Mapping(NamedTuple):
    """The mapping that was asked for; None for what is left to the compiler."""

    kind: str = "auto"
    width: int | None = None
    """Lanes of a vector."""
    chunks: int | None = None
    """Number of vectors that are interleaved."""

    def __str__(self) -> str:
        width = "" if self.width is None else f":{self.width}"
        return f"{self.kind}{width}{'' if self.chunks is None else f'x{self.chunks}'}"


AUTO: Final = Mapping()


def mapping_of(text: str) -> Mapping:
    """The mapping that `text` asks for. Error if there is none."""
    if text in KINDS:
        return Mapping(text)
    kind, _, size = text.partition(":")
    width, times, chunks = size.partition("x")
    if kind != "lanes" or not width.isdecimal() or not (chunks.isdecimal() or chunks == times == ""):
        raise Error(
            f'mapping "{text}": expected "auto", "loop", "threads", "lock-step", "lanes", "lanes:WIDTH" or '
            '"lanes:WIDTHxCHUNKS"'
        )
    for what, number, known in (("width", width, WIDTHS), ("number of chunks", chunks, CHUNKS)):
        if number and number not in map(str, known):
            raise Error(f'mapping "{text}": the {what} must be one of {", ".join(map(str, known))}, not {number}')
    return Mapping(kind, int(width), int(chunks) if chunks else None)
