# SPDX-License-Identifier: Apache-2.0
"""`f.inspect()`: the kernels that were made of a function, and the loops that Python runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lanewise.frontend.python.tiling.plan import Untiled
from lanewise.jit.region_kernel import Made, RegionKernel

if TYPE_CHECKING:
    from lanewise.jit.fused import FusedExpression
    from lanewise.jit.transfers import TransferReport


def inspected(
    name: str, regions: Sequence[RegionKernel], expressions: Sequence[FusedExpression], interpreted: Sequence[str]
) -> str:
    """The report on a function that has been called."""
    lines = [f"{name}: {len(regions)} compiled {'region' if len(regions) == 1 else 'regions'}"]
    for kernel in regions:
        lines += _region(kernel)
    for each in expressions:
        lines.append(f"{each.expression.file}:{each.expression.line}: an expression of whole arrays")
        if not each.kernels:
            lines.append("  evaluated by NumPy: no arrays so far were large enough")
        for kernel in each.kernels:
            lines += _kernels(kernel)
    lines += interpreted
    return "\n".join(lines)


def _region(kernel: RegionKernel) -> list[str]:
    region = kernel.region
    what = "a parallel loop" if region.loop is not None else "the whole function" if region.returns else "a serial loop"
    lines = [f"{region.file}:{region.line}: {what}"]
    if region.reductions:
        lines.append("  reduces " + ", ".join(f"{each.name} by {each.operation}" for each in region.reductions))
    if not kernel.made:
        lines.append("  not compiled yet: no call has come to it")
    return lines + _kernels(kernel)


def _kernels(kernel: RegionKernel) -> list[str]:
    lines: list[str] = []
    for made in kernel.made:
        types = ", ".join(f"{name}: {type_.name}" for name, type_ in made.types.items())
        lines.append(f"  for {types or 'no inputs'}")
        lines += [f"    {line}" for line in _mapping(made)]
        transfers = kernel.transfers.get(made.module)
        if transfers is not None and transfers.last is not None:
            lines.append(f"    {_transfers(transfers.last)}")
    return lines


def _transfers(last: TransferReport) -> str:
    if not last.kinds:
        return "no transfers: what it touches is on the device"
    tiles = f" in {last.tiles} tiles" if last.tiles > 1 else ""
    return (
        f"transfers ({', '.join(last.kinds)}){tiles}: {last.bytes_in} bytes to the device, {last.bytes_out} back; "
        f"the arrays are {last.whole} bytes"
    )


def _tiling(made: Made) -> list[str]:
    """The tiling of a nest, or why it isn't tiled."""
    tiling, grid = made.tiling, made.grid
    assert grid is not None
    if isinstance(tiling, Untiled):
        return [f"not tiled: {tiling.reason}"] if tiling.reason else []
    names = [grid.axes[number].variable for number in (tiling.row, tiling.plane) if number is not None]
    lines = [f"tiled: {tiling.rows} rows along {' and '.join(names)} at a time, {tiling.width} columns"]
    if tiling.packed:
        names = ", ".join(dict.fromkeys(each.array for each in tiling.packed))
        lines.append(f"packed: columns of {names}, {tiling.part} iterations at a time")
    return lines


def _mapping(made: Made) -> list[str]:
    if made.grid is None:
        return ["one thread runs it"]
    axes = [made.grid.axes[number] for number in made.grid.order]
    lines: list[str] = []
    for letter, axis in zip("xyz", axes, strict=False):
        found = "" if axis.given else ", a loop over range whose iterations are independent"
        lines.append(f"axis {letter}: {axis.variable}{found}")
    lines += _tiling(made)
    blocks = [block for _, block, _ in made.geometries.values()]
    return lines + [f"cpu, {line}" for line in (next(iter(made.module)).remarks(blocks[0]) if blocks else ())]
