# SPDX-License-Identifier: Apache-2.0
"""The device `apart` as pip would install it: the metadata of a package that names its entry point."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

METADATA = "Metadata-Version: 2.1\nName: apart\nVersion: 1.0\n"


@contextmanager
def installed(folder: Path, entry: str = "tests.device.apart.client:open_device") -> Iterator[None]:
    """Install it in `folder` for the block."""
    distribution = folder / "apart-1.0.dist-info"
    distribution.mkdir()
    (distribution / "METADATA").write_text(METADATA)
    (distribution / "entry_points.txt").write_text(f"[lanewise.devices]\napart = {entry}\n")
    sys.path.append(str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
