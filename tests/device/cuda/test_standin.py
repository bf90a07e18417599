# SPDX-License-Identifier: Apache-2.0
"""The stand-in for the driver has the calls of cuda-bindings."""

import inspect
import re
from enum import IntEnum
from importlib.util import find_spec

import pytest

from . import standin

FUNCTIONS = sorted(name for name in vars(standin.Driver) if re.match(r"cu[A-Z]", name))
ENUMERATIONS = (
    standin.CUresult, standin.CUdevice_attribute, standin.CUfunction_attribute, standin.CUjit_option,
    standin.CUlaunchAttributeID,
)  # fmt: skip

pytestmark = pytest.mark.skipif(
    find_spec("cuda") is None or find_spec("cuda.bindings") is None, reason="cuda-bindings is not installed"
)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_has_the_parameters_of_cuda_bindings(name: str):
    from cuda.bindings import driver  # pyright: ignore[reportMissingImports]

    declared = re.match(r"\w+\((.*)\)$", getattr(driver, name).__doc__.strip().splitlines()[0])
    assert declared is not None
    # "CUlaunchConfig config: Optional[...], f, void_ptr extra": C's form, Python's, or both
    written = re.sub(r"\[[^][]*(\[[^]]*\][^][]*)*\]", "", declared[1])
    names = [part.partition(":")[0].strip(" *").rpartition(" ")[2].lstrip("*") for part in written.split(",") if part]
    ours = list(inspect.signature(getattr(standin.Driver, name)).parameters)
    assert ours == ["self", *names]


@pytest.mark.parametrize("ours", ENUMERATIONS, ids=lambda each: each.__name__)
def test_an_enumeration_has_the_numbers_of_cuda_bindings(ours: type[IntEnum]):
    from cuda.bindings import driver  # pyright: ignore[reportMissingImports]

    theirs = getattr(driver, ours.__name__)
    assert {each.name: int(each) for each in ours} == {each.name: int(getattr(theirs, each.name)) for each in ours}


def test_structures_have_the_members_of_cuda_bindings():
    from cuda.bindings import driver  # pyright: ignore[reportMissingImports]

    config, attribute = driver.CUlaunchConfig(), driver.CUlaunchAttribute()
    assert all(hasattr(config, name) for name in vars(standin.CUlaunchConfig()))
    assert hasattr(attribute, "id")
    assert hasattr(attribute.value, "cooperative")
    assert driver.CU_STREAM_PER_THREAD == 2
