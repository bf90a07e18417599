# SPDX-License-Identifier: Apache-2.0
"""Samples that go down a tree: indices that come out of loads, and leaves at different depths."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem

FEATURES, DEPTH = 8, 12


def _classes(samples: Array, features: Array, limits: Array) -> Array:
    node = np.zeros(samples.shape[1], np.int64)
    for _ in range(DEPTH):
        feature = features[node]
        on = feature >= 0
        right = samples[np.maximum(feature, 0), np.arange(node.size)] >= limits[node]
        node = np.where(on, 2 * node + 1 + right, node)
    return node


def _problem(count: int) -> Problem:
    random = np.random.default_rng(19)
    nodes = (1 << DEPTH) - 1
    features = np.where(random.random(nodes) < 0.1, -1, random.integers(0, FEATURES, nodes)).astype(np.int32)
    features[0], features[nodes // 2 :] = 0, -1
    limits = random.random(nodes, np.float32)
    samples = random.random((FEATURES, count), np.float32)
    return Problem(
        arguments=(np.zeros(count, np.int32), samples, features, limits, np.int32(nodes), np.int32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (_classes(samples, features, limits),),
    )


KERNEL = Kernel(_problem, size=1 << 18, tiny=100, shown="256K samples")
