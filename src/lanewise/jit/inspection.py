# SPDX-License-Identifier: Apache-2.0
"""`f.inspect()`: the kernels that were made of a function, and the loops that Python runs, as facts on its lines."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.tiling.plan import RegisterTiling, Untiled
from lanewise.frontend.python.unrolling.shape import Unrolling
from lanewise.jit.geometry import usual_blocks
from lanewise.jit.made_kernel import Made
from lanewise.jit.region_kernel import RegionKernel

if TYPE_CHECKING:
    from lanewise.device.launch import Extent
    from lanewise.frontend.python.region import PythonRegion
    from lanewise.jit.driver import InterpretedLoop
    from lanewise.jit.fused import FusedExpression
    from lanewise.jit.transfers import TransferReport


class Fact(NamedTuple):
    """A statement about a line. `depth`: 0 for one about a loop or an expression, then 1 for the types that it was
    compiled for, and 2 for what became of it with these types."""

    line: int
    depth: int
    text: str


def inspected(name: str, file: str, facts: Sequence[Fact], regions: int) -> str:
    """The report on a function that has been called."""
    lines = [f"{name}: {regions} compiled {'region' if regions == 1 else 'regions'}"]
    for each in facts:
        lines.append(f"{'  ' * each.depth}{each.text}" if each.depth else f"{file}:{each.line}: {each.text}")
    return "\n".join(lines)


def facts_of(
    regions: Sequence[tuple[RegionKernel, Sequence[Made]]],
    expressions: "Sequence[FusedExpression]",
    interpreted: "Sequence[InterpretedLoop]",
) -> list[Fact]:
    """All that is known. `regions`: each with the kernels that were made of it."""
    facts: list[Fact] = []
    for kernel, made in regions:
        facts += _region(kernel, made)
    for each in expressions:
        line = each.expression.line
        facts.append(Fact(line, 0, "an expression of whole arrays"))
        if not each.kernels:
            facts.append(Fact(line, 1, "evaluated by NumPy: no arrays so far were large enough"))
        for kernel in each.kernels:
            facts += _kernels(kernel, kernel.made, line)
    facts += [Fact(each.line, 0, f"this loop is run by Python: {each.reason}") for each in interpreted]
    return facts


def _region(kernel: RegionKernel, made: Sequence[Made]) -> Iterator[Fact]:
    region = kernel.region
    what = "a parallel loop" if region.loop is not None else "the whole function" if region.returns else "a serial loop"
    line = _line(region)
    yield Fact(line, 0, what)
    if region.reductions:
        reduced = ", ".join(f"{each.name} by {each.operation}" for each in region.reductions)
        yield Fact(line, 1, f"reduces {reduced}")
    if not made:
        yield Fact(line, 1, "not compiled yet: no call has come to it")
    yield from _kernels(kernel, made, line)


def _line(region: "PythonRegion") -> int:
    """The line of a region's loop, or of a function's first statement."""
    return region.line if region.loop is None else region.loop.lineno


def _kernels(kernel: RegionKernel, many: Sequence[Made], line: int) -> Iterator[Fact]:
    for made in many:
        types = ", ".join(f"{name}: {type_.name}" for name, type_ in made.types.items())
        yield Fact(line, 1, f"for {types or 'no inputs'}")
        yield from _mapping(kernel, made, line)
        transfers = kernel.transfers.get(made.module)
        if transfers is not None and transfers.last is not None:
            yield Fact(line, 2, _transfers(transfers.last))
            for name in transfers.recursive:
                yield Fact(line, 2, f"{name} calls itself: the arrays that it is given count as whole")
            for reference in transfers.touched:
                yield Fact(reference.line or line, 2, reference.shown)


def _transfers(last: "TransferReport") -> str:
    if not last.kinds:
        return "no transfers: what it touches is on the device"
    tiles = f" in {last.tiles} tiles" if last.tiles > 1 else ""
    overlap = "; each tile is copied while the one before it runs" if last.overlaps else ""
    return (
        f"transfers ({', '.join(last.kinds)}){tiles}: {last.bytes_in} bytes to the device, {last.bytes_out} back; "
        f"the arrays are {last.whole} bytes{overlap}"
    )


def _tiling(made: Made) -> list[str]:
    """The tiling of a nest, or why it isn't tiled."""
    tiling, grid = made.tiling, made.grid
    assert grid is not None
    if isinstance(tiling, Untiled):
        return [f"not {tiling.what}: {tiling.reason}"] if tiling.reason else []
    if isinstance(tiling, Unrolling):
        return _unrolling(tiling, grid)
    names = [grid.axes[number].variable for number in (tiling.row, tiling.plane) if number is not None]
    lines = [f"tiled: {tiling.rows} rows along {' and '.join(names)} at a time, {tiling.width} columns"]
    if tiling.packed:
        names = ", ".join(dict.fromkeys(each.array for each in tiling.packed))
        lines.append(f"packed: columns of {names}, {tiling.part} iterations at a time")
    return lines


def _unrolling(unrolling: Unrolling, grid: Grid) -> list[str]:
    """The iterations that a work-item does, and the loads of vectors."""
    shape, lines = unrolling.shape, [f"not unrolled: {unrolling.reason}"] if unrolling.reason else []
    if unrolling.is_unrolled:
        axes = [(shape.row, shape.rows), (grid.x, shape.columns)]
        along = " and ".join(
            f"{times} iterations along {grid.axes[number].variable}"
            for number, times in axes
            if number is not None and times > 1
        )
        lines.append(
            f"unrolled and jammed: {along} at a time, {unrolling.loads} loads for {unrolling.rolled * shape.copies}, "
            f"about {unrolling.registers} registers"
        )
    if unrolling.wide:
        lines.append(f"neighbours are loaded as vectors from {', '.join(unrolling.wide)}")
    return lines


def _mapping(kernel: RegionKernel, made: Made, line: int) -> Iterator[Fact]:
    if made.grid is None:
        yield Fact(line, 2, "one thread runs it")
        return
    axes = [made.grid.axes[number] for number in made.grid.order]
    for letter, axis in zip("xyz", axes, strict=False):
        found = "" if axis.given else ", a loop over range whose iterations are independent"
        yield Fact(axis.line or line, 2, f"axis {letter}: {axis.variable}{found}")
    if made.grid.copied:
        yield Fact(
            line, 2, f"private copies of {', '.join(sorted(made.grid.copied))}, one for each chunk of iterations"
        )
    for text in _tiling(made):
        yield Fact(line, 2, text)
    for text in next(iter(made.module)).remarks(_block(kernel, made)):
        yield Fact(line, 2, f"cpu, {text}")


def _block(kernel: RegionKernel, made: Made) -> "Extent":
    """The block of the first launch, or that of most launches."""
    launched = next(iter(made.geometries.values()), None)
    if launched is not None:
        return launched[1]
    if isinstance(made.tiling, RegisterTiling):
        return made.tiling.width, 1, 1
    return usual_blocks(made.grid, reduces=bool(kernel.region.reductions))[0] or (1, 1, 1)
