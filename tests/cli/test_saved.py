# SPDX-License-Identifier: Apache-2.0
"""Saved modules on the command line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import lanewise as lw
from lanewise.program.saved import lwo

Run = Callable[[str], Any]

LAUNCH = "--kernel saxpy -g 4 -b 256 -a y=ones[1000] -a x=arange[1000] -a a=2 -a n=1000"


def sizes(file: str) -> set[str]:
    """The local sizes that a saved module has code for."""
    return {name.split("/")[2] for name in lwo.read(Path(file)).files if name.endswith(".so")}


def test_a_saved_module_runs_as_its_source_does(run: Run, folder: Path):
    done = run("compile saxpy.cu -o k.lwo")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert sizes("k.lwo") == {"any"}
    (folder / "saxpy.cu").unlink()
    done = run(f"run k.lwo {LAUNCH}")
    assert (done.code, done.err) == (0, "")
    assert "first 1 3 5 7 9" in done.out


def test_a_block_has_code_of_its_own(run: Run, folder: Path):
    assert run("compile saxpy.cu --emit lwo --block 16,16 -o saved").code == 0
    assert sizes("saved") == {"any", "16,16,1"}


def test_a_mapping_is_kept(run: Run):
    assert run("compile saxpy.cu -o k.lwo --mapping lanes:4").code == 0
    assert lwo.read(Path("k.lwo")).about["mapping"] == "lanes:4"


def test_a_kernel_option_makes_the_instance_of_a_template(run: Run, folder: Path):
    (folder / "t.cu").write_text("template <typename T> __global__ void put(T *y, T x) { *y = x; }")
    assert run("compile t.cu -o t.lwo --kernel 'put<short>'").code == 0
    assert lw.load("t.lwo").kernels == ("put<short>",)


def test_other_forms_are_made_from_a_saved_module(run: Run):
    assert run("compile saxpy.cu -o k.lwo").code == 0
    assert ".entry" in run("compile k.lwo").out
    assert "lw_group:" in run("compile k.lwo --emit asm").out


def test_mistakes(run: Run, folder: Path):
    done = run("compile saxpy.cu --emit lwo")
    assert done.code == 2
    assert "a saved module is not for the terminal" in done.err
    assert run("compile saxpy.cu -o k.lwo").code == 0
    done = run(f"run k.lwo -D N=1 {LAUNCH}")
    assert (done.code, done.err) == (1, "lanewise: error: k.lwo is compiled already: --define N=1 comes too late\n")
    done = run(f"run k.lwo --mapping loop {LAUNCH}")
    assert (done.code, done.err) == (1, "lanewise: error: k.lwo is compiled already: --mapping loop comes too late\n")
    (folder / "bad.lwo").write_bytes((folder / "k.lwo").read_bytes()[:-1])
    done = run(f"run bad.lwo {LAUNCH}")
    assert done.code == 1
    assert done.err.startswith("lanewise: error: bad.lwo is cut short")
