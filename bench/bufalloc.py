# SPDX-License-Identifier: Apache-2.0
"""Bufalloc, greedy and by whole groups, beside a plain first fit: fragmentation, and time of a call.

    python -m bench.bufalloc

Programs allocate the buffers of a kernel by successive calls and free them together, some groups living long. Reported
are the largest free piece as a part of all that is free, by the median over the run; requests that were refused though
enough was free; and the time of a call.
"""

import random
import statistics
import time

from lanewise.device.simt.bufalloc import Bufalloc

REGION = 8 << 30
ROUNDS = 4000
PAGE = 4096


def measure(greedy: bool, fill: float, whole: bool = False, seed: int = 1) -> tuple[float, int, float]:
    """Part of what is free that is in one piece, requests refused for fragmentation, microseconds per buffer and
    call. About `fill` of the region is in use. `whole`: groups are allocated by one call each; a refused one
    counts once."""
    choose = random.Random(seed)
    region, groups, used, calls, spent = Bufalloc(0, REGION, greedy), list[list[tuple[int, int]]](), 0, 0, 0.0
    pieces, refused = list[float](), 0
    for _ in range(ROUNDS):
        sizes = [PAGE * max(int(2 ** choose.uniform(0, 14)), 1) for _ in range(choose.randint(2, 6))]
        while groups and used + sum(sizes) > fill * REGION:
            group = groups.pop(choose.randrange(len(groups)) if choose.random() < 0.3 else -1)
            start = time.perf_counter()
            for address, _ in group:
                region.free(address)
            spent += time.perf_counter() - start
            calls += len(group)
            used -= sum(size for _, size in group)
        group = list[tuple[int, int]]()
        if whole:
            start = time.perf_counter()
            addresses = region.allocate_group(sizes)
            spent += time.perf_counter() - start
            calls += len(sizes)
            if addresses is None:
                refused += region.free_bytes >= sum(sizes)
            else:
                group = list(zip(addresses, sizes, strict=True))
                used += sum(sizes)
        for size in () if whole else sizes:
            start = time.perf_counter()
            address = region.allocate(size)
            spent += time.perf_counter() - start
            calls += 1
            if address is None:
                refused += region.free_bytes >= size
            else:
                group.append((address, size))
                used += size
        groups.append(group)
        pieces.append(region.largest_free / region.free_bytes if region.free_bytes else 1)
    return statistics.median(pieces), refused, spent / calls * 1e6


def main() -> None:
    print("| in use | allocator | largest free piece / all free | refused though free | us a call |")
    print("| --: | --- | --: | --: | --: |")
    for fill in (0.5, 0.8, 0.95):
        for name, greedy, whole in (
            ("first fit", False, False), ("Bufalloc, greedy", True, False), ("Bufalloc, groups", False, True),
            ("Bufalloc, greedy groups", True, True),
        ):  # fmt: skip
            piece, refused, time_ = measure(greedy, fill, whole)
            print(f"| {fill:.0%} | {name} | {piece:.2f} | {refused} | {time_:.1f} |")


if __name__ == "__main__":
    main()
