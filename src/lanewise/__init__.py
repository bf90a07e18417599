# SPDX-License-Identifier: Apache-2.0
"""Lanewise: GPU kernels compiled, optimised and run anywhere.

    import lanewise as lw
    mod = lw.compile("saxpy.cu")
    mod["saxpy"][grid, block](y, x, 2.0, n)

No CUDA SDK, no driver and no GPU is needed. See README.md.
"""

from __future__ import annotations

import sys as _sys

if _sys.platform != "linux":  # before any module that needs it; said here, where it costs no import
    _name = {"darwin": "macOS", "win32": "Windows", "cygwin": "Cygwin"}.get(_sys.platform, _sys.platform)
    raise ImportError(
        f"lanewise runs on Linux on x86-64, and not on {_name}; on Windows and macOS, a virtual machine or a container "
        "with Linux runs it, such as WSL 2 on Windows",
        name="lanewise",
    )

import lanewise.device as _device  # the packages, before the functions of these names take them here for good
import lanewise.jit as _jit
from lanewise.errors import CheckError, CompileError, Error, LaunchError, hidden_by_pytest

TYPE_CHECKING = False  # that of `typing`, whose import takes ten times as long as all of this
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any, Literal

    from numpy.typing import ArrayLike, DTypeLike, NDArray

    import lanewise.ptx as ptx
    from lanewise.device.base import Device
    from lanewise.jit import atomic
    from lanewise.jit.ranges import prange
    from lanewise.jit.work_items import (
        active_mask,
        all_sync,
        any_sync,
        ballot_sync,
        barrier,
        barrier_and,
        barrier_count,
        barrier_or,
        dynamic_shared,
        global_id,
        global_size,
        grid_barrier,
        group_id,
        lane_id,
        local_array,
        local_id,
        local_size,
        match_any_sync,
        memory_fence,
        num_groups,
        shared,
        shfl_down_sync,
        shfl_sync,
        shfl_up_sync,
        shfl_xor_sync,
        sync_warp,
        warp_size,
    )
    from lanewise.program.arguments.local_memory import LocalMemory
    from lanewise.program.checked.asked import checked
    from lanewise.program.images.image import Image
    from lanewise.program.images.sampler import Sampler
    from lanewise.program.kernel import Kernel
    from lanewise.program.memory.buffer import Buffer
    from lanewise.program.module import Module
    from lanewise.program.textures.texture import Surface, Texture
    from lanewise.program.variable import Variable
    from lanewise.session import Session
    from lanewise.streams.event import Event
    from lanewise.streams.graph import Graph
    from lanewise.streams.stream import Stream

del _device, _jit, _sys

__tracebackhide__ = hidden_by_pytest

__version__ = "0.1.0"

__all__ = [
    "Buffer",
    "CheckError",
    "CompileError",
    "Device",
    "Error",
    "Event",
    "Graph",
    "Image",
    "Kernel",
    "LaunchError",
    "Module",
    "Sampler",
    "Stream",
    "Surface",
    "Texture",
    "Variable",
    "active_mask",
    "all_sync",
    "any_sync",
    "atomic",
    "ballot_sync",
    "barrier",
    "barrier_and",
    "barrier_count",
    "barrier_or",
    "checked",
    "compile",
    "copy_async",
    "device",
    "devices",
    "dynamic_shared",
    "empty",
    "global_id",
    "global_size",
    "gpu",
    "grid_barrier",
    "group_id",
    "jit",
    "kernel",
    "lane_id",
    "link",
    "load",
    "local",
    "local_array",
    "local_id",
    "local_size",
    "match_any_sync",
    "memory_fence",
    "memset_async",
    "num_groups",
    "on",
    "prange",
    "ptx",
    "shared",
    "shfl_down_sync",
    "shfl_sync",
    "shfl_up_sync",
    "shfl_xor_sync",
    "sync_warp",
    "synchronize",
    "to_device",
    "warp_size",
    "zeros",
]  # fmt: skip


