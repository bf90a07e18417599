# SPDX-License-Identifier: Apache-2.0
"""A folder for what processes of a benchmark hand to each other."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def memory_folder() -> Iterator[Path]:
    """An empty folder, in memory where the system has a place for that, which is removed afterwards."""
    place = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=place) as name:
        yield Path(name)
