# SPDX-License-Identifier: Apache-2.0
"""Programs on a GPU: a module of the driver, made from PTX, and its launches.

Source: CUDA Driver API reference, "Module Management" and "Execution Control".
"""

import ctypes
import struct
import threading
import time
import weakref
from typing import Any, Final, NamedTuple, final

from lanewise.device.base import Device
from lanewise.device.cuda.context import Context
from lanewise.device.cuda.driver import STREAM, Driver, DriverError
from lanewise.device.launch import Launch
from lanewise.device.memory import Span
from lanewise.device.program import Program
from lanewise.errors import CompileError, LaunchError, LaunchTimeoutError

_LOG_BYTES: Final = 1 << 16
_SHARED_BYTES: Final = 48 << 10
"""Dynamic shared memory that a kernel may have without having asked for it (CUDA C++ Programming Guide, "Shared
Memory", compute capability 7.x)."""
_END, _POINTER, _SIZE = 0, 1, 2
"""CU_LAUNCH_PARAM_END, CU_LAUNCH_PARAM_BUFFER_POINTER and CU_LAUNCH_PARAM_BUFFER_SIZE."""
_EVENT_DISABLE_TIMING: Final = 2


class _Function(NamedTuple):
    """A kernel as the driver knows it, and its static shared memory."""

    handle: Any
    shared_bytes: int


