# SPDX-License-Identifier: Apache-2.0
"""Threads of a process that has launched kernels: none of them wakes while nothing is to be done."""

import os
import subprocess
import sys
from pathlib import Path

_PROGRAM = """
import sys, threading, time
from pathlib import Path
import numpy as np
from tests.opencl.interface import Interface, Session

def waits():
    'How often each other thread has gone to sleep.'
    found = {}
    for task in Path("/proc/self/task").iterdir():
        if int(task.name) != threading.get_native_id():
            lines = (task / "status").read_text().splitlines()
            found[task.name] = next(line.split()[1] for line in lines if line.startswith("voluntary"))
    return found

session = Session(Interface(Path(sys.argv[1])))
kernel = session.kernel(
    "kernel void k(global float *p) { p[get_global_id(0)] += 1; }", "k", session.buffer(np.zeros(1 << 20, np.float32))
)
for _ in range(20):
    session.run(kernel, [1 << 20])
session.cl.clFinish(session.queue)
assert waits()
until, before = time.monotonic() + 20, None
while (now := waits()) != before:  # at first, code for the local size is made, and launches are watched for a second
    assert time.monotonic() < until, (before, now)
    before = now
    time.sleep(1)
"""


def test_no_thread_wakes_while_nothing_is_to_be_done(library: Path) -> None:
    folder = Path(__file__).parents[2]
    words = [sys.executable, "-c", _PROGRAM, str(library)]
    environment = {**os.environ, "PYTHONPATH": str(folder), "LANEWISE_NUM_THREADS": "4"}
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, env=environment, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr
