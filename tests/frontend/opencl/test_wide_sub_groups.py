# SPDX-License-Identifier: Apache-2.0
"""Sub-groups of 64 work-items: what those of 8 to 32 don't show (`test_sub_group_sizes.py`): the upper half of ballots
and masks, values of all types, code for any local size, and what there isn't."""

from __future__ import annotations

import numpy as np
import pytest

import lanewise as lw

from .running import DEVICES
from .sub_group_model import sub_groups
from .test_sub_group_sizes import of
from .test_sub_groups import compiled, everywhere, operands

MASKS = """
kernel void k(global ulong *out, global const int *in) {
    out += 6 * AT;
#define WORD(mask) upsample((mask).y, (mask).x)
    out[0] = WORD(get_sub_group_eq_mask());
    out[1] = WORD(get_sub_group_ge_mask());
    out[2] = WORD(get_sub_group_gt_mask());
    out[3] = WORD(get_sub_group_le_mask());
    out[4] = WORD(get_sub_group_lt_mask());
    out[5] = in[AT] & 1 ? WORD(sub_group_ballot(in[AT] & 2)) : 0;
}
"""


@pytest.mark.parametrize(("size", "local"), [(128, 128), (120, 60), (90, 80)])
def test_masks_have_64_bits(size: int, local: int):
    x = np.random.default_rng(1).integers(0, 4, size, np.int32)
    wanted = np.zeros((size, 6), np.uint64)
    for group in sub_groups(size, local, 64):
        whole = (1 << group.greatest) - 1
        ballot = sum(1 << own for own, item in enumerate(group.items) if x[item] == 3)
        for own, item in enumerate(group.items):
            le, lt = (2 << own) - 1, (1 << own) - 1
            wanted[item] = 1 << own, whole & ~lt, whole & ~le, le, lt, ballot if x[item] & 1 else 0
    for device, launch in everywhere(of(64, MASKS)):
        out = np.zeros_like(wanted)
        launch(size, local)(out, x)
        np.testing.assert_array_equal(out, wanted, device)


MOVES = """
kernel void k(global TYPE *out, global const TYPE *in, uint by) {
    TYPE x = in[AT];
    out += 8 * AT;
    uint own = get_sub_group_local_id();
    TYPE up = sub_group_shuffle_up(x, own < by ? 0 : by), down = sub_group_shuffle_down(x, 40);
    out[0] = sub_group_reduce_max(x);
    out[1] = sub_group_shuffle(x, 63 - own);
    out[2] = sub_group_shuffle_xor(x, 33);
    out[3] = sub_group_shuffle_xor(x, by);
    out[4] = own < by ? (TYPE)0 : up;
    out[5] = own + 40 < 64 ? down : (TYPE)0;
    out[6] = sub_group_broadcast(x, 45);
    out[7] = sub_group_rotate(x, by);
}
"""


@pytest.mark.parametrize("type_", ["char", "ushort", "float", "long", "double"])
def test_values_of_all_types_move_between_both_halves(type_: str):
    x = operands(type_, "max", 128)
    rows, own, by = x.reshape(2, 64), np.arange(64), 37
    rows_of = (own[::-1], own ^ 33, own ^ by)
    wanted = np.stack([
        np.broadcast_to(rows.max(1, keepdims=True), rows.shape), *(rows[:, ids] for ids in rows_of),
        np.where(own < by, 0, rows[:, own - by]), np.where(own + 40 < 64, rows[:, (own + 40) % 64], 0),
        np.broadcast_to(rows[:, 45:46], rows.shape), rows[:, (own + by) % 64],
    ], axis=2).astype(x.dtype)  # fmt: skip
    for device, launch in everywhere(of(64, MOVES.replace("TYPE", type_)), ["lanes:8x4"]):
        out = np.zeros((128, 8), x.dtype)
        launch(128, 128)(out, x, by)
        np.testing.assert_array_equal(out.reshape(2, 64, 8), wanted, device)


SUM = "kernel void k(global int *out) { out[AT] = sub_group_reduce_add((int)get_global_id(0)); }"


def test_one_more_kernel_without_sub_groups():
    module = compiled(of(64, SUM) + "kernel void plain(global int *out) { out[AT] = 7; }")
    for device in DEVICES:
        out = np.zeros(64, np.int32)
        module["plain"].ndrange(64, 32, device=device)(out)
        assert (out == 7).all()
        module["k"].ndrange(64, 64, device=device)(out)
        assert (out == sum(range(64))).all()


