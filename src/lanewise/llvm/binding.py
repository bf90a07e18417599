# SPDX-License-Identifier: Apache-2.0
"""Access to llvmlite: loads it at first use, and separates the calls that may run in parallel.

Importing llvmlite costs 25 to 35 ms, so nothing here imports it at module level.

Thread safety. LLVM itself may be used from many threads if no two of them use the same context, module, pass builder or
target machine at the same time. llvmlite nevertheless takes one lock around every call, because its users share a
global context. This package creates a context per module, and target machines per thread: what uses one is done before
anything else in the same thread does. So the three calls that take nearly all the time (parse, run passes, emit code)
bypass that lock: `unlocked()` returns them. Everything else uses llvmlite's documented, locked interface.
"""

import ctypes
import functools
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, NamedTuple

from lanewise.errors import Error

_initialising = threading.Lock()


def llvm() -> Any:
    """The module `llvmlite.binding`, with all its targets registered."""
    with _initialising:
        return _load()


@functools.cache
def _load() -> Any:
    try:
        import llvmlite.binding  # pyright: ignore[reportMissingTypeStubs]: llvmlite ships no types
    except ImportError as error:
        raise Error(f"this has to be compiled, and LLVM can't be loaded: {error}: pip install llvmlite") from None

    binding: Any = llvmlite.binding
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    # Merging four adjacent stores of one shuffled vector of 16 bytes ends the process for AVX-512 in LLVM 22
    # (combineX86ShufflesRecursively). Our stores are already as wide as possible.
    binding.set_option("lanewise", "-combiner-store-merging=false")
    # Both machine schedulers search, for each memory access, among this many earlier ones for those that it depends
    # on. 1000, LLVM's default, makes blocks of many accesses cost minutes.
    binding.set_option("lanewise", "-dag-maps-huge-region=200")
    # Our code has lines and no variables to follow through registers. Following none by the newer way takes up to an
    # eighth of code generation, and gives the same code.
    binding.set_option("lanewise", "-experimental-debug-variable-locations=false")
    return binding


class Unlocked(NamedTuple):
    """Calls of llvmlite's library without its lock. Arguments are llvmlite's own objects, or pointers."""

    create_context: Any
    """() -> context"""
    dispose_context: Any
    """(context)"""
    parse: Any
    """(context, text, error string) -> module pointer"""
    run_passes: Any
    """(pass manager, module, pass builder)"""
    run_function_passes: Any
    """(function pass manager, function, pass builder)"""
    emit: Any
    """(target machine, module, 1 for an object or 0 for assembly, error string) -> memory buffer"""


@functools.cache
def unlocked() -> Unlocked:
    """The calls as plain foreign functions, which also release Python's lock."""
    ffi = llvm().ffi
    library = ctypes.CDLL(ffi.lib._name)  # llvmlite's stand-in for ctypes' `_name`: the path of its library
    create_context = library.LLVMPY_ContextCreate
    create_context.restype = ffi.LLVMContextRef
    dispose_context = library.LLVMPY_ContextDispose
    dispose_context.restype = None
    parse = library.LLVMPY_ParseAssembly
    parse.restype = ffi.LLVMModuleRef
    emit = library.LLVMPY_TargetMachineEmitToMemory
    emit.restype = ffi.LLVMMemoryBufferRef
    run_passes = library.LLVMPY_RunNewModulePassManager
    run_passes.restype = None
    run_function_passes = library.LLVMPY_RunNewFunctionPassManager
    run_function_passes.restype = None
    return Unlocked(create_context, dispose_context, parse, run_passes, run_function_passes, emit)


@contextmanager
def disposed(manager: Any) -> Generator[Any]:
    """A pass manager, which is freed after its use. llvmlite 0.50 frees none: a method of `ObjectRef` that does nothing
    hides the one that would. Each is 30 KB, and 70 KB once it has run."""
    try:
        yield manager
    finally:
        llvm().newpassmanagers.NewPassManager._dispose(manager)
        manager.detach()
