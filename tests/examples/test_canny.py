# SPDX-License-Identifier: Apache-2.0
"""The demo runs to its end, the command line in it as well, and finds SciPy's edges."""

import subprocess
import sys
from pathlib import Path

DEMO = Path(__file__).parents[2] / "examples" / "canny" / "demo.py"


def test_the_demo(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, DEMO, "--out", tmp_path], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert {file.name for file in tmp_path.iterdir()} == {"blurred.npy", "edges.png", "side_by_side.png"}
