# SPDX-License-Identifier: Apache-2.0
"""Lanewise: GPU kernels compiled, optimised and run anywhere.

    import lanewise as lw
    mod = lw.compile("saxpy.cu")
    mod["saxpy"][grid, block](y, x, 2.0, n)

No CUDA SDK, no driver and no GPU is needed. See README.md.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import lanewise.device as _device  # the package, before the function `device` takes its name here for good
from lanewise.errors import CompileError, Error, LaunchError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from numpy.typing import ArrayLike, DTypeLike

    from lanewise.device.base import Device
    from lanewise.program.buffer import Buffer
    from lanewise.program.kernel import Kernel
    from lanewise.program.module import Module
    from lanewise.program.variable import Variable
    from lanewise.session import Session

del _device

__version__ = "0.1.0"

__all__ = [
    "Buffer", "CompileError", "Device", "Error", "Kernel", "LaunchError", "Module", "Variable", "compile", "device",
    "devices", "empty", "on", "to_device", "zeros",
]  # fmt: skip


def compile(
    source: str | os.PathLike[str],
    *,
    language: str | None = None,
    arch: str = "sm_80",
    defines: Mapping[str, str | int | float | bool | None] | None = None,
    include_dirs: Sequence[str | os.PathLike[str]] = (),
    options: Sequence[str] = (),
) -> Module:
    """Compile a translation unit.

    `source` is a path, or source text with `language`: "cuda", or "ir" for kernel IR. `arch` is the value of
    `__CUDA_ARCH__`, as sm_XX. `defines` are macros (None: defined without a value). `options` go to clang.
    Raises CompileError with the compiler's diagnostics.
    """
    from lanewise.program.compilation import compile_source

    return compile_source(
        _session(),
        source,
        language=language,
        arch=arch,
        defines=defines,
        include_dirs=include_dirs,
        options=options,
    )


def device(name: str) -> Device:
    """The device called `name`: "cpu" or "reference". Error names those that there are."""
    return _session().device(name)


def devices() -> list[Device]:
    """All devices of this machine, the default one first."""
    return _session().devices()


def on(device: Device | str) -> AbstractContextManager[Device]:
    """`with lw.on("reference"):` launches, buffers and variables that name no device are on this one, for the code
    within, in this thread or task. Also a decorator of functions. Error where there is no such device."""
    from lanewise.program.selection import on

    return on(_device_of(device))


def to_device(values: ArrayLike, device: Device | str | None = None) -> Buffer:
    """Copy an array to a device, the default one for None."""
    from lanewise.program.buffer import to_device

    return to_device(values, _device_of(device))


def empty(shape: int | tuple[int, ...], dtype: DTypeLike = "float32", device: Device | str | None = None) -> Buffer:
    """A buffer with undefined content on a device, the default one for None."""
    from lanewise.program.buffer import empty

    return empty(shape, dtype, _device_of(device))


def zeros(shape: int | tuple[int, ...], dtype: DTypeLike = "float32", device: Device | str | None = None) -> Buffer:
    """A buffer of zeros on a device, the default one for None."""
    from lanewise.program.buffer import zeros

    return zeros(shape, dtype, _device_of(device))


def _device_of(device: Device | str | None) -> Device:
    from lanewise.program.selection import chosen_device

    session = _session()
    chosen = device if device is not None else chosen_device() or session.default_device
    return session.device(chosen) if isinstance(chosen, str) else chosen


@functools.cache
def _session() -> Session:
    """The session of this process, with the environment's settings as they are at its first use."""
    from lanewise.config import from_environment
    from lanewise.session import Session

    return Session(from_environment())


def __getattr__(name: str) -> object:
    """Classes of the public surface, loaded when named: `import lanewise` itself loads next to nothing."""
    if name == "Buffer":
        from lanewise.program.buffer import Buffer

        return Buffer
    if name == "Device":
        from lanewise.device.base import Device

        return Device
    if name in ("Kernel", "Module", "Variable"):
        import importlib

        return getattr(importlib.import_module(f"lanewise.program.{name.lower()}"), name)
    raise AttributeError(f"module 'lanewise' has no attribute {name!r}")
