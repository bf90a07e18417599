# SPDX-License-Identifier: Apache-2.0
"""Launches that the host runtime has made, in the form that reports of faults are read with."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lanewise.device.launch import NO_PARAMETERS, Arguments, Extent, Launch
from lanewise.frontend.checked_places import CheckTable
from lanewise.frontend.signature import Parameter
from lanewise.program.checked.faults import KernelFault, faults_of

UNKNOWN_SIZE: Final = 1 << 62
"""The size, in bytes, of memory of which the host runtime knows none: more than there can be."""
_QUALIFIERS: Final = re.compile(r"\b(?:const|volatile|restrict|__restrict__|__restrict|global|constant|struct)\b")


class Pointed(NamedTuple):
    """Memory that an argument points to: its address, the size of the array in bytes, and how many of these lie before
    the address."""

    address: int
    nbytes: int
    before: int

    @property
    def is_freed(self) -> bool:
        """True if the array that was there has been freed."""
        return self.address != 0 and self.nbytes == 0 and self.before == 0


class _Array(NamedTuple):
    """An array as messages describe it."""

    dtype: str
    itemsize: int
    shape: tuple[int, ...]


class ProgramLaunch(NamedTuple):
    """A launch that has ended. `pointed` is in the order of the table's pointers."""

    kernel: str
    grid: Extent
    block: Extent
    dynamic_bytes: int
    pointed: tuple[Pointed, ...]


def program_faults(
    report: NDArray[np.uint8], table: CheckTable, launch: ProgramLaunch, parameters: Sequence[Parameter]
) -> tuple[KernelFault, ...]:
    """The faults of a launch, as `faults_of` orders them, of a kernel with `parameters`. The offset in an array that an
    argument points into the middle of counts from the array's start."""
    pointed = dict(zip(table.pointers[launch.kernel], launch.pointed, strict=True))
    arrays = tuple(
        _array(parameter, pointed[number]) if number in pointed and parameter.kind == "pointer" else None
        for number, parameter in enumerate(parameters)
    )
    local = tuple(parameter.kind == "local" for parameter in parameters)
    sizes = tuple(pointed[number].nbytes for number, is_local in enumerate(local) if is_local)
    arguments = Arguments((), arrays, NO_PARAMETERS._replace(local=local), 0, sizes)
    made = Launch(launch.kernel, launch.grid, launch.block, arguments, launch.dynamic_bytes)
    return tuple(_from_start(fault, pointed) for fault in faults_of(report, table.places, made))


def _from_start(fault: KernelFault, pointed: dict[int, Pointed]) -> KernelFault:
    """The fault with its offset from the start of the array; of kind "freed", if there is no array any more."""
    array = pointed.get(fault.parameter)
    if array is not None and array.is_freed and fault.kind == "out of bounds":
        return fault._replace(kind="freed", shape=())
    inside = 0 if array is None else array.before
    if not inside or inside >= UNKNOWN_SIZE // 2:
        return fault
    return fault._replace(offset=fault.offset + inside, inside=inside)


def _array(parameter: Parameter, pointed: Pointed) -> _Array | None:
    """The array behind an argument; None for a null pointer."""
    if pointed.address == 0:
        return None
    dtype = parameter.dtype
    itemsize = dtype.itemsize if dtype is not None and dtype.itemsize else 1
    written = " ".join(_QUALIFIERS.sub(" ", parameter.ctype.replace("*", "", 1)).split()) or "char"
    if written.startswith("."):  # in PTX, the type of the parameter, not of what it points to
        written = ""
    known = pointed.nbytes < UNKNOWN_SIZE // 2
    return _Array(written, itemsize, (pointed.nbytes // itemsize,) if known else ())
