# SPDX-License-Identifier: Apache-2.0
"""What tests of launches larger than the caches share."""

from collections.abc import Iterator

import pytest

import lanewise as lw
from lanewise.device.cpu.device import CpuDevice
from lanewise.runtime.caches import last_level_cache_bytes


@pytest.fixture
def _no_caches() -> Iterator[None]:
    """All launches store more than the caches hold."""
    device = lw.device("cpu")
    assert isinstance(device, CpuDevice)
    device.pool().set_cache_bytes(0)
    yield
    device.pool().set_cache_bytes(last_level_cache_bytes())
