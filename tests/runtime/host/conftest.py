# SPDX-License-Identifier: Apache-2.0
"""The host runtime with the tests' kernels, as one library, built once a session."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lanewise.cache import Cache
from lanewise.runtime.build import compile_object, host_object
from lanewise.toolchain import link_shared_object

from .driver import Gate, Host


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("host")
    kernels = compile_object(Path(__file__).with_name("kernels.c"), "-Werror")
    path = folder / "host.so"
    path.write_bytes(link_shared_object([host_object(Cache(folder / "cache")), kernels]))
    return path


@pytest.fixture(scope="session")
def runtime(library: Path) -> Host:
    return Host(library)


@pytest.fixture
def host(runtime: Host) -> Iterator[Host]:
    """The runtime; after the test, nothing is left of its work."""
    yield runtime
    runtime.tidy()


@pytest.fixture
def gate(host: Host) -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.open()
