# SPDX-License-Identifier: Apache-2.0
"""Reading SASS: nest.sass is nvdisasm's listing of nest.ptx, two loops with divisions, assembled with `.loc`."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.gpu.counted import dynamic, dynamic_by_line, executed
from bench.gpu.sass import Block, Instruction, Listing, parse
from bench.gpu.woven import loop_depths

_HERE = Path(__file__).parent
_LISTING = (_HERE / "nest.sass").read_text()
_SLOW_DIVISION, _INTEGER_DIVISION = "$__internal_0_$__cuda_sm20_div_rn_f64_full", "$__internal_1_$__cuda_sm20_div_s64"


def _line_of(text: str) -> int:
    """The line of PTX that has a text."""
    return next(n for n, line in enumerate((_HERE / "nest.ptx").read_text().split("\n"), 1) if text in line)


def test_blocks_have_the_depth_of_their_loops() -> None:
    main = [block for block in parse(_LISTING).blocks if not block.function.startswith("$")]
    assert [block.depth for block in main] == [0, 0, 1, 1, 2, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]


def test_functions_of_ptxas_are_as_deep_as_their_calls() -> None:
    depths = {block.function: block.depth for block in parse(_LISTING).blocks}
    assert depths[_SLOW_DIVISION] == 1
    assert depths[_INTEGER_DIVISION] == 0


def test_instructions_have_the_lines_of_their_ptx() -> None:
    (addition,) = [each for each, block in parse(_LISTING).instructions() if each.opcode == "DADD" and block.depth == 2]
    assert addition.line == _line_of("add.rn.f64 	%rd18, %rd18, %rd9")


def test_padding_is_left_out() -> None:
    listing = parse(_LISTING)
    assert "NOP" in _LISTING
    assert all(each.opcode != "NOP" for each, _ in listing.instructions())
    assert listing.count() == sum(listing.by_class().values()) == 279


def test_code_is_weighed_by_loops() -> None:
    listing = parse(_LISTING)
    by_depth = {depth: sum(1 for _, b in listing.instructions() if b.depth == depth) for depth in range(3)}
    assert listing.weighted() == by_depth[0] + 10 * by_depth[1] + 100 * by_depth[2]
    assert by_depth[2] == 10


@pytest.mark.parametrize(
    ("opcode", "operands", "kind"),
    [
        ("LDG.E", "R4, [R4.64]", "global memory"),
        ("IMAD", "R3, R3, c[0x0][0x170], RZ", "integer"),
        ("IMAD.MOV.U32", "R1, RZ, RZ, c[0x0][0x28]", "move"),
        ("HFMA2.MMA", "R7, -RZ, RZ, 0, 0", "move"),
        ("FFMA", "R0, R1, R2, R3", "floating point"),
        ("DFMA", "R0, R1, R2, R3", "double"),
        ("MUFU.RCP", "R0, R1", "special"),
        ("BAR.SYNC.DEFER_BLOCKING", "0x0", "barrier"),
    ],
)
def test_classes(opcode: str, operands: str, kind: str) -> None:
    assert Instruction(opcode, operands).kind == kind


def test_a_listing_without_kernel_is_refused() -> None:
    with pytest.raises(ValueError, match="no kernel"):
        parse("\t.target\tsm_80\n")


def test_a_listing_of_two_kernels_is_refused() -> None:
    with pytest.raises(ValueError, match="several kernels"):
        parse(_LISTING + _LISTING.replace("nest", "other"))


# -- weighed by counts -------------------------------------------------------------------------------------------


def _counts(rows: int, columns: int) -> dict[int, int]:
    """Executions of each line of PTX by one warp, for 0 < rows and 0 < columns; the quotient fits 32 bits."""
    depths = loop_depths((_HERE / "nest.ptx").read_text())
    unexecuted = _line_of("div.s64"), _line_of("div.s64") + 1
    return {line: (1, rows, rows * columns)[depth] for line, depth in depths.items() if line not in unexecuted}


def test_blocks_are_executed_as_often_as_their_lines() -> None:
    listing = parse(_LISTING)
    depths = loop_depths((_HERE / "nest.ptx").read_text())
    times = executed(listing, _counts(3, 4), depths)
    by_function: dict[str, list[int]] = {}
    for count, block in zip(times, listing.blocks, strict=True):
        by_function.setdefault(block.function, []).append(count)
    main, slow, integer = by_function.values()
    # The block of 0 in the loop calls the function for rare operands; the other one that for 64 bits.
    assert main == [1, 1, 3, 3, 12, 3, 0, 3, 1, 1, 1, 0, 0, 1, 1, 1]
    assert set(slow) == {0}
    assert set(integer) == {0}
    sizes = [len(block.instructions) for block in listing.blocks]
    assert dynamic(listing, _counts(3, 4), depths) == sum(n * size for n, size in zip(times, sizes, strict=True))


def test_what_leaves_a_loop_is_counted_outside_and_predicated_code_with_its_block() -> None:
    plain = [Instruction("IADD3", "", "", line) for line in (1, 2)]
    hoisted = [Instruction("IMAD", "", "", 9) for _ in range(5)]
    guarded = [Instruction("STG.E", "", "@P0", 7)]
    listing = Listing((Block("k", plain + hoisted + guarded),))
    lines, depths = {1: 4, 2: 4, 7: 1, 9: 400}, {1: 0, 2: 0, 7: 0, 9: 1}
    assert dynamic(listing, lines, depths) == 4 * 8
    assert dynamic_by_line(listing, lines) == 4 + 4 + 5 * 400 + 1


def test_integer_functions_are_executed_when_they_are_called() -> None:
    call = Instruction("CALL.REL.NOINC", f"`({_INTEGER_DIVISION})", "", 1)
    listing = Listing((Block("k", [call]), Block(_INTEGER_DIVISION, [Instruction("IMAD", "")] * 84)))
    assert dynamic(listing, {1: 5}, {1: 0}) == 5 * 85
