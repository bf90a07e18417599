# SPDX-License-Identifier: Apache-2.0
"""`lanewise run` of a whole program."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lanewise.cli.whole_program import split_program
from lanewise.cuda.objects.host_compiler import HostCompiler

from ..prepared_cache import copy_cache

PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
__global__ void square(int *p) { p[threadIdx.x] *= p[threadIdx.x]; }
int main(int argc, char **argv) {
    if (argc > 2) abort();
    int *d, n = argc > 1 ? atoi(argv[1]) : 3;
    cudaMalloc(&d, sizeof n);
    cudaMemcpy(d, &n, sizeof n, cudaMemcpyHostToDevice);
    square<<<1, 1>>>(d);
    cudaMemcpy(&n, d, sizeof n, cudaMemcpyDeviceToHost);
    printf("%d %s\\n", n, argv[0]);
    return n;
}
"""


@pytest.fixture
def folder(tmp_path: Path, compiler: HostCompiler, libraries: Path) -> Path:
    copy_cache(libraries, tmp_path / "cache")
    (tmp_path / "square.cu").write_text(PROGRAM)
    return tmp_path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LANEWISE_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, "-m", "lanewise", "run", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_arguments_and_the_exit_status_are_the_program_s(folder: Path):
    done = run(folder, "square.cu")
    assert (done.returncode, done.stdout, done.stderr) == (9, "9 square\n", "")
    done = run(folder, "square.cu", "5")
    assert (done.returncode, done.stdout) == (25, "25 square\n")
    done = run(folder, "square.cu", "--", "4")
    assert (done.returncode, done.stdout) == (16, "16 square\n")
    assert run(folder, "square.cu", "1", "2").returncode == 128 + 6  # SIGABRT
    assert [path.name for path in folder.iterdir() if path.name not in ("cache", "square.cu")] == []


def test_a_changed_file_is_built_again(folder: Path):
    assert run(folder, "-DUNUSED=1", "square.cu").stdout == "9 square\n"
    (folder / "square.cu").write_text(PROGRAM.replace("p[threadIdx.x] *= p[threadIdx.x]", "p[0] = 100"))
    assert run(folder, "square.cu").stdout == "100 square\n"


def test_errors_of_both_sides(folder: Path):
    (folder / "host.cu").write_text("__global__ void k() {}\nint main() { return missing; }\n")
    done = run(folder, "host.cu")
    assert done.returncode == 1
    assert "host.cu:2:21: error: use of undeclared identifier 'missing'" in done.stderr
    (folder / "device.cu").write_text("__global__ void k(int *p) { *p = missing; }\nint main() {}\n")
    done = run(folder, "device.cu")
    assert done.returncode == 1
    assert "device.cu:1:34: error: use of undeclared identifier 'missing'" in done.stderr
    (folder / "link.cu").write_text("int elsewhere();\nint main() { return elsewhere(); }\n")
    done = run(folder, "link.cu")
    assert done.returncode == 1
    assert "undefined reference to `elsewhere()'" in done.stderr
    assert "lanewise: error: link.cu: the program could not be linked" in done.stderr


def test_which_words_are_the_program_s(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(folder)
    (folder / "kernel.cu").write_text("__global__ void k() {}\n")
    assert split_program(["square.cu", "1", "-x"]) == (["square.cu"], ["1", "-x"])
    assert split_program(["-O3", "square.cu"]) == (["-O3", "square.cu"], [])
    assert split_program(["square.cu", "--", "--kernel"]) == (["square.cu"], ["--kernel"])
    assert split_program(["square.cu", "--kernel", "square"]) is None
    assert split_program(["square.cu", "-k", "square"]) is None
    assert split_program(["kernel.cu", "--grid", "1"]) is None
    assert split_program(["none.cu"]) is None


def test_device_code_is_linked(folder: Path):
    done = run(folder, "-rdc=true", "square.cu", "5")
    assert done.stdout.startswith("25 "), done.stderr
