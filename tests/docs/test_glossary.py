# SPDX-License-Identifier: Apache-2.0
"""docs/glossary.md: each term has one row, and a home in the source that uses it."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROWS = [
    [cell.strip() for cell in line.strip().strip("|").split("|")]
    for line in (ROOT / "docs" / "glossary.md").read_text().splitlines()
    if line.startswith("| ") and not line.startswith(("| term", "| ---"))
]


def test_each_row_has_a_term_a_meaning_a_source_and_a_home():
    assert len(ROWS) >= 40
    for row in ROWS:
        assert len(row) == 4, row
        assert all(row), row


def test_no_term_is_explained_twice_in_one_sense():
    names = [row[0] for row in ROWS]
    assert len(names) == len(set(names))


def test_the_home_of_each_term_exists():
    for row in ROWS:
        for home in re.findall(r"`([^`]+)`", row[3]):
            assert (ROOT / "src" / "lanewise" / home).exists(), home
