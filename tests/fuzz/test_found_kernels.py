# SPDX-License-Identifier: Apache-2.0
"""Random kernels that once failed, as small as they were made, each named for what was wrong.

Each runs as by default and under two more mappings, other ones from kernel to kernel; under all with
LANEWISE_TEST_ALL_SHAPES=1. Those in `found/through_ptx` failed as PTX on the device simt, and run so.
"""

from pathlib import Path

import pytest

from lanewise.config import default_mapping

from ..sampling import EVERY_SHAPE
from .languages import parsed
from .mappings import MAPPINGS, THROUGH_PTX
from .running import check

FOLDER = Path(__file__).with_name("found")
FOUND = sorted(FOLDER.glob("*.c[ul]"))
THROUGH = sorted(FOLDER.glob("through_ptx/*.cu"))


@pytest.mark.parametrize(("place", "path"), [pytest.param(*each, id=each[1].stem) for each in enumerate(FOUND)])
def test_found_kernel(place: int, path: Path):
    mappings = () if EVERY_SHAPE else (default_mapping(), *MAPPINGS[place % 4 :: 4])
    check(parsed(path.read_text()), mappings)


@pytest.mark.parametrize("path", THROUGH, ids=lambda path: path.stem)
def test_found_through_ptx(path: Path):
    assert check(parsed(path.read_text()), (THROUGH_PTX,))
