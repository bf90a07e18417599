# SPDX-License-Identifier: Apache-2.0
"""Atomic operations on elements of arrays, for kernels: `lw.atomic.add(a, i, x)`.

In two dimensions the index is a tuple, `lw.atomic.add(a, (i, j), x)`.

Each returns the element's value before. Elements are integers and floating-point numbers of 32 and 64 bits, in global
or shared memory. Operations are relaxed, as CUDA's: `lw.memory_fence` orders them with other accesses.
"""

from __future__ import annotations

from typing import Any

from lanewise.frontend.python.device_functions.atomics import compare_and_swap, update
from lanewise.jit.device_function import device_function, only_in_kernels

Index = int | tuple[int, ...]


@device_function(update("add"), "atomic.add")
def add(array: Any, index: Index, value: Any) -> Any:
    """`array[index] += value`; CUDA's atomicAdd."""
    return only_in_kernels()


@device_function(update("sub"), "atomic.sub")
def sub(array: Any, index: Index, value: Any) -> Any:
    """`array[index] -= value`; CUDA's atomicSub."""
    return only_in_kernels()


@device_function(update("min"), "atomic.min")
def min(array: Any, index: Index, value: Any) -> Any:
    """`array[index] = min(array[index], value)`; CUDA's atomicMin. A NaN is left out, as by `np.fmin`."""
    return only_in_kernels()


@device_function(update("max"), "atomic.max")
def max(array: Any, index: Index, value: Any) -> Any:
    """`array[index] = max(array[index], value)`; CUDA's atomicMax. A NaN is left out, as by `np.fmax`."""
    return only_in_kernels()


@device_function(update("and"), "atomic.and_")
def and_(array: Any, index: Index, value: Any) -> Any:
    """`array[index] &= value`, of integers; CUDA's atomicAnd."""
    return only_in_kernels()


@device_function(update("or"), "atomic.or_")
def or_(array: Any, index: Index, value: Any) -> Any:
    """`array[index] |= value`, of integers; CUDA's atomicOr."""
    return only_in_kernels()


@device_function(update("xor"), "atomic.xor")
def xor(array: Any, index: Index, value: Any) -> Any:
    """`array[index] ^= value`, of integers; CUDA's atomicXor."""
    return only_in_kernels()


@device_function(update("xchg"), "atomic.exch")
def exch(array: Any, index: Index, value: Any) -> Any:
    """`array[index] = value`; CUDA's atomicExch."""
    return only_in_kernels()


@device_function(compare_and_swap, "atomic.cas")
def cas(array: Any, index: Index, expected: Any, value: Any) -> Any:
    """`array[index] = value` if it has the bits of `expected`; CUDA's atomicCAS."""
    return only_in_kernels()
