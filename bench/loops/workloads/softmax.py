# SPDX-License-Identifier: Apache-2.0
"""The softmax of each row: a maximum, a sum of exponentials, a quotient."""

import math

import numpy as np

import lanewise as lw

from ..workload import Workload


@lw.jit
def softmax(given, result):
    for i in lw.prange(given.shape[0]):
        row = given[i]
        out = result[i]
        greatest = row[0]
        for j in range(1, len(row)):
            greatest = max(greatest, row[j])
        total = 0.0
        for j in range(len(row)):
            out[j] = math.exp(row[j] - greatest)
            total += out[j]
        for j in range(len(row)):
            out[j] /= total


def _inputs(n, dtype):
    given = np.random.default_rng(10).normal(size=(n, 512)).astype(dtype)
    return given, np.zeros_like(given)


def _reference(given, result):
    powers = np.exp(given - given.max(1, keepdims=True))
    return (powers / powers.sum(1, keepdims=True),)


WORKLOAD = Workload(
    softmax, _inputs, _reference, results=(1,), size=4096, tiny=3, shown="4096 x 512", dtypes=("float32", "float64")
)
