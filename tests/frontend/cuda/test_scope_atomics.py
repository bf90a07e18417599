# SPDX-License-Identifier: Apache-2.0
"""Scopes of atomics, read off the names of the headers' functions."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lanewise.frontend.cuda import scope_atomics
from lanewise.ir.reader import read_module

OPERATION = re.compile(r"^  (?:%\S+ = )?((?:atomicrmw|cmpxchg|load atomic|store atomic|fence)\b.*)$", re.MULTILINE)
SCOPE = re.compile(r'syncscope\("(\w+)"\)')


@pytest.fixture(scope="module")
def scopes(compiled: Callable) -> Callable[[str], list[str]]:
    """The scope of each atomic operation that a statement comes to."""

    def run(statement: str, arch: str = "sm_90") -> list[str]:
        ir = compiled(f"#include <cuda/atomic>\n__global__ void k(int *p, int n) {{ {statement} }}", arch=arch).text
        found = [SCOPE.search(operation[1]) for operation in OPERATION.finditer(ir)]
        return [match[1] if match else "" for match in found]

    return run


def test_suffixes_say_the_scope(scopes: Callable) -> None:
    for suffix, scope in (("", "device"), ("_block", "block"), ("_system", "")):
        assert scopes(f"atomicAdd{suffix}(p, n); atomicCAS{suffix}(p, n, 1);") == [scope, scope]


@pytest.mark.parametrize(("number", "scope"), [("BLOCK", "block"), ("CLUSTER", "cluster"), ("DEVICE", "device")])
def test_functions_with_a_scope(scopes: Callable, number: str, scope: str) -> None:
    order = f"__NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_{number}"
    assert set(scopes(f"__nv_atomic_fetch_add(p, n, {order});")) == {scope}
    assert set(scopes(f"__nv_atomic_thread_fence({order});")) <= {scope}
    assert set(scopes(f"__nv_atomic_store_n(p, __nv_atomic_load_n(p, {order}), {order});")) == {scope}


def test_without_a_scope_it_is_the_system(scopes: Callable) -> None:
    assert set(scopes("__nv_atomic_or(p, n, __NV_ATOMIC_RELAXED);")) == {""}
    assert set(scopes("__nv_atomic_or(p, n, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);")) == {""}


def test_a_cluster_is_the_device_where_there_are_none(scopes: Callable) -> None:
    statement = "__nv_atomic_add(p, n, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_CLUSTER);"
    assert set(scopes(statement, "sm_80")) == {"device"}


def test_objects_have_their_type_s_scope(scopes: Callable) -> None:
    statement = "cuda::atomic_ref<int, cuda::thread_scope_{}>(*p).fetch_add(n);"
    assert set(scopes(statement.format("block"))) == {"block"}
    assert set(scopes(statement.format("device"))) == {"device"}
    assert set(scopes(statement.format("system"))) == {""}


def test_atomics_of_the_program_are_left_alone(scopes: Callable) -> None:
    assert scopes("__atomic_fetch_add(p, n, __ATOMIC_RELAXED);") == [""]


def test_a_header_of_the_program_may_use_them(compiled: Callable, tmp_path: Path) -> None:
    body = "atomicAdd_block(p, 1); __nv_atomic_add(p, 1, __NV_ATOMIC_RELAXED);"
    (tmp_path / "count.h").write_text(f"__device__ inline void count(int *p) {{ {body} }}")
    ir = compiled('#include "count.h"\n__global__ void k(int *p) { count(p); }', include_dirs=(str(tmp_path),)).text
    assert 'syncscope("block")' in ir


def test_functions_of_the_program_are_left_alone() -> None:
    text = """\
define dso_local i32 @_Z14atomicAddTwicePii(ptr %p) {
  %1 = atomicrmw add ptr %p, i32 1 monotonic, align 4
  ret i32 %1
}
"""
    assert scope_atomics.may_apply(text)
    assert not scope_atomics.run(read_module(text))


def test_most_modules_need_not_be_searched() -> None:
    assert not scope_atomics.may_apply("define void @f() {\n  ret void\n}\n")
