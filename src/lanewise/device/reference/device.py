# SPDX-License-Identifier: Apache-2.0
"""The reference device, behind the protocols of a device."""

from __future__ import annotations

import sys
from typing import Any, Final, cast, final

import numpy as np

from lanewise import locks
from lanewise.backend.host.features import has_fused_multiply_add
from lanewise.config import watchdog
from lanewise.device.capabilities import Capabilities
from lanewise.device.launch import Launch
from lanewise.device.memory import ALIGNMENT, Bytes, HostMemory, Span
from lanewise.device.program import Program
from lanewise.device.reference.memory.arguments import ArgumentValue, Array
from lanewise.device.reference.module import ReferenceModule
from lanewise.device.reference.run.time_limit import time_limit
from lanewise.device.texture_layout import IMAGE_MAGIC
from lanewise.pipelines.reference import prepared


@final
class ReferenceDevice:
    """An interpreter of kernel IR: slow, plain, and checked."""

    def __init__(self) -> None:
        self.capabilities: Final = Capabilities()
        self.memory: Final = HostMemory(_allocate)

    @property
    def name(self) -> str:
        return "reference"

    @property
    def description(self) -> str:
        return "interpreter of kernel IR, one work-item after the other; checks every access"

    def __repr__(self) -> str:
        return f"<device {self.name}: {self.description}>"

    @property
    def is_built(self) -> bool:
        return True

    def build(self) -> None:
        pass

    def open(self, program: Program) -> ReferenceProgram:
        return ReferenceProgram(self, program)


def _memory_behind(referred: object) -> list[Array]:
    """The memory that an image leads to: its description and its texels. Functions of the device read textures."""
    description = getattr(referred, "description", None)
    if not isinstance(description, np.ndarray) or int(description["magic"][0]) != IMAGE_MAGIC:
        return []
    memory: Any = getattr(referred, "memory", None)
    return [cast("Array", description), cast("Array", getattr(memory, "layout", memory))]


def _allocate(nbytes: int, zeroed: bool) -> Bytes:
    whole: Bytes = (np.zeros if zeroed else np.empty)(nbytes + ALIGNMENT, np.uint8)
    start = -whole.__array_interface__["data"][0] % ALIGNMENT
    return whole[start : start + nbytes]


@final
class ReferenceProgram:
    """A program on the reference device. Its IR is read at the first launch or access to a variable."""

    def __init__(self, device: ReferenceDevice, program: Program) -> None:
        self.device: Final = device
        self._program: Final = program
        self._lock: Final = locks.lock()
        self._module: ReferenceModule | None = None

    def prepare(self, launch: Launch) -> None:
        self._read().prepare(launch.kernel)

    def launch(self, launch: Launch) -> None:
        arguments = launch.arguments
        values: list[ArgumentValue] = [
            array if isinstance(array, np.ndarray) else value
            for value, array in zip(arguments.values, arguments.arrays, strict=True)
        ]
        reachable = [memory for referred in arguments.arrays for memory in _memory_behind(referred)]
        with time_limit(launch.timeout, self._program.kernel_name(launch.kernel)):
            self._read().launch(
                launch.kernel,
                launch.grid,
                launch.block,
                values,
                launch.dynamic_bytes,
                sys.stdout.write,
                reachable=reachable,
                cooperative=launch.cooperative,
                patience=watchdog() if launch.timeout is None else None,
                races=launch.races,
            )

    def reopen(self, program: Program) -> ReferenceProgram:
        new = ReferenceProgram(self.device, program)
        with self._lock:
            if self._module is not None:
                for symbol in self._module.variables:
                    new._read().variable(symbol)[...] = self._module.variable(symbol)
        return new

    def variable(self, symbol: str) -> Span:
        memory = self._read().variable(symbol)
        return Span(memory.__array_interface__["data"][0], memory.nbytes)

    def _read(self) -> ReferenceModule:
        with self._lock:
            if self._module is None:
                fused = has_fused_multiply_add()
                module = prepared(self._program.reader(fused=fused)(None), fused=fused)
                self._module = ReferenceModule(module, self._program.name)
            return self._module