def compile(
    source: str | bytes | os.PathLike[str],
    *,
    language: str | None = None,
    arch: str | None = None,
    defines: Mapping[str, str | int | float | bool | None] | None = None,
    include_dirs: Sequence[str | os.PathLike[str]] = (),
    options: Sequence[str] = (),
    mapping: str | None = None,
    math: str | None = None,
    checked: bool | str | Sequence[str] | None = None,
) -> Module:
    """Compile a translation unit.

    `source` is a path or source text, or a program of OpenCL in bytes: SPIR-V, or LLVM bitcode. `language` is "cuda",
    "opencl", "ptx", "ir" for kernel IR, or "spir" for such bytes; without it, the end of the file's name tells it, or
    `__global__`, `__kernel` or `.version` in the text. `arch` is the value of
    `__CUDA_ARCH__`, as sm_XX (None: what the options choose, else sm_80). `defines` are macros (None: defined without a
    value). `options` are those of clang and of nvcc.
    `mapping` is how the CPU device maps work-items: "loop", a loop over them; "lanes", side by side in vectors, or
    "lanes:8", in vectors of 8, or "lanes:8x4", in 4 such vectors at once; "threads", on stacks of their own; "auto",
    the default, what suits each part of a kernel, which long launches decide if it is unsure; "auto,fixed", the same
    without that; "lock-step", the same but never threads. `Kernel.remarks` says which.
    `math` is the mathematics of PTX: "hardware", a GPU's approximate instructions, corrected to CUDA's errors, or
    "same-bits", the functions of all other devices. None: "hardware", but "same-bits" on the simulated GPU.
    `checked`: weave checks into the kernels, so that a launch raises CheckError for what they find: True for all,
    "memory", "values", "unwritten", "races" or "barriers", or several of these; "barriers-strict" holds all work-items
    of a group to a barrier, as OpenCL C does, and "races-strict" also tells of equal values that several work-items
    write. None: what `lw.checked` or `LANEWISE_CHECK` says, else none.
    Raises CompileError with the compiler's diagnostics.
    """
    from lanewise.program.source.compilation import compile_source

    try:
        return compile_source(
            _session(),
            source,
            language=language,
            arch=arch,
            defines=defines,
            include_dirs=include_dirs,
            options=options,
            mapping=mapping,
            math=math,
            checked=checked,
        )
    except Error as error:
        raise _trimmed(error) from error.__cause__


def link(
    sources: Sequence[str | os.PathLike[str] | Module],
    *,
    arch: str | None = None,
    options: Sequence[str] = (),
    mapping: str | None = None,
) -> Module:
    """Link several modules of PTX into one: paths, texts, and modules that were compiled from PTX.

    `.extern` functions and variables are those that another one defines; `.visible`, `.weak` and `.common` have the
    meaning of PTX. The other parameters are those of `compile`. Raises CompileError, with files and lines, for symbols
    that are missing, are defined twice or are declared otherwise than they are defined.
    """
    from lanewise.program.source.linking import link_sources

    try:
        return link_sources(_session(), sources, arch=arch, options=options, mapping=mapping)
    except Error as error:
        raise _trimmed(error) from error.__cause__


def jit(
    function: Callable[..., Any] | None = None,
    *,
    exact: bool = False,
    boundscheck: bool = False,
    fallback: bool = False,
    transfers: Literal["auto", "exact", "interval", "whole"] = "auto",
    tiling: Literal["auto", "rows", "vectors", "none"] = "auto",
    parallel_check: bool = False,
) -> Any:
    """Compile the loops of a function, `@lw.jit`; with options, `@lw.jit(exact=True)`.

    The outermost loops of the function become kernels, for the types of the first call's values; loops over `lw.prange`
    run on all cores and lanes. All other code is Python's. `exact`: products and sums are rounded one by one, as the
    interpreter does, so that results are equal to the bit but for mathematical functions; without it they may be
    rounded together, as in CUDA. `boundscheck`: an index out of bounds is a LaunchError with the line, and negative
    indices count from the end, as Python's; without it only negative constants do, and an index out of bounds may read
    or overwrite other memory. `fallback`: what can't be compiled is run by Python, without an error. `transfers`: what
    a device with memory of its own gets of the arrays that a parallel loop uses: the elements that it touches
    ("exact"), all from the first of them to the last ("interval"), the arrays ("whole"), or what takes the least time.
    `tiling`: work-items of nests whose rows share loads do several, and on the CPU copy columns that all rows read; on
    GPUs they load vectors. "rows" has no copies and vectors, "vectors" only these, "none" neither. `parallel_check`:
    iterations run in turn, and an element that one writes and another uses is a LaunchError with lines and iterations.
    Raises CompileError at the first call, with file, line and reason, for a loop that can't be compiled.
    """
    from lanewise.jit.decorators import jit

    try:
        return jit(
            function,
            exact=exact,
            boundscheck=boundscheck,
            fallback=fallback,
            transfers=transfers,
            tiling=tiling,
            parallel_check=parallel_check,
        )
    except Error as error:
        raise _trimmed(error) from error.__cause__


