# SPDX-License-Identifier: Apache-2.0
"""A short run of the random sequences of calls; `tests/opencl/fuzz.py` runs as many as wanted."""

import subprocess
import sys
from pathlib import Path


def test_random_sequences_end(library: Path) -> None:
    words = [sys.executable, "-m", "tests.opencl.fuzz", str(library), "40", "--show"]
    folder = Path(__file__).parents[2]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    assert done.stdout.startswith("40 sequences, ")
