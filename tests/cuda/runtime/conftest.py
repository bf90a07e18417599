# SPDX-License-Identifier: Apache-2.0
"""libcudart with a host runtime beside it, and the test programs, built once a session."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import pytest

from lanewise.cache import Cache
from lanewise.config import from_environment
from lanewise.cuda import libraries as cuda
from lanewise.frontend.cuda.prologue import HEADERS
from lanewise.runtime.build import compile_object, libc_arguments
from lanewise.toolchain import link_shared_object, run_zig

FOLDER = Path(__file__).parent


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the libraries that programs are linked with."""
    return cuda.library_folder(Cache(from_environment().cache_dir or tmp_path_factory.mktemp("cache")))


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Path:
    """A folder with libcudart and, in place of the host runtime, one that puts all work off."""
    folder = tmp_path_factory.mktemp("libraries")
    (folder / cuda.SHARED).write_bytes((built / cuda.SHARED).read_bytes())
    compiled = compile_object(FOLDER / "deferred_runtime.c", "-fvisibility=default")
    (folder / cuda.HOST_RUNTIME).write_bytes(cuda.link_host_runtime(compiled))
    return folder


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A file of programs/ as a shared object."""
    folder = tmp_path_factory.mktemp("programs")

    @functools.cache
    def built(name: str) -> Path:
        options = ["-std=c++17", "-O1", "-g", "-fPIC", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Werror"]
        arguments = ["clang", *libc_arguments(), *options, "-Wno-unused-function", "-isystem", str(HEADERS)]
        compiled = run_zig([*arguments, "-c", str(FOLDER / "programs" / name), "-o", "-"], f"{name} can't be compiled")
        path = folder / f"{name}.so"
        path.write_bytes(link_shared_object([compiled]))
        return path

    return built
