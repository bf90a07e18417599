# SPDX-License-Identifier: Apache-2.0
"""A kernel to test: its source, how to make its arguments for a launch, and what NumPy expects of it.

A table of cases is made by decorating the expectations:

    table = Table(__file__)

    @table.case("straight.cu", in_and_out)
    def rotate(launch, given):
        return {"out": np.roll(launch.by_group(given["in"]), -1, axis=1)}

The function's name is the kernel's. It gets the launch and the arguments as they were before it, and returns what
each changed array holds after it, in any shape; arrays that it doesn't name must be unchanged.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Arguments = dict[str, Any]
Expected = Mapping[str, Any]


@dataclass(frozen=True)
class Launch:
    """The extents of a launch: work-groups a grid, work-items a group, x first, one to three each."""

    grid: tuple[int, ...]
    block: tuple[int, ...]

    @property
    def groups(self) -> int:
        return prod(self.grid)

    @property
    def items(self) -> int:
        """Work-items a group."""
        return prod(self.block)

    @property
    def size(self) -> int:
        """Work-items in all."""
        return self.groups * self.items

    def by_group(self, array: Array) -> Array:
        """The array in rows of a group each."""
        return array.reshape(self.groups, -1)

    def __str__(self) -> str:
        return "x".join(map(str, self.grid)) + "*" + "x".join(map(str, self.block))


MakeArguments = Callable[[Launch, np.random.Generator], Arguments]
Expectation = Callable[[Launch, Arguments], Expected]


@dataclass(frozen=True)
class Case:
    """One kernel with one way to make its arguments (in the order of its parameters)."""

    path: Path
    kernel: str
    name: str
    arguments: MakeArguments
    expected: Expectation
    shared: Callable[[Launch], int]  # bytes of dynamic shared memory
    tolerance: float  # relative and absolute, of floating-point results; 0: equal to the bit
    defines: tuple[tuple[str, Any], ...] = ()
    options: tuple[str, ...] = ()  # for the compiler
    launches: tuple[Launch, ...] = ()  # where a kernel wants launches of its own

    def make(self, launch: Launch) -> Arguments:
        """The arguments of a launch, the same whenever they are made."""
        seed = sum(self.name.encode()) * 1_000_003 + launch.size
        return self.arguments(launch, np.random.default_rng(seed))


@dataclass
class Table:
    """The cases whose sources lie beside one Python file."""

    file: str
    cases: list[Case] = field(default_factory=list[Case])

    def case(
        self,
        source: str,
        arguments: MakeArguments,
        *,
        kernel: str | None = None,
        name: str | None = None,
        shared: Callable[[Launch], int] = lambda launch: 0,
        tolerance: float = 0.0,
        defines: Mapping[str, Any] | None = None,
        options: tuple[str, ...] = (),
        launches: tuple[Launch, ...] = (),
    ) -> Callable[[Expectation], Expectation]:
        """Adds a case; the expectation's name is the case's, and the kernel's unless `kernel` says another."""

        def add(expected: Expectation) -> Expectation:
            own = name or expected.__name__
            path = Path(self.file).with_name(source)
            case = Case(
                path=path,
                kernel=kernel or own,
                name=own,
                arguments=arguments,
                expected=expected,
                shared=shared,
                tolerance=tolerance,
                defines=tuple((defines or {}).items()),
                options=options,
                launches=launches,
            )
            self.cases.append(case)
            return expected

        return add


def integers(rng: np.random.Generator, size: int, high: int = 1 << 31) -> NDArray[np.uint32]:
    """Random unsigned integers below `high`."""
    return rng.integers(0, high, size, np.uint32)


def in_and_out(launch: Launch, rng: np.random.Generator) -> Arguments:
    """An unsigned integer in and one out for every work-item."""
    return {"out": np.zeros(launch.size, np.uint32), "in": integers(rng, launch.size)}


def with_more(make: MakeArguments = in_and_out, **more: Any) -> MakeArguments:
    """Further arguments after those of `make`: values, or functions of the launch and the generator."""

    def arguments(launch: Launch, rng: np.random.Generator) -> Arguments:
        made = make(launch, rng)
        return made | {name: value(launch, rng) if callable(value) else value for name, value in more.items()}

    return arguments


def one_a_group(high: int) -> Callable[[Launch, np.random.Generator], NDArray[np.int32]]:
    """A small number for every group; the first groups have 0, 1, 2, ..., so that all occur early."""

    def make(launch: Launch, rng: np.random.Generator) -> NDArray[np.int32]:
        values = rng.integers(0, high, launch.groups, np.int32)
        values[:high] = (np.arange(min(high, launch.groups)) + launch.items) % high
        return values

    return make
