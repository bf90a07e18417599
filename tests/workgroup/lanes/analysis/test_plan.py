# SPDX-License-Identifier: Apache-2.0
"""How work-items are laid out over units, chunks, rows and lanes."""

from math import prod

import pytest

from lanewise.workgroup.lanes.analysis.plan import fill_lines, make_plan, make_plan_of_warps, share_masks


@pytest.mark.parametrize(
    ("block", "width", "chunks", "axis", "expected"),
    [
        ((256, 1, 1), 16, 4, "x", "16 lanes, 4 chunks along x"),
        ((256, 1, 1), 16, 4, "y", "16 lanes, 4 chunks along x"),
        ((16, 16, 1), 16, 4, "y", "16 lanes, 4 chunks along y"),
        ((16, 16, 1), 16, 4, "x", "16 lanes"),
        ((32, 8, 1), 16, 4, "x", "16 lanes, 2 chunks along x"),
        ((8, 8, 1), 16, 4, "y", "2 rows of 8 lanes, 4 chunks along y"),
        ((4, 4, 4), 16, 4, "y", "4 rows of 4 lanes"),
        ((8, 5, 1), 16, 4, "y", "8 lanes"),
        ((24, 3, 1), 16, 4, "x", "16 lanes, 2 chunks along x"),
        ((3, 50, 1), 16, 4, "x", "16 lanes, 2 chunks, in linear order"),
        ((5, 1, 1), 16, 4, "x", "8 lanes, in linear order"),
        (None, 16, 4, "x", "16 lanes, 4 chunks, in linear order"),
    ],
)
def test_plans(block: tuple[int, int, int] | None, width: int, chunks: int, axis: str, expected: str):
    assert str(make_plan(block, width, chunks, 0, axis)) == expected


@pytest.mark.parametrize("width", [2, 4, 8, 16, 32])
@pytest.mark.parametrize(
    "block", [(256, 1, 1), (40, 1, 1), (16, 16, 1), (8, 8, 1), (4, 8, 1), (2, 64, 1), (24, 3, 1), (5, 5, 5), None]
)
def test_a_unit_of_a_kernel_with_warp_operations_is_a_warp(block: tuple[int, int, int] | None, width: int):
    plan = make_plan(block, width, 8, 32)
    assert plan.extent.width * plan.extent.chunks == 32
    if plan.axis != "linear":
        assert block is not None
        assert prod(block) % 32 == 0


@pytest.mark.parametrize(
    ("block", "width", "expected"),
    [
        ((1, 1, 1), 16, "2 lanes, in linear order"),
        ((5, 1, 1), 16, "8 lanes, in linear order"),
        ((5, 1, 1), 4, "4 lanes, 2 chunks, in linear order"),
        ((16, 1, 1), 16, "16 lanes"),
        ((4, 4, 1), 16, "4 rows of 4 lanes"),
        ((4, 1, 4), 8, "8 lanes, 2 chunks, in linear order"),
        ((24, 1, 1), 16, "16 lanes, 2 chunks, in linear order"),
        ((40, 1, 1), 16, "16 lanes, 2 chunks, in linear order"),
    ],
)
def test_part_of_a_warp_is_a_unit_of_fewer_lanes(block: tuple[int, int, int], width: int, expected: str):
    assert str(make_plan_of_warps(block, width, 1, whole=False)) == expected


@pytest.mark.parametrize("axis", ["x", "y"])
@pytest.mark.parametrize("width", [4, 8, 16])
@pytest.mark.parametrize("chunks", [1, 2, 4, 8])
def test_units_divide_the_rows_of_a_group(axis: str, width: int, chunks: int):
    for x in (1, 2, 3, 8, 16, 17, 64):
        for y in (1, 2, 5, 8, 16):
            plan = make_plan((x, y, 1), width, chunks, 0, axis)
            lanes, rows, beside = plan.extent
            if plan.axis == "linear":
                continue
            assert y % (rows * (beside if plan.axis == "y" else 1)) == 0
            assert rows == 1 or lanes == x


@pytest.mark.parametrize(
    ("block", "width", "chunks", "expected"),
    [
        ((16, 16, 1), 8, 4, "16 lanes, 2 chunks along y"),
        ((32, 8, 1), 4, 8, "16 lanes, 2 chunks along y"),
        ((16, 16, 1), 8, 2, "16 lanes"),
        ((16, 16, 1), 16, 4, "16 lanes, 4 chunks along y"),  # a line already
        ((8, 16, 1), 8, 4, "8 lanes, 4 chunks along y"),  # no line in a row of the block
        ((16, 16, 1), 4, 2, "4 lanes, 2 chunks along y"),  # fewer vectors than a line takes
    ],
)
def test_chunks_along_y_fill_cache_lines(block: tuple[int, int, int], width: int, chunks: int, expected: str):
    plan = make_plan(block, width, chunks, 0, "y")
    assert str(fill_lines(plan, block, keep_chunks=False)) == expected


def test_chunks_along_x_stay_and_chunks_may_be_kept():
    along_x = make_plan((64, 4, 1), 8, 4, 0, "x")
    assert fill_lines(along_x, (64, 4, 1), keep_chunks=False) == along_x
    along_y = make_plan((16, 16, 1), 8, 8, 0, "y")
    assert str(fill_lines(along_y, (16, 16, 1), keep_chunks=True)) == "16 lanes, 8 chunks along y"


@pytest.mark.parametrize(
    ("block", "width", "chunks", "axis", "expected"),
    [
        ((256, 1, 1), 8, 4, "x", "16 lanes, 2 chunks along x"),
        ((16, 16, 1), 8, 1, "y", "16 lanes"),
        ((16, 16, 1), 16, 2, "y", "16 lanes, 2 chunks along y"),  # wide already
        ((24, 4, 1), 8, 1, "x", "8 lanes"),  # half of the last chunk would be empty
        ((8, 8, 1), 8, 2, "y", "8 lanes, 2 chunks along y"),
        ((4, 8, 1), 8, 2, "y", "2 rows of 4 lanes, 2 chunks along y"),
        ((3, 32, 1), 8, 4, "x", "8 lanes, 4 chunks, in linear order"),
    ],
)
def test_two_vectors_share_masks(block: tuple[int, int, int], width: int, chunks: int, axis: str, expected: str):
    assert str(share_masks(make_plan(block, width, chunks, 0, axis), block)) == expected
