# SPDX-License-Identifier: Apache-2.0
"""A stand-in for the module cuda.bindings.driver: GPUs that are simulated, for machines that have none.

Names, order of arguments and results are those of cuda-bindings 13; `test_standin.py` compares them where that is
installed. As a driver does, it runs launches beside the caller, reports a fault at the next wait and refuses all calls
after it, and wants a context.
"""

import ctypes
import functools
import inspect
import struct
import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from enum import IntEnum
from typing import Any, NamedTuple

import pytest

import lanewise as lw
from lanewise.device.base import OpenProgram
from lanewise.device.cuda import count
from lanewise.device.launch import Arguments, Launch, Parameters
from lanewise.device.memory import Span
from lanewise.device.simt import SimulatedGpu

GPU = "T4"
MEMORY = 64 << 20
NAME = "cuda.bindings.driver"


class CUresult(IntEnum):
    CUDA_SUCCESS = 0
    CUDA_ERROR_INVALID_VALUE = 1
    CUDA_ERROR_OUT_OF_MEMORY = 2
    CUDA_ERROR_NO_DEVICE = 100
    CUDA_ERROR_INVALID_DEVICE = 101
    CUDA_ERROR_INVALID_CONTEXT = 201
    CUDA_ERROR_INVALID_PTX = 218
    CUDA_ERROR_NOT_FOUND = 500
    CUDA_ERROR_NOT_READY = 600
    CUDA_ERROR_ILLEGAL_ADDRESS = 700


class CUdevice_attribute(IntEnum):
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97


class CUfunction_attribute(IntEnum):
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8


class CUjit_option(IntEnum):
    CU_JIT_ERROR_LOG_BUFFER = 5
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6


class CUlaunchAttributeID(IntEnum):
    CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2


class CUlaunchAttribute:
    def __init__(self) -> None:
        self.id: CUlaunchAttributeID | None = None
        self.value = types.SimpleNamespace(cooperative=0)


class CUlaunchConfig:
    def __init__(self) -> None:
        self.gridDimX = self.gridDimY = self.gridDimZ = 0
        self.blockDimX = self.blockDimY = self.blockDimZ = 0
        self.sharedMemBytes = 0
        self.hStream = 0
        self.attrs: list[CUlaunchAttribute] = []
        self.numAttrs = 0


SUCCESS = (CUresult.CUDA_SUCCESS,)
Result = tuple[Any, ...]


class Function(NamedTuple):
    """A kernel of a module that was loaded."""

    program: OpenProgram
    kernel: lw.Kernel
    attributes: dict[int, int]


class Event:
    """The launches that were there when it was recorded."""

    def __init__(self) -> None:
        self.last: threading.Thread | None = None


def in_context(call: Callable[..., Result]) -> Callable[..., Result]:
    """A call that needs a current context, and fails after a fault."""

    def checked(self: "Driver", *arguments: Any) -> Result:
        if not self.contexts():
            return (CUresult.CUDA_ERROR_INVALID_CONTEXT, *[None] * 2)
        if self.fault is not None:
            return (CUresult.CUDA_ERROR_ILLEGAL_ADDRESS, *[None] * 2)
        return call(self, *arguments)

    checked.__signature__ = inspect.signature(call)  # type: ignore[attr-defined]
    return checked


