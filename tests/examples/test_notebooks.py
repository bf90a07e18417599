# SPDX-License-Identifier: Apache-2.0
"""Notebooks run to their end, and print what is stored in them."""

from pathlib import Path

import pytest

from .notebooks import code_cells, executed, without_times

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples").rglob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_is_stored_in_it(path: Path):
    stored = [cell["outputs"] for cell in code_cells(path)]
    assert without_times(executed(path)) == without_times(stored)


def test_there_are_notebooks():
    assert NOTEBOOKS
