# SPDX-License-Identifier: Apache-2.0
"""PTX of OpenCL C: what NVIDIA's assembler takes, with memory in each address space."""

import contextlib
import io
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

PROGRAM = r"""
typedef struct { float4 place; int counts[3]; } Cell;
__constant float weights[3] = {1, 2, 3};
float scaled(__local float *of, float by) { return of[get_local_id(0)] * by; }
__kernel void add(__global Cell *cells, Cell by, __local float *tile, __local double16 *wide, __constant int *c) {
    __local int fixed[8], flag;
    int i = get_local_id(0);
    tile[i] = by.place.x + weights[i % 3];
    wide[i] = tile[i] + c[i];
    fixed[i & 7] = i;
    flag = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    cells[i].place.y = scaled(tile, by.place.z) + fixed[0] + flag + (float)wide[i ^ 1].s7;
    cells[i].counts[1] += by.counts[2];
    printf("%v4f %s\n", cells[i].place, "there");
}
__kernel void calls(__global Cell *cells, Cell by, __local float *tile, __local double16 *wide, __constant int *c) {
    add(cells, by, tile, wide, c);
}
"""
_DECLARED = re.compile(r"^(?:\.\w+ )*\.(?:shared|global|const) (?:\.align \d+ )?\.\w+ ([^\s\[;]+)", re.MULTILINE)


def test_names_are_those_that_ptx_has():
    names = _DECLARED.findall(lw.compile(PROGRAM, language="opencl").ptx())
    assert "__lw_local" in names
    assert all(re.fullmatch(r"[a-zA-Z][\w$]*|[_$%][\w$]+", name) for name in names), names


def test_constant_memory_is_read_where_launches_put_it():
    table = "__constant int table[4] = {5, 6, 7, 8}; "
    own = lw.compile(table + "__kernel void k(__global int *p) { p[0] = table[p[1]]; }", language="opencl")
    assert "ld.const" in own.ptx()
    text = (
        table
        + """
    int at(__constant int *from, int i) { return vload2(0, from + i).x; }
    __kernel void k(__global int *p, __constant int *c) {
        p[0] = at(table, p[1]) + at(c, p[1]);
        printf("addrspace(4)");
    }
    """
    )
    passed = lw.compile(text, language="opencl")
    assert ".const" not in passed.ptx()
    for device in ("cpu", "reference"):
        p = np.array([0, 2], np.int32)
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            passed["k"].ndrange(1, device=device)(p, np.arange(10, 14, dtype=np.int32))
        assert p[0] == 7 + 12
        assert shown.getvalue() == "addrspace(4)"


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="ptxas is not on the PATH: its check of our PTX is left out")
@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_ptxas_takes_it(arch: str, tmp_path: Path):
    source = tmp_path / "kernels.ptx"
    source.write_text(lw.compile(PROGRAM, language="opencl").ptx(arch=arch))
    command = ["ptxas", "-O0", f"-arch={arch}", str(source), "-o", str(tmp_path / "kernels.cubin")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
