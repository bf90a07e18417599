# SPDX-License-Identifier: Apache-2.0
"""docs/cuda-headers.md is what `make docs` makes of the tables."""

from pathlib import Path

from lanewise.frontend.cuda.coverage.document import document


def test_document_is_up_to_date():
    written = (Path(__file__).parents[2] / "docs/cuda-headers.md").read_text()
    assert written == document(), "run `make docs`"
