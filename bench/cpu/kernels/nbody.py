# SPDX-License-Identifier: Apache-2.0
"""The force of all bodies on each: x, y, z and mass as a float4."""

import numpy as np

from ..prange import prange
from ..problem import Array, Kernel, Problem


def _forces(bodies: Array) -> Array:
    place, mass = bodies[:, :3], bodies[:, 3]
    forces = np.zeros_like(bodies)
    for i, own in enumerate(place):
        way = place - own
        inverse = 1 / np.sqrt((way * way).sum(1) + np.float32(1e-3))
        forces[i, :3] = (mass * inverse**3) @ way
    return forces


def _problem(n: int) -> Problem:
    bodies = np.random.default_rng(3).random((n, 4), np.float32)
    return Problem(
        arguments=(np.zeros_like(bodies), bodies, np.int32(n)),
        global_size=(n,),
        local_size=(256,),
        results=(0,),
        expected=lambda: (_forces(bodies),),
        tolerance=1e-4,
    )


def _numba(force, bodies, n):
    for i in prange(n):
        x = bodies[i, 0]
        y = bodies[i, 1]
        z = bodies[i, 2]
        sum_x = np.float32(0)
        sum_y = np.float32(0)
        sum_z = np.float32(0)
        for j in range(n):
            dx = bodies[j, 0] - x
            dy = bodies[j, 1] - y
            dz = bodies[j, 2] - z
            inverse = np.float32(1) / np.sqrt(dx * dx + dy * dy + dz * dz + np.float32(1e-3))
            pull = bodies[j, 3] * inverse * inverse * inverse
            sum_x += pull * dx
            sum_y += pull * dy
            sum_z += pull * dz
        force[i, 0] = sum_x
        force[i, 1] = sum_y
        force[i, 2] = sum_z
        force[i, 3] = np.float32(0)


KERNEL = Kernel(_problem, size=8192, tiny=256, shown="8192 bodies", numba=_numba)
