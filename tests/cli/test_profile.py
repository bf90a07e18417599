# SPDX-License-Identifier: Apache-2.0
"""`lanewise profile`, and the picture that it draws."""

import sys
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

from .conftest import Run

COLUMN = "profile column.cu -b 64 -a y=zeros[64] -a x=ones[4096]"
SOURCE = "__global__ void column(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x * 64]; }\n"


@pytest.fixture(autouse=True)
def source(folder: Path) -> None:
    (folder / "column.cu").write_text(SOURCE)


def test_a_chart(run: Run, folder: Path):
    done = run(f"{COLUMN} --chart out.svg")
    assert (done.code, done.err) == (0, "")
    assert "profile of column" in done.out
    svg = (folder / "out.svg").read_text()
    for words in ("profile of column", "roofline of A100", "with the sectors needed", "global memory", "1: __global__"):
        assert words in svg, words


def test_a_kernel_that_moves_nothing(folder: Path):
    profile = lw.compile("__global__ void k(float *p) {}", language="cuda")["k"].profile(1, 32, (np.zeros(1, "f4"),))
    profile.chart(folder / "k.png")
    assert (folder / "k.png").read_bytes().startswith(b"\x89PNG")


def test_charts_that_cannot_be_written(run: Run, monkeypatch: pytest.MonkeyPatch):
    done = run(f"{COLUMN} --chart none/out.png")
    assert (done.code, "the chart can't be written to none/out.png: " in done.err) == (1, True)
    done = run(f"{COLUMN} --chart out.cu")
    assert (done.code, "the chart can't be written to out.cu: " in done.err) == (1, True)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    done = run(f"{COLUMN} --chart out.png")
    assert (done.code, "pip install 'lanewise[plot]'" in done.err) == (1, True)


def test_macros_for_ptx(run: Run, folder: Path):
    (folder / "k.ptx").write_text(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n")
    for option, what in (("-D A=1", "defines"), ("-I .", "include_dirs")):
        done = run(f"compile k.ptx --emit ir {option}")
        assert done.code == 1
        assert f"k.ptx: {what} are for languages with a preprocessor, and PTX has none" in done.err