def kernel(function: Callable[..., Any] | None = None, *, exact: bool = False, boundscheck: bool = False) -> Any:
    """Make a function a kernel, `@lw.kernel`; with options, `@lw.kernel(boundscheck=True)`.

    Every work-item of a launch, `f[grid, block](a, b, n)`, runs the function. It asks for its place by `lw.global_id`
    and the like, shares memory by `lw.shared`, waits by `lw.barrier`. The kernel is compiled for the types of the
    arguments, or for those in the annotations. `exact` and `boundscheck` are those of `lw.jit`.
    Raises CompileError at the first launch, with file, line and reason, for what can't be compiled.
    """
    from lanewise.jit.decorators import kernel

    try:
        return kernel(function, exact=exact, boundscheck=boundscheck)
    except Error as error:
        raise _trimmed(error) from error.__cause__


def type(*types: str | None) -> Callable[[Callable[..., Any]], Any]:
    """Declare the types of a function's parameters, and last that of its result, and compile its loops as `jit` does.

    `@lw.type("ndarray[double,2]", "int64", None)`: types are NumPy's or C's names of numbers, arrays of so many
    dimensions, and None. Errors name a type that there isn't, and another number of parameters. Arguments of other
    types are LaunchErrors.
    Source: unPython (Garg and Amaral), section 2.2.
    """
    from lanewise.jit.declared import typed

    try:
        return typed(*types)
    except Error as error:
        raise _trimmed(error) from error.__cause__


def gpu(function: Callable[..., Any]) -> Any:
    """Run the loops of a function, which `type` or `jit` may have marked, on the first GPU.

    Without a GPU, and for loops that it can't run, this does nothing but what `jit` does; a device chosen by `on` goes
    before. Source: unPython (Garg and Amaral), section 2.3.
    """
    from lanewise.jit.declared import on_gpu

    try:
        return on_gpu(function)
    except Error as error:
        raise _trimmed(error) from error.__cause__


def load(path: str | os.PathLike[str], *, specialise: bool = False) -> Module:
    """A module that `Module.save` wrote, ready to launch: no compiler starts.

    Kernels run the file's machine code for the launch's local size, or for any. `specialise`: those sizes that the
    file has no code of their own for are compiled from its kernel IR and kept in the cache, as `compile` does.
    Raises Error for a file that is damaged or no saved module, or that this machine can't run.
    """
    from lanewise.program.module import loaded

    try:
        return loaded(_session(), path, specialise)
    except Error as error:
        raise _trimmed(error) from error.__cause__


def device(name: str, *, gpu: str | None = None, memory: str | int | None = None) -> Device:
    """The device called `name`: "cpu", "reference", "simt", or "cuda", of which the second is "cuda:1".

    The Error for another name lists all devices.

    `gpu` and `memory` make a new simulated GPU ("simt" only): the GPU that it is like, such as "A100", and its memory
    in bytes or as "8 GiB", by default as much as that GPU has.
    """
    try:
        if gpu is None and memory is None:
            return _session().device(name)
        return _session().simulated_gpu(name, gpu, memory)
    except Error as error:
        raise _trimmed(error) from error.__cause__


def devices() -> list[Device]:
    """All devices of this machine, the default one first."""
    try:
        return _session().devices()
    except Error as error:
        raise _trimmed(error) from error.__cause__


def on(device: Device | str) -> AbstractContextManager[Device]:
    """`with lw.on("reference"):` launches, buffers and variables that name no device are on this one, for the code
    within, in this thread or task. Also a decorator of functions. Error where there is no such device."""
    from lanewise.program.selection import on

    try:
        return on(_device_of(device))
    except Error as error:
        raise _trimmed(error) from error.__cause__


def local(nbytes: int) -> LocalMemory:
    """The argument for a `__local` pointer of an OpenCL kernel: so many bytes of local memory of each work-group.
    LaunchError where that is no number above 0."""
    from lanewise.program.arguments.local_memory import local

    try:
        return local(nbytes)
    except Error as error:
        raise _trimmed(error) from error.__cause__


