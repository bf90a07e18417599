# SPDX-License-Identifier: Apache-2.0
"""The simulated GPU: PTX by the CPU's lanes, on memory of its own."""

from __future__ import annotations

import math
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from lanewise.device.capabilities import Capabilities
from lanewise.device.cpu import CpuDevice
from lanewise.device.cpu.device import CpuProgram
from lanewise.device.cpu.report import report
from lanewise.device.gpus import REGISTERS_OF_THREAD, Gpu
from lanewise.device.launch import DeviceArray, Launch
from lanewise.device.memory import Span
from lanewise.device.program import Program
from lanewise.device.simt.capacity import shown
from lanewise.device.simt.memory import SimulatedMemory
from lanewise.errors import CompileError, LaunchError
from lanewise.runtime import SUCCESS, Failure


@final
class SimulatedGpu:
    """A GPU as `gpu` describes it, with `capacity` bytes of memory; its work is done by the threads of `cpu`."""

    def __init__(self, gpu: Gpu, capacity: int, cpu: CpuDevice) -> None:
        self.gpu: Final = gpu
        self.memory: Final = SimulatedMemory(capacity)
        self.capabilities: Final = Capabilities(
            own_memory=True,
            accepts=("ptx-ir",),
            arch=gpu.arch,
            item_registers=REGISTERS_OF_THREAD,
            max_shared_bytes=gpu.shared_bytes_of_block,
            memory_bytes=capacity,
        )
        self._cpu: Final = cpu

    @property
    def name(self) -> str:
        return "simt"

    @property
    def is_built(self) -> bool:
        return self._cpu.is_built

    @property
    def description(self) -> str:
        return f"simulated NVIDIA {self.gpu.name} with {shown(self.memory.capacity)}, {self._cpu.num_threads} threads"

    def __repr__(self) -> str:
        return f"<device {self.name}: {self.description}>"

    def build(self) -> None:
        self._cpu.build()

    def open(self, program: Program) -> SimulatedProgram:
        """`program`: made from PTX."""
        return SimulatedProgram(self, self._cpu, program)


@final
class SimulatedProgram:
    """A program made from PTX, on a simulated GPU."""

    def __init__(self, device: SimulatedGpu, cpu: CpuDevice, program: Program, older: SimulatedProgram | None = None):
        self.device: Final = device
        self._cpu: Final = cpu
        self._program: Final = program
        self._opened: Final[CpuProgram] = cpu.open(program) if older is None else older._opened.reopen(program)

    def prepare(self, launch: Launch) -> None:
        self._check_translated(launch)
        self._opened.prepare(self._on_host(launch))

    def launch(self, launch: Launch) -> None:
        self._check_translated(launch)
        launch = self._on_host(launch)
        self._check_shared(launch)
        try:
            self._opened.launch(launch, self._place)
        finally:
            written = [place for place in map(self._written_beside, launch.arguments.arrays) if place is not None]
        if written:
            outcome = SUCCESS._replace(failure=Failure.OVERRUN, address=written[0])
            report(outcome, self._program.kernel_name(launch.kernel), launch)

    def reopen(self, program: Program) -> SimulatedProgram:
        return SimulatedProgram(self.device, self._cpu, program, self)

    def variable(self, symbol: str) -> Span:
        return self._opened.variable(symbol)

    def _check_translated(self, launch: Launch) -> None:
        if launch.kernel in self._program.refused:
            name, why = self._program.kernel_name(launch.kernel), self._program.refused[launch.kernel]
            raise CompileError(f"kernel {name} can't run on {self.device.name}: {why}")

    def _check_shared(self, launch: Launch) -> None:
        static, most = self._opened.shared_bytes(launch), self.device.capabilities.max_shared_bytes
        if static + launch.dynamic_bytes > most:
            raise LaunchError(
                f"kernel {self._program.kernel_name(launch.kernel)}: {static} bytes of static and "
                f"{launch.dynamic_bytes} of dynamic shared memory are more than the {most} that a block may have on a "
                f"{self.device.gpu.name}"
            )

    def _on_host(self, launch: Launch) -> Launch:
        """The launch as the CPU takes it: arrays of the host in place of those of the device. The addresses are the
        same."""
        arguments = launch.arguments
        arrays = tuple(self._array(each) if isinstance(each, DeviceArray) else each for each in arguments.arrays)
        return launch._replace(arguments=arguments._replace(arrays=arrays))

    def _array(self, given: DeviceArray) -> NDArray[Any]:
        """The array as a part of the whole buffer, which is what it may overlap others in."""
        part = self.device.memory.part(given.address, given.dtype.itemsize * math.prod(given.shape))
        if part is None or not part.size:
            return np.empty(given.shape, given.dtype)
        return part.view(given.dtype).reshape(given.shape)

    def _written_beside(self, argument: object) -> int | None:
        """Address beside the buffer of an argument that was written."""
        if not isinstance(argument, np.ndarray):
            return None
        return self.device.memory.written_beside(argument.__array_interface__["data"][0])

    def _place(self, address: int) -> str:
        """Description of an address that is far from any argument."""
        nearest = self.device.memory.nearest(address)
        if nearest is None:
            return "the device has no buffer"
        offset = address - nearest.address
        if 0 <= offset < nearest.nbytes:
            return f"byte {offset} of a buffer of {nearest.nbytes} bytes at {nearest.address:#x}"
        distance = offset - nearest.nbytes if offset > 0 else -offset
        side = "past the end" if offset > 0 else "before the start"
        closest = f"{nearest.nbytes} bytes at {nearest.address:#x}"
        return f"outside every buffer: {distance} bytes {side} of the nearest, {closest}"
