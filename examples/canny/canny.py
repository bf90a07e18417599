# SPDX-License-Identifier: Apache-2.0
"""The Canny edge detector of canny.cu as plain loops of Python over NumPy arrays, step by step.

`@lw.jit` compiles the loops, and `lw.prange` says that iterations may run at the same time. Without either this is
Python that does the same, a thousand times slower: `detect_edges(image, 60, 150)`.

Three things are simpler here than in a GPU's kernels. The blur needs no tiles, since caches hold the rows. The length
of the gradient has a border of zeros instead of tests for the image's end. And edges are followed from pixel to pixel
with a stack, which visits each pixel once, where work-groups can only go over the image until nothing changes.
"""

from math import sqrt

import numpy as np

import lanewise as lw

TAN_22_5 = np.float32(0.41421356)
HORIZONTAL, FALLING, VERTICAL, RISING = range(4)
NONE, WEAK, STRONG = range(3)


def detect_edges(image, low, high):
    """Edges of a grey image of float32 values from 0 to 255, as 255 and 0; thresholds are lengths of the gradient."""
    height, width = image.shape
    blurred, state = np.empty_like(image), np.empty(image.shape, np.uint8)
    length, direction = np.zeros((height + 2, width + 2), np.float32), np.empty_like(state)
    blur(image, blurred)
    gradient(blurred, length, direction)
    suppress(length, direction, np.float32(low), np.float32(high), state)
    follow(state, np.empty(image.size, np.int32))
    return draw(state)


@lw.jit
def clamp(value, size):
    return min(max(value, 0), size - 1)


@lw.jit
def binomial(a, b, c, d, e, f, g):
    """The filter of order 6: a Gaussian of variance 6/4."""
    return ((a + g) + 6 * (b + f) + 15 * (c + e) + 20 * d) / 64


@lw.jit
def blur(image, blurred):
    height, width = image.shape
    rows = np.empty_like(image)
    for y in lw.prange(height):
        for x in range(width):
            rows[y, x] = binomial(
                image[y, clamp(x - 3, width)], image[y, clamp(x - 2, width)], image[y, clamp(x - 1, width)],
                image[y, x],
                image[y, clamp(x + 1, width)], image[y, clamp(x + 2, width)], image[y, clamp(x + 3, width)],
            )  # fmt: skip
    for y in lw.prange(height):
        for x in range(width):
            blurred[y, x] = binomial(
                rows[clamp(y - 3, height), x], rows[clamp(y - 2, height), x], rows[clamp(y - 1, height), x],
                rows[y, x],
                rows[clamp(y + 1, height), x], rows[clamp(y + 2, height), x], rows[clamp(y + 3, height), x],
            )  # fmt: skip


@lw.jit
def gradient(image, length, direction):
    """Sobel's operator. `length` has a border of one pixel around the image."""
    height, width = image.shape
    for y in lw.prange(height):
        for x in range(width):
            up, down, left, right = clamp(y - 1, height), clamp(y + 1, height), clamp(x - 1, width), clamp(x + 1, width)
            gx = (image[up, right] - image[up, left]) + 2 * (image[y, right] - image[y, left])
            gx += image[down, right] - image[down, left]
            gy = (image[down, left] - image[up, left]) + 2 * (image[down, x] - image[up, x])
            gy += image[down, right] - image[up, right]
            length[y + 1, x + 1] = sqrt(gx * gx + gy * gy)
            if abs(gy) <= TAN_22_5 * abs(gx):
                towards = HORIZONTAL
            elif abs(gx) <= TAN_22_5 * abs(gy):
                towards = VERTICAL
            elif (gx > 0) == (gy > 0):
                towards = FALLING
            else:
                towards = RISING
            direction[y, x] = towards


@lw.jit
def suppress(length, direction, low, high, state):
    """Thin edges to one pixel: of two equal neighbours across an edge the right or lower one stays."""
    height, width = direction.shape
    for y in lw.prange(height):
        for x in range(width):
            towards = direction[y, x]
            if towards == HORIZONTAL:
                before, after = length[y + 1, x], length[y + 1, x + 2]
            elif towards == VERTICAL:
                before, after = length[y, x + 1], length[y + 2, x + 1]
            elif towards == FALLING:
                before, after = length[y, x], length[y + 2, x + 2]
            else:
                before, after = length[y, x + 2], length[y + 2, x]
            steep = length[y + 1, x + 1]
            crest = steep >= before and steep > after
            state[y, x] = (STRONG if steep >= high else WEAK if steep >= low else NONE) if crest else NONE


@lw.jit
def follow(state, stack):
    """Make weak pixels strong that hang together with a strong one. `stack` has room for each pixel's number."""
    height, width = state.shape
    count = 0
    for y in range(height):
        for x in range(width):
            if state[y, x] == STRONG:
                stack[count] = y * width + x
                count += 1
    while count > 0:
        count -= 1
        y, x = stack[count] // width, stack[count] % width
        for v in range(max(y - 1, 0), min(y + 2, height)):
            for u in range(max(x - 1, 0), min(x + 2, width)):
                if state[v, u] == WEAK:
                    state[v, u] = STRONG
                    stack[count] = v * width + u
                    count += 1


@lw.jit
def draw(state):
    edges = np.empty_like(state)
    for y in lw.prange(state.shape[0]):
        for x in range(state.shape[1]):
            edges[y, x] = 255 if state[y, x] == STRONG else 0
    return edges
