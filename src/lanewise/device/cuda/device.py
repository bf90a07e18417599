# SPDX-License-Identifier: Apache-2.0
"""One NVIDIA GPU."""

from __future__ import annotations

from typing import Any, Final, final

from lanewise.backend.nvptx.targets import ARCHITECTURES, newest_architecture
from lanewise.device.capabilities import Capabilities
from lanewise.device.cuda.context import Context
from lanewise.device.cuda.driver import Driver
from lanewise.device.cuda.memory import CudaMemory
from lanewise.device.cuda.program import CudaProgram
from lanewise.device.gpus import REGISTERS_OF_THREAD
from lanewise.device.program import Program
from lanewise.errors import Error


@final
class CudaDevice:
    """GPU `number`. It uses the primary context, as the CUDA runtime, PyTorch and CuPy do, so that buffers of theirs
    and of ours have addresses in one space."""

    def __init__(self, driver: Driver, number: int) -> None:
        """Error if there is no such GPU, or if it is older than any that PTX is made for."""
        if not 0 <= number < driver.count:
            counted = "1 GPU" if driver.count == 1 else f"{driver.count} GPUs"
            raise Error(f"there is no GPU {number}: the driver has {counted}, counted from 0")
        self.number: Final = number
        self._driver: Final = driver
        self._handle: Final[Any] = driver("cuDeviceGet", number)
        self._model: Final = driver("cuDeviceGetName", 256, self._handle).split(b"\0")[0].decode(errors="replace")
        self.capabilities: Final = self._capabilities()
        self._context: Final = Context(driver, self._handle, self.name)
        self.memory: Final = CudaMemory(self._context)

    @property
    def name(self) -> str:
        return "cuda" if self.number == 0 else f"cuda:{self.number}"

    @property
    def is_built(self) -> bool:
        return True

    @property
    def description(self) -> str:
        memory = (self.capabilities.memory_bytes or 0) / (1 << 30)
        return f"{self._model}, {self.capabilities.arch}, {memory:.1f} GiB"

    def __repr__(self) -> str:
        return f"<device {self.name}: {self.description}>"

    def build(self) -> None:
        with self._context.current("the GPU's context"):
            pass

    def open(self, program: Program) -> CudaProgram:
        return CudaProgram(self, self._context, program)

    def _capabilities(self) -> Capabilities:
        return Capabilities(
            own_memory=True,
            accepts=("ptx",),
            item_registers=REGISTERS_OF_THREAD,
            max_shared_bytes=self._attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN"),
            cooperative=bool(self._attribute("COOPERATIVE_LAUNCH")),
            textures=False,
            arch=_arch(
                self._model, self._attribute("COMPUTE_CAPABILITY_MAJOR"), self._attribute("COMPUTE_CAPABILITY_MINOR")
            ),
            memory_bytes=int(self._driver("cuDeviceTotalMem", self._handle)),
        )

    def _attribute(self, name: str) -> int:
        attribute = getattr(self._driver.api.CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{name}")
        return int(self._driver("cuDeviceGetAttribute", attribute, self._handle))


def _arch(model: str, major: int, minor: int) -> str:
    """The newest architecture that PTX is made for and that a GPU runs."""
    found = newest_architecture(10 * major + minor)
    if found is None:
        least = int(ARCHITECTURES[0].removeprefix("sm_"))
        raise Error(f"{model} has compute capability {major}.{minor}; PTX is made for {least / 10} and later")
    return found
