# SPDX-License-Identifier: Apache-2.0
"""The nearest of 16 centres for each point of 8 features. Centres about as near as each other may be taken for one
another, as rounding decides."""

import numpy as np

from ..prange import prange
from ..problem import Array, Kernel, Problem

_CLUSTERS, _FEATURES = 16, 8


def _nearest(points: Array, centres: Array) -> Array:
    distances = np.stack([((points - centre[:, None]) ** 2).sum(0) for centre in centres])
    return distances.argmin(0).astype(np.int32)


def _problem(n: int) -> Problem:
    random = np.random.default_rng(17)
    points, centres = random.random((_FEATURES, n), np.float32), random.random((_CLUSTERS, _FEATURES), np.float32)
    return Problem(
        arguments=(np.zeros(n, np.int32), points, centres, np.int32(n), np.int32(_CLUSTERS), np.int32(_FEATURES)),
        global_size=(n,),
        local_size=(256,),
        results=(0,),
        expected=lambda: (_nearest(points, centres),),
        differing=1e-4,
    )


def _numba(nearest, points, centres, n, clusters, features):
    for i in prange(n):
        best = 0
        least = np.float32(np.inf)
        for cluster in range(clusters):
            distance = np.float32(0)
            for feature in range(features):
                difference = points[feature, i] - centres[cluster, feature]
                distance += difference * difference
            if distance < least:
                least = distance
                best = cluster
        nearest[i] = best


KERNEL = Kernel(_problem, size=1 << 20, tiny=512, shown="1M points, 16 centres", numba=_numba)
