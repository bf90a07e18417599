# SPDX-License-Identifier: Apache-2.0
"""Memory on a device, kept between launches."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, cast, final

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from lanewise.device.base import Device
from lanewise.device.memory import HostMemory
from lanewise.errors import Error
from lanewise.program.memory.allocation import Allocation
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
    C-contiguous. A device that checks accesses checks them against the part that was given.

    On a device whose kernels use the host's memory, a buffer also is what NumPy (`__array_interface__`), PyTorch and
    others (DLPack) take without a copy. Even there, it is a copy of what it was made from, so that programs mean the
    same on a device that has memory of its own. On such a device, `numpy.asarray(b)` is a copy.
    """

    __slots__ = ("_allocation", "_layout", "address", "device")

    def __init__(self, layout: NDArray[Any], device: Device, allocation: Allocation | None = None) -> None:
        """`allocation`: the device's own memory, of which the array `layout` has only the metadata; None: the memory is
        the array's."""
        self._layout: Final = layout
        self._allocation: Final = allocation
        self.device: Final = device
        self.address: Final[int] = (
            int(layout.__array_interface__["data"][0]) if allocation is None else allocation.address_of(layout)
        )
        """The device's address of the first element, for structs and arrays that hold pointers; valid as long as a
        buffer of this memory is."""

    def __repr__(self) -> str:
        return f"<buffer {self.dtype} {self.shape} on {self.device.name}>"

    @property
    def array(self) -> NDArray[Any]:
        """The memory as an array of the host. Error if the device has memory of its own."""
        if self._allocation is not None:
            raise Error(f"{self!r} is in the device's own memory, which the host can't access; use copy_to_host()")
        return self._layout

    @property
    def layout(self) -> NDArray[Any]:
        """An array of the same dtype, shape, strides and flags. Its elements are the buffer's if the memory is the
        host's, and else can't be accessed."""
        return self._layout

    @property
    def allocation(self) -> Allocation | None:
        """The device's own memory that it is in; None if that is the host's."""
        return self._allocation

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._layout.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return self._layout.shape

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one element to the next along each axis."""
        return self._layout.strides

    @property
    def ndim(self) -> int:
        return self._layout.ndim

    @property
    def size(self) -> int:
        """Elements."""
        return self._layout.size

    @property
    def nbytes(self) -> int:
        return self._layout.nbytes

    def __len__(self) -> int:
        return len(self._layout)

    # -- parts and other shapes, in the same memory --------------------------------------------------------------

    def __getitem__(self, index: Any) -> Buffer:
        """The part that an integer, a slice, None, `...` or a tuple of them names, as a buffer of the same memory."""
        _require_basic(index)
        named = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
        return self._part(self._layout[named if ... in named else (*named, ...)])

    def __setitem__(self, index: Any, values: ArrayLike | Buffer) -> None:
        """Copy `values` into the part that `index` names; they are broadcast to its shape."""
        _require_basic(index)
        self[index].copy_from_host(values.copy_to_host() if isinstance(values, Buffer) else values)

    def reshape(self, *shape: int) -> Buffer:
        """The same memory in another shape, one of whose extents may be -1. Error if that needs a copy."""
        try:
            return self._part(np.reshape(self._layout, shape, copy=False))
        except ValueError as error:
            if self.size and "copy" in str(error):
                raise Error(
                    f"{self!r} with strides {self.strides} can't be reshaped to {shape} without a copy"
                ) from None
            raise Error(f"{self!r} can't be reshaped to {shape}: {error}") from None
        except TypeError as error:
            raise Error(f"{self!r} can't be reshaped to {shape}: {error}") from None

    def view(self, dtype: DTypeLike) -> Buffer:
        """The same memory as elements of another type; the last axis is scaled as the sizes are."""
        try:
            return self._part(self._layout.view(dtype))
        except (ValueError, TypeError) as error:
            raise Error(f"{self!r} can't be viewed as {dtype}: {error}") from None

    def _part(self, layout: NDArray[Any]) -> Buffer:
        return Buffer(layout, self.device, self._allocation)

    # -- copies ----------------------------------------------------------------------------------------------------

    def copy_to_host(self, out: NDArray[Any] | None = None, stream: Stream | None = None) -> NDArray[Any]:
        """The buffer's present content, in `out` (of its shape and dtype) or else in a new array.

        With a `stream`, the array returned has the content when the stream has got there.
        """
        if out is None:
            out = np.empty(self.shape, self.dtype)
        if out.shape != self.shape or out.dtype != self.dtype:
            raise Error(f"out has shape {out.shape} and dtype {out.dtype}; {self!r} needs one like itself")
        _do(stream, "copy", self._read, out)
        return out

    def copy_from_host(self, values: ArrayLike, stream: Stream | None = None) -> None:
        """Set the content; shape and dtype stay. `values` may be smaller if NumPy's rules broadcast them.

        With a `stream`, values in an array are read when the stream gets there.
        """
        try:
            source = np.asarray(values)
            if stream is not None:
                np.broadcast_to(source, self.shape)  # a mistake shows now, not when the stream gets there
            _do(stream, "copy", self._write, source)
        except (ValueError, TypeError) as error:
            raise Error(f"can't copy to {self!r}: {error}") from None

    def _read(self, out: NDArray[Any]) -> None:
        np.copyto(out, self._layout if self._allocation is None else self._allocation.read(self._layout))

    def _write(self, values: NDArray[Any]) -> None:
        if self._allocation is None:
            np.copyto(self._layout, values, "unsafe")
        else:
            self._allocation.write(self._layout, values)

    # -- protocols ---------------------------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        """The protocols by which others take the memory without a copy: there only if it is the host's."""
        if name in _SHARING and self._allocation is None:
            return getattr(self._layout, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if self._allocation is None:
            return np.array(self._layout, dtype=dtype, copy=copy)
        if copy is False:
            raise ValueError(f"{self!r} is in the device's own memory: an array of the host is a copy")
        return self.copy_to_host().astype(self.dtype if dtype is None else dtype, copy=False)


_SHARING: Final = frozenset({"__array_interface__", "__dlpack__", "__dlpack_device__"})


def _do(stream: Stream | None, kind: str, work: Callable[[NDArray[Any]], None], array: NDArray[Any]) -> None:
    """Work of a kind in a stream; None: in the default stream, now."""
    if stream is None:
        in_default_stream(work, array)
        return
    from lanewise.streams.operations import Call  # needed by few programs

    stream.enqueue(Call(kind, work, array))


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
    return _allocate(shape, dtype, device, zeroed=False)


def zeros(shape: int | tuple[int, ...], dtype: DTypeLike, device: Device) -> Buffer:
    return _allocate(shape, dtype, device, zeroed=True)


def _allocate(shape: int | tuple[int, ...], dtype: DTypeLike, device: Device, *, zeroed: bool) -> Buffer:
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
        if isinstance(device.memory, HostMemory):
            return Buffer(device.memory.array(nbytes, zeroed).view(element).reshape(extents), device)
        own = Allocation(device, nbytes, zeroed)
        return Buffer(own.layout.view(element).reshape(extents), device, own)
    except (ValueError, TypeError, MemoryError) as error:
        raise Error(f"no buffer of shape {shape} and dtype {dtype}: {error}") from None
