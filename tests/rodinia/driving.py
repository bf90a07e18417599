# SPDX-License-Identifier: Apache-2.0
"""What the drivers of Rodinia's programs work with."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import lanewise as lw

Array = NDArray[Any]
Results = dict[str, tuple[Array, Array]]
"""By name: what was found, and what NumPy expects."""


class Bench:
    """The module, the device, and random inputs."""

    def __init__(self, module: lw.Module, device: str) -> None:
        self.module = module
        self.random = np.random.default_rng(11)
        self.device = device
        self.small = device == "reference"
        """The device interprets, so it gets smaller problems."""

    def floats(self, *shape: int) -> Array:
        """From 0.5 to 1.5."""
        return self.random.random(shape, np.float32) + np.float32(0.5)

    def launch(self, kernel: str, grid: int | tuple[int, ...], block: int | tuple[int, ...], *arguments: Any) -> None:
        self.module[kernel].launch(grid, block, arguments, device=self.device)


Driver = Callable[[Bench], Results]


@dataclass(frozen=True)
class Program:
    """A source file below the suite's cuda folder, its include folders there, and a driver."""

    source: str
    include_dirs: tuple[str, ...]
    driver: Driver
    reads_outside: str
    """A pattern of what a device that checks accesses says of the program, since it reads outside of its arrays."""

    @property
    def name(self) -> str:
        return self.driver.__name__


PROGRAMS: list[Program] = []


def program(source: str, *include_dirs: str, reads_outside: str = "") -> Callable[[Driver], Driver]:
    def add(driver: Driver) -> Driver:
        PROGRAMS.append(Program(source, include_dirs, driver, reads_outside))
        return driver

    return add


def inside(array: Array, margin: int) -> Array:
    """The same values with `margin` zeros before and behind them in memory: some kernels read past their arrays' ends
    and don't use what they get."""
    padded = np.zeros(array.size + 2 * margin, array.dtype)
    padded[margin : margin + array.size] = array.ravel()
    return padded


def at(padded: Array, margin: int, shape: tuple[int, ...]) -> Array:
    """The array within the margins."""
    return padded[margin : len(padded) - margin].reshape(shape)
