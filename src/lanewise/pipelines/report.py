# SPDX-License-Identifier: Apache-2.0
"""The report on a kernel on the CPU, for people to read: its regions, values kept between them, its memory."""

from typing import NamedTuple

from lanewise.pipelines.cpu import compiled
from lanewise.pipelines.kernel_compilation import KernelCompilation
from lanewise.wording import worded
from lanewise.workgroup.items.storage import Kept
from lanewise.workgroup.layout.local_size import Extent
from lanewise.workgroup.mapping import AUTO, Mapping


class KernelReport(NamedTuple):
    """The result of `kernel.info(block)`; as text, with a line each.

    `mapping` is what was asked for. `regions` are the codes between barriers and where each goes next, and `remarks`
    say what was made of each, and why, and what is taken to overlap no other array. `kept` are the values that live
    from one region to the next and private memory. `shared_bytes` is static shared memory of a group, `arena_bytes` all
    memory of a worker's group, without dynamic shared memory. `calls` are functions that could not be inlined. `shapes`
    are tables, not part of the text: for each region in lanes, how each value differs from lane to lane. `reads` and
    `writes` are the array parameters whose memory is read and written. `terms` are those that the text
    uses.
    """

    kernel: str
    block: Extent
    mapping: str
    regions: tuple[str, ...]
    remarks: tuple[str, ...]
    kept: tuple[Kept, ...]
    shared_bytes: int
    arena_bytes: int
    calls: tuple[str, ...]
    shapes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    terms: str = "opencl"

    def __repr__(self) -> str:
        block, regions = " x ".join(map(str, self.block)), len(self.regions)
        return (
            f"<kernel {self.kernel}, block {block}: {regions} region{'' if regions == 1 else 's'}, "
            f"mapping {self.mapping}, {self.arena_bytes} bytes of memory per block>"
        )

    def __str__(self) -> str:
        lines = [f"kernel {self.kernel}, block {' x '.join(map(str, self.block))}", f"mapping: {self.mapping}"]
        lines += self.regions
        lines += self.remarks
        each, group = [k for k in self.kept if k.each], [k for k in self.kept if not k.each]
        for title, kept in (("kept for each work-item", each), ("kept once per work-group", group)):
            if kept:
                lines.append(f"{title}, {sum(k.bytes for k in kept)} bytes:")
                lines += [f"  {_told(k)}" for k in kept]
        if self.calls:
            lines.append(f"calls of functions that are not inlined: {', '.join(self.calls)}")
        lines.append(f"memory of a work-group: {self.arena_bytes} bytes, of which shared: {self.shared_bytes}")
        return worded("\n".join(lines), self.terms)


def _told(kept: Kept) -> str:
    name = kept.name or {"live": "who has not returned", "votes": "votes at a barrier"}.get(kept.use, "a temporary")
    use = "" if kept.use in ("value", "live", "votes") else f", {kept.use}"
    return f"{name}: {kept.type}, {kept.bytes} bytes{use}"


def examine(
    text: str,
    symbol: str,
    name: str,
    block: Extent,
    fused: bool = True,
    mapping: Mapping = AUTO,
    terms: str = "opencl",
) -> KernelReport:
    """The report of kernel `symbol` of kernel IR as text, called `name`, for one local size; `fused` and `mapping` as
    in `compile_for_cpu`. `terms`: those of the text, "cuda" or "opencl". CompileError where the CPU can't run it."""
    kernel = compiled(text, KernelCompilation(symbol, block, fused=fused, mapping=mapping, explain=True))
    made, traffic = kernel.made, kernel.traffic
    assert made is not None
    assert traffic is not None
    return KernelReport(
        name,
        block,
        str(mapping),
        tuple(made.regions.splitlines()),
        tuple(worded(remark, terms) for remark in made.facts.remarks),
        made.kept,
        made.facts.shared_bytes,
        made.facts.arena_bytes,
        made.facts.calls,
        made.shapes,
        traffic.reads,
        traffic.writes,
        terms,
    )
