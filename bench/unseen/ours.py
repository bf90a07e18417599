# SPDX-License-Identifier: Apache-2.0
"""Lanewise's CPU device, by a mapping, playing recordings on NumPy's arrays in place, called from Python."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

import lanewise as lw
from lanewise.program.arguments.dtypes import leaf_dtype

from .played import Played
from .recording import Argument, Buffer, Bytes, Local, Recording


class Lanewise:
    def __init__(self, mapping: str) -> None:
        self.version = f"Lanewise {lw.__version__}"
        self._mapping = mapping

    def play(self, recording: Recording, memories: dict[int, Bytes] | None = None) -> Played:
        """`memories`: those of another player, whose pages are where they are for it, too."""
        module = compiled(recording, self._mapping)
        kernel = module[recording.kernel]
        memories = recording.memories() if memories is None else memories
        run = kernel.ndrange(recording.global_size, recording.local_size, recording.offset, device="cpu")
        parameters = zip(kernel.params, recording.arguments, strict=True)
        arguments = [_argument(parameter.dtype, argument, memories) for parameter, argument in parameters]

        def put_back(number: int, data: Bytes) -> None:
            memories[number][...] = data

        return Played(
            lambda: run(*arguments),
            lambda number: memories[number],
            put_back,
            types_of(kernel, recording),
            remarks_of(kernel, recording),
            code_of(module, recording),
        )


def compiled(recording: Recording, mapping: str) -> lw.Module:
    """The recording's program for Lanewise's devices."""
    return lw.compile(recording.source, language="opencl", options=recording.options, mapping=mapping)


def types_of(kernel: lw.Kernel, recording: Recording) -> dict[int, str]:
    """The dtype of the numbers in a memory, where the kernel's parameter tells it."""
    types: dict[int, str] = {}
    for parameter, argument in zip(kernel.params, recording.arguments, strict=True):
        leaf = leaf_dtype(parameter.dtype) if parameter.dtype is not None else None
        if isinstance(argument, Buffer) and leaf is not None:
            types[argument.memory] = leaf.str
    return types


def remarks_of(kernel: lw.Kernel, recording: Recording) -> list[str]:
    """The remarks of the compiler on the kernel, if the launch names a local size."""
    return kernel.remarks(recording.local_size) if recording.local_size else []


def code_of(module: lw.Module, recording: Recording) -> str:
    """A digest of the kernel's assembly for the local size; empty if the launch names none, or if launches choose
    between two mappings."""
    remarks = remarks_of(module[recording.kernel], recording)
    if not recording.local_size or any("launches also try" in remark for remark in remarks):
        return ""
    return hashlib.sha256(module.asm(recording.kernel, recording.local_size).encode()).hexdigest()


def _argument(dtype: np.dtype[Any] | None, argument: Argument, memories: dict[int, Bytes]) -> Any:
    """The argument of a parameter, of that dtype or with pointees of it, in the form that a launch takes."""
    if isinstance(argument, Local):
        return lw.local(argument.nbytes)
    if isinstance(argument, Buffer):
        part = memories[argument.memory][argument.offset : argument.offset + argument.nbytes]
        size = 1 if dtype is None else dtype.itemsize
        whole = part[: argument.nbytes // size * size]
        return whole if dtype is None else whole.view(dtype)
    if dtype is None or dtype.itemsize != len(argument.data):
        return None if not any(argument.data) else argument.data
    return argument.data if dtype.fields is not None else np.frombuffer(argument.data, dtype)[0]