class Driver:
    """The functions, over `count` simulated GPUs."""

    CUstream = int

    def __init__(self, count: int = 1, capability: tuple[int, int] = (7, 5)) -> None:
        self.gpus = [lw.device("simt", gpu=GPU, memory=MEMORY) for _ in range(count)]
        self.capability = capability
        self.seconds = 5.0
        """Seconds after which a launch is ended, as a fault."""
        self.fault: lw.LaunchError | None = None
        self.launches: list[CUlaunchConfig] = []
        self._spans: dict[int, int] = {}
        self._local = threading.local()

    def contexts(self) -> list[int]:
        """The calling thread's stack of contexts, each the number of its GPU."""
        if not hasattr(self._local, "contexts"):
            self._local.contexts = []
        return self._local.contexts

    @property
    def _gpu(self) -> SimulatedGpu:
        gpu = self.gpus[self.contexts()[-1]]
        assert isinstance(gpu, SimulatedGpu)
        return gpu

    # -- the driver and its GPUs

    def cuInit(self, Flags: int) -> Result:
        return SUCCESS if self.gpus else (CUresult.CUDA_ERROR_NO_DEVICE,)

    def cuDriverGetVersion(self) -> Result:
        return *SUCCESS, 13000

    def cuGetErrorString(self, error: CUresult) -> Result:
        return *SUCCESS, error.name.removeprefix("CUDA_ERROR_").lower().replace("_", " ").encode()

    def cuDeviceGetCount(self) -> Result:
        return *SUCCESS, len(self.gpus)

    def cuDeviceGet(self, ordinal: int) -> Result:
        return (*SUCCESS, ordinal) if ordinal < len(self.gpus) else (CUresult.CUDA_ERROR_INVALID_DEVICE, None)

    def cuDeviceGetName(self, length: int, dev: int) -> Result:
        return *SUCCESS, b"Stand-in".ljust(length, b"\0")

    def cuDeviceTotalMem(self, dev: int) -> Result:
        return *SUCCESS, self.gpus[dev].capabilities.memory_bytes

    def cuDeviceGetAttribute(self, attrib: CUdevice_attribute, dev: int) -> Result:
        values = {75: self.capability[0], 76: self.capability[1], 95: 1}
        return *SUCCESS, values.get(attrib, self.gpus[dev].capabilities.max_shared_bytes)

    def cuDevicePrimaryCtxRetain(self, dev: int) -> Result:
        return *SUCCESS, dev

    def cuCtxPushCurrent(self, ctx: int) -> Result:
        self.contexts().append(ctx)
        return SUCCESS

    def cuCtxPopCurrent(self) -> Result:
        return (*SUCCESS, self.contexts().pop()) if self.contexts() else (CUresult.CUDA_ERROR_INVALID_CONTEXT, None)

    # -- memory

    @in_context
    def cuMemGetInfo(self) -> Result:
        return *SUCCESS, MEMORY // 2, MEMORY

    @in_context
    def cuMemAlloc(self, bytesize: int) -> Result:
        if bytesize == 0:
            return CUresult.CUDA_ERROR_INVALID_VALUE, None
        try:
            address = self._gpu.memory.allocate(bytesize, zeroed=False)
        except MemoryError:
            return CUresult.CUDA_ERROR_OUT_OF_MEMORY, None
        self._gpu.memory.fill(address, bytesize, 0xCD)
        self._spans[address] = bytesize
        return *SUCCESS, address

    @in_context
    def cuMemFree(self, dptr: int) -> Result:
        self._wait()
        del self._spans[dptr]
        self._gpu.memory.free(dptr)
        return SUCCESS

    @in_context
    def cuMemcpyHtoDAsync(self, dstDevice: int, srcHost: int, ByteCount: int, hStream: int) -> Result:
        return self._moved(dstDevice, srcHost, ByteCount, [dstDevice])

    @in_context
    def cuMemcpyDtoHAsync(self, dstHost: int, srcDevice: int, ByteCount: int, hStream: int) -> Result:
        return self._moved(dstHost, srcDevice, ByteCount, [srcDevice])

    @in_context
    def cuMemcpyDtoDAsync(self, dstDevice: int, srcDevice: int, ByteCount: int, hStream: int) -> Result:
        if abs(dstDevice - srcDevice) < ByteCount:
            return (CUresult.CUDA_ERROR_INVALID_VALUE,)  # a real one copies something or other
        return self._moved(dstDevice, srcDevice, ByteCount, [dstDevice, srcDevice])

    @in_context
    def cuMemsetD8Async(self, dstDevice: int, uc: int, N: int, hStream: int) -> Result:
        self._wait()
        if not self._known(dstDevice, N):
            return (CUresult.CUDA_ERROR_INVALID_VALUE,)
        ctypes.memset(dstDevice, uc, N)
        return SUCCESS

    def _moved(self, destination: int, source: int, nbytes: int, on_gpu: list[int]) -> Result:
        self._wait()
        if not all(self._known(address, nbytes) for address in on_gpu):
            return (CUresult.CUDA_ERROR_INVALID_VALUE,)
        ctypes.memmove(destination, source, nbytes)
        return SUCCESS

    def _known(self, address: int, nbytes: int) -> bool:
        spans = self._spans.copy().items()
        return any(start <= address and address + nbytes <= start + size for start, size in spans)

    # -- modules

    @in_context
    def cuModuleLoadDataEx(self, image: bytes, numOptions: int, options: list[int], optionValues: list[Any]) -> Result:
        assert image.endswith(b"\0")
        assert numOptions == len(options) == len(optionValues)
        log = dict(zip(options, optionValues, strict=True))[CUjit_option.CU_JIT_ERROR_LOG_BUFFER]
        try:
            module = lw.compile(image[:-1].decode(), language="ptx")
        except lw.CompileError as error:
            said = f"ptxas error : {error}".encode()[: len(log) - 1]
            log[: len(said)] = said
            return CUresult.CUDA_ERROR_INVALID_PTX, None
        return *SUCCESS, (module, module.opened(self._gpu))

    @in_context
    def cuModuleUnload(self, hmod: tuple[lw.Module, OpenProgram]) -> Result:
        return SUCCESS

    @in_context
    def cuModuleGetFunction(self, hmod: tuple[lw.Module, OpenProgram], name: bytes) -> Result:
        module, program = hmod
        try:
            return *SUCCESS, Function(program, module[name.decode()], {})
        except lw.CompileError:
            return CUresult.CUDA_ERROR_NOT_FOUND, None

    @in_context
    def cuModuleGetGlobal(self, hmod: tuple[lw.Module, OpenProgram], name: bytes) -> Result:
        try:
            span: Span = hmod[1].variable(name.decode())
        except KeyError:
            return CUresult.CUDA_ERROR_NOT_FOUND, None, None
        self._spans[span.address] = span.nbytes
        return *SUCCESS, *span

    @in_context
    def cuFuncGetAttribute(self, attrib: CUfunction_attribute, hfunc: Function) -> Result:
        assert attrib == CUfunction_attribute.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
        return *SUCCESS, hfunc.kernel.shared_bytes

    @in_context
    def cuFuncSetAttribute(self, hfunc: Function, attrib: CUfunction_attribute, value: int) -> Result:
        hfunc.attributes[attrib] = value
        return SUCCESS

    # -- launches

    @in_context
    def cuLaunchKernelEx(self, config: CUlaunchConfig, f: Function, kernelParams: int, extra: int) -> Result:
        assert kernelParams == 0
        pointer, buffer, size, sizes, end = struct.unpack("5P", ctypes.string_at(extra, 40))
        assert (pointer, size, end) == (1, 2, 0)
        given = f.attributes.get(CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 0)
        if config.sharedMemBytes > max(given, 48 << 10):
            return (CUresult.CUDA_ERROR_INVALID_VALUE,)
        packed = ctypes.string_at(buffer, ctypes.c_size_t.from_address(sizes).value)
        launch = Launch(
            f.kernel.symbol,
            (config.gridDimX, config.gridDimY, config.gridDimZ),
            (config.blockDimX, config.blockDimY, config.blockDimZ),
            Arguments((packed,), (None,), Parameters(("",), (True,), struct.Struct(f"{len(packed)}s"))),
            config.sharedMemBytes,
            timeout=self.seconds,
            cooperative=config.numAttrs == 1 and bool(config.attrs[0].value.cooperative),
        )
        self.launches.append(config)
        before = self._last()

        def work() -> None:
            if before is not None:
                before.join()
            try:
                f.program.launch(launch)
            except lw.LaunchError as error:
                self.fault = error

        self._local.last = threading.Thread(target=work, daemon=True)
        self._local.last.start()
        return SUCCESS

    @in_context
    def cuStreamSynchronize(self, hStream: int) -> Result:
        self._wait()
        return SUCCESS if self.fault is None else (CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,)

    @in_context
    def cuEventCreate(self, Flags: int) -> Result:
        return *SUCCESS, Event()

    @in_context
    def cuEventRecord(self, hEvent: Event, hStream: int) -> Result:
        hEvent.last = self._last()
        return SUCCESS

    @in_context
    def cuEventQuery(self, hEvent: Event) -> Result:
        if hEvent.last is not None and hEvent.last.is_alive():
            return (CUresult.CUDA_ERROR_NOT_READY,)
        return SUCCESS if self.fault is None else (CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,)

    @in_context
    def cuEventDestroy(self, hEvent: Event) -> Result:
        return SUCCESS

    def _last(self) -> threading.Thread | None:
        """The thread of the calling thread's last launch."""
        return getattr(self._local, "last", None)

    def _wait(self) -> None:
        last = self._last()
        if last is not None:
            last.join()


for each in (
    CUresult, CUdevice_attribute, CUfunction_attribute, CUjit_option, CUlaunchAttributeID, CUlaunchAttribute,
    CUlaunchConfig,
):  # fmt: skip
    setattr(Driver, each.__name__, each)


@contextmanager
def installed(driver: Driver) -> Iterator[None]:
    """`driver` as the module that is imported, for the block."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("cuda", "cuda.bindings"):
            if name not in sys.modules:
                patch.setitem(sys.modules, name, types.ModuleType(name))
        patch.setitem(sys.modules, NAME, driver)
        yield


@functools.cache
def the_driver() -> Driver | None:
    """One for all tests of this process that ask for the device by its name; None where there is a GPU."""
    return None if count() else Driver()


def gpu_or_standin() -> AbstractContextManager[None]:
    """The GPU of this machine for the block, or else the stand-in's."""
    driver = the_driver()
    return nullcontext() if driver is None else installed(driver)
