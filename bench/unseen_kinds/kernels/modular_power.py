# SPDX-License-Identifier: Apache-2.0
"""Powers modulo a number: remainders of 64 bits, in loops of different lengths."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem


def _powers(bases: Array, exponents: Array, moduli: Array) -> Array:
    base, modulus = bases.astype(np.uint64), moduli.astype(np.uint64)
    power = np.ones_like(base)
    for bit in range(16):
        power = np.where(exponents >> bit & 1, power * base % modulus, power)
        base = base * base % modulus
    return power


def _problem(count: int) -> Problem:
    random = np.random.default_rng(21)
    moduli = random.integers(3, 1 << 31, count, np.uint32)
    bases = random.integers(0, moduli, count, np.uint32)
    exponents = (random.integers(0, 1 << 16, count) >> random.integers(0, 16, count)).astype(np.uint16)
    return Problem(
        arguments=(np.zeros(count, np.uint32), bases, exponents, moduli, np.uint32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (_powers(bases, exponents, moduli),),
    )


KERNEL = Kernel(_problem, size=1 << 16, tiny=100, shown="64K powers")
