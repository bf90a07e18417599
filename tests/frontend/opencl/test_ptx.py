# SPDX-License-Identifier: Apache-2.0
"""PTX of OpenCL C: what NVIDIA's assembler takes, with memory in each address space."""

import re
import shutil
import subprocess
from pathlib import Path

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


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="ptxas is not on the PATH: its check of our PTX is left out")
@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_ptxas_takes_it(arch: str, tmp_path: Path):
    source = tmp_path / "kernels.ptx"
    source.write_text(lw.compile(PROGRAM, language="opencl").ptx(arch=arch))
    command = ["ptxas", "-O0", f"-arch={arch}", str(source), "-o", str(tmp_path / "kernels.cubin")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
