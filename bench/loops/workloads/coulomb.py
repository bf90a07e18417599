# SPDX-License-Identifier: Apache-2.0
"""The potential of point charges in each point of a grid (CP of Parboil): x, y, z and charge are the columns of one
array."""

import numpy as np

import lanewise as lw

from ..workload import Workload

SPACING = np.float32(0.1)
"""Distance from one point of the grid to the next."""


@lw.jit
def potential(atoms, grid):
    for row in lw.prange(grid.shape[0]):
        for column in lw.prange(grid.shape[1]):
            x = SPACING * np.float32(column)
            y = SPACING * np.float32(row)
            energy = np.float32(0)
            for atom in range(atoms.shape[0]):
                dx = x - atoms[atom, 0]
                dy = y - atoms[atom, 1]
                dz = atoms[atom, 2]
                energy += atoms[atom, 3] / np.sqrt(dx * dx + dy * dy + dz * dz)
            grid[row, column] += energy


def _inputs(n, dtype):
    atoms = np.random.default_rng(3).random((n, 4)).astype(dtype)
    atoms[:, :2] *= SPACING * n
    atoms[:, 2] += dtype.type(0.5)
    return atoms, np.zeros((n, n), dtype)


def _reference(atoms, grid):
    rows, columns = np.indices(grid.shape, dtype=np.float32)
    total = grid.copy()
    for x, y, z, charge in atoms:
        total += charge / np.sqrt((SPACING * columns - x) ** 2 + (SPACING * rows - y) ** 2 + z * z)
    return (total,)


WORKLOAD = Workload(
    potential,
    _inputs,
    _reference,
    results=(1,),
    size=512,
    tiny=9,
    shown="512 x 512, 512 atoms",
    dtypes=("float32",),
)
