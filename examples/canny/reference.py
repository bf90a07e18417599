# SPDX-License-Identifier: Apache-2.0
"""The Canny edge detector of canny.cu once more, by whole-image operations of NumPy and SciPy.

Written from the algorithm's description rather than from the kernels: filters are SciPy's, and hysteresis is
a search for connected components. Same choices where the algorithm leaves some: binomial blur of order 6,
Sobel's operator, outermost pixels repeated beyond the border, four directions, no edges outside the image.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

BINOMIAL = np.array([1, 6, 15, 20, 15, 6, 1], np.float32) / 64
TAN_22_5 = np.float32(0.41421356)
EIGHT_NEIGHBOURS = np.ones((3, 3))

Image = NDArray[np.float32]
Mask = NDArray[np.bool_]


class Steps(NamedTuple):
    """What each step of the detector yields, all of the image's shape."""

    blurred: Image
    length: Image  # of the gradient, 0 to about 1442
    candidates: Mask  # weak or strong
    edges: Mask


def canny(image: Image, low: float, high: float) -> Steps:
    """Edges of a grey image of float32 values from 0 to 255; thresholds are lengths of the Sobel gradient."""
    blurred = ndimage.correlate1d(image, BINOMIAL, axis=1, mode="nearest")
    blurred = ndimage.correlate1d(blurred, BINOMIAL, axis=0, mode="nearest")

    gx = ndimage.sobel(blurred, axis=1, mode="nearest")
    gy = ndimage.sobel(blurred, axis=0, mode="nearest")
    length = np.sqrt(gx * gx + gy * gy)

    crest = _is_crest(length, gx, gy)
    strong = crest & (length >= np.float32(high))
    candidates = crest & (length >= np.float32(low))

    component, count = ndimage.label(candidates, structure=EIGHT_NEIGHBOURS)
    has_strong = np.zeros(count + 1, bool)
    has_strong[component[strong]] = True
    return Steps(blurred, length, candidates, has_strong[component])


def _is_crest(length: Image, gx: Image, gy: Image) -> Mask:
    """Where the gradient is at least as long as before it across the edge, and longer than after it."""
    flat = np.abs(gy) <= TAN_22_5 * np.abs(gx)
    steep = np.abs(gx) <= TAN_22_5 * np.abs(gy)
    falling = np.sign(gx) == np.sign(gy)

    padded = np.pad(length, 1)
    height, width = length.shape

    def neighbour(dx: int, dy: int) -> Image:
        return padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]

    def longest_towards(dx: int, dy: int) -> Mask:
        return (length >= neighbour(-dx, -dy)) & (length > neighbour(dx, dy))

    return np.select(
        [flat, steep, falling],
        [longest_towards(1, 0), longest_towards(0, 1), longest_towards(1, 1)],
        longest_towards(-1, 1),
    )
