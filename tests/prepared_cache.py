# SPDX-License-Identifier: Apache-2.0
"""Caches of tests that want one of their own: empty but for the native libraries, which take long to build."""

import fcntl
import os
import shutil
from pathlib import Path

import pytest

from lanewise.cache import Cache
from lanewise.cuda.libraries import library_folder
from lanewise.runtime import core_library


def prepared_cache(factory: pytest.TempPathFactory) -> Path:
    """A cache with the libraries, built once for all workers of a run."""
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with (shared / "prepared-cache.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        cache = Cache(shared / "prepared-cache")
        core_library(cache)
        library_folder(cache)
    return shared / "prepared-cache"


def copy_cache(prepared: Path, to: Path) -> None:
    shutil.copytree(prepared, to, symlinks=True, ignore=shutil.ignore_patterns("swept"))
