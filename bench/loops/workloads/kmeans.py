# SPDX-License-Identifier: Apache-2.0
"""A step of k-means: the nearest centre of each point, and the means of the points of each."""

import numpy as np

import lanewise as lw

from ..workload import Workload


@lw.jit
def squared_distance(a, b):
    total = 0.0
    for d in range(len(a)):
        difference = a[d] - b[d]
        total += difference * difference
    return total


@lw.jit
def kmeans(points, centres, labels, means, counts):
    spread = 0.0
    for i in lw.prange(points.shape[0]):
        nearest = 0
        least = squared_distance(points[i], centres[0])
        for c in range(1, centres.shape[0]):
            distance = squared_distance(points[i], centres[c])
            if distance < least:
                nearest = c
                least = distance
        labels[i] = nearest
        spread += least
    for c in range(centres.shape[0]):
        counts[c] = 0
        for d in range(centres.shape[1]):
            means[c, d] = 0.0
    for i in range(points.shape[0]):
        counts[labels[i]] += 1
        for d in range(points.shape[1]):
            means[labels[i], d] += points[i, d]
    for c in lw.prange(centres.shape[0]):
        if counts[c] > 0:
            for d in range(centres.shape[1]):
                means[c, d] /= counts[c]
    return spread


def _inputs(n, dtype):
    random = np.random.default_rng(16)
    points, centres = random.random((n, 4)).astype(dtype), random.random((16, 4)).astype(dtype)
    return points, centres, np.zeros(n, np.int32), np.zeros_like(centres), np.zeros(len(centres), np.int64)


def _reference(points, centres, labels, means, counts):
    distances = np.stack([((points - centre) ** 2).sum(1) for centre in centres])
    nearest = distances.argmin(0)
    counts = np.bincount(nearest, minlength=len(centres))
    means = np.stack([np.bincount(nearest, column, len(centres)) for column in points.T], 1)
    means /= np.maximum(counts, 1)[:, None]
    return distances.min(0).sum(), nearest, means, counts


WORKLOAD = Workload(
    kmeans, _inputs, _reference, results=(2, 3, 4), size=500_000, tiny=20, shown="500k points", tolerance=1e-10
)
