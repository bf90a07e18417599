# SPDX-License-Identifier: Apache-2.0
"""Atomic operations on vectors, and on bytes as nvcc makes them. Source: PTX ISA 9.0, 9.7.13.14 "atom", 9.7.13.15
"red"."""

import numpy as np
import pytest

from .computing import DEVICES, device_for, module

LANES = 64


@pytest.mark.parametrize("device", [*DEVICES, "simt"])
def test_vectors(device: str):
    """All threads add to one place. `atom` gives what was there: together, each partial sum once."""
    body = """
    .reg .b64 %x, %o; .reg .b32 %t, %r<4>; .reg .f32 %f<6>; .reg .b16 %h<8>;
    ld.param.u64 %x, [sums]; ld.param.u64 %o, [before]; mov.u32 %t, %tid.x; mad.wide.u32 %o, %t, 8, %o;
    cvt.rn.f32.u32 %f0, %t; mov.f32 %f1, 0f3F800000;
    atom.global.v2.f32.add {%f2, %f3}, [%x], {%f0, %f1};
    st.global.v2.f32 [%o], {%f2, %f3};
    red.relaxed.gpu.global.v4.f32.add [%x+16], {%f1, %f0, %f1, %f0};
    mov.b32 %r0, 0x3C003C00;
    red.global.v2.f16x2.add.noftz [%x+32], {%r0, %r0};
    cvt.rn.bf16.f32 %h0, %f0;
    red.global.v8.bf16.max.noftz [%x+48], {%h0, %h0, %h0, %h0, %h0, %h0, %h0, %h0};
    """
    sums, before = np.zeros(64, np.uint8), np.zeros((LANES, 2), np.float32)
    parameters = [".u64 .ptr .global .align 16 sums", ".u64 .ptr .global .align 8 before"]
    module(body, parameters)["k"].launch(1, LANES, (sums, before), device=device_for(device))
    total = LANES * (LANES - 1) / 2
    assert sums[:8].view(np.float32).tolist() == [total, LANES]
    assert sums[16:32].view(np.float32).tolist() == [LANES, total, LANES, total]
    assert sums[32:40].view(np.float16).tolist() == [LANES] * 4
    assert (sums[48:].view(np.uint16).astype(np.uint32) << 16).view(np.float32).tolist() == [LANES - 1] * 8
    assert sorted(before[:, 1].tolist()) == list(range(LANES))


@pytest.mark.parametrize("device", [*DEVICES, "simt"])
def test_bytes_by_their_words(device: str):
    """The word of a byte is found by clearing the low bits of its address."""
    body = """
    .reg .b64 %p, %w; .reg .b32 %t, %s, %m, %k, %old, %new, %seen; .reg .pred %q;
    ld.param.u64 %p, [bytes]; mov.u32 %t, %tid.x; and.b32 %t, %t, 7; cvt.u64.u32 %w, %t; add.s64 %p, %p, %w;
    and.b64 %w, %p, -4; cvt.u32.u64 %s, %p; shl.b32 %s, %s, 3; and.b32 %s, %s, 24;
    mov.u32 %m, 255; shl.b32 %m, %m, %s; not.b32 %k, %m; ld.relaxed.gpu.b32 %old, [%w];
    AGAIN:
    shr.u32 %new, %old, %s; add.u32 %new, %new, 3; shl.b32 %new, %new, %s; and.b32 %new, %new, %m;
    and.b32 %seen, %old, %k; or.b32 %new, %new, %seen;
    atom.cas.acquire.gpu.b32 %seen, [%w], %old, %new;
    setp.ne.s32 %q, %seen, %old; mov.u32 %old, %seen; @%q bra AGAIN;
    """
    counts = np.zeros(16, np.uint8)
    module(body, [".u64 bytes"])["k"].launch(1, LANES, (counts,), device=device_for(device))
    assert counts.tolist() == 8 * [24] + 8 * [0]
