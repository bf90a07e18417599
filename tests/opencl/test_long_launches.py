# SPDX-License-Identifier: Apache-2.0
"""Launches that take so long that code for their local size is there before they end.

The kernel takes long until the test sets a word of a buffer in its own memory. The log tells when code changes.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys, time
from pathlib import Path
import numpy as np
from tests.opencl.interface import Interface, Session

session = Session(Interface(Path(sys.argv[1])))
USE_HOST_PTR, NUM_ITEMS = 1 << 3, 1 << 22
stop, values = np.zeros(1024, np.int32), np.zeros(NUM_ITEMS, np.float32)
program = session.program(sys.argv[2], sys.argv[3])
kernel = session.cl.clCreateKernel(program, b"turns")
session.set(kernel, session.buffer(values), session.buffer(stop, USE_HOST_PTR))
log, seen = open(sys.argv[4]), ""

def wait_for(words, seconds):
    global seen
    end = time.monotonic() + seconds
    while words not in seen and time.monotonic() < end:
        seen += log.read()
        time.sleep(0.01)

session.run(kernel, [NUM_ITEMS], [128])
session.cl.clFlush(session.queue)
wait_for("code for this block size from now on", 60)
wait_for("a launch goes on by this code", float(sys.argv[5]))
stop[0] = 1
session.cl.clFinish(session.queue)
"""
SOURCE = """
kernel void turns(global float *values, global const volatile int *stop) {
    float value = values[get_global_id(0)];
    for (int i = 0; i < 20000 && *stop == 0; ++i)
        value = value * 0.75f + 1.0f;
    values[get_global_id(0)] = value;
}
"""


@pytest.mark.parametrize(
    ("options", "seconds", "changes"), [("", 60, True), ("-cl-unsafe-math-optimizations", 0.5, False)]
)
def test_a_launch_of_fast_mathematics_keeps_its_code(
    library: Path, tmp_path: Path, options: str, seconds: float, changes: bool
) -> None:
    folder, log = Path(__file__).parents[2], tmp_path / "log"
    words = [sys.executable, "-c", SCRIPT, str(library), SOURCE, options, str(log), str(seconds)]
    environment = os.environ | {"PYTHONPATH": str(folder), "LANEWISE_LOG": "1"}
    with log.open("w") as errors:
        subprocess.run(words, stderr=errors, timeout=150, env=environment, cwd=folder, check=True)
    told = log.read_text()
    assert "code for this block size from now on" in told
    assert ("a launch goes on by this code" in told) == changes
