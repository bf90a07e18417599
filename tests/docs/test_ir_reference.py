# SPDX-License-Identifier: Apache-2.0
"""docs/ir.md is what the tables of operations and intrinsics say. Written anew by `make docs`."""

from pathlib import Path

from lanewise.ir.reference import reference

WRITTEN = Path(__file__).parents[2] / "docs" / "ir.md"


def test_the_reference_is_up_to_date():
    assert WRITTEN.read_text() == reference(), "docs/ir.md is out of date: run `make docs`"
