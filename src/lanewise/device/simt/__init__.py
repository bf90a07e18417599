# SPDX-License-Identifier: Apache-2.0
"""A simulated GPU: it takes PTX, and has memory of its own with a set capacity.

device       SimulatedGpu: launches, by the CPU's lanes
memory       its memory: buffers in a region of addresses, between pages that can't be accessed
bufalloc     the allocator of that memory
capacity     amounts of memory as users write them
"""

from lanewise.cache import Cache
from lanewise.config import Config
from lanewise.device.cpu import CpuDevice
from lanewise.device.gpus import gpu_named
from lanewise.device.simt.capacity import bytes_of
from lanewise.device.simt.device import SimulatedGpu

DEFAULT_GPU = "A100"


def open_device(cache: Cache, config: Config, gpu: str | None = None, memory: str | int | None = None) -> SimulatedGpu:
    """The GPU called `gpu` with so much memory, by default as much as it has. Error for a GPU that isn't known, and for
    an amount that is none."""
    chosen = gpu_named(DEFAULT_GPU if gpu is None else gpu)
    capacity = chosen.memory if memory is None else bytes_of(memory)
    return SimulatedGpu(chosen, capacity, CpuDevice(cache, config.num_threads))


__all__ = ["SimulatedGpu", "open_device"]
