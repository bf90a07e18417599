# SPDX-License-Identifier: Apache-2.0
"""Tests for the border of an image, which each work-item repeats for rows: made once in loops over work-items."""

import numpy as np
import pytest
from numpy.typing import NDArray

import lanewise as lw

SOURCE = """
uchar8 blurred(global const uchar *row, int x, int width) {
    uchar8 here = vload8(0, row + x);
    uchar before = x > 0 ? row[x - 1] : 7, after = x + 8 < width ? row[x + 8] : 9;
    uchar8 left = (uchar8)(before, here.s0, here.s12, here.s3456);
    uchar8 right = (uchar8)(here.s1234, here.s56, here.s7, after);
    return max(here, max(left, right));
}
kernel void grow(global uchar *out, global const uchar *in, int width) {
    int x = get_global_id(0) * 8, y = get_global_id(1);
    if (x >= width) return;
    uchar8 rows[4];
    for (int i = 0; i < 4; i++) rows[i] = blurred(in + (y + i) * width, x, width);
    vstore8(max(max(rows[0], rows[1]), max(rows[2], rows[3])), 0, out + y * width + x);
}
kernel void in_place(global int *a, int n, int first, int twice) {
    int i = get_global_id(0);
    bool inside = i > first, again = (i & 1) == twice;
    if (inside) a[i] += 1;
    for (int k = 0; k < i % 3; k++) a[i] ^= k + 5;
    if (again) a[i] *= 3;
    if (inside) a[i] -= a[i] >> 2;
    if (again) a[i] += 7;
    if (!inside) a[i] ^= 1;
    if (again && a[i] > 20) return;
    a[i] = -a[i];
}
"""
MAPPINGS = ("loop", "auto", "lanes")


def grown(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    padded = np.pad(image, ((0, 0), (1, 1)))
    padded[:, 0], padded[:, -1] = 7, 9
    rows = np.maximum.reduce([padded[:, :-2], padded[:, 1:-1], padded[:, 2:]])
    return np.maximum.reduce([rows[i : len(rows) - 3 + i] for i in range(4)])


@pytest.mark.parametrize("mapping", MAPPINGS)
@pytest.mark.parametrize("width", [8, 16, 40])
def test_borders_of_an_image(mapping: str, width: int) -> None:
    image = np.random.default_rng(width).integers(0, 256, (11, width), np.uint8)
    out = np.zeros((8, width), np.uint8)
    kernel = lw.compile(SOURCE, language="opencl", mapping=mapping)["grow"]
    kernel.ndrange((8, 8), (4, 4))(out, image, width)
    assert (out == grown(image)).all()


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_tests_around_stores_and_loops_keep_their_order(mapping: str) -> None:
    given = np.random.default_rng(8).integers(-50, 50, 128, np.int32)
    found, expected = given.copy(), given.copy()
    lw.compile(SOURCE, language="opencl", mapping=mapping)["in_place"].ndrange(128, 32)(found, 128, 40, 1)
    with lw.on("reference"):
        lw.compile(SOURCE, language="opencl")["in_place"].ndrange(128, 32)(expected, 128, 40, 1)
    assert (found == expected).all()


@pytest.mark.parametrize("mapping", ["loop", "auto"])
def test_neighbours_are_loaded_in_loops(mapping: str) -> None:
    """Each of four rows at x - 1, x and x + 1, in the code for work-items that aren't at a border."""
    code = lw.compile(SOURCE, language="opencl", mapping=mapping).ir("work-group", "grow", (4, 4))
    assert code.count("= load <8 x i8>") >= 12
