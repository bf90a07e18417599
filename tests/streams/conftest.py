# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator

import pytest

import lanewise as lw

from .kernels import Gate, module


@pytest.fixture
def kernels() -> lw.Module:
    return module()


@pytest.fixture(params=["cpu", "reference", "apart", "simt", "cuda"])
def device(request: pytest.FixtureRequest) -> str:
    if request.param == "cuda" and request.node.get_closest_marker("faults"):
        pytest.skip("a GPU's driver accepts no calls after a fault")
    if request.param in ("apart", "cuda"):
        request.getfixturevalue(request.param)
    return request.param


@pytest.fixture
def gate() -> Iterator[Gate]:
    with Gate() as gate:
        yield gate
