# SPDX-License-Identifier: Apache-2.0
"""The test kernels, compiled once a session, and a pool to run them on."""

import ctypes
from collections.abc import Callable
from pathlib import Path

import pytest

from lanewise.cache import Cache
from lanewise.runtime import Pool, address_of, load
from lanewise.runtime.build import compile_c

Kernel = Callable[[str], int]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    return Cache(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def kernel() -> Kernel:
    library = load(compile_c(Path(__file__).with_name("kernels.c")))
    return lambda name: address_of(library, name)


@pytest.fixture
def pool(cache: Cache) -> Pool:
    return Pool(3, cache)


class Counter:
    """A 64-bit number that kernels change."""

    def __init__(self) -> None:
        self._cell = ctypes.c_uint64(0)

    @property
    def value(self) -> int:
        return self._cell.value

    @property
    def address(self) -> int:
        return ctypes.addressof(self._cell)


@pytest.fixture
def counter() -> Counter:
    return Counter()
