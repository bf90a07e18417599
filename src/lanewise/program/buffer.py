# SPDX-License-Identifier: Apache-2.0
"""Memory on a device, kept between launches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast, final

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from lanewise.device.base import Device
from lanewise.errors import Error
from lanewise.streams.default_stream import in_default_stream

if TYPE_CHECKING:
    from lanewise.streams.stream import Stream

_MOST_BYTES: Final = 1 << 48


@final
class Buffer:
    """An array that lives on a device; `lw.to_device(array)`, `lw.empty(shape, dtype)`, `lw.zeros(...)` make one.

        b = lw.to_device(np.arange(12, dtype=np.float32))
        rows = b.reshape(3, 4);  last = rows[2];  bits = last.view(np.uint32)      share b's memory
        b.copy_from_host(values);  b[3:5] = 7;  b.copy_to_host()

    Indexing, `reshape` and `view` give buffers that share the memory, as NumPy's do. A kernel takes those that are
    C-contiguous, and where the device checks accesses, it checks them against the part that was given.

    Both present devices use the host's memory, so a buffer also is what NumPy (`__array_interface__`), PyTorch and
    others (DLPack) take without a copy. It is a copy of what it was made from all the same, so that programs mean the
    same on a device that has memory of its own.
    """

    __slots__ = ("array", "device")

    def __init__(self, array: NDArray[Any], device: Device) -> None:
        self.array: Final = array
        self.device: Final = device

    def __repr__(self) -> str:
        return f"<buffer {self.array.dtype} {self.array.shape} on {self.device.name}>"

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.array.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one element to the next along each axis."""
        return self.array.strides

    @property
    def ndim(self) -> int:
        return self.array.ndim

    @property
    def size(self) -> int:
        """Elements."""
        return self.array.size

    @property
    def nbytes(self) -> int:
        return self.array.nbytes

    def __len__(self) -> int:
        return len(self.array)

    # -- parts and other shapes, in the same memory --------------------------------------------------------------

    def __getitem__(self, index: Any) -> Buffer:
        """The part that an integer, a slice, None, `...` or a tuple of them names, as a buffer of the same memory."""
        _require_basic(index)
        named = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
        return Buffer(self.array[named if ... in named else (*named, ...)], self.device)

    def __setitem__(self, index: Any, values: ArrayLike | Buffer) -> None:
        """Copy `values` into the part that `index` names; they are broadcast to its shape."""
        _require_basic(index)
        self[index].copy_from_host(values.array if isinstance(values, Buffer) else values)

    def reshape(self, *shape: int) -> Buffer:
        """The same memory in another shape, one of whose extents may be -1. Error where that needs a copy."""
        try:
            reshaped = self.array.reshape(shape)
        except (ValueError, TypeError) as error:
            raise Error(f"{self!r} can't be reshaped to {shape}: {error}") from None
        if self.size and not np.may_share_memory(reshaped, self.array):
            raise Error(f"{self!r} with strides {self.strides} can't be reshaped to {shape} without a copy")
        return Buffer(reshaped, self.device)

    def view(self, dtype: DTypeLike) -> Buffer:
        """The same memory as elements of another type; the last axis is scaled as the sizes are."""
        try:
            return Buffer(self.array.view(dtype), self.device)
        except (ValueError, TypeError) as error:
            raise Error(f"{self!r} can't be viewed as {dtype}: {error}") from None

    # -- copies ----------------------------------------------------------------------------------------------------

    def copy_to_host(self, out: NDArray[Any] | None = None, stream: Stream | None = None) -> NDArray[Any]:
        """The buffer's present content, in `out` (of its shape and dtype) or else in a new array.

        With a `stream`, the array returned has the content when the stream has got there.
        """
        if out is None:
            out = np.empty(self.shape, self.dtype)
        if out.shape != self.shape or out.dtype != self.dtype:
            raise Error(f"out has shape {out.shape} and dtype {out.dtype}; {self!r} needs one like itself")
        _copy(out, self.array, stream)
        return out

    def copy_from_host(self, values: ArrayLike, stream: Stream | None = None) -> None:
        """Set the content; shape and dtype stay. `values` may be smaller where NumPy's rules broadcast them.

        With a `stream`, values in an array are read when the stream gets there.
        """
        try:
            source = np.asarray(values)
            if stream is not None:
                np.broadcast_to(source, self.shape)  # a mistake shows now, not when the stream gets there
            _copy(self.array, source, stream)
        except (ValueError, TypeError) as error:
            raise Error(f"can't copy to {self!r}: {error}") from None

    # -- protocols ---------------------------------------------------------------------------------------------------

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return self.array.__array_interface__

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.array, dtype=dtype, copy=copy)

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


def _copy(destination: NDArray[Any], source: NDArray[Any], stream: Stream | None) -> None:
    if stream is None:
        in_default_stream(np.copyto, destination, source, "unsafe")
        return
    from lanewise.streams.operations import Call  # needed by few programs

    stream.enqueue(Call("copy", np.copyto, destination, source, "unsafe"))


def _require_basic(index: Any) -> None:
    """Only what names memory that is there already: no arrays of indices, no masks."""
    for part in cast("tuple[object, ...]", index) if isinstance(index, tuple) else (index,):
        if isinstance(part, bool) or not (part is None or part is ... or isinstance(part, slice | int | np.integer)):
            raise Error(f"a buffer is indexed by integers, slices, None and ..., not by {part!r}; copy_to_host() first")


def to_device(values: ArrayLike, device: Device) -> Buffer:
    """Copy an array to `device`."""
    try:
        source = np.asarray(values)
    except (ValueError, TypeError) as error:
        raise Error(f"no buffer of these values: {error}") from None
    buffer = empty(source.shape, source.dtype, device)
    buffer.copy_from_host(source)
    return buffer


def empty(shape: int | tuple[int, ...], dtype: DTypeLike, device: Device) -> Buffer:
    """A buffer whose content is undefined."""
    return Buffer(_allocate(shape, dtype, device, zeroed=False), device)


def zeros(shape: int | tuple[int, ...], dtype: DTypeLike, device: Device) -> Buffer:
    return Buffer(_allocate(shape, dtype, device, zeroed=True), device)


def _allocate(shape: int | tuple[int, ...], dtype: DTypeLike, device: Device, *, zeroed: bool) -> NDArray[Any]:
    try:
        element = np.dtype(dtype)
        extents = (shape,) if isinstance(shape, int) else tuple(shape)
        count = 1
        for extent in extents:
            if extent < 0:
                raise ValueError("an extent is negative")
            count *= extent
        if element.hasobject:
            raise TypeError("a device holds no Python objects")
        nbytes = count * element.itemsize
        if nbytes > _MOST_BYTES:
            raise MemoryError(f"{nbytes} bytes are more than any memory holds")
        return device.allocate(nbytes, zeroed).view(element).reshape(extents)
    except (ValueError, TypeError, MemoryError) as error:
        raise Error(f"no buffer of shape {shape} and dtype {dtype}: {error}") from None
