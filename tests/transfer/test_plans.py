# SPDX-License-Identifier: Apache-2.0
"""Plans: random nests against brute force, directions, fallbacks, aliases, `auto`, tiles and what is refused."""

import pytest
from tests.transfer.nests import ACCESSES, ORIGIN, check, nest

from lanewise.errors import Error, LaunchError
from lanewise.transfer import touched
from lanewise.transfer.affine import AffineForm, counter
from lanewise.transfer.copies import StridedCopy, link_copies, simplify
from lanewise.transfer.costs import DeviceLimits, TransferCosts
from lanewise.transfer.nest import ArrayReference, HostArray, LoopRange
from lanewise.transfer.plan import plan
from lanewise.transfer.tiling import tile

AT_I, AT_J = counter("i"), counter("j")
GRID = HostArray("a", ORIGIN, (40, 32), (256, 8), 8)
SQUARE = (LoopRange("i", 10), LoopRange("j", 10))


@pytest.mark.parametrize("first", range(0, 100, 20))
def test_exact_copies_only_what_random_nests_touch(first: int):
    for seed in range(first, first + 20):
        loops, references = nest(seed)
        assert check(loops, references, plan(loops, references)) <= 1.1, seed
        made = plan(loops, references, strided=True)
        assert check(loops, references, made) <= 1.1, seed
        named = {references[number].array.name for group in made.groups for number in group.references}
        assert sorted(name for group in made.groups for name in group.views) == sorted(named)


@pytest.mark.parametrize("transfers", ["interval", "whole", "auto"])
def test_the_other_transfers_cover_what_random_nests_touch(transfers):
    for seed in range(30):
        loops, references = nest(seed)
        check(loops, references, plan(loops, references, transfers))


def test_directions_are_told_apart():
    accesses = [
        ArrayReference(HostArray(name, ORIGIN + 4096 * n, (10,), (8,), 8), (AT_I,), access, conditional)
        for n, (name, access, conditional) in enumerate(
            zip("rwuc", ACCESSES[1:] + ACCESSES[2:3], [False, False, False, True], strict=True)
        )
    ]
    made = plan((LoopRange("i", 10),), accesses)
    directions = [(bool(group.copies_in), bool(group.copies_out)) for group in made.groups]
    assert directions == [(True, False), (False, True), (True, True), (True, True)]


def test_a_triangle_moves_its_own_elements():
    loops = (LoopRange("i", 12), LoopRange("j", AT_I.plus(1)))
    references = [ArrayReference(GRID, (AT_I, AT_J), "update"), ArrayReference(GRID, (AT_I, AT_I.plus(AT_J, -1)))]
    made = plan(loops, references)
    assert check(loops, references, made) == 1.0
    assert made.bytes_out == 78 * 8


def test_aliases_of_different_sizes_share_a_buffer():
    pairs = HostArray("pairs", ORIGIN + 16, (20,), (16,), 16)
    words = HostArray("words", ORIGIN + 20, (40,), (4,), 4)
    references = [ArrayReference(pairs, (AT_I,)), ArrayReference(words, (AT_I.times(2),), "write")]
    loops = (LoopRange("i", 10),)
    made = plan(loops, references)
    assert len(made.groups) == 1
    assert check(loops, references, made) == 1.0


def test_a_subscript_that_is_not_affine_takes_the_whole_array_both_ways():
    (group,) = plan(SQUARE, [ArrayReference(GRID, None, "write")]).groups
    whole = 40 * 256
    assert (group.kind, group.copies_in, group.copies_out) == ("whole", group.copies_out, group.copies_in)
    assert group.copies_in[0].bytes == whole