def to_device(values: ArrayLike, device: Device | str | None = None) -> Buffer:
    """Copy an array to a device, the default one for None."""
    from lanewise.program.memory.buffer import to_device

    try:
        return to_device(values, _device_of(device))
    except Error as error:
        raise _trimmed(error) from error.__cause__


def empty(shape: int | tuple[int, ...], dtype: DTypeLike = "float32", device: Device | str | None = None) -> Buffer:
    """A buffer with undefined content on a device, the default one for None."""
    from lanewise.program.memory.buffer import empty

    try:
        return empty(shape, dtype, _device_of(device))
    except Error as error:
        raise _trimmed(error) from error.__cause__


def zeros(shape: int | tuple[int, ...], dtype: DTypeLike = "float32", device: Device | str | None = None) -> Buffer:
    """A buffer of zeros on a device, the default one for None."""
    from lanewise.program.memory.buffer import zeros

    try:
        return zeros(shape, dtype, _device_of(device))
    except Error as error:
        raise _trimmed(error) from error.__cause__


def copy_async(destination: Buffer | NDArray[Any], source: Buffer | NDArray[Any], stream: Stream | None = None) -> None:
    """Copy between buffers and arrays of one shape and dtype when `stream` gets there; None: now, in the default
    stream."""
    from lanewise.program.memory.transfers import copy_async

    try:
        copy_async(destination, source, stream)
    except Error as error:
        raise _trimmed(error) from error.__cause__


def memset_async(destination: Buffer | NDArray[Any], byte: int, stream: Stream | None = None) -> None:
    """Set every byte of a buffer or an array when `stream` gets there; None: now, in the default stream."""
    from lanewise.program.memory.transfers import memset_async

    try:
        memset_async(destination, byte, stream)
    except Error as error:
        raise _trimmed(error) from error.__cause__


def synchronize() -> None:
    """Wait until the work of all streams is done. Raises what one of them failed with, which stays that stream's to
    raise."""
    from lanewise.streams.default_stream import DEFAULT_STREAM

    try:
        DEFAULT_STREAM.synchronize_all()
    except Error as error:
        raise _trimmed(error) from error.__cause__


def _device_of(device: Device | str | None) -> Device:
    from lanewise.program.selection import chosen_device

    session = _session()
    chosen = device if device is not None else chosen_device() or session.default_device
    if isinstance(chosen, str):
        return session.device(chosen)
    if not hasattr(chosen, "open"):
        raise Error(f'a device is a name or what lw.device("cpu") gives, not {chosen!r}')
    return chosen


def _session() -> Session:
    from lanewise.session import session_of_this_process

    return session_of_this_process()


def _trimmed(error: Error) -> Error:
    from lanewise.tracebacks import trimmed

    return trimmed(error)


_NUMBER_TYPES = frozenset({"bool_", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64",
                           "c64", "c128"})  # fmt: skip


_PLACES = {"Buffer": "program.memory.buffer", "Image": "program.images.image", "Sampler": "program.images.sampler",
           "Event": "streams.event", "Graph": "streams.graph", "Stream": "streams.stream", "Device": "device.base",
           "Surface": "program.textures.texture", "Texture": "program.textures.texture", "Kernel": "program.kernel",
           "Module": "program.module", "Variable": "program.variable", "prange": "jit.ranges",
           "checked": "program.checked.asked"}  # fmt: skip
"""Name -> the module that has it; other names are those of work-items."""
_MODULES = {"atomic": "jit.atomic", "ptx": "ptx"}


def __getattr__(name: str) -> object:
    """The rest of the public surface, loaded when named: `import lanewise` itself loads next to nothing."""
    if name not in __all__ and name not in _PLACES and name not in _NUMBER_TYPES:
        raise AttributeError(f"module 'lanewise' has no attribute {name!r}")
    import importlib

    if name in _MODULES:
        return importlib.import_module(f"lanewise.{_MODULES[name]}")
    if name in _NUMBER_TYPES:
        return importlib.import_module("lanewise.jit.annotations").NUMBER_TYPES[name]
    return getattr(importlib.import_module(f"lanewise.{_PLACES.get(name, 'jit.work_items')}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__doc__", "__version__"])
