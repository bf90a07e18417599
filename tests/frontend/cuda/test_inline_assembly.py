# SPDX-License-Identifier: Apache-2.0
"""Percent signs in inline assembly, as nvcc takes them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lanewise.frontend.cuda.inline_assembly import escaped


@pytest.mark.parametrize(
    ("written", "clangs"),
    [
        ('asm("mov.u32 %0, %laneid;" : "=r"(x));', 'asm("mov.u32 %0, %%laneid;" : "=r"(x));'),
        ('asm("mov.u32 %0, %%laneid;" : "=r"(x));', 'asm("mov.u32 %0, %%laneid;" : "=r"(x));'),
        ('asm volatile ("{.reg .u32 %t;\\n"\n "mov.u32 %t, %1;}" :: "r"(y) : "memory");', None),
        (
            'asm("add %[a], %1, %r1;" /* %x: ( */ : "=r"(x) : "r"(y));',
            'asm("add %[a], %1, %%r1;" /* %x: ( */ : "=r"(x)',
        ),
        (
            '__asm__ __volatile__(R"(mov.u64 %0, %clock64;)" : "=l"(x));',
            '__asm__ __volatile__(R"(mov.u64 %0, %%clock64;)"',
        ),
        ('asm("bar.sync 0; // %tid");', 'asm("bar.sync 0; // %tid");'),
        ('asm("%0, %tid.x;" : "=r"(x)); printf("asm(%d) : %s", x, "%d");', None),
        ("no statement: %laneid", "no statement: %laneid"),
    ],
)
def test_only_names_in_templates_change(written: str, clangs: str | None) -> None:
    expected = clangs or written.replace("%t", "%%t")
    assert escaped(written).startswith(expected)
    assert escaped(escaped(written)) == escaped(written)


def test_registers_of_the_gpu_and_of_the_program(compiled: Callable) -> None:
    text = """
        __global__ void k(unsigned *p) {
          unsigned lane, id;
          asm("mov.u32 %0, %laneid;" : "=r"(lane));
          asm volatile("{ .reg .u32 %t; mov.u32 %t, %tid.x; add.u32 %0, %t, %1; }" : "=r"(id) : "r"(lane));
          p[id] = lane;
        }
    """
    ir = compiled(text).text
    assert 'asm "mov.u32 $0, %laneid;"' in ir
    assert "{ .reg .u32 %t; mov.u32 %t, %tid.x; add.u32 $0, %t, $1; }" in ir
