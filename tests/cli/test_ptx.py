# SPDX-License-Identifier: Apache-2.0
"""`lanewise emulate` and `lanewise opt`."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lanewise as lw

Run = Callable[[str], Any]

STENCIL = """\
.version 7.8
.target sm_60
.address_size 64
.file 1 "blur.cu"
.visible .entry blur(.param .u64 y, .param .u64 x)
{
    .reg .f32 %f<6>;
    .reg .b32 %r<2>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [y];
    ld.param.u64 %rd2, [x];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd2, %rd3;
    add.s64 %rd5, %rd1, %rd3;
    .loc 1 3 5
    ld.global.f32 %f1, [%rd4];
    ld.global.f32 %f2, [%rd4+4];
    ld.volatile.global.f32 %f3, [%rd4+8];
    add.f32 %f4, %f1, %f2;
    add.f32 %f5, %f4, %f3;
    st.global.f32 [%rd5], %f5;
    ret;
}
"""
TRACE = """\
LD: load(param1) + (%tid.x << 0x2)
LD: 0x4 + load(param1) + (%tid.x << 0x2)
LD: 0x8 + load(param1) + (%tid.x << 0x2)
ST: load(param0) + (%tid.x << 0x2)
"""
EMPTY = ".visible .entry empty()\n{\n    ret;\n}\n"
IRREDUCIBLE = """\
.visible .entry knot(.param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<2>;
    ld.param.u32 %r1, [n];
    setp.eq.s32 %p1, %r1, 0;
    @%p1 bra second;
first:
    add.s32 %r1, %r1, 1;
second:
    setp.eq.s32 %p1, %r1, 9;
    @%p1 bra first;
    ret;
}
"""


@pytest.fixture(autouse=True)
def stencil(folder: Path) -> Path:
    (folder / "blur.ptx").write_text(STENCIL)
    return folder / "blur.ptx"


def test_a_trace(run: Run):
    done = run("emulate blur.ptx --trace")
    assert (done.code, done.out, done.err) == (0, TRACE, "")
    assert run("emulate blur.ptx --kernel blur --trace").out == TRACE
    assert "zext(%tid.x)" in run("emulate blur.ptx --extensions").out


def test_a_summary(run: Run):
    assert run("emulate blur.ptx").out == "blur: 3 loads, 1 store, 0 loops; a trace of 4 lines\n"


def test_several_kernels(run: Run, stencil: Path):
    stencil.write_text(STENCIL + EMPTY)
    assert run("emulate blur.ptx --trace").out == f"// blur\n{TRACE}\n// empty\n"
    assert run("emulate blur.ptx --trace -k blur").out == TRACE


def test_a_kernel_that_can_t_be_emulated_hides_no_other(run: Run, stencil: Path):
    stencil.write_text(STENCIL + IRREDUCIBLE + EMPTY)
    done = run("emulate blur.ptx")
    assert done.code == 1
    assert [line.split(":")[0] for line in done.out.splitlines()] == ["blur", "empty"]
    assert done.err.startswith("blur.ptx:33:5: error: knot can't be emulated: ")


@pytest.mark.parametrize("command", ["emulate", "opt"])
def test_what_is_no_ptx(run: Run, folder: Path, command: str):
    (folder / "out.ptx").write_text("old")
    out = "" if command == "emulate" else " -o out.ptx"
    done = run(f"{command} saxpy.cu --language ptx{out}")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("saxpy.cu:1:1: error: ")
    done = run(f"{command} nowhere.ptx{out}")
    assert (done.code, done.err) == (1, "lanewise: error: nowhere.ptx: can't be read: No such file or directory\n")
    assert (folder / "out.ptx").read_text() == "old"


def test_no_such_kernel(run: Run, stencil: Path):
    done = run("emulate blur.ptx --kernel sharpen")
    assert (done.code, done.err) == (1, "lanewise: error: blur.ptx: there is no kernel sharpen; it has blur\n")
    stencil.write_text(STENCIL[: STENCIL.index(".visible")])
    assert run("emulate blur.ptx").err == "lanewise: error: blur.ptx: there are no kernels\n"


def test_rewritten_text_goes_to_standard_output_or_a_file(run: Run, folder: Path):
    text = lw.ptx.synthesise_shuffles(lw.ptx.parse(STENCIL)).text
    assert "shfl.sync" in text
    assert run("opt blur.ptx").out == text
    assert run("opt blur.ptx -o -").out == text
    done = run("opt blur.ptx -o out.ptx")
    assert (folder / "out.ptx").read_text() == text
    assert done.out.startswith("blur: 1 of 3 loads replaced by shuffles, 1 lane away on average (")


def test_the_gpu_decides_whether_it_pays(run: Run):
    assert run("opt blur.ptx --arch sm_80").out == STENCIL
    assert "shfl.sync" in run("opt blur.ptx --arch sm_80 --always").out
    assert run("opt blur.ptx --arch sm_80 -o out.ptx").out.startswith(
        "blur: 0 of 3 loads replaced by shuffles, 1 more could be ("
    )
    assert run("opt blur.ptx --arch gfx90").err == "lanewise: error: arch is a GPU such as sm_60, not 'gfx90'\n"


@pytest.mark.parametrize(
    ("option", "holds", "lacks"),
    [
        ("--max-delta 0", "ld.global.f32 %f2, [%rd4+4];", "shfl"),
        ("--no-corner", "shfl", "ld.global.f32 %f2"),
        ("--no-load", "mov.b32 %f2, %f1;", "shfl"),
        ("--uniform-branch", "@!%lw_p0 shfl", "bra"),
    ],
)
def test_options_of_the_rewriting(run: Run, option: str, holds: str, lacks: str):
    done = run(f"opt blur.ptx {option}")
    assert done.code == 0
    assert lacks not in done.out
    assert holds in done.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--max-delta 32", "--max-delta"),
        ("--no-corner --no-load", "either --no-corner or --no-load"),
        ("--json --explain", "either --explain or --json"),
        ("--json -o -", "name a file"),
        ("--explain -o -", "name a file"),
    ],
)
def test_usage(run: Run, options: str, said: str):
    done = run(f"opt blur.ptx {options}")
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_json(run: Run, folder: Path):
    done = run("opt blur.ptx --json")
    (kernel,) = json.loads(done.out)["kernels"]
    assert kernel.pop("seconds") > 0
    (declined,) = kernel.pop("declined")
    assert kernel == {"name": "blur", "loads": 3, "found": 1, "shuffles": 1, "mean_delta": 1.0}
    assert declined["line"] == 19
    assert "volatile" in declined["why"]
    assert not (folder / "out.ptx").exists()
    assert json.loads(run("opt blur.ptx --json -o out.ptx").out)["kernels"][0]["shuffles"] == 1
    assert "shfl" in (folder / "out.ptx").read_text()


def test_an_explanation(run: Run):
    lines = run("opt blur.ptx --explain").out.splitlines()
    assert lines[1:9] == [
        "",
        "  line 18 (blur.cu:3): ld.global.f32 %f2, [%rd4+4];",
        "    value     what line 17 loads, 1 lane on (N = 1)",
        "    here      0x4 + load(param1) + (%tid.x << 0x2)",
        "    there     load(param1) + ((0x1 + %tid.x) << 0x2)",
        "    proven    here = there from 1 fact",
        "    shuffled  if all 32 lanes are active, that lane is in this warp, its thread in this row of the block;",
        "              else loaded as before",
    ]
    assert lines[10] == "  line 19 (blur.cu:3): ld.volatile.global.f32 %f3, [%rd4+8];"
    assert lines[11].startswith("    stays     it is volatile")
    assert len(lines) == 12


def test_bytes_that_are_no_utf_8_pass_through(folder: Path):
    odd = STENCIL.encode() + b"// \xff\xfe\r\n"
    done = subprocess.run(
        [sys.executable, "-m", "lanewise", "opt", "-", "--max-delta", "0"], input=odd, capture_output=True, check=True
    )
    assert done.stdout == odd
