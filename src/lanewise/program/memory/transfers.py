# SPDX-License-Identifier: Apache-2.0
"""Copies and fills in streams: cudaMemcpyAsync and cudaMemsetAsync.

A copy reads its source, and so also an array of the host's, when the stream gets there: as CUDA does with page-locked
memory.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from lanewise.errors import LaunchTypeError, LaunchValueError
from lanewise.program.arguments.numbers import shortened
from lanewise.program.memory.allocation import Allocation
from lanewise.program.memory.buffer import Buffer
from lanewise.streams.default_stream import in_default_stream
from lanewise.streams.operations import Call, Operation
from lanewise.streams.stream import Stream

Memory = Buffer | NDArray[Any]
"""Memory that can be copied: a buffer, or an array of the host."""


def copy_async(destination: Memory, source: Memory, stream: Stream | None = None) -> None:
    """Copy between buffers and arrays in `stream`; None: the default stream, so that it is done on return.

    LaunchError unless shapes and dtypes are the same and the destination can be written.
    """
    to, what = _layout("copy_async: destination", destination), _layout("copy_async: source", source)
    if to.shape != what.shape or to.dtype != what.dtype:
        raise LaunchValueError(
            f"copy_async: destination has shape {to.shape} and dtype {to.dtype}, source {what.shape} and {what.dtype}; "
            "they must be the same"
        )
    _require_writable("copy_async", destination)
    _do(Call("copy", _copy, destination, source), stream)


def _copy(destination: Memory, source: Memory) -> None:
    to, of = _allocation(destination), _allocation(source)
    target, content = _layout("copy", destination), _layout("copy", source)
    if to is not None and of is not None:
        to.copy(target, of, content)
    elif to is not None:
        to.write(target, content)
    else:
        np.copyto(target, content if of is None else of.read(content))


def memset_async(destination: Memory, byte: int, stream: Stream | None = None) -> None:
    """Set every byte of a buffer or array to `byte`, 0 to 255, in `stream`; None: the default stream."""
    _layout("memset_async: destination", destination)
    _require_writable("memset_async", destination)
    if not isinstance(byte, int) or not 0 <= byte <= 255:  # pyright: ignore[reportUnnecessaryIsInstance] : what users write is not type-checked
        raise LaunchValueError(f"memset_async: a byte is 0 to 255, not {byte!r}")
    _do(Call("fill", _fill, destination, byte), stream)


def _fill(destination: Memory, byte: int) -> None:
    own, to = _allocation(destination), _layout("fill", destination)
    if own is not None:
        own.fill(to, byte)
    elif to.itemsize:
        np.copyto(to, np.frombuffer(bytes([byte]) * to.itemsize, to.dtype)[0])


def _do(operation: Operation, stream: Stream | None) -> None:
    if stream is None:
        in_default_stream(operation.run)
    elif isinstance(stream, Stream):  # pyright: ignore[reportUnnecessaryIsInstance] : what users write is not type-checked
        stream.enqueue(operation)
    else:
        raise LaunchTypeError(f"stream must be an lw.Stream or None, not {stream!r}")


def _layout(what: str, memory: object) -> NDArray[Any]:
    """An array with the memory's dtype, shape and strides. Its elements are the memory's if that is the host's."""
    if isinstance(memory, Buffer):
        return memory.layout
    if isinstance(memory, np.ndarray):
        return cast("NDArray[Any]", memory)
    raise LaunchTypeError(f"{what} must be a buffer or an array, not {shortened(repr(memory))}")


def _allocation(memory: Memory) -> Allocation | None:
    return memory.allocation if isinstance(memory, Buffer) else None


def _require_writable(what: str, memory: Memory) -> None:
    if isinstance(memory, np.ndarray) and not memory.flags.writeable:
        raise LaunchValueError(f"{what}: the destination is read-only")
