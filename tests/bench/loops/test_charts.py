# SPDX-License-Identifier: Apache-2.0
"""Charts of the loops' speeds, and of the parts of a first call."""

from pathlib import Path

import pytest

TIMES = {"matmul:float32": {"numpy": 1.0, "untiled": 9.0, "lanewise": 1.5}, "stencil": {"untiled": 1.2, "numba": 2.0}}
PARTS = {"stencil": {"compilation": 0.2, "transfer": 0.02, "execution": 0.001}}


def test_charts_are_drawn(tmp_path: Path):
    pytest.importorskip("matplotlib", reason="charts are drawn by matplotlib")
    from bench.loops.chart import speeds, split

    speeds(tmp_path / "speeds.png", TIMES, "a machine")
    split(tmp_path / "split.svg", PARTS, "a machine")
    assert (tmp_path / "speeds.png").read_bytes().startswith(b"\x89PNG")
    shown = (tmp_path / "split.svg").read_text()
    assert "<svg" in shown
