# SPDX-License-Identifier: Apache-2.0
"""Programs that another process has built: there without the compile service, unless a file may have changed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_PROGRAM = """
import sys
from pathlib import Path
import numpy as np
from tests.opencl.interface import Interface, Session
session = Session(Interface(Path(sys.argv[1])))
program = session.program(sys.argv[2], sys.argv[3])
kernel = session.cl.clCreateKernel(program, b"kept")
out = session.buffer(np.zeros(4, np.int32))
session.set(kernel, out)
session.run(kernel, [4])
print(session.read(out, np.zeros(4, np.int32)).tolist())
"""
SOURCE = "kernel void kept(global int *p) { p[get_global_id(0)] = NUMBER; }"


def run(library: Path, cache: Path, source: str, options: str, mapping: str = "auto") -> tuple[str, bool]:
    """Text that the program prints, and a flag: the service was asked."""
    folder = Path(__file__).parents[2]
    words = [sys.executable, "-c", _PROGRAM, str(library), source, options]
    more = {
        "PYTHONPATH": str(folder),
        "LANEWISE_CACHE_DIR": str(cache),
        "LANEWISE_LOG": "1",
        "LANEWISE_MAPPING": mapping,
    }
    done = subprocess.run(
        words, capture_output=True, text=True, timeout=120, env={**os.environ, **more}, cwd=folder, check=True
    )
    return done.stdout, "kernel IR" in done.stderr


def test_a_second_process_asks_no_service(library: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert run(library, cache, SOURCE, "-D NUMBER=3") == ("[3, 3, 3, 3]\n", True)
    assert run(library, cache, SOURCE, "-D NUMBER=3") == ("[3, 3, 3, 3]\n", False)
    assert run(library, cache, SOURCE, "-D NUMBER=4")[1]
    shutil.rmtree(cache / "v1" / "objects")  # the answer is there, its library isn't
    assert run(library, cache, SOURCE, "-D NUMBER=3") == ("[3, 3, 3, 3]\n", True)
    (cache / "v1" / "objects").chmod(0o777)  # others might have written there
    with pytest.raises(subprocess.CalledProcessError):  # then there is no cache
        run(library, cache, SOURCE, "-D NUMBER=3")


def test_each_mapping_has_code_of_its_own(library: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    made: dict[str, bytes] = {}
    for mapping in ("loop", "lanes:8"):
        assert run(library, cache, SOURCE, "-D NUMBER=3", mapping) == ("[3, 3, 3, 3]\n", True)
        (file,) = (
            path for path in (cache / "v1" / "objects").glob("*/*/opencl.so") if path.read_bytes() not in made.values()
        )
        made[mapping] = file.read_bytes()
    assert len(made) == 2
    assert run(library, cache, SOURCE, "-D NUMBER=3", "loop") == ("[3, 3, 3, 3]\n", False)
    with pytest.raises(subprocess.CalledProcessError):
        run(library, cache, SOURCE, "-D NUMBER=3", "many")


def test_a_damaged_library_is_made_again(library: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert run(library, cache, SOURCE, "-D NUMBER=7") == ("[7, 7, 7, 7]\n", True)
    (kept,) = (cache / "v1" / "objects").glob("*/*/opencl.so")
    kept.write_bytes(kept.read_bytes()[:1000])
    assert run(library, cache, SOURCE, "-D NUMBER=7") == ("[7, 7, 7, 7]\n", True)
    assert kept.stat().st_size > 1000
    assert run(library, cache, SOURCE, "-D NUMBER=7") == ("[7, 7, 7, 7]\n", False)


def test_included_files_may_change(library: Path, tmp_path: Path) -> None:
    header = tmp_path / "number.h"
    for number in ("5", "6"):
        header.write_text(f"#define NUMBER {number}\n")
        printed, asked = run(library, tmp_path / "cache", f'#include "number.h"\n{SOURCE}', f"-I {tmp_path}")
        assert printed.startswith(f"[{number}, ")
        assert asked
