# SPDX-License-Identifier: Apache-2.0
"""NVIDIA GPUs, by their driver: PTX of any language, on memory of the GPU's own.

device     CudaDevice: one GPU
program    launches
memory     buffers on the GPU
context    a GPU's context, in which calls are made, and what follows a fault
driver     calls of the driver, by the package cuda-bindings
"""

from lanewise.cache import Cache
from lanewise.config import Config
from lanewise.device.cuda.device import CudaDevice
from lanewise.device.cuda.driver import Driver, bindings
from lanewise.errors import Error


def open_device(cache: Cache, config: Config, number: int = 0) -> CudaDevice:
    """GPU `number`, as CUDA counts them. Error where there is none, or no driver, or no cuda-bindings."""
    del cache, config
    return CudaDevice(Driver(bindings()), number)


def count() -> int:
    """Number of GPUs; 0 also where there is no driver, or no cuda-bindings."""
    try:
        return Driver(bindings()).count
    except Error:
        return 0


__all__ = ["CudaDevice", "count", "open_device"]
