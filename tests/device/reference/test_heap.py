# SPDX-License-Identifier: Apache-2.0
"""The heap of device code: what the reference device checks of it, and what the CPU tells of a wrong free."""

import re

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__global__ void twice(int *out) {
    int *p = static_cast<int *>(malloc(8));
    free(p);
    free(p);
}
__global__ void inside(int *out) { char *p = new char[64]; free(p + 16); }
__global__ void foreign(int *out) { free(out + 4); }
__global__ void after(int *out) {
    int *p = new int[2];
    p[0] = 1;
    delete[] p;
    out[0] = p[0];
}
__global__ void store_after(int *out) { int *p = new int; delete p; *p = 1; }
__global__ void outside(int *out) { int *p = static_cast<int *>(malloc(8)); p[2] = 1; }
__global__ void unwritten(int *out) { int *p = new int[2]; p[0] = 3; if (p[1] > 0) out[0] = 1; }
__global__ void hold(long long *out) { int *p = new int(7); *out = reinterpret_cast<long long>(p); }
__global__ void look(int *out, long long where) { *out = *reinterpret_cast<int *>(where); }
"""
FAULTS = {
    "twice": (5, r"a free\(\) of memory at 0x[0-9a-f]+ that was freed before"),
    "inside": (7, r"a free\(\) of 0x[0-9a-f]+, which malloc\(\) has not given"),
    "foreign": (8, r"a free\(\) of 0x[0-9a-f]+, which malloc\(\) has not given"),
    "after": (13, r"a load at offset 0 of memory from malloc\(\) \(8 bytes\) that was freed before"),
    "store_after": (15, r"a store at offset 0 of memory from malloc\(\) \(4 bytes\) that was freed before"),
    "outside": (16, r"a store of 4 bytes at .* just past the end of memory from malloc\(\) \(8 bytes\)"),
    "unwritten": (17, "memory that was never written"),
}


@pytest.mark.parametrize("kernel", FAULTS)
def test_misuse_is_named_with_its_line(kernel: str):
    line, said = FAULTS[kernel]
    module = lw.compile(SOURCE, language="cuda")
    with pytest.raises(lw.LaunchError, match=rf"<source>:{line}: kernel {kernel}, .*{said}"):
        module[kernel].launch(1, 1, (np.zeros(8, np.int32),), device="reference")


@pytest.mark.parametrize("kernel", ["twice", "inside", "foreign"])
def test_the_cpu_names_a_wrong_free(kernel: str):
    module = lw.compile(SOURCE, language="cuda")
    said = f"kernel {kernel}: free() or delete of memory that malloc() or new has not given"
    with pytest.raises(lw.LaunchError, match=re.escape(said)):
        module[kernel].launch(1, 1, (np.zeros(8, np.int32),), device="cpu")


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_memory_lives_from_one_launch_to_the_next(device: str):
    module = lw.compile(SOURCE, language="cuda")
    where, out = np.zeros(1, np.int64), np.zeros(1, np.int32)
    module["hold"].launch(1, 1, (where,), device=device)
    module["look"].launch(1, 1, (out, int(where[0])), device=device)
    assert out[0] == 7
