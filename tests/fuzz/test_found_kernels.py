# SPDX-License-Identifier: Apache-2.0
"""Random kernels that once failed, as small as they were made, each named for what was wrong."""

from pathlib import Path

import pytest

from .languages import parsed
from .running import check

FOUND = sorted(Path(__file__).with_name("found").glob("*.c[ul]"))


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_found_kernel(path: Path):
    check(parsed(path.read_text()))
