# SPDX-License-Identifier: Apache-2.0
"""Csmith's program as a class, so that each thread has its own: globals become members, functions member functions.

Before
    static int32_t g_3 = 5;                static int32_t func_1(void);        int main(int argc, char *argv[])
    static int32_t *g_4 = &g_3;            static int32_t func_1(void) {...}   { ... transparent_crc(g_3, ...); ... }
After
    struct Program {
        int32_t g_3 = 5;  int32_t *g_4 = &g_3;
        int32_t func_1(void) {...}
        void lw_seed(uint64_t seed) { g_3 ^= (int32_t)mixed(seed, 3); }
        uint64_t lw_run(uint64_t seed) { lw_seed(seed); func_1(); ... return lw_hash; }
    };

A seed changes the integers that are not constant, so that threads take different paths. Csmith indexes arrays by
constants and by counters of loops alone, so that no value of an integer leads out of an array.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final

THREADS: Final = (2, 20)
"""Blocks, and threads of each: no multiple of any number of lanes."""

_OPTIONS: Final = ("--lang-cpp", "--cpp11", "--max-funcs", "4", "--max-block-depth", "3", "--max-block-size", "4")
_SECTION: Final = re.compile(r"^/\* --- (.*?) --- \*/$", re.MULTILINE)
_INTEGER: Final = re.compile(r"^static (u?int\d+_t)\s+(g_(\d+)) = ", re.MULTILINE)

_SHARED: Final = (Path(__file__).with_name("safe.h")).read_text().replace("#pragma once\n", "")
_HEAD: Final = "#include <stdint.h>\n#include <stddef.h>\n#include <string.h>\n"

_KERNEL: Final = """
__global__ void k(uint64_t *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    Program program;
    out[t] = program.lw_run(t);
}
"""
_MAIN: Final = """
#include <stdio.h>
int main() {
    for (int t = 0; t < %d; ++t) {
        Program program;
        printf("%%llx\\n", (unsigned long long)program.lw_run(t));
    }
}
"""


def generated(seed: int) -> str:
    """The program that Csmith makes of a seed."""
    command = ["csmith", "--seed", str(seed), *_OPTIONS]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def kernel(program: str) -> str:
    """The program as a kernel of CUDA C++."""
    pragma = "#pragma clang force_cuda_host_device"
    return f"{_HEAD}{pragma} begin\n{_SHARED}{_class(program)}{pragma} end\n{_KERNEL}"


def host_program(program: str) -> str:
    """The same in C++, printing the result of each thread."""
    return f"{_HEAD}{_SHARED}{_class(program)}{_MAIN % (THREADS[0] * THREADS[1])}"


def _class(program: str) -> str:
    sections = _SECTION.split(program)
    parts = dict(zip(sections[1::2], sections[2::2], strict=True))
    functions, main = parts["FUNCTIONS"].split("int main (", 1)
    checks = main[main.index("func_1();") : main.index("platform_main_end")]
    checks = re.sub(r"^\s*if \(print_hash_value\).*$", "", checks, flags=re.MULTILINE)
    seeds = " ".join(f"{name} ^= ({t})mixed(seed, {n});" for t, name, n in _INTEGER.findall(parts["GLOBAL VARIABLES"]))
    return f"""
{parts["Struct/Union Declarations"]}
struct Program {{
uint64_t lw_hash = 0;
{_members(parts["GLOBAL VARIABLES"])}
{_members(functions)}
void lw_seed(uint64_t seed) {{ {seeds} }}
uint64_t lw_run(uint64_t seed) {{
    int i, j, k, l;
    lw_seed(seed);
    {checks}
    return lw_hash;
}}
}};
"""


def _members(text: str) -> str:
    return re.sub(r"^static ", "", text, flags=re.MULTILINE)
