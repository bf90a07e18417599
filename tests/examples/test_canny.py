# SPDX-License-Identifier: Apache-2.0
"""The demo runs to its end, the command line in it as well, and finds SciPy's edges."""

import importlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import lanewise as lw

DEMO = Path(__file__).parents[2] / "examples" / "canny" / "demo.py"


def test_the_demo(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, DEMO, "--out", tmp_path], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the same as loops of Python" in done.stdout
    assert all(part in done.stdout for part in ("read out of bounds", "of argument 'img'", "without a barrier"))
    assert "its pixels are others" not in " ".join(done.stdout.split())
    assert {file.name for file in tmp_path.iterdir()} == {"blurred.npy", "edges.png", "side_by_side.png"}


def test_the_loops_give_the_pixels_of_plain_python(monkeypatch: pytest.MonkeyPatch):
    """On a part of the photograph, also on a simulated GPU with too little memory, in tiles."""
    monkeypatch.syspath_prepend(DEMO.parent)
    canny = importlib.import_module("canny")
    reference = importlib.import_module("reference")
    image = np.asarray(Image.open(DEMO.parent / "photo.png")).astype(np.float32)[:60, 100:180]
    edges = canny.detect_edges(image, 60.0, 150.0)
    assert 0 < np.count_nonzero(edges) < edges.size
    assert ((edges == 255) == reference.canny(image, 60.0, 150.0).edges).mean() > 0.999
    length = np.zeros((62, 82), np.float32)
    blurred, direction = np.empty_like(image), np.empty_like(edges)
    canny.blur(image, blurred)
    canny.gradient(blurred, length, direction)
    states = [np.empty_like(edges) for _ in range(2)]
    for state, device in zip(states, (lw.device("cpu"), lw.device("simt", memory="40 KiB")), strict=True):
        with lw.on(device):
            canny.suppress(length, direction, np.float32(60), np.float32(150), state)
    assert (states[0] == states[1]).all()
    assert " tiles: " in canny.suppress.inspect()
    with monkeypatch.context() as plain:
        for name in ("clamp", "binomial", "blur", "gradient", "suppress", "follow", "draw"):
            plain.setattr(canny, name, getattr(canny, name).py_func)
        assert (canny.detect_edges(image, 60.0, 150.0) == edges).all()