def test_a_mask_that_would_be_too_large_falls_back_to_the_interval(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(touched, "MOST_MARKS", 8)
    references = [ArrayReference(GRID, (AT_I, AT_J)), ArrayReference(GRID, (AT_J, AT_I.times(2)), "write")]
    made = plan(SQUARE, references)
    check(SQUARE, references, made)
    (group,) = made.groups
    assert (group.kind, len(group.copies_in)) == ("interval", 1)
    assert group.copies_in == group.copies_out  # elements that nobody wrote go back as they came


def test_too_many_pieces_fall_back_to_the_hull(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(touched, "MOST_PIECES", 3)
    loops = (LoopRange("i", 12), LoopRange("j", AT_I.plus(1)))
    references = [ArrayReference(GRID, (AT_I, AT_J), "write")]
    check(loops, references, plan(loops, references))


def test_an_interval_copies_nothing_between_two_arrays():
    far = HostArray("b", ORIGIN + (1 << 20), (10, 10), (80, 8), 8)
    both = [ArrayReference(GRID, (AT_I, AT_J)), ArrayReference(far, (AT_I, AT_J))]
    assert plan(SQUARE, both, "interval").buffer_bytes < 1 << 14


def test_auto_takes_the_transfer_of_least_time():
    costs = TransferCosts(start=1e-3, per_byte=1e-9)
    column = [ArrayReference(GRID, (AT_I, AffineForm(0)))]
    everything = (LoopRange("i", 40), LoopRange("j", 32))
    assert plan(everything, [ArrayReference(GRID, (AT_I, AT_J))], "auto", costs).bytes_in == 40 * 256
    slow_link = TransferCosts(per_byte=1e-3)
    assert plan(SQUARE, column, "auto", slow_link).transfers == "exact"
    slow_host = TransferCosts(host_copy=1.0)
    assert plan(SQUARE, column, "auto", slow_host).transfers == "interval"


def test_gathering_costs_the_host_the_cache_lines_that_it_touches():
    dense = StridedCopy(ORIGIN, 0, 8, (16,), (8,), (1000,))
    sparse = StridedCopy(ORIGIN, 0, 8, (128,), (8,), (1000,))
    assert dense.bytes_of_lines == 16000
    assert sparse.bytes_of_lines == 64000
    in_rows = StridedCopy(ORIGIN, 0, 8, (1 << 14, 16), (800, 8), (50, 100))
    assert in_rows.bytes_of_lines == 50 * 1600
    costs = TransferCosts()
    assert costs.seconds([sparse]) > costs.seconds([dense]) > costs.host_copy + costs.start


def test_the_model_of_transfers_knows_that_many_copies_take_a_call_each():
    triangle = LoopRange("i", 60), LoopRange("j", AffineForm(1, (("i", 1),)))
    square = HostArray("a", ORIGIN, (60, 60), (480, 8), 8)
    assert plan(triangle, [ArrayReference(square, (AT_I, AT_J))], "auto").transfers == "interval"


def test_few_copies_of_one_block_go_by_themselves():
    blocks = [StridedCopy(ORIGIN + 4096 * n, 64 * n, 64) for n in range(17)]
    assert link_copies(blocks[:16]) == (tuple(blocks[:16]), ())
    column = StridedCopy(ORIGIN, 64, 8, (256,), (8,), (4,))
    found = link_copies([blocks[0], column])
    assert (found.direct, found.staged, found.interval) == ((blocks[0],), (column,), (64, 96))
    assert link_copies(blocks) == ((), tuple(blocks))


def test_methods_by_stride_and_alignment():
    line = simplify(StridedCopy(ORIGIN, 0, 8, (256, 8), (256, 8), (4, 32)))
    assert (line.block, line.counts, line.method, line.alignment()) == (1024, (), "contiguous", 16)
    rows = simplify(StridedCopy(ORIGIN, 0, 8, (256, 8), (80, 8), (4, 10)))
    assert (rows.block, rows.counts, rows.method) == (80, (4,), "rows")
    column = simplify(StridedCopy(ORIGIN + 4, 0, 8, (256,), (8,), (4,)))
    assert (column.method, column.alignment()) == ("gather", 4)


def test_a_nest_that_fits_is_one_tile():
    assert len(tile(SQUARE, [ArrayReference(GRID, (AT_I, AT_J))], DeviceLimits(800))) == 1


def test_one_loop_is_split_into_the_fewest_chunks_that_fit():
    made = tile(SQUARE, [ArrayReference(GRID, (AT_I, AT_J), "update")], DeviceLimits(300))
    assert [part.bytes_out for part in made] == [160, 240, 160, 240]
    assert max(part.buffer_bytes for part in made) <= 300


def test_all_parallel_loops_are_halved_when_no_single_one_is_enough():
    loops = (LoopRange("i", 8), LoopRange("j", 8), LoopRange("k", 8, parallel=False))
    k = counter("k")
    b = HostArray("b", ORIGIN + (1 << 20), (8, 8), (64, 8), 8)
    references = [ArrayReference(GRID, (AT_I, k)), ArrayReference(b, (k, AT_J))]
    made = tile(loops, references, DeviceLimits(512))
    assert len(made) == 4
    assert all(part.buffer_bytes <= 512 for part in made)


def test_tiling_gives_up_above_its_threshold_and_for_serial_loops():
    references = [ArrayReference(GRID, (AT_I, AT_J))]
    with pytest.raises(LaunchError, match="too little memory: 800 bytes in all, of 7"):
        tile(SQUARE, references, DeviceLimits(7))
    serial = (LoopRange("i", 10, parallel=False), LoopRange("j", 10, parallel=False))
    with pytest.raises(LaunchError, match="there are none with constant bounds"):
        tile(serial, references, DeviceLimits(400))


def test_limits_of_buffers():
    assert DeviceLimits(100, largest_buffer=40).excess([50]) == "a buffer of 50 bytes, of at most 40"
    assert DeviceLimits(100, buffers=1).excess([10, 10]) == "2 buffers, of at most 1"
    with pytest.raises(LaunchError, match="110 bytes in all"):
        DeviceLimits(100).check([110])


@pytest.mark.parametrize(
    ("loops", "subscripts", "message"),
    [
        ((LoopRange("i", 5, step=0),), (AT_I, 0), "loop i: its step is 0"),
        ((LoopRange("i", counter("n")),), (AT_I, 0), "its bound names n"),
        ((LoopRange("i", 5),), (AT_I, AT_J), "names j, which is no loop"),
        ((LoopRange("i", 5),), (AT_I,), "1 subscripts for an array of 2 dimensions"),
        ((LoopRange("i", 41),), (AT_I, 0), r"leaves the array, of shape \(40, 32\)"),
    ],
)
def test_refused(loops, subscripts, message: str):
    with pytest.raises(Error, match=message):
        plan(loops, [ArrayReference(GRID, subscripts)])
