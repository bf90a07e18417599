# SPDX-License-Identifier: Apache-2.0
"""Races beside barriers of sub-groups of 64 work-items: python -m pytest tests/checks/test_sub_groups_of_64.py"""

import numpy as np
import pytest

import lanewise as lw

from .test_ordering import marked, told

KERNEL = "__attribute__((intel_reqd_sub_group_size(64))) kernel void"
SOURCE = f"""
{KERNEL} in_local_memory(global int *out) {{
    local int t[128];
    int l = get_local_id(0);
    t[l] = l;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l ^ 63];
}}
{KERNEL} in_global_memory(global int *out) {{
    int l = get_local_id(0);
    out[l] = l;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    out[128 + l] = out[l ^ 63];
}}
{KERNEL} of_two_sub_groups(global int *out) {{
    local int t[128];
    int l = get_local_id(0);
    t[l] = l;  // race
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l ^ 64];  // race
}}
{KERNEL} of_two_sub_groups_in_global_memory(global int *out) {{
    int l = get_local_id(0);
    out[l] = l;  // race
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    out[128 + l] = out[l ^ 64];  // race
}}
{KERNEL} before_a_barrier(global int *out) {{
    local int t[128];
    int l = get_local_id(0);
    t[l] = l;  // race
    out[l] = t[l ^ 63];  // race
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}}
{KERNEL} after_a_fence_of_one(global int *out) {{
    local int t[128];
    int l = get_local_id(0);
    if (l < 64) t[l] = out[l] = l;
    if (l == 64) atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acquire, memory_scope_work_group);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= 96) out[l] = t[l - 64] + out[l - 64];
}}
"""
RACES = ("of_two_sub_groups", "of_two_sub_groups_in_global_memory", "before_a_barrier")
ORDERED = ("in_local_memory", "in_global_memory")


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="opencl", options="-cl-std=CL3.0", checked="races")


@pytest.mark.parametrize(
    ("kernel", "device"),
    [
        *((kernel, device) for kernel in (*RACES, *ORDERED) for device in ("cpu", "reference")),
        ("after_a_fence_of_one", "cpu"),  # what it has acquired isn't followed
    ],
)
def test_a_sub_group_barrier_orders_all_64(module: lw.Module, kernel: str, device: str) -> None:
    lines = told(module[kernel], 1, 128, (np.zeros(256, np.int32),), device)
    assert lines == marked(SOURCE, kernel)
    assert bool(lines) == (kernel in RACES), lines
