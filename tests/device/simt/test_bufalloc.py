# SPDX-License-Identifier: Apache-2.0
"""The allocator: chunks fill their region without gaps, and neighbours in time are neighbours in memory."""

import random
from itertools import pairwise

import pytest

from lanewise.device.simt.bufalloc import Bufalloc

START, SIZE = 0x1000, 1000


def check(region: Bufalloc, live: dict[int, int]) -> None:
    chunks = region.chunks
    assert (chunks[0].start, chunks[-1].end) == (START, START + SIZE)
    assert all(a.end == b.start for a, b in pairwise(chunks))
    assert all(a.allocated or b.allocated for a, b in pairwise(chunks)), "free neighbours"
    assert {chunk.start: chunk.size for chunk in chunks if chunk.allocated} == live
    assert region.free_bytes == SIZE - sum(live.values())


@pytest.mark.parametrize("greedy", [True, False])
def test_random_requests(greedy: bool):
    choose = random.Random(7)
    region, live = Bufalloc(START, SIZE, greedy), dict[int, int]()
    refused = 0
    for _ in range(2000):
        if live and choose.random() < 0.45:
            address = choose.choice(list(live))
            region.free(address)
            del live[address]
        else:
            size = choose.randint(1, 150)
            largest = region.largest_free
            address = region.allocate(size)
            assert (address is None) == (size > largest)
            refused += address is None
            if address is not None:
                live[address] = size
        check(region, live)
    assert refused


def test_successive_requests_are_neighbours_where_it_is_greedy():
    for greedy, expected in ((True, START + 300), (False, START)):
        region = Bufalloc(START, SIZE, greedy)
        first = region.allocate(100)
        assert first == START
        assert region.allocate(200) == START + 100
        region.free(START)
        assert region.allocate(50) == expected


def test_a_greedy_region_uses_what_was_freed_once_its_end_is_full():
    region = Bufalloc(START, SIZE)
    first, rest = region.allocate(100), region.allocate(900)
    assert rest == START + 100
    assert region.allocate(1) is None
    region.free(START)
    assert region.allocate(100) == first


@pytest.mark.parametrize("address", [START + 1, START + 100, START - 1, START + SIZE])
def test_only_what_was_allocated_is_freed(address: int):
    region = Bufalloc(START, SIZE)
    region.allocate(100)
    with pytest.raises(KeyError):
        region.free(address)
    assert region.free_bytes == SIZE - 100


def test_the_chunk_of_an_address():
    region = Bufalloc(START, SIZE)
    region.allocate(100)
    inside, outside = region.chunk_at(START + 99), region.chunk_at(START + SIZE)
    assert inside is not None
    assert (inside.allocated, inside.size, outside) == (True, 100, None)


@pytest.mark.parametrize("greedy", [True, False])
def test_groups_are_neighbours_and_leave_one_piece(greedy: bool):
    region = Bufalloc(START, SIZE, greedy)
    holes = [region.allocate(size) for size in (100, 10, 60, 10)]
    for place in (0, 2):
        hole = holes[place]
        assert hole is not None
        region.free(hole)
    group = region.allocate_group([40, 50, 20])
    assert group == [START + 180, START + 220, START + 270]  # not 40 and 50 in the first hole, 20 in the second
    for address in group:
        region.free(address)
    assert [chunk.size for chunk in region.chunks if not chunk.allocated] == [100, 60, 820]


def test_a_group_for_which_there_is_no_chunk_is_served_one_by_one_or_not_at_all():
    region = Bufalloc(START, SIZE, greedy=False)
    (first,) = region.allocate_group([100]) or ()
    middle, rest = region.allocate(50), region.allocate(850)
    region.free(first)
    assert rest is not None
    region.free(rest)
    assert region.allocate_group([90, 860]) is None
    check(region, {START + 100: 50})
    assert middle == START + 100
    assert region.allocate_group([90, 840]) == [START, START + 150]
    assert region.allocate_group([]) == []
