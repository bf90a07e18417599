# SPDX-License-Identifier: Apache-2.0
"""How large the last-level caches are, from the files of Linux."""

from pathlib import Path

import pytest

from lanewise.runtime.caches import UNKNOWN, last_level_cache_bytes


@pytest.mark.parametrize(
    ("caches", "processors", "expected"),
    [
        ([("32K", "0"), ("1024K", "0"), ("32768K", "0-1")], 2, 32 << 20),
        ([("32K", "0"), ("1024K", "0"), ("32768K", "0-7,64-71")], 128, 8 * (32 << 20)),
        ([("48K", "0"), ("2048K", "0")], 4, 4 * (2 << 20)),
        ([("48K", "0"), ("2048K", "0,2")], 1, 2 << 20),  # others don't belong to this machine
        ([("32K", "0"), ("many", "0")], 1, 32 << 10),
        ([("32K", "0-")], 1, UNKNOWN),
        ([], 8, UNKNOWN),
    ],
)
def test_sizes(tmp_path: Path, caches: list[tuple[str, str]], processors: int, expected: int):
    for level, (size, shared) in enumerate(caches):
        folder = tmp_path / f"index{level}"
        folder.mkdir()
        (folder / "size").write_text(f"{size}\n")
        (folder / "shared_cpu_list").write_text(f"{shared}\n")
    assert last_level_cache_bytes(tmp_path, processors) == expected
