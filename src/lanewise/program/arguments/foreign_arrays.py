# SPDX-License-Identifier: Apache-2.0
"""Arrays of other libraries as NumPy's, without a copy: `__array_interface__`, DLPack.

DLPack: https://dmlc.github.io/dlpack/latest/. NumPy reads it, but for types that it has no dtype for: a bfloat16 comes
as uint16, 8-bit floating-point numbers as uint8.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

HOST_DEVICES: Final = {1, 3, 13}
"""kDLCPU, kDLCUDAHost (pinned), kDLCUDAManaged."""

_BITS_ONLY: Final = {4, *range(7, 18)}
"""DLDataTypeCode: kDLBfloat and the 8-bit and smaller floating-point formats."""


class ForeignArrayError(TypeError):
    """Reason why the host can't use another library's array, as a part of a sentence."""


def as_array(value: Any) -> NDArray[Any] | None:
    """`value` as a NumPy array of the same memory; None if it is no array at all. ForeignArrayError if its memory can't
    be had."""
    if isinstance(value, np.generic):
        return None  # it has the interface, of a copy
    if hasattr(value, "__array_interface__"):
        return np.asarray(value)
    if hasattr(value, "__dlpack__"):
        return _from_dlpack(value)
    if hasattr(value, "__cuda_array_interface__"):
        raise ForeignArrayError(_elsewhere(value, "a GPU"))
    return None


def _from_dlpack(value: Any) -> NDArray[Any]:
    try:
        if hasattr(value, "__dlpack_device__"):
            kind = int(value.__dlpack_device__()[0])
            if kind not in HOST_DEVICES:
                where = "a GPU" if kind in (2, 10) else f"a device of DLPack's type {kind}"
                raise ForeignArrayError(_elsewhere(value, where))
        return np.from_dlpack(value)
    except RuntimeError:  # "Unsupported dtype in DLTensor."
        return _bits(value)
    except ForeignArrayError:
        raise
    except (BufferError, TypeError, ValueError) as error:
        raise ForeignArrayError(f"{type(value).__name__} offers no memory of the host: {error}") from None


def _elsewhere(value: Any, where: str) -> str:
    name = type(value).__name__
    return f"{name} is in the memory of {where}, which this device can't reach; copy it to the host first"


class _Tensor(ctypes.Structure):
    """DLTensor of dlpack.h."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


@final
class _Holder:
    """Memory of a capsule, for as long as an array of it lives."""

    def __init__(self, capsule: object, interface: dict[str, Any]) -> None:
        self.capsule: Final = capsule
        self.__array_interface__: Final = interface


def _bits(value: Any) -> NDArray[Any]:
    """Elements of a type that NumPy doesn't know, as unsigned integers of their size. The capsule is looked into and
    not consumed: it frees the tensor when it goes."""
    try:
        capsule = value.__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
        tensor = _Tensor.from_address(pointer(capsule, b"dltensor"))
    except (BufferError, TypeError, ValueError, RuntimeError) as error:
        raise ForeignArrayError(f"{type(value).__name__} offers no memory of the host: {error}") from None
    if tensor.code not in _BITS_ONLY or tensor.bits not in (8, 16) or tensor.lanes != 1:
        raise ForeignArrayError(
            f"{type(value).__name__} has elements of DLPack's type {tensor.code} with {tensor.bits} bits and "
            f"{tensor.lanes} lanes, which no NumPy dtype stands for"
        )
    size = tensor.bits // 8
    shape = tuple(tensor.shape[axis] for axis in range(tensor.ndim))
    strides = tuple(tensor.strides[axis] * size for axis in range(tensor.ndim)) if tensor.strides else None
    address = (tensor.data or 0) + tensor.byte_offset
    interface = {"shape": shape, "strides": strides, "typestr": f"<u{size}", "data": (address, False), "version": 3}
    return np.asarray(_Holder(capsule, interface))
