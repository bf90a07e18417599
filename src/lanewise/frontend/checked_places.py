# SPDX-License-Identifier: Apache-2.0
"""Places where accesses are checked, as they are kept with a program."""

from typing import Any, Final, NamedTuple

ARGUMENT: Final = "argument"
"""The kind of an object that is an argument in global memory."""
CHOICE: Final = "choice"
"""The kind of an object that is one of several, which the name lists."""
HEAP: Final = "memory of malloc()"
"""The kind of an object that the kernel has allocated."""
ALLOCATION: Final = "an allocation"
"""The kind of an object that is no argument, which a pointer in memory points into."""
FREED: Final = "freed memory"
"""The same, once it has been freed."""
LOCAL: Final = "local memory"
"""The kind of an object that is an argument in OpenCL's local memory."""


class CheckedObject(NamedTuple):
    """An object that an access is of, as `CheckedPlace` describes it."""

    kind: str
    name: str
    shape: tuple[int, ...]
    element: int
    parameter: int


class CheckedPlace(NamedTuple):
    """An access to memory in the source.

    `access`: "read", "write", "atomic operation" or "copy", of `size` bytes. The object accessed has a `name` ("" if it
    has none), is of a `kind` ("argument", "shared array", "variable", "local array", ...) and has elements of `element`
    bytes, or an array of `shape`. `parameter`: the number of the argument that it is, or -1.
    """

    kernel: str
    """Its symbol."""
    file: str
    line: int
    column: int
    access: str
    size: int
    kind: str
    name: str
    element: int
    shape: tuple[int, ...] = ()
    parameter: int = -1
    subscripts: tuple[int, ...] = ()
    """Extents of the arrays whose indices are checked, one by one."""
    align: int = 1
    """Bytes that the address must be a multiple of."""
    check: str = "memory"
    """The name of the check that it is for."""
    choices: tuple[CheckedObject, ...] = ()
    """The objects that it is one of, if the code chooses."""


class CheckTable(NamedTuple):
    """Facts for launches of a checked program. `pointers`: numbers of the parameters, by the symbol of the kernel,
    whose sizes a launch adds to its arguments."""

    places: tuple[CheckedPlace, ...]
    pointers: dict[str, tuple[int, ...]]
    doubled: tuple[str, ...] = ()
    """Symbols of kernels that use as much dynamic shared memory again."""


def check_table(places: list[list[Any]], pointers: dict[str, list[int]], doubled: list[str]) -> CheckTable:
    """A table from JSON."""

    def place(row: list[Any]) -> CheckedPlace:
        made = CheckedPlace(*row)
        objects = (CheckedObject(*each) for each in made.choices)
        choices = tuple(each._replace(shape=tuple(each.shape)) for each in objects)
        return made._replace(shape=tuple(made.shape), subscripts=tuple(made.subscripts), choices=choices)

    return CheckTable(
        tuple(map(place, places)), {symbol: tuple(numbers) for symbol, numbers in pointers.items()}, tuple(doubled)
    )
