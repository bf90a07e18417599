# SPDX-License-Identifier: Apache-2.0
"""Memory bandwidth of this machine, measured once and kept in the cache. Launches are compared with it."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np

from lanewise.backend.host.features import features
from lanewise.cache import Cache, key
from lanewise.runtime import last_level_cache_bytes

_FILE: Final = "bandwidth.json"
_LEAST: Final = 64 << 20
_MOST: Final = 512 << 20
_ROUNDS: Final = 8


def memory_bandwidth(cache: Cache, num_threads: int) -> float:
    """Bytes per second that `num_threads` threads read and write while they copy arrays larger than the caches. The
    best of several rounds counts. The measurement takes a fraction of a second; later calls read the result from
    `cache`."""
    entry = key("memory bandwidth", features(), str(num_threads))
    stored = cache.get(entry, _FILE)
    if stored is not None:
        try:
            return float(json.loads(stored.read_bytes()))
        except (OSError, ValueError, TypeError):
            pass  # evicted a moment ago
    found = _measured(num_threads)
    cache.put(entry, {_FILE: json.dumps(found).encode()})
    return found


def fits_the_caches(nbytes: int) -> bool:
    """True if memory of this size stays in the last-level caches between launches, provided that nothing else runs."""
    return nbytes <= last_level_cache_bytes()


def _measured(num_threads: int) -> float:
    size = min(_MOST, max(_LEAST, 2 * last_level_cache_bytes()))
    source, target = np.ones(size, np.uint8), np.zeros(size, np.uint8)
    target[:] = 2  # so that the system has given all pages
    bounds = [size * number // num_threads for number in range(num_threads + 1)]

    def copy(first: int, last: int) -> None:
        target[first:last] = source[first:last]

    best = float("inf")
    with ThreadPoolExecutor(num_threads) as pool:
        for _ in range(_ROUNDS):
            start = time.perf_counter()
            list(pool.map(copy, bounds[:-1], bounds[1:]))
            best = min(best, time.perf_counter() - start)
    return 2 * size / best
