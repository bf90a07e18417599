# SPDX-License-Identifier: Apache-2.0
"""Counters of loads and stores of matrices, against the addresses that the lanes have."""

import pytest

import lanewise as lw

from .ptx_kernels import module, sectors, wavefronts

DEVICES = ["cpu", "reference"]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_rows_of_matrices_in_shared_memory(count: int, device: str):
    """Rows 16 bytes apart are in different banks, rows 128 bytes apart in the same."""
    registers = f"{{{', '.join(f'%r{i}' for i in range(1, count + 1))}}}"
    body = "mov.u32 %j, s;\n"
    for stride in (16, 128):
        body += f"""
    mad.lo.u32 %i, %t, {stride}, %j;
    ldmatrix.sync.aligned.m8n8.x{count}.shared.b16 {registers}, [%i]; // {stride}
"""
    profile = lw.compile(module(body), language="ptx")["k"].profile(2, 32, (0, 0), device=device)
    for line in profile.lines:
        if "ldmatrix" in line.text:
            stride = int(line.text.split("// ")[1])
            found = wavefronts((32, 1), lambda x, y, t, s=stride: t * s if t < 8 * count else None, 16)
            names = [f"shared_load_{name}" for name in ("requests", "wavefronts", "ideal_wavefronts")]
            assert [line.counters[name] for name in names] == [2, 2 * found, 2 * count]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("space", [".global", ""])
def test_a_matrix_by_its_registers(space: str, device: str):
    """A row of A of halves by registers of two neighbours, whose four lanes take 16 bytes of a row of 64; the sum by
    elements of 4 bytes."""
    names = ", ".join(f"%f{i}" for i in range(8))
    body = f"""
    .reg .b32 %m<8>;
    wmma.load.a.sync.aligned.row.m16n16k16{space}.f16 {{{", ".join(f"%m{i}" for i in range(8))}}}, [%in], 32;
    wmma.load.c.sync.aligned.row.m16n16k16{space}.f32 {{{names}}}, [%in];
    wmma.store.d.sync.aligned.row.m16n16k16{space}.f32 [%in], {{{names}}};
"""
    kernel = lw.compile(module(body), language="ptx")["k"]
    profile = kernel.profile(1, 32, (0, lw.zeros(16 * 64, "u1", device=device)), device=device)
    quad = sectors((32, 1), lambda x, y, t: t // 4 * 64 + t % 4 * 4, 4)
    of_sum = sectors((32, 1), lambda x, y, t: t // 4 * 64 + t % 4 * 8, 4)
    load_a, load_c, store = (line.counters for line in profile.lines if "wmma" in line.text)
    for counters, kind, requests, cost in (
        (load_a, "load", 4, quad),
        (load_c, "load", 8, of_sum),
        (store, "store", 8, of_sum),
    ):
        names = [f"global_{kind}_{name}" for name in ("requests", "sectors", "ideal_sectors")]
        assert [counters[name] for name in names] == [requests, requests * cost, requests * 4]
