# SPDX-License-Identifier: Apache-2.0
"""Functions that kernels of Python call for their work-items: `lw.global_id`, `lw.shared`, `lw.barrier` and the like.

The names of places and sizes are OpenCL's; docs/python-kernels.md has CUDA's beside them.
"""

from __future__ import annotations

from typing import Any, Final

from lanewise.frontend.python.device_functions import barriers, group_arrays, places, warps
from lanewise.jit.device_function import device_function, only_in_kernels

Shape = int | tuple[int, ...]

ALL_LANES: Final = 0xFFFFFFFF

warp_size: Final = warps.WARP_SIZE
"""Lanes of a warp: work-items with neighbouring local ids, in the order x, y, z."""


# -- places and sizes --------------------------------------------------------------------------------------------


@device_function(places.global_id)
def global_id(axis: int = 0) -> int:
    """The number of the work-item in the grid along an axis; CUDA's blockIdx.x * blockDim.x + threadIdx.x."""
    return only_in_kernels()


@device_function(places.register_along("tid"))
def local_id(axis: int = 0) -> int:
    """The number of the work-item in its work-group; CUDA's threadIdx."""
    return only_in_kernels()


@device_function(places.register_along("ctaid"))
def group_id(axis: int = 0) -> int:
    """The number of the work-group in the grid; CUDA's blockIdx."""
    return only_in_kernels()


@device_function(places.register_along("ntid"))
def local_size(axis: int = 0) -> int:
    """The number of work-items of a work-group; CUDA's blockDim."""
    return only_in_kernels()


@device_function(places.register_along("nctaid"))
def num_groups(axis: int = 0) -> int:
    """The number of work-groups; CUDA's gridDim."""
    return only_in_kernels()


@device_function(places.global_size)
def global_size(axis: int = 0) -> int:
    """The number of work-items of the grid; CUDA's gridDim.x * blockDim.x."""
    return only_in_kernels()


# -- memory ------------------------------------------------------------------------------------------------------


@device_function(group_arrays.shared)
def shared(shape: Shape, type: Any) -> Any:
    """An array that the work-items of a group share; CUDA's `__shared__ T s[64]`. `shape` is constant: an int or a
    tuple. `type` is that of the elements, `lw.f32` or `np.float32`. Each place in the source that calls it has one
    array, whose elements are undefined at first."""
    return only_in_kernels()


@device_function(group_arrays.dynamic_shared)
def dynamic_shared(shape: Shape, type: Any, offset: int = 0) -> Any:
    """An array in the shared memory that the launch asks for, `k[grid, block, nbytes]`; CUDA's `extern __shared__`.
    `shape` may be any number; `offset`, in bytes, is a multiple of the element's size. Arrays that begin at the same
    offset are the same memory."""
    return only_in_kernels()


@device_function(group_arrays.local_array)
def local_array(shape: Shape, type: Any) -> Any:
    """An array that each work-item has for itself. `shape` is constant. The elements are undefined at first."""
    return only_in_kernels()


# -- barriers ----------------------------------------------------------------------------------------------------


@device_function(barriers.barrier)
def barrier() -> None:
    """Wait for all work-items of the group, and see what they wrote to memory; CUDA's `__syncthreads`. All of them must
    come to the same barrier."""
    return only_in_kernels()


@device_function(barriers.barrier_count)
def barrier_count(predicate: Any) -> int:
    """A barrier that returns for how many work-items of the group the predicate is true; `__syncthreads_count`."""
    return only_in_kernels()


@device_function(barriers.barrier_vote("and"))
def barrier_and(predicate: Any) -> bool:
    """A barrier that returns True if the predicate is true for all work-items of the group; `__syncthreads_and`."""
    return only_in_kernels()


@device_function(barriers.barrier_vote("or"))
def barrier_or(predicate: Any) -> bool:
    """A barrier that returns True if the predicate is true for any work-item of the group; `__syncthreads_or`."""
    return only_in_kernels()


@device_function(barriers.grid_barrier)
def grid_barrier() -> None:
    """Wait for all work-items of the grid, in a launch with `cooperative=True`; CUDA's `this_grid().sync()`."""
    return only_in_kernels()


@device_function(barriers.memory_fence)
def memory_fence(scope: str = "device") -> None:
    """Order the work-item's accesses to memory before the fence and after it, for others of the "group", the "device"
    or the "system"; CUDA's `__threadfence_block`, `__threadfence` and `__threadfence_system`."""
    return only_in_kernels()


# -- warps -------------------------------------------------------------------------------------------------------


@device_function(places.lane_id)
def lane_id() -> int:
    """The number of the work-item in its warp, 0 to 31."""
    return only_in_kernels()


@device_function(warps.shuffle("idx"))
def shfl_sync(mask: int, value: Any, lane: int, width: int = warp_size) -> Any:
    """The value that another lane has; `__shfl_sync`. `mask` has a bit for each lane that takes part; all of them call
    it. `width`, a constant power of two, divides the warp into parts, in which `lane` counts."""
    return only_in_kernels()


@device_function(warps.shuffle("up"))
def shfl_up_sync(mask: int, value: Any, delta: int, width: int = warp_size) -> Any:
    """The value of the lane `delta` below, or the own one; `__shfl_up_sync`."""
    return only_in_kernels()


@device_function(warps.shuffle("down"))
def shfl_down_sync(mask: int, value: Any, delta: int, width: int = warp_size) -> Any:
    """The value of the lane `delta` above, or the own one; `__shfl_down_sync`."""
    return only_in_kernels()


@device_function(warps.shuffle("bfly"))
def shfl_xor_sync(mask: int, value: Any, lane_mask: int, width: int = warp_size) -> Any:
    """The value of the lane whose number differs in the bits of `lane_mask`; `__shfl_xor_sync`."""
    return only_in_kernels()


@device_function(warps.ballot)
def ballot_sync(mask: int, predicate: Any) -> int:
    """A bit for each lane whose predicate is true; `__ballot_sync`."""
    return only_in_kernels()


@device_function(warps.vote("any"))
def any_sync(mask: int, predicate: Any) -> bool:
    """True if the predicate of any lane is; `__any_sync`."""
    return only_in_kernels()


@device_function(warps.vote("all"))
def all_sync(mask: int, predicate: Any) -> bool:
    """True if the predicates of all lanes are; `__all_sync`."""
    return only_in_kernels()


@device_function(warps.match_any)
def match_any_sync(mask: int, value: Any) -> int:
    """A bit for each lane that has the same value; `__match_any_sync`."""
    return only_in_kernels()


@device_function(warps.active_mask)
def active_mask() -> int:
    """A bit for each lane of the warp that runs this now; `__activemask`."""
    return only_in_kernels()


@device_function(warps.sync_warp)
def sync_warp(mask: int = ALL_LANES) -> None:
    """Wait for the lanes of a mask, and see what they wrote to memory; `__syncwarp`."""
    return only_in_kernels()