@final
class CudaProgram:
    """A program on a GPU. The driver gets its PTX at the first launch."""

    def __init__(self, device: Device, context: Context, program: Program, older: "CudaProgram | None" = None) -> None:
        """`older`: the same source with fewer kernels. This one starts with the values of its variables."""
        self.device: Final = device
        self._context: Final = context
        self._program: Final = program
        self._older = older if older is None or older._module is not None else older._older
        self._lock: Final = threading.RLock()
        self._module: Any = None
        self._functions: Final[dict[str, _Function]] = {}

    def prepare(self, launch: Launch) -> None:
        with self._context.current(self._shown(launch)) as driver:
            self._function(driver, launch)

    def launch(self, launch: Launch) -> None:
        """Output of a kernel goes to the standard output of the process."""
        with self._context.current(self._shown(launch)) as driver:
            function = self._function(driver, launch)
            try:
                self._start(driver, function, launch)
            except DriverError as error:
                raise LaunchError(f"{self._shown(launch)}: {error}") from None
            try:
                self._wait(driver, launch)
            except DriverError as error:
                told = f"{self._shown(launch)}: {error}"
                self._context.give_up(told)
                raise LaunchError(
                    f"{told}. A GPU doesn't say where; the devices simt and cpu do. NVIDIA's driver accepts no more "
                    "calls of this process for the GPU"
                ) from None

    def reopen(self, program: Program) -> "CudaProgram":
        return CudaProgram(self.device, self._context, program, self)

    def variable(self, symbol: str) -> Span:
        with self._context.current(f"variable {symbol}") as driver:
            try:
                address, nbytes = driver("cuModuleGetGlobal", self._loaded(driver), symbol.encode())
            except DriverError as error:
                if error.name != "CUDA_ERROR_NOT_FOUND":
                    raise
                raise KeyError(symbol) from None
            return Span(int(address), int(nbytes))

    def _shown(self, launch: Launch) -> str:
        return f"kernel {self._program.kernel_name(launch.kernel)}"

    def _loaded(self, driver: Driver) -> Any:
        """The driver's module, made at first use, with the variables of the older program."""
        with self._lock:
            if self._module is None:
                module = self._compiled(driver)
                weakref.finalize(self, self._context.discard, "cuModuleUnload", module).atexit = False
                if self._older is not None:
                    self._take_over(driver, module, self._older._module)
                self._module, self._older = module, None
            return self._module

    def _compiled(self, driver: Driver) -> Any:
        """CompileError with the driver's log."""
        text = self._program.product("ptx", self.device.capabilities.arch)
        log, options = bytearray(_LOG_BYTES), driver.api.CUjit_option
        wanted = {options.CU_JIT_ERROR_LOG_BUFFER: log, options.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: len(log)}
        try:
            return driver("cuModuleLoadDataEx", text.encode() + b"\0", len(wanted), list(wanted), list(wanted.values()))
        except DriverError as error:
            said = bytes(log).split(b"\0")[0].decode(errors="replace").strip()
            raise CompileError(f"{self._program.name}: NVIDIA's driver refuses the PTX: {said or error}") from None

    def _take_over(self, driver: Driver, module: Any, older: Any) -> None:
        """Copy the values of the variables that both modules have."""
        for symbol in self._program.variables:
            try:
                source, nbytes = driver("cuModuleGetGlobal", older, symbol.encode())
                destination, _ = driver("cuModuleGetGlobal", module, symbol.encode())
            except DriverError as error:
                if error.name != "CUDA_ERROR_NOT_FOUND":
                    raise
                continue
            self.device.memory.copy(int(destination), int(source), int(nbytes))

    def _function(self, driver: Driver, launch: Launch) -> _Function:
        with self._lock:
            found = self._functions.get(launch.kernel)
            if found is None:
                handle = driver("cuModuleGetFunction", self._loaded(driver), launch.kernel.encode())
                attribute = driver.api.CUfunction_attribute.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
                found = _Function(handle, int(driver("cuFuncGetAttribute", attribute, handle)))
                self._functions[launch.kernel] = found
        most = self.device.capabilities.max_shared_bytes
        if found.shared_bytes + launch.dynamic_bytes > most:
            raise LaunchError(
                f"{self._shown(launch)}: {found.shared_bytes} bytes of static and {launch.dynamic_bytes} of dynamic "
                f"shared memory are more than the {most} that a block may have on this GPU"
            )
        return found

    def _start(self, driver: Driver, function: _Function, launch: Launch) -> None:
        if function.shared_bytes + launch.dynamic_bytes > _SHARED_BYTES:
            attribute = driver.api.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            driver("cuFuncSetAttribute", function.handle, attribute, launch.dynamic_bytes)
        config = driver.api.CUlaunchConfig()
        config.gridDimX, config.gridDimY, config.gridDimZ = launch.grid
        config.blockDimX, config.blockDimY, config.blockDimZ = launch.block
        config.sharedMemBytes = launch.dynamic_bytes
        config.hStream = driver.api.CUstream(STREAM)
        if launch.cooperative:
            attribute = driver.api.CUlaunchAttribute()
            attribute.id = driver.api.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_COOPERATIVE
            attribute.value.cooperative = 1
            config.attrs, config.numAttrs = [attribute], 1
        packed = launch.arguments.packed()
        buffer = ctypes.create_string_buffer(packed, max(len(packed), 1))
        size = ctypes.c_size_t(len(packed))
        extra = struct.pack("5P", _POINTER, ctypes.addressof(buffer), _SIZE, ctypes.addressof(size), _END)
        listed = ctypes.create_string_buffer(extra, len(extra))
        driver("cuLaunchKernelEx", config, function.handle, 0, ctypes.addressof(listed))

    def _wait(self, driver: Driver, launch: Launch) -> None:
        """Wait until the kernel has ended. LaunchError when its time is over: a GPU can't be told to end it."""
        if launch.timeout is None:
            driver("cuStreamSynchronize", STREAM)
            return
        event = driver("cuEventCreate", _EVENT_DISABLE_TIMING)
        driver("cuEventRecord", event, STREAM)
        deadline, pause = time.monotonic() + launch.timeout, 1e-5
        while True:
            try:
                driver("cuEventQuery", event)
                break
            except DriverError as error:
                if error.name != "CUDA_ERROR_NOT_READY":
                    raise
            if time.monotonic() > deadline:
                self._context.leave_behind(event)
                raise LaunchTimeoutError(
                    f"{self._shown(launch)}: the launch ran longer than its timeout of {launch.timeout} s, and still "
                    "runs: a GPU can't be told to end it"
                )
            time.sleep(pause)
            pause = min(2 * pause, 1e-2)
        driver("cuEventDestroy", event)
