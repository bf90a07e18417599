# SPDX-License-Identifier: Apache-2.0
"""A step of heat in space, seven neighbours; the boundary returns early."""

import numpy as np

from ..prange import prange
from ..problem import Array, Kernel, Problem

_OWN, _NEXT = np.float32(0.4), np.float32(0.1)


def _step(heat: Array) -> Array:
    inner = slice(1, -1)
    around = heat[inner, inner, :-2] + heat[inner, inner, 2:] + heat[inner, :-2, inner]
    around += heat[inner, 2:, inner] + heat[:-2, inner, inner] + heat[2:, inner, inner]
    out = np.zeros_like(heat)
    out[inner, inner, inner] = _OWN * heat[inner, inner, inner] + _NEXT * around
    return out


def _problem(size: int) -> Problem:
    heat = np.random.default_rng(15).random((size, size, size), np.float32)
    extent = np.int32(size)
    return Problem(
        arguments=(np.zeros_like(heat), heat, extent, extent, extent, _OWN, _NEXT),
        global_size=(size, size, size),
        local_size=(32, 4, 2),
        results=(0,),
        expected=lambda: (_step(heat),),
        tolerance=1e-6,
        nbytes=2 * heat.nbytes,
    )


def _numba(out, heat, nx, ny, nz, own, following):
    for z in prange(1, nz - 1):
        for y in range(1, ny - 1):
            for x in range(1, nx - 1):
                around = heat[z, y, x - 1] + heat[z, y, x + 1] + heat[z, y - 1, x]
                around += heat[z, y + 1, x] + heat[z - 1, y, x] + heat[z + 1, y, x]
                out[z, y, x] = own * heat[z, y, x] + following * around


KERNEL = Kernel(_problem, size=256, tiny=32, shown="256 x 256 x 256", numba=_numba)
