# SPDX-License-Identifier: Apache-2.0
import pytest

from lanewise.device.cuda import CudaDevice
from lanewise.device.cuda.driver import Driver

from . import standin


@pytest.fixture
def driver() -> standin.Driver:
    return standin.Driver(2)


@pytest.fixture
def gpu(driver: standin.Driver) -> CudaDevice:
    return CudaDevice(Driver(driver), 0)