def test_one_that_requires_64_without_functions_of_sub_groups():
    """It may stand beside kernels with others, by itself and as one that doesn't say its size."""
    plain = of(64, "kernel void plain(global int *out) { out[AT] = 7; }")
    module = compiled(
        plain + SUM.replace("sub_group", "work_group") + SUM.replace("void k", "void sums"), options="-cl-std=CL3.0"
    )
    for device in DEVICES:
        out = np.zeros(64, np.int32)
        module["plain"].ndrange(64, 64, device=device)(out)
        assert (out == 7).all()
        module["k"].ndrange(64, 64, device=device)(out)
        assert (out == sum(range(64))).all()
        module["sums"].ndrange(64, 64, device=device)(out)
        assert out.tolist() == [sum(range(32))] * 32 + [sum(range(32, 64))] * 32


def test_checks_find_no_fault():
    for checked in ("races", True):
        out = np.zeros(128, np.int32)
        compiled(of(64, SUM), checked=checked)["k"].ndrange(128, 64)(out)
        assert out[::64].tolist() == [sum(range(64)), sum(range(64, 128))]


WAITING = """
kernel void k(global int *out, global atomic_int *flag) {
    if (get_sub_group_id() == 1) atomic_store(flag, 1);
    else while (atomic_load(flag) == 0);
    out[AT] = sub_group_reduce_add(1);
}
"""


WAITS = """
kernel void k(global int *out, global volatile int *flag) {
    int l = get_local_id(0);
    %s
    out[AT] += sub_group_reduce_add(1);
}
"""
UNTIL_TOLD = "while (atomic_add(flag, 0) == 0);"
LOCKED = "{ while (atomic_cmpxchg(flag, 0, 1)); out[AT] = 1; mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_xchg(flag, 0); }"
GET_ON = {
    "one takes a lock": f"if (get_sub_group_local_id() == 0) {LOCKED}",
    "one of the second half tells": f"if (l == 40) atomic_xchg(flag, 1); {UNTIL_TOLD}",
    "the second half tells": f"if (l >> 5 == 1) atomic_xchg(flag, 1); {UNTIL_TOLD}",
}
TOO_LATE = {
    "each takes a lock": LOCKED,
    "turns": "while (atomic_add(flag, 0) != l); atomic_inc(flag);",
    "half waits for half": f"if (l < 32) {UNTIL_TOLD} else atomic_xchg(flag, 1);",
}


@pytest.mark.parametrize(("name", "local"), [*((name, 64) for name in GET_ON), ("one takes a lock", 128)])
def test_waiting_that_gets_on(name: str, local: int):
    waits = GET_ON[name]
    out = np.zeros(local, np.int32)
    compiled(of(64, WAITS % waits))["k"].ndrange(local, local)(out, np.zeros(1, np.int32))
    first = np.arange(local) % 64 == 0 if LOCKED in waits else 0
    np.testing.assert_array_equal(out, 64 + first)


@pytest.mark.parametrize("waits", TOO_LATE.values(), ids=TOO_LATE)
def test_waiting_within_a_sub_group_is_refused(waits: str):
    kernel = compiled(of(64, WAITS % waits))["k"]
    with pytest.raises(lw.CompileError, match="code whose work-items wait for one another in loops has no sub-groups"):
        kernel.ndrange(64, 64)(np.zeros(64, np.int32), np.zeros(1, np.int32))


def test_what_there_is_not():
    waiting = compiled(of(64, WAITING), options="-cl-std=CL3.0")["k"]
    with pytest.raises(lw.CompileError, match="wait for one another in loops has no sub-groups of 64"):
        waiting.ndrange(128, 128)(np.zeros(128, np.int32), np.zeros(1, np.int32))
    module = compiled(of(64, SUM))
    with pytest.raises(lw.CompileError, match="kernel k has functions of sub-groups of 64 work-items, and a GPU"):
        module.ptx()
    mixed = of(64, SUM) + SUM.replace("void k", "void usual")
    name, summed = "sub_group_reduce_add", "work_group_reduce_add"
    expected = f"kernel k requires sub-groups of 64 for {name}, and kernel usual has others for "
    with pytest.raises(lw.CompileError, match=f"{expected}{name}: such"):
        compiled(mixed)
    with pytest.raises(lw.CompileError, match=f"{expected}{summed}: such"):
        compiled(mixed.replace(name, summed, 2).replace(summed, name, 1), options="-cl-std=CL3.0")
    out = np.zeros(64, np.int32)
    for mapping, refusal in (("loop", "a sub-group of 64 needs a warp"), ("threads", "no sub-groups of 64")):
        with pytest.raises(lw.CompileError, match=refusal):
            compiled(of(64, SUM), mapping=mapping)["k"].ndrange(64, 64)(out)
