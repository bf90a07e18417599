# SPDX-License-Identifier: Apache-2.0
"""Lines of the source in PTX and in assembly: python -m pytest tests/program/test_lines_in_text.py"""

import re
from pathlib import Path

import pytest

import lanewise as lw

SOURCE = """__device__ float twice(const float *p, int i) {
    return 2 * p[i];
}
__global__ void k(float *out, const float *in, int n) {
    int i = threadIdx.x;
    if (i < n)
        out[i] = twice(in, i);
}
"""


def _lines(text: str) -> set[int]:
    return {int(line) for line in re.findall(r"^\s*\.loc\s+\d+ (\d+)", text, re.MULTILINE)} - {0}


@pytest.mark.parametrize("option", ["-g", "-lineinfo", "--generate-line-info", "-gline-tables-only"])
def test_options_that_ask_for_lines(option: str):
    module = lw.compile(SOURCE, language="cuda", options=[option])
    ptx, assembly = module.ptx(), module.asm(block=64)
    assert {2, 6, 7} <= _lines(ptx)
    assert {2, 7} <= _lines(assembly)
    assert '.file\t1 "<source>"' in ptx
    assert '.file\t1 "<source>"' in assembly


def test_without_them_there_are_none():
    module = lw.compile(SOURCE, language="cuda")
    assert not _lines(module.ptx())
    assert not _lines(module.asm(block=64))


def test_lines_change_no_instruction_of_either():
    """Labels and directives aside."""

    def instructions(text: str) -> list[str]:
        lines = (line.strip() for line in text.split(".section")[0].splitlines())
        return [line for line in lines if not re.match(r"$|\.|\$L__(tmp|func)|//", line)]

    plain, with_lines = (lw.compile(SOURCE, language="cuda", options=o) for o in ((), ("-lineinfo",)))
    assert instructions(plain.ptx()) == instructions(with_lines.ptx())
    assert instructions(plain.asm(block=64)) == instructions(with_lines.asm(block=64))


def test_opencl_and_files(tmp_path: Path):
    file = tmp_path / "k.cl"
    file.write_text("__kernel void k(__global float *p) {\n    p[get_global_id(0)] += 1;\n}\n")
    module = lw.compile(file, options=["-g"])
    assert 2 in _lines(module.ptx())
    assert f'"{file}"' in module.ptx()


def test_files_beside_the_current_folder_are_named_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    file = tmp_path / "k.cu"
    file.write_text("__global__ void k(float *p) { p[threadIdx.x] += 1; }\n")
    assert f'.file\t1 "{file}"' in lw.compile(file, options=["-lineinfo"]).ptx()
