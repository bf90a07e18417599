# SPDX-License-Identifier: Apache-2.0
"""Copies and fills in streams: cudaMemcpyAsync and cudaMemsetAsync.

A copy reads its source, and so also an array of the host's, when the stream gets there: as CUDA does with page-locked
memory.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from lanewise.errors import LaunchError
from lanewise.program.buffer import Buffer
from lanewise.program.numbers import shortened
from lanewise.streams.default_stream import in_default_stream
from lanewise.streams.operations import Call, Operation
from lanewise.streams.stream import Stream

Memory = Buffer | NDArray[Any]
"""What can be copied: a buffer, or an array of the host's."""


def copy_async(destination: Memory, source: Memory, stream: Stream | None = None) -> None:
    """Copy between buffers and arrays in `stream`; None: the default stream, so that it is done on return.

    LaunchError unless shapes and dtypes are the same and the destination can be written.
    """
    to, what = _array("copy_async: destination", destination), _array("copy_async: source", source)
    if to.shape != what.shape or to.dtype != what.dtype:
        raise LaunchError(
            f"copy_async: destination has shape {to.shape} and dtype {to.dtype}, source {what.shape} and {what.dtype}; "
            "they must be the same"
        )
    _do(Call("copy", np.copyto, _writable("copy_async", to), what), stream)


def memset_async(destination: Memory, byte: int, stream: Stream | None = None) -> None:
    """Set every byte of a buffer or array to `byte`, 0 to 255, in `stream`; None: the default stream."""
    to = _writable("memset_async", _array("memset_async: destination", destination))
    if not isinstance(byte, int) or not 0 <= byte <= 255:  # pyright: ignore[reportUnnecessaryIsInstance] : what users write is not type-checked
        raise LaunchError(f"memset_async: a byte is 0 to 255, not {byte!r}")
    value = np.frombuffer(bytes([byte]) * to.itemsize, to.dtype)[0] if to.itemsize else 0
    _do(Call("fill", np.copyto, to, value), stream)


def _do(operation: Operation, stream: Stream | None) -> None:
    if stream is None:
        in_default_stream(operation.run)
    elif isinstance(stream, Stream):  # pyright: ignore[reportUnnecessaryIsInstance] : what users write is not type-checked
        stream.enqueue(operation)
    else:
        raise LaunchError(f"stream must be an lw.Stream or None, not {stream!r}")


def _array(what: str, memory: object) -> NDArray[Any]:
    if isinstance(memory, Buffer):
        return memory.array
    if isinstance(memory, np.ndarray):
        return cast("NDArray[Any]", memory)
    raise LaunchError(f"{what} must be a buffer or an array, not {shortened(repr(memory))}")


def _writable(what: str, array: NDArray[Any]) -> NDArray[Any]:
    if not array.flags.writeable:
        raise LaunchError(f"{what}: the destination is read-only")
    return array
