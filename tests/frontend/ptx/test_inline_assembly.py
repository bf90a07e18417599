# SPDX-License-Identifier: Apache-2.0
"""Inline assembly in CUDA C++, on both devices."""

import numpy as np
import pytest

import lanewise as lw

from .computing import DEVICES

KERNEL = "__global__ void k(unsigned *out, const unsigned *in, float *f) {{ unsigned i = threadIdx.x; {} }}"


def launched(body: str, device: str, before: str = "") -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The contents of out, in and f after a launch of 64 threads."""
    module = lw.compile(before + KERNEL.format(body), language="cuda")
    out, given, f = np.zeros(128, np.uint32), np.arange(64, dtype=np.uint32) * 3 + 1, np.zeros(64, np.float32)
    module["k"].launch(1, 64, (out, given, f), device=device)
    return out, given, f


@pytest.mark.parametrize("device", DEVICES)
def test_results_and_operands(device: str):
    out, given, f = launched(
        'asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(out[i]) : "r"(in[i]), "n"(7), "r"(i));'
        'asm("fma.rn.f32 %0, %1, %2, %1;" : "=f"(f[i]) : "f"((float)i), "f"(0.5f));',
        device,
    )
    assert (out[:64] == given * 7 + np.arange(64)).all()
    assert (f == np.arange(64, dtype="f4") * 1.5).all()


@pytest.mark.parametrize("device", DEVICES)
def test_operands_that_are_read_and_written_and_several_instructions(device: str):
    out, given, _ = launched(
        "unsigned low = 0xffffffffu, high = i;"
        'asm("{\\n\\tadd.cc.u32 %0, %0, %2;\\n\\taddc.u32 %1, %1, %3;\\n\\t}"'
        ' : "+r"(low), "+r"(high) : "r"(in[i]), "r"(5));'
        "out[2 * i] = low; out[2 * i + 1] = high;",
        device,
    )
    assert (out[::2] == given - 1).all()
    assert (out[1::2] == np.arange(64) + 6).all()


@pytest.mark.parametrize("device", DEVICES)
def test_registers_predicates_and_labels_of_a_statement(device: str):
    out, _, _ = launched(
        'asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 5; @p bra END; st.global.u32 [%0], 77; END: }"'
        ' :: "l"(out + i), "r"(i) : "memory");'
        'asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 60; @p bra END; st.global.u32 [%0], 78; END: }"'
        ' :: "l"(out + i), "r"(i) : "memory");',
        device,
    )
    assert out[:64].tolist() == [77] * 6 + [0] * 54 + [78] * 4


@pytest.mark.parametrize("device", DEVICES)
def test_memory_special_registers_and_warps(device: str):
    out, given, _ = launched(
        "__shared__ unsigned tile[64]; unsigned lane, word, sum;"
        'asm("mov.u32 %0, %laneid;" : "=r"(lane));'
        'asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(word) : "l"(in + i));'
        "unsigned place = (unsigned)__cvta_generic_to_shared(tile + i);"
        'asm volatile("st.shared.u32 [%0], %1;" :: "r"(place), "r"(word) : "memory");'
        'asm volatile("bar.sync 0;" ::: "memory");'
        'asm volatile("shfl.sync.idx.b32 %0, %1, 3, 31, 0xffffffff;" : "=r"(sum) : "r"(tile[63 - i]));'
        "out[i] = sum + 1000 * lane;",
        device,
    )
    backwards = given[::-1].reshape(2, 32)
    assert (out[:64].reshape(2, 32) == backwards[:, 3:4] + 1000 * np.arange(32)).all()


@pytest.mark.parametrize("device", DEVICES)
def test_vectors_and_sixty_four_bits(device: str):
    out, _, _ = launched(
        "unsigned long long wide; unsigned a, b;"
        'asm("mov.b64 %0, {%1, %2};" : "=l"(wide) : "r"(i), "r"(i + 1));'
        'asm("mov.b64 {%0, %1}, %2;" : "=r"(a), "=r"(b) : "l"(wide << 1));'
        "out[2 * i] = a; out[2 * i + 1] = b;",
        device,
    )
    assert (out[::2] == 2 * np.arange(64)).all()
    assert (out[1::2] == 2 * np.arange(64) + 2).all()


def test_ptx_passes_it_on_as_it_is():
    module = lw.compile(KERNEL.format('asm("bfind.u32 %0, %1;" : "=r"(out[i]) : "r"(in[i]));'), language="cuda")
    assert "bfind.u32" in module.ptx()


@pytest.mark.parametrize("device", DEVICES)
def test_what_has_no_translation_is_named(device: str):
    module = lw.compile(KERNEL.format('asm("setmaxnreg.inc.sync.aligned.u32 64;");'), language="cuda")
    with pytest.raises(lw.CompileError, match="setmaxnreg"):
        module["k"].launch(1, 64, (np.zeros(64, "u4"), np.zeros(64, "u4"), np.zeros(64, "f4")), device=device)


@pytest.mark.parametrize("statement", ["add.u32 %0, %1;", "{ bra; ", "garbage %0, %1;", "mov.u32 %0, %nosuch;"])
def test_assembly_that_is_none(statement: str):
    module = lw.compile(KERNEL.format('asm("' + statement + '" : "=r"(out[i]) : "r"(in[i]));'), language="cuda")
    with pytest.raises(lw.CompileError, match=r"inline assembly \(.*\) can't run on the CPU device"):
        module["k"].launch(1, 64, (np.zeros(64, "u4"), np.zeros(64, "u4"), np.zeros(64, "f4")))


def test_equal_statements_share_a_function():
    statement = 'asm("add.u32 %0, %1, 1;" : "=r"(out[i{0}]) : "r"(in[i]));'
    module = lw.compile(
        KERNEL.format(statement.replace("{0}", "") + statement.replace("{0}", " + 64")), language="cuda"
    )
    out = np.zeros(128, np.uint32)
    module["k"].launch(1, 64, (out, np.arange(64, dtype=np.uint32), np.zeros(64, "f4")))
    assert (out == np.tile(np.arange(64) + 1, 2)).all()
