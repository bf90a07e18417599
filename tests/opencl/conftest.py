# SPDX-License-Identifier: Apache-2.0
"""The platform's library, built once, and sessions on it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.opencl.interface import Interface, Session

import lanewise
from lanewise.cache import Cache
from lanewise.config import from_environment
from lanewise.opencl.library import NAME, platform_library


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("opencl") / NAME
    path.write_bytes(platform_library(Cache(from_environment().cache_dir), lanewise.__version__))
    return path


@pytest.fixture(scope="session")
def cl(library: Path) -> Interface:
    return Interface(library)


@pytest.fixture
def session(cl: Interface) -> Session:
    return Session(cl)


@pytest.fixture
def new_session(cl: Interface) -> Callable[..., Session]:
    return lambda *arguments: Session(cl, *arguments)
