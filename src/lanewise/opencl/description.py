# SPDX-License-Identifier: Apache-2.0
"""The properties of the platform's devices: asked for through its library, as programs do."""

import ctypes
from pathlib import Path
from typing import Any, Final, NamedTuple

from lanewise.errors import Error

_CL_DEVICE_TYPE_ALL: Final = 0xFFFFFFFF
_TEXTS: Final = {"name": 0x102B, "version": 0x102F, "OpenCL C": 0x103D, "driver": 0x102D, "extensions": 0x1030}
_NUMBERS: Final = {
    "compute units": (0x1002, ctypes.c_uint32),
    "work-items of a group": (0x1004, ctypes.c_size_t),
    "bytes of memory": (0x101F, ctypes.c_uint64),
    "bytes of a buffer": (0x1010, ctypes.c_uint64),
    "bytes of local memory": (0x1023, ctypes.c_uint64),
}
"""Queries of clGetDeviceInfo, by what they ask for."""


class DeviceDescription(NamedTuple):
    """A device's properties, by name."""

    texts: dict[str, str]
    numbers: dict[str, int]


def devices_of(path: Path) -> list[DeviceDescription]:
    """The devices of the platform in a library. Error if it can't be loaded, or answers with an error."""
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise Error(f"{path} can't be loaded: {error}") from None
    platform, count = ctypes.c_void_p(), ctypes.c_uint32()
    _call(library.clIcdGetPlatformIDsKHR, 1, ctypes.byref(platform), None)
    _call(library.clGetDeviceIDs, platform, ctypes.c_uint64(_CL_DEVICE_TYPE_ALL), 0, None, ctypes.byref(count))
    devices = (ctypes.c_void_p * count.value)()
    _call(library.clGetDeviceIDs, platform, ctypes.c_uint64(_CL_DEVICE_TYPE_ALL), count, devices, None)
    return [_described(library, ctypes.c_void_p(device)) for device in devices]


def _described(library: ctypes.CDLL, device: ctypes.c_void_p) -> DeviceDescription:
    return DeviceDescription(
        {name: _text(library, device, what) for name, what in _TEXTS.items()},
        {name: _number(library, device, what, type_) for name, (what, type_) in _NUMBERS.items()},
    )


def _text(library: ctypes.CDLL, device: ctypes.c_void_p, what: int) -> str:
    size = ctypes.c_size_t()
    _call(library.clGetDeviceInfo, device, what, 0, None, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    _call(library.clGetDeviceInfo, device, what, size, text, None)
    return text.value.decode()


def _number(library: ctypes.CDLL, device: ctypes.c_void_p, what: int, type_: Any) -> int:
    value = type_()
    _call(library.clGetDeviceInfo, device, what, ctypes.c_size_t(ctypes.sizeof(value)), ctypes.byref(value), None)
    return int(value.value)


def _call(function: Any, *arguments: Any) -> None:
    code = function(*(ctypes.c_size_t(a) if isinstance(a, int) and a == 0 else a for a in arguments))
    if code != 0:
        raise Error(f"{function.__name__} gives OpenCL error {code}")
