# SPDX-License-Identifier: Apache-2.0
"""What users get wrong: exit code 1 or 2, one message on standard error, no traceback, nothing half done."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[[str], Any]

GOOD = "-a y=zeros[3] -a x=zeros[3] -a a=1 -a n=3"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"run nowhere.cu {GOOD}", "lanewise: error: nowhere.cu: no such file"),
        (f"run saxpy.cu -k daxpy {GOOD}", "lanewise: error: saxpy.cu has no kernel 'daxpy'; its kernels: saxpy"),
        (
            "run saxpy.cu",
            "takes 4 arguments, not 0: float *y, const float *x, float a, int n; without a value: y, x, a, n",
        ),
        (f"run saxpy.cu {GOOD} -a 5", "takes 4 arguments, not 5"),
        (f"run saxpy.cu {GOOD} -a z=5", "kernel saxpy has no parameter 'z'; it has: float *y, const float *x"),
        (
            "run saxpy.cu -a zeros:f64[3] -a null -a 1 -a 1",
            "argument 'y': float * needs an array of dtype float32, not float64",
        ),
        (f"run saxpy.cu --grid 0 {GOOD}", "grid (0): x must be 1 to 2147483647, not 0"),
        (f"run saxpy.cu --block 32,64 {GOOD}", "block (32, 64, 1) has 2048 threads"),
        (f"run saxpy.cu --shared 999999 {GOOD}", "999999 of dynamic shared memory are more than"),
        (f"run saxpy.cu --device gpu {GOOD}", "no device is called 'gpu'; the devices are cpu, reference"),
        (f"run saxpy.cu --arch sm_3 {GOOD}", "unknown architecture 'sm_3'; known are"),
        (f"run saxpy.cu --option=-fnope {GOOD}", "unknown argument: '-fnope'"),
        (
            f"run saxpy.cu --mapping lanes:3 {GOOD}",
            'mapping "lanes:3": the width must be one of 2, 4, 8, 16, 32, not 3',
        ),
        (f"run saxpy.cu -D '9=1' {GOOD}", "'9' is not the name of a macro"),
        ("run saxpy.cu -a @nowhere.npy -a null -a 1 -a 1", "nowhere.npy: no such file"),
        ("run saxpy.cu -a @saxpy.cu -a null -a 1 -a 1", "saxpy.cu: arrays are read from .npy and .png files"),
        ("run saxpy.cu -a @broken.npy -a null -a 1 -a 1", "broken.npy: "),
        (
            f"run saxpy.cu {GOOD} -s z.npy",
            "--save z.npy: kernel saxpy has no array 'z'; write --save NAME=z.npy with one of: y, x",
        ),
        (f"run saxpy.cu {GOOD} -s y=y.txt", "y.txt: arrays are written as .npy or .png files"),
        (f"run saxpy.cu {GOOD} -s nowhere/y.npy", "nowhere/y.npy: there is no folder nowhere"),
        (f"run saxpy.cu {GOOD} -s y.png", "y.png: images are u8 arrays of shape [height,width]"),
        ("compile nowhere.cu", "nowhere.cu: no such file"),
        ("compile saxpy.cu --emit ir --after nothing", "no step is called 'nothing'"),
        ("compile saxpy.cu --emit asm -k nothing", "saxpy.cu has no kernel 'nothing'"),
        ("compile saxpy.cu -o nowhere/k.s", "nowhere/k.s: can't be written: No such file or directory"),
        (
            "compile saxpy.cu --emit remarks --mapping many",
            'mapping "many": expected "auto", "auto,fixed", "loop", "loop:outside", "threads", ',
        ),
        ("compile saxpy.cu --emit asm --block 2000", "block (2000): x must be 1 to 1024"),
        ("compile saxpy.cu --language ptx", "saxpy.cu:1:1: error: expected '.version', with which PTX begins"),
        ("run k.ptx", "k.ptx: no such file"),
        (f"run saxpy.cu {GOOD} --print z", "--print z: kernel saxpy has no array 'z'; it has: y, x"),
        ("run saxpy.cu --language cobol", "language 'cobol'"),
    ],
)
def test_what_has_to_be_changed_in_source_or_launch(run: Run, folder: Path, line: str, said: str):
    (folder / "broken.npy").write_bytes(b"not an array")
    before = sorted(path.name for path in folder.iterdir())
    done = run(line)
    assert done.code == 1
    assert said in done.err
    assert "Traceback" not in done.err
    assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("run", "Missing argument 'FILE'"),
        ("walk", "No such command 'walk'"),
        ("run saxpy.cu --speed 3", "No such option: --speed"),
        (f"run saxpy.cu --grid many {GOOD}", "'many': expected 1 to 3 whole numbers"),
        (f"run saxpy.cu --block 1,,2 {GOOD}", "'1,,2': expected 1 to 3 whole numbers"),
        (f"run saxpy.cu --shared lots {GOOD}", "Invalid value for '--shared'"),
        ("run saxpy.cu -a y=zeros[3] -a y=zeros[3] -a 1 -a 1", "y is given twice"),
        ("run saxpy.cu -a zeros -a null -a 1 -a 1", "expected an array, such as zeros:f32[1024]"),
        ("run saxpy.cu -a zeros:f33[3] -a null -a 1 -a 1", "there is no type 'f33'; the types are bool f16"),
        ("run saxpy.cu -a zeros[3,] -a null -a 1 -a 1", "expected a size"),
        ("run saxpy.cu -a zeros[9999999999999] -a null -a 1 -a 1", "that many elements can't be meant"),
        ("run saxpy.cu -a twos[3] -a null -a 1 -a 1", "'twos' is none of zeros, ones, full(VALUE), arange, rand"),
        ("run saxpy.cu -a full[3] -a null -a 1 -a 1", "expected full(VALUE)"),
        ("run saxpy.cu -a full(x)[3] -a null -a 1 -a 1", "(x): expected numbers"),
        ("run saxpy.cu -a rand(5)[3] -a null -a 1 -a 1", "rand(LOW,HIGH)"),
        ("run saxpy.cu -a [1,a] -a null -a 1 -a 1", "expected numbers, in brackets for an array"),
        ("run saxpy.cu -a [[1,2],[3]] -a null -a 1 -a 1", "y=[[1,2],[3]]"),
        ("run saxpy.cu -a null -a null -a fast -a 1", "a=fast: expected a number (the parameter is float a)"),
        ("run saxpy.cu -a null -a null -a 1 -a 1.5", "n=1.5: expected a whole number (the parameter is int n)"),
        ("compile saxpy.cu --emit wasm", "'wasm' is not one of"),
        ("compile saxpy.cu --emit obj", "an object is not for the terminal"),
        ("cache burn", "No such command 'burn'"),
        ("compile saxpy.cu -o a.out", "a.out: the name's ending doesn't tell what to write: expected .ptx, .ll, .s, "),
        ("compile saxpy.cu -o name", "name: the name's ending doesn't tell what to write"),
        ("compile saxpy.cu -o x.cubin", "cubin files are made by NVIDIA's ptxas, from PTX"),
        (f"run saxpy.cu {GOOD} -o y.npy", "arrays are written with --save; -o belongs to lanewise compile"),
        ("run saxpy.cu --color sometimes", "'sometimes' is not one of"),
    ],
)
def test_a_line_that_can_not_be_understood(run: Run, line: str, said: str):
    done = run(line)
    assert done.code == 2
    assert said in " ".join(done.err.replace("│", " ").split())
    assert "Traceback" not in done.err


def test_a_diagnostic_is_not_wrapped(folder: Path):
    (folder / "broken.cu").write_text("__global__ void k() { int a_name = " + "a_long_unknown_name_" * 10 + "; }\n")
    command = [sys.executable, "-m", "lanewise", "compile", "broken.cu"]
    done = subprocess.run(command, env={**os.environ, "COLUMNS": "40"}, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    first = done.stderr.splitlines()[0]
    assert first == f"broken.cu:1:36: error: use of undeclared identifier '{'a_long_unknown_name_' * 10}'"


def test_a_failing_kernel(run: Run, folder: Path):
    (folder / "k.cu").write_text("#include <cassert>\n__global__ void k(int n) { assert(threadIdx.x < n); }")
    done = run("run k.cu -b 4 -a 2")
    assert done.code == 1
    assert "k.cu:2: " in done.err
    assert "assertion `threadIdx.x < n` failed in block (0, 0, 0), thread (2, 0, 0)" in done.err
    assert done.out == ""


def test_a_result_that_can_not_be_written_is_still_shown(run: Run, folder: Path):
    (folder / "y.npy").mkdir()
    done = run(f"run saxpy.cu {GOOD} -s y.npy")
    assert done.code == 1
    assert "y.npy: can't be written: Is a directory" in done.err
    assert "y  f32[3]" in done.out
