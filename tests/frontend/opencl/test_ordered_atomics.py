# SPDX-License-Identifier: Apache-2.0
"""Atomic functions with orders and scopes, of each type and memory (OpenCL C 3.0, 6.15.12)."""

import numpy as np
import pytest

import lanewise as lw

DEVICES = ("cpu", "reference")
TYPES = {"int": np.int32, "uint": np.uint32, "long": np.int64, "ulong": np.uint64}
ALL_TYPES = {**TYPES, "float": np.float32, "double": np.float64}

ACCESSES = """
void through(volatile atomic_T *a, T x) { atomic_store_explicit(a, atomic_load(a) + x, memory_order_release); }
kernel void k(global T *out, global atomic_T *a) {
  local atomic_T l;
  T expected = 9;
  atomic_init(a, 3);
  out[0] = atomic_load(a);
  atomic_store(a, 4);
  out[1] = atomic_exchange_explicit(a, 5, memory_order_acq_rel, memory_scope_all_svm_devices);
  out[2] = atomic_load_explicit(a, memory_order_acquire, memory_scope_device);
  out[3] = atomic_compare_exchange_strong(a, &expected, 7);
  out[4] = expected;
  out[5] = atomic_compare_exchange_weak_explicit(a, &expected, 8, memory_order_relaxed, memory_order_relaxed);
  atomic_init(&l, 6);
  through(&l, 1);
  through(a, 2);
  out[6] = atomic_exchange(&l, 0);
  out[7] = atomic_load_explicit(a, memory_order_relaxed);
}
"""

OPERATIONS = """
#define NEXT(name, number) { T x = number; out[n++] = atomic_fetch_##name(a, x); \
  out[n++] = atomic_fetch_##name##_explicit(a, x, memory_order_relaxed); \
  out[n++] = atomic_fetch_##name##_explicit(&l, x, memory_order_acq_rel, memory_scope_work_group); \
  out[n++] = atomic_fetch_##name##_explicit(g, x, memory_order_seq_cst, memory_scope_device); }
kernel void k(global T *out, global atomic_T *a) {
  local atomic_T l;
  atomic_T *g = a;
  int n = 0;
  atomic_init(&l, 100);
  NEXT(add, 5) NEXT(sub, 3) NEXT(or, 0x18) NEXT(xor, 0x5) NEXT(and, 0x1e) NEXT(min, 11) NEXT(max, 300)
  out[n] = atomic_load(&l);
}
"""


def in_type(text: str, name: str) -> str:
    return text.replace("atomic_T", f"atomic_{name}").replace("T ", f"{name} ")


@pytest.mark.parametrize("name", ALL_TYPES)
def test_objects_are_read_and_written(name: str) -> None:
    kernel = lw.compile(in_type(ACCESSES, name), language="opencl", options="-cl-std=CL3.0")["k"]
    for device in DEVICES:
        out, place = np.zeros(8, ALL_TYPES[name]), np.zeros(1, ALL_TYPES[name])
        kernel.ndrange(1, device=device)(out, place)
        assert out.tolist() == [3, 4, 5, 0, 5, 1, 7, 10]


@pytest.mark.parametrize("name", TYPES)
def test_operations_give_the_value_before(name: str) -> None:
    kernel = lw.compile(in_type(OPERATIONS, name), language="opencl", options="-cl-std=CL2.0")["k"]
    operations = [
        lambda x: x + 5, lambda x: x - 3, lambda x: x | 0x18, lambda x: x ^ 5, lambda x: x & 0x1E,
        lambda x: min(x, 11), lambda x: max(x, 300),
    ]  # fmt: skip
    expected: list[int] = []
    place, own = 40, 100
    for operation in operations:
        for is_own in (False, False, True, False):
            expected.append(own if is_own else place)
            place, own = (place, operation(own)) if is_own else (operation(place), own)
    for device in DEVICES:
        out, given = np.zeros(29, TYPES[name]), np.full(1, 40, TYPES[name])
        kernel.ndrange(1, device=device)(out, given)
        assert out.tolist() == [*expected, own]
        assert given.tolist() == [place]


LOCKS = """
kernel void k(global int *sum, global atomic_flag *lock, global atomic_int *turns) {
  atomic_fetch_add_explicit(turns, 1, memory_order_relaxed, memory_scope_device);
  if (get_local_id(0) == 0) {
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire, memory_scope_device))
      ;
    sum[0] += 1;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
    atomic_flag_clear_explicit(lock, memory_order_release);
  }
}
"""


def test_a_flag_is_a_lock_of_work_groups() -> None:
    kernel = lw.compile(LOCKS, language="opencl", options="-cl-std=CL3.0")["k"]
    for device, groups in (("cpu", 200), ("reference", 5)):
        total, lock, turns = (np.zeros(1, np.int32) for _ in range(3))
        kernel.ndrange(8 * groups, 8, device=device)(total, lock, turns)
        assert (total[0], lock[0], turns[0]) == (groups, 0, 8 * groups)


def test_ptx_has_the_orders() -> None:
    text = """
kernel void k(global int *out, global atomic_int *a) {
  out[0] = atomic_load_explicit(a, memory_order_acquire, memory_scope_device);
  atomic_store_explicit(a, 1, memory_order_release, memory_scope_device);
}
"""
    ptx = lw.compile(text, language="opencl", options="-cl-std=CL3.0").ptx("sm_80")
    assert "ld.acquire" in ptx
    assert "st.release" in ptx
