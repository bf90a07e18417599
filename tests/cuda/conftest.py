# SPDX-License-Identifier: Apache-2.0
"""The compiler that tests of whole programs need."""

import pytest

from lanewise.cuda.objects.host_compiler import HostCompiler, host_compiler
from lanewise.errors import Error


@pytest.fixture(scope="session")
def compiler() -> HostCompiler:
    """The system's g++; tests that need it are skipped without one."""
    try:
        return host_compiler()
    except Error as error:
        pytest.skip(str(error))
