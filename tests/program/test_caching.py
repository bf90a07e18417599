# SPDX-License-Identifier: Apache-2.0
"""The cache as programs see it: across processes, switched off, unwritable, broken."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from lanewise.config import Config
from lanewise.program.source.compilation import compile_source
from lanewise.session import Session

SOURCE = """
__device__ int total = 5;
template <typename T> __global__ void add(T *p, T v) { p[threadIdx.x] += v; atomicAdd(&total, 1); }
template __global__ void add<int>(int *, int);
"""

# Prints whether a launch needed a compiler, and whether a new template instance did.
PROGRAM = f"""
import sys, numpy as np, lanewise as lw
module = lw.compile('''{SOURCE}''', language="cuda")
p = np.zeros(8, np.int32)
module["add<int>"][1, 8](p, 3)
needed = "llvmlite" in sys.modules or "subprocess" in sys.modules
q = np.zeros(8, np.float32)
module["add<float>"][1, 8](q, 2)
assert (p == 3).all() and (q == 2).all() and module.variable("total").read() == 21
print(needed, "llvmlite" in sys.modules)
"""


def run(cache: Path, **more: str) -> str:
    environment = {**os.environ, "LANEWISE_CACHE_DIR": str(cache), **more}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def check(module: lw.Module) -> None:
    p = np.zeros(8, np.int32)
    module["add<int>"][1, 8](p, 3)
    assert (p == 3).all()


def test_a_second_process_compiles_nothing(tmp_path: Path):
    assert run(tmp_path) == "True True"
    assert run(tmp_path) == "False False"


def test_switched_off_nothing_is_written(tmp_path: Path):
    cache = tmp_path / "cache"
    assert run(cache, LANEWISE_CACHE="0") == "True True"
    assert not cache.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_not_writable(tmp_path: Path):
    tmp_path.chmod(0o500)
    assert run(tmp_path / "cache") == "True True"


def test_a_folder_that_can_not_be(tmp_path: Path, compile_in: Callable[..., lw.Module]):
    (tmp_path / "file").write_text("")
    check(compile_in(Session(Config(tmp_path / "file" / "cache", 2, "cpu")), SOURCE))


def test_a_broken_entry_is_made_again(session: Session, compile_in: Callable[..., lw.Module]):
    check(compile_in(session, SOURCE))
    assert session.config.cache_dir is not None
    for path in list(session.config.cache_dir.rglob("*")):
        if path.is_file():
            broken = path.with_name("broken")  # not in place: this process has the core mapped
            broken.write_bytes(path.read_bytes()[:-7] + b"garbage")
            broken.replace(path)
    fresh = Session(session.config)
    check(compile_in(fresh, SOURCE))
    check(compile_in(Session(session.config), SOURCE))


def test_a_cache_cleared_while_a_module_is_in_use(session: Session, compile_in: Callable[..., lw.Module]):
    check(compile_in(session, SOURCE))
    module = compile_in(Session(session.config), SOURCE)  # of the cache: its IR has not been read yet
    session.cache.clear()
    check(module)
    p = np.zeros(4, np.int16)
    module["add<short>"][1, 4](p, 2)
    assert (p == 2).all()
    assert "define" in module.ir()


def test_options_have_entries_of_their_own(session: Session, compile_in: Callable[..., lw.Module]):
    source = "__global__ void k(int *out) { *out = VALUE; }"
    for value in (1, 2, 1):
        out = np.zeros(1, np.int32)
        compile_in(session, source, defines={"VALUE": value})["k"][1, 1](out)
        assert out[0] == value


def test_a_program_that_includes_is_translated_once_for_all_current_directories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, session: Session
):
    source = '#include "n.h"\nkernel void add(global int *p) { p[get_global_id(0)] += N; }'
    (tmp_path / "n.h").write_text("#define N 3\n")
    assert session.config.cache_dir is not None
    for name in ("one", "another"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        module = compile_source(session, source, language="opencl", options=f"-I{tmp_path}")
        p = np.zeros(4, np.int32)
        module["add"].ndrange(4)(p)
        assert p.tolist() == [3] * 4
    assert len(list(session.config.cache_dir.rglob("kernel.ll"))) == 1
