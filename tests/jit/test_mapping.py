# SPDX-License-Identifier: Apache-2.0
"""Nests whose work-items do best one after the other: no neighbours along an axis, but along a loop in them."""

from typing import Any

import numpy as np

import lanewise as lw


@lw.jit(exact=True)
def turned(image, places, result):
    for i in lw.prange(result.shape[0]):
        for j in range(result.shape[1]):
            k = places[i, j]
            if 0 <= k < image.shape[0]:
                for c in range(3):
                    result[i, j, c] = image[k, i, c] / 2
            else:
                for c in range(3):
                    result[i, j, c] = 0


@lw.jit(exact=True)
def copied(image, places, result):
    for i in lw.prange(result.shape[0]):
        for j in range(result.shape[1]):
            result[i, j, 0] = image[i, j, 0] + places[i, j]


def run(function: Any) -> str:
    random = np.random.default_rng(1)
    image, places = random.random((40, 40, 3)), random.integers(-5, 45, (40, 40))
    found, expected = np.zeros_like(image), np.zeros_like(image)
    function(image, places, found)
    function.py_func(image, places, expected)
    assert (found == expected).all()
    return function.inspect()


def test_pixels_gathered_from_anywhere_run_one_after_the_other():
    assert "cpu, region 0: a loop over threads" in run(turned)


def test_pixels_without_a_loop_over_colours_run_in_lanes():
    assert "lanes" in run(copied)
