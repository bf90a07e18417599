# SPDX-License-Identifier: Apache-2.0
"""Launches of the OpenCL platform that decide between two mappings."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from tests.device.cpu.test_trials import IN_OPENCL
from tests.prepared_cache import copy_cache

SCRIPT = """
import ctypes, sys, time
sys.path.insert(0, {root!r})
import numpy as np
from tests.opencl.interface import Interface, Session
session = Session(Interface({library!r}))
text = np.random.default_rng(3).integers(0, 3, (1 << 14) + 48, np.uint8)
found = np.zeros(1 << 14, np.int32)
out, given = session.buffer(found), session.buffer(text)
kernel = session.kernel({source!r}, "longest", out, given, np.int32(24))
unsettled = ctypes.CDLL({library!r}).lw_unsettled_count
assert unsettled() == 0  # nothing has been launched
session.run(kernel, [1 << 14], [128])
session.read(out, found)
assert unsettled() == 1  # 100 ms of running time have not passed
end = time.monotonic() + 40
log = open({log!r})
seen = ""
while "launches tried both mappings" not in seen and time.monotonic() < end:
    session.run(kernel, [1 << 14], [128])
    session.read(out, found)
    seen += log.read()
while unsettled() and time.monotonic() < end:
    time.sleep(0.01)  # what was chosen is being kept
assert unsettled() == 0
session.run(kernel, [1 << 14], [128])
print(session.read(out, found).tobytes().hex())
"""


def test_launches_choose_between_two_mappings(library: Path, libraries: Path, tmp_path: Path) -> None:
    script, log = tmp_path / "script.py", tmp_path / "log"
    root = str(Path(__file__).parents[2])
    script.write_text(SCRIPT.format(root=root, library=str(library), source=IN_OPENCL, log=str(log)))
    copy_cache(libraries, tmp_path / "cache")
    environment = os.environ | {"LANEWISE_LOG": "1", "LANEWISE_CACHE_DIR": str(tmp_path / "cache")}
    with log.open("w") as errors:
        done = subprocess.run(
            [sys.executable, str(script)],
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment,
            timeout=90,
            check=True,
        )
    assert "launches tried both mappings: " in log.read_text()
    text = np.random.default_rng(3).integers(0, 3, (1 << 14) + 48, np.uint8)
    assert np.frombuffer(bytes.fromhex(done.stdout.decode()), np.int32).tolist() == longest(text).tolist()


def longest(text: "np.ndarray[tuple[int], np.dtype[np.uint8]]") -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
    """For each place the length of the longest match with what comes up to 23 places before, at most 24."""
    found = np.zeros(1 << 14, np.int32)
    here = np.arange(1 << 14) + 24
    for back in range(1, 24):
        same = np.array([text[here + k] == text[here + k - back] for k in range(24)])
        found = np.maximum(found, np.logical_and.accumulate(same).sum(0)).astype(np.int32)
    return found
