# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator

import pytest

import lanewise as lw

from .kernels import Gate, module


@pytest.fixture
def kernels() -> lw.Module:
    return module()


@pytest.fixture(params=["cpu", "reference", "apart", "simt"])
def device(request: pytest.FixtureRequest) -> str:
    if request.param == "apart":
        request.getfixturevalue("apart")
    return request.param


@pytest.fixture
def gate() -> Iterator[Gate]:
    with Gate() as gate:
        yield gate
