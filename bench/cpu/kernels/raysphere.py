# SPDX-License-Identifier: Apache-2.0
"""Rays among mirroring spheres: a divergent loop with an early exit, around one with nested branches.

Where a ray grazes a sphere, rounding decides whether it meets it, so some elements may differ.
"""

import numpy as np

from ..prange import prange
from ..problem import Array, Kernel, Problem

_SPHERES, _MOST = 32, 6


def _dot(a: Array, b: Array) -> Array:
    return (a * b).sum(-1)


def _light(spheres: Array, size: int) -> Array:
    y, x = (axis.reshape(-1).astype(np.float32) for axis in np.mgrid[:size, :size])
    start = np.stack([2 * x / np.float32(size) - 1, 2 * y / np.float32(size) - 1, np.full_like(x, -3)], 1)
    to = np.stack([start[:, 0] * np.float32(0.3), start[:, 1] * np.float32(0.3), np.ones_like(x)], 1)
    to /= np.sqrt(_dot(to, to))[:, None]
    kept, seen = np.ones_like(x), np.zeros_like(x)
    rays = np.arange(x.size)
    for _ in range(_MOST):
        nearest, met = np.full(rays.size, np.float32(1e30)), np.full(rays.size, -1)
        for i, sphere in enumerate(spheres):
            way = sphere[:3] - start[rays]
            along = _dot(way, to[rays])
            inside = sphere[3] ** 2 - _dot(way, way) + along * along
            distance = along - np.sqrt(np.maximum(inside, 0))
            nearer = (along > 0) & (inside > 0) & (distance > 1e-3) & (distance < nearest)
            nearest, met = np.where(nearer, distance, nearest), np.where(nearer, i, met)
        leaving, rays_met = rays[met < 0], rays[met >= 0]
        seen[leaving] += kept[leaving] * (np.float32(0.5) + np.float32(0.5) * to[leaving, 1])
        nearest, met, rays = nearest[met >= 0], met[met >= 0], rays_met
        start[rays] += nearest[:, None] * to[rays]
        normal = (start[rays] - spheres[met, :3]) / spheres[met, 3:]
        to[rays] -= 2 * _dot(to[rays], normal)[:, None] * normal
        kept[rays] *= np.float32(0.8)
        seen[rays] += np.float32(0.05) * kept[rays]
    return seen.reshape(size, size)


def _problem(size: int) -> Problem:
    random = np.random.default_rng(18)
    spheres = (random.random((_SPHERES, 4), np.float32) * np.array([3, 3, 3, 0.3], np.float32)) + np.array(
        [-1.5, -1.5, 0, 0.15], np.float32
    )
    extent = np.int32(size)
    return Problem(
        arguments=(np.zeros((size, size), np.float32), spheres, extent, extent, np.int32(_SPHERES), np.int32(_MOST)),
        global_size=(size, size),
        local_size=(16, 16),
        results=(0,),
        expected=lambda: (_light(spheres, size),),
        tolerance=1e-3,
        differing=0.02,
    )


def _numba(light, spheres, width, height, count, most):
    two = np.float32(2)
    half = np.float32(0.5)
    for y in prange(height):
        for x in range(width):
            from_x = two * np.float32(x) / np.float32(width) - np.float32(1)
            from_y = two * np.float32(y) / np.float32(height) - np.float32(1)
            from_z = np.float32(-3)
            to_x = from_x * np.float32(0.3)
            to_y = from_y * np.float32(0.3)
            to_z = np.float32(1)
            scale = np.float32(1) / np.sqrt(to_x * to_x + to_y * to_y + to_z * to_z)
            to_x *= scale
            to_y *= scale
            to_z *= scale
            kept = np.float32(1)
            seen = np.float32(0)
            for _ in range(most):
                nearest = np.float32(1e30)
                met = -1
                for i in range(count):
                    way_x = spheres[i, 0] - from_x
                    way_y = spheres[i, 1] - from_y
                    way_z = spheres[i, 2] - from_z
                    along = way_x * to_x + way_y * to_y + way_z * to_z
                    apart = way_x * way_x + way_y * way_y + way_z * way_z
                    inside = spheres[i, 3] * spheres[i, 3] - apart + along * along
                    if along > np.float32(0) and inside > np.float32(0):
                        distance = along - np.sqrt(inside)
                        if distance > np.float32(1e-3) and distance < nearest:
                            nearest = distance
                            met = i
                if met < 0:
                    seen += kept * (half + half * to_y)
                    break
                from_x += nearest * to_x
                from_y += nearest * to_y
                from_z += nearest * to_z
                normal_x = (from_x - spheres[met, 0]) / spheres[met, 3]
                normal_y = (from_y - spheres[met, 1]) / spheres[met, 3]
                normal_z = (from_z - spheres[met, 2]) / spheres[met, 3]
                twice = two * (to_x * normal_x + to_y * normal_y + to_z * normal_z)
                to_x -= twice * normal_x
                to_y -= twice * normal_y
                to_z -= twice * normal_z
                kept *= np.float32(0.8)
                seen += np.float32(0.05) * kept
            light[y, x] = seen


KERNEL = Kernel(_problem, size=768, tiny=32, shown="768 x 768, 32 spheres", numba=_numba)
