# SPDX-License-Identifier: Apache-2.0
"""Programs that another process has built: there without the compile service, unless a file may have changed."""

import os
import shutil
import subprocess
import sys
import time
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


_CHANGED = """
import os, sys
from pathlib import Path
from tests.opencl.interface import Interface, Session
session = Session(Interface(Path(sys.argv[1])))
session.program(sys.argv[2], "-D NUMBER=1")
name, value = sys.argv[3].split("=")
os.environ[name] = value
session.program(sys.argv[2], "-D NUMBER=2")
"""


def _build_two(library: Path, cache: Path, changed: str) -> None:
    """Build programs before and after a change of the environment."""
    folder = Path(__file__).parents[2]
    words = [sys.executable, "-c", _CHANGED, str(library), SOURCE, changed]
    more = {"PYTHONPATH": str(folder), "LANEWISE_CACHE_DIR": str(cache), "LANEWISE_MAPPING": "loop"}
    subprocess.run(words, timeout=120, env={**os.environ, **more}, cwd=folder, check=True)


def _libraries(cache: Path) -> set[Path]:
    """Names of what is in a cache, which stand for all that code depends on."""
    return {path.relative_to(cache) for path in cache.glob("v1/objects/*/*/opencl.so")}


def test_the_mapping_is_that_of_each_build(library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after the service has started with another one."""
    monkeypatch.setenv("LANEWISE_CPU", "native")
    changed, alone = tmp_path / "changed", tmp_path / "alone"
    _build_two(library, changed, "LANEWISE_MAPPING=lanes:8")
    run(library, alone, SOURCE, "-D NUMBER=2", "lanes:8")
    assert _libraries(alone) < _libraries(changed)
    assert run(library, changed, SOURCE, "-D NUMBER=2", "lanes:8") == ("[2, 2, 2, 2]\n", False)


def test_the_processor_is_that_of_the_first_build(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service, which has it from its start, makes no answers that count for another one."""
    monkeypatch.setenv("LANEWISE_CPU", "native")
    _build_two(library, tmp_path, "LANEWISE_CPU=x86-64-v2")
    monkeypatch.setenv("LANEWISE_CPU", "x86-64-v2")
    assert run(library, tmp_path, SOURCE, "-D NUMBER=2", "loop") == ("[2, 2, 2, 2]\n", True)
    monkeypatch.setenv("LANEWISE_CPU", "native")
    assert run(library, tmp_path, SOURCE, "-D NUMBER=2", "loop") == ("[2, 2, 2, 2]\n", False)


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


def test_a_kept_answer_has_its_included_files_as_they_were(library: Path, tmp_path: Path) -> None:
    header, earlier, cache = tmp_path / "later" / "number.h", tmp_path / "earlier", tmp_path / "cache"
    for folder in (header.parent, earlier):
        folder.mkdir()
    source, options = f'#include "outer.h"\n{SOURCE}', f"-I {earlier} -I {header.parent} -D X=1"
    outer = header.with_name("outer.h")
    outer.write_text('#include "number.h"\n')
    header.write_text("#define NUMBER 5\n")
    time.sleep(0.1)  # a file that changes while it is compiled can't be told from one that changed just before
    assert run(library, cache, source, options) == ("[5, 5, 5, 5]\n", True)
    assert run(library, cache, source, options) == ("[5, 5, 5, 5]\n", False)
    times = header.stat()
    header.write_text("#define NUMBER 6\n")
    os.utime(header, ns=(times.st_atime_ns, times.st_mtime_ns))  # the size is the same, too
    assert run(library, cache, source, options) == ("[6, 6, 6, 6]\n", True)
    (earlier / "number.h").write_text("#define NUMBER 7\n")
    # not beside outer.h, but it might be found first
    assert run(library, cache, source, options) == ("[6, 6, 6, 6]\n", True)
    assert run(library, cache, source, options) == ("[6, 6, 6, 6]\n", False)
    (earlier / "outer.h").write_text("#define NUMBER 8\n")
    assert run(library, cache, source, options)[1]
    (earlier / "outer.h").unlink()
    header.unlink()  # number.h of the folder before is found now
    assert run(library, cache, source, options) == ("[7, 7, 7, 7]\n", True)


@pytest.mark.parametrize(
    "line",
    [
        '#define NAME "number.h"\n#include NAME',
        '#if __has_include("absent.h")\n#endif\n#include "number.h"',
        '#/**/include "number.h"',
    ],
)
def test_answers_are_not_kept_where_files_can_not_be_told(library: Path, tmp_path: Path, line: str) -> None:
    (tmp_path / "number.h").write_text("#define NUMBER 5\n")
    time.sleep(0.1)
    for _ in range(2):
        assert run(library, tmp_path / "cache", f"{line}\n{SOURCE}", f"-I{tmp_path}") == ("[5, 5, 5, 5]\n", True)
