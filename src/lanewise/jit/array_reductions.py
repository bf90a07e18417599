# SPDX-License-Identifier: Apache-2.0
"""Arrays in which the iterations of a parallel loop add up: the private copies of a launch, and their sum.

Each work-item adds to a copy of its own. The copies are then folded into one by a fixed tree, which depends on the
numbers of iterations and bytes alone.
"""

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lanewise.errors import LaunchError
from lanewise.frontend.python.private_copies import reduced_arrays
from lanewise.frontend.python.python_types import Array, Number, Type
from lanewise.frontend.python.reductions import LoopReduction
from lanewise.frontend.python.region import PythonRegion
from lanewise.jit.arguments import as_python
from lanewise.jit.fold import OPERATIONS, folded, folded_in_place
from lanewise.jit.geometry import REDUCED_BYTES, copied_extents
from lanewise.program.memory.buffer import Buffer

if TYPE_CHECKING:
    from numpy.typing import NDArray


class PrivateCopies(NamedTuple):
    """The copies of one array: those of each work-item, one after the other."""

    reduction: LoopReduction
    copies: "NDArray[Any]"


def check_arrays(region: PythonRegion, starts: Sequence[Any]) -> int:
    """The bytes of the arrays that a loop adds up in; 0 if there are none. LaunchError for read-only ones."""
    nbytes = 0
    for reduction, start in zip(region.reductions, starts, strict=True):
        if not isinstance(start, np.ndarray):
            continue
        nbytes += start.nbytes
        if reduction.form != "rebind" and not start.flags.writeable:
            raise LaunchError(f"{region.name}: '{reduction.name}' is read-only, and is assigned to")
    return nbytes


def private_copies(
    region: PythonRegion, types: Mapping[str, Type], starts: Sequence[Any], items: int
) -> tuple[PrivateCopies, ...]:
    """Copies for each work-item of the arrays in which a loop adds up, filled with what changes nothing."""
    arrays = reduced_arrays(region.reductions, types)
    made: list[PrivateCopies] = []
    for reduction, start in zip(region.reductions, starts, strict=True):
        if reduction.name in arrays:
            copies = np.empty((items, *start.shape), start.dtype)
            copies[...] = _identity(reduction.operation, start.dtype)
            made.append(PrivateCopies(reduction, copies))
    return tuple(made)


def added_up(private: PrivateCopies, start: "NDArray[Any]") -> Any:
    """The array after the loop: the same one, or the new one that `s = s + x` makes. The copies are overwritten."""
    total = folded_in_place(private.reduction.operation, private.copies)
    operator = OPERATIONS[private.reduction.operation]
    with np.errstate(all="ignore"):  # compiled code warns of nothing
        if private.reduction.form == "rebind":
            return operator(start, total)
        operator(start, total, out=start)
    return start


def values_of(
    region: PythonRegion,
    starts: Sequence[Any],
    private: Sequence[PrivateCopies],
    types: Sequence[tuple[str, Number]],
    partial: Sequence[Any],
) -> list[Any]:
    """The values of all reductions after a launch. `types` and `partial` results: those of numbers, by their names."""
    arrays = {each.reduction.name: each for each in private}
    numbers = {name: (part, type_) for part, (name, type_) in zip(partial, types, strict=True)}
    values: list[Any] = []
    for reduction, start in zip(region.reductions, starts, strict=True):
        if reduction.name in arrays:
            values.append(added_up(arrays[reduction.name], start))
        else:
            part, type_ = numbers[reduction.name]
            values.append(as_python(folded(reduction.operation, start, part), type_))
    return values


def outputs_of(region: PythonRegion, values: Sequence[Any]) -> list[Any]:
    """The values of reductions that the region assigns to a variable."""
    return [value for each, value in zip(region.reductions, values, strict=True) if each.form != "part"]


def reserved_bytes(region: PythonRegion, starts: Sequence[Any], count: int) -> int:
    """Bytes at most that the reductions of a launch with `count` iterations take on a device."""
    nbytes = check_arrays(region, starts)
    numbers = sum(not isinstance(start, np.ndarray) for start in starts)
    copies = prod(copied_extents(count, nbytes)[0][0]) if nbytes else 0
    return numbers * REDUCED_BYTES + copies * nbytes


def added_up_in_buffers(call: Callable[..., list[Any]], region: PythonRegion, arguments: Sequence[Any]) -> list[Any]:
    """The results of a call that adds up in buffers: their copies on the host are added to, and copied back."""
    count = 1 + len(region.inputs)
    starts = arguments[count:]
    for each, start in zip(region.reductions, starts, strict=True):
        if type(start) is Buffer and each.form == "rebind":
            raise LaunchError(
                f"{region.name}: '{each.name}' is a buffer, and {each.name} = {each.name} + ... makes a new array: "
                f"write {each.name} += ..."
            )
    given = {id(each): each for each in starts if type(each) is Buffer}
    copies = {key: each.copy_to_host() for key, each in given.items()}
    results = call(*arguments[:count], *(copies.get(id(each), each) for each in starts))
    for key, each in given.items():
        each.copy_from_host(copies[key])
    buffers = {id(copy): given[key] for key, copy in copies.items()}
    return [buffers.get(id(each), each) for each in results]


def normalised(region: PythonRegion, types: dict[str, Type]) -> None:
    """Let the types of arrays that are added up in be those of their copies."""
    for name, of in reduced_arrays(region.reductions, types).items():
        types[name] = Array(of.element, of.ndim)


def _identity(operation: str, dtype: "np.dtype[Any]") -> Any:
    """The value that changes nothing."""
    if operation in ("+", "|", "^", "or"):
        return 0
    if operation in ("*", "and"):
        return 1
    if operation == "&":
        return ~dtype.type(0) if dtype.kind != "b" else True
    is_least = operation.startswith("max")
    if dtype.kind in "fc":
        return -np.inf if is_least else np.inf
    if dtype.kind == "b":
        return not is_least
    limits = np.iinfo(dtype)
    return limits.min if is_least else limits.max
