# SPDX-License-Identifier: Apache-2.0
"""Local memory that a launch of an OpenCL kernel provides: the argument for a `__local` pointer."""

from operator import index
from typing import Any, NamedTuple, SupportsIndex

from lanewise.errors import LaunchTypeError, LaunchValueError
from lanewise.program.arguments.numbers import described

ALIGNMENT = 128
"""Alignment of each such argument in bytes: that of the largest types, double16 and long16."""


class LocalMemory(NamedTuple):
    """The result of `lw.local(nbytes)`."""

    nbytes: int


def local(nbytes: SupportsIndex) -> LocalMemory:
    """`nbytes` bytes of local memory of each work-group, undefined at its start. LaunchError unless that is a number
    above 0 (clSetKernelArg: CL_INVALID_ARG_SIZE)."""
    try:
        size = index(nbytes)
    except TypeError:
        size = 0
    if size < 1:
        raise LaunchValueError(f"lw.local({nbytes!r}): local memory has a number of bytes, 1 or more")
    return LocalMemory(size)


def local_converter(ctype: str, what: str) -> Any:
    """For arguments that stand for a pointer to local memory."""

    def convert(value: Any) -> tuple[int, object]:
        if isinstance(value, LocalMemory):
            return 0, value
        raise LaunchTypeError(f"{what}: __local {ctype} needs lw.local(nbytes), not {described(value)}")

    return convert


def placed(converted: list[tuple[Any, object]]) -> tuple[list[tuple[Any, object]], int]:
    """The arguments of a launch with the local memory among them laid out: each with its offset in bytes, and how many
    there are together."""
    end = 0
    result: list[tuple[Any, object]] = []
    for value, memory in converted:
        if isinstance(memory, LocalMemory):
            offset = -(-end // ALIGNMENT) * ALIGNMENT
            result.append((offset, None))
            end = offset + memory.nbytes
        else:
            result.append((value, memory))
    return result, end
