# SPDX-License-Identifier: Apache-2.0
"""Mappings of a kernel's regions to the code of a processor, as users ask for them.

    lanes      explicit SIMD: `width` work-items side by side in vectors, `chunks` of these vectors interleaved
    loop       a loop over work-items, which LLVM may vectorise; it may go inside the kernel's own loops
    threads    each work-item on a stack of its own, one after the other where they wait: right for all, and slow
    auto       lanes if that is possible, else a loop, with a remark that says why
    lock-step  the same as auto, but never threads

Threads are also what becomes of kernels that lanes in lock-step, or work-items in turn, would get wrong or never end,
unless lock-step is asked for. Where the model of costs isn't sure, `auto` lets long launches try another mapping beside
its choice (`alternatives.py`), unless it is `auto,fixed`.

As text: `auto`, `auto,fixed`, `loop`, `loop:outside` (the kernel's own loops stay within the one over work-items),
`threads`, `lock-step`, `lanes`, `lanes:16` (the width), `lanes:16x4` (width and chunks).
"""

from typing import Final, NamedTuple

from lanewise.errors import Error

LANES: Final = "lanes"
LOOP: Final = "loop"
LOCK_STEP: Final = "lock-step"
OUTSIDE: Final = f"{LOOP}:outside"
KINDS: Final = ("auto", LANES, LOOP, "threads", LOCK_STEP)
WIDTHS: Final = (2, 4, 8, 16, 32)
CHUNKS: Final = (1, 2, 4, 8, 16)


class Mapping(NamedTuple):
    """The mapping that was asked for; None for what is left to the compiler."""

    kind: str = "auto"
    width: int | None = None
    """Lanes of a vector."""
    chunks: int | None = None
    """Number of vectors that are interleaved."""
    against_model: bool = False
    """Lanes also where the model of costs prefers a loop: what launches try beside the choice of `auto`."""
    fixed: bool = False
    """Launches don't try another mapping. The code is the same."""
    outside: bool = False
    """The loop over work-items never goes inside the kernel's own loops."""

    def __str__(self) -> str:
        if self.outside:
            return OUTSIDE
        width = "" if self.width is None else f":{self.width}"
        chunks = "" if self.chunks is None else f"x{self.chunks}"
        return f"{self.kind}{width}{chunks}{',lanes' if self.against_model else ''}{',fixed' if self.fixed else ''}"


AUTO: Final = Mapping()
AGAINST_MODEL: Final = Mapping(against_model=True)
FIXED: Final = Mapping(fixed=True)


def mapping_of(text: str) -> Mapping:
    """The mapping that `text` asks for. Error if there is none."""
    if text == str(FIXED):
        return FIXED
    if text == OUTSIDE:
        return Mapping(LOOP, outside=True)
    if text in KINDS:
        return Mapping(text)
    kind, _, size = text.partition(":")
    width, times, chunks = size.partition("x")
    if kind != "lanes" or not width.isdecimal() or not (chunks.isdecimal() or chunks == times == ""):
        raise Error(
            f'mapping "{text}": expected "auto", "auto,fixed", "loop", "loop:outside", "threads", "lock-step", '
            '"lanes", "lanes:WIDTH" or "lanes:WIDTHxCHUNKS"'
        )
    for what, number, known in (("width", width, WIDTHS), ("number of chunks", chunks, CHUNKS)):
        if number and number not in map(str, known):
            raise Error(f'mapping "{text}": the {what} must be one of {", ".join(map(str, known))}, not {number}')
    return Mapping(kind, int(width), int(chunks) if chunks else None)
