# SPDX-License-Identifier: Apache-2.0
"""Orders and scopes of atomic read-modify-write in PTX."""

from __future__ import annotations

import re

import pytest

from lanewise.pipelines.gpu import compile_ptx

LINES = re.compile(r"^\s*((?:atom|fence|membar|red)\b[\w.]*)", re.MULTILINE)
POINTERS = {"": "ptr %p", "global": "ptr addrspace(1) %g", "shared": "ptr addrspace(3) @s"}


def instructions(operation: str, arch: str = "sm_80") -> list[str]:
    """Names of the synchronising instructions that an `atomicrmw` becomes."""
    text = f"""\
target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global i32 undef, align 8
define ptx_kernel void @k(ptr %p, ptr addrspace(1) %g, ptr %out) {{
  %old = atomicrmw {operation}
  store {re.findall("(?:i8|i16|i32|i64|half|bfloat|float|double)", operation)[0]} %old, ptr %out
  ret void
}}
"""
    return LINES.findall(compile_ptx(text, arch))


def test_relaxed_and_of_the_device_is_left_to_llvm() -> None:
    assert instructions('add ptr addrspace(1) %g, i32 3 syncscope("device") monotonic') == ["atom.global.add.u32"]


@pytest.mark.parametrize("space", ["", "global", "shared"])
@pytest.mark.parametrize(("scope", "shown"), [("", "sys"), ("block", "cta")])
def test_scopes(scope: str, shown: str, space: str) -> None:
    words = f'syncscope("{scope}") ' if scope else ""
    (name,) = instructions(f"add {POINTERS[space]}, i32 3 {words}monotonic")
    assert re.fullmatch(rf"atom\.relaxed\.{shown}(\.\w+)?\.add\.u32", name)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("acquire", ["atom.acquire.gpu.global.add.u32"]),
        ("release", ["atom.release.gpu.global.add.u32"]),
        ("acq_rel", ["atom.acq_rel.gpu.global.add.u32"]),
        ("seq_cst", ["fence.sc.gpu", "atom.acquire.gpu.global.add.u32"]),
    ],
)
def test_orders(order: str, expected: list[str]) -> None:
    found = instructions(f'add ptr addrspace(1) %g, i32 3 syncscope("device") {order}')
    assert [name.replace("gpu.add", "gpu.global.add") for name in found] == expected


@pytest.mark.parametrize(
    ("operation", "type_", "expected"),
    [
        ("sub", "i64", "add.u64"),
        ("max", "i32", "max.s32"),
        ("umin", "i64", "min.u64"),
        ("xchg", "i64", "exch.b64"),
        ("xchg", "float", "exch.b32"),
        ("uinc_wrap", "i32", "inc.u32"),
        ("udec_wrap", "i32", "dec.u32"),
        ("fadd", "float", "add.f32"),
        ("fadd", "double", "add.f64"),
        ("fadd", "half", "add.noftz.f16"),
    ],
)
def test_operations(operation: str, type_: str, expected: str) -> None:
    value = "1.0" if type_ in ("float", "double") else "0xH3C00" if type_ == "half" else "1"
    (name,) = instructions(f"{operation} ptr %p, {type_} {value} acquire")
    assert name == f"atom.acquire.sys.{expected}"


@pytest.mark.parametrize("space", ["", "global", "shared"])
@pytest.mark.parametrize("operation", ["fmin", "fmax", "nand"])
def test_loops_keep_order_and_scope(operation: str, space: str) -> None:
    value = "float 1.0" if operation != "nand" else "i32 1"
    (name,) = set(instructions(f'{operation} {POINTERS[space]}, {value} syncscope("block") acquire'))
    assert re.fullmatch(r"atom\.acquire\.cta(\.\w+)?\.cas\.b32", name)


def test_narrow_bits_stand_between_fences() -> None:
    found = instructions('or ptr addrspace(1) %g, i16 1 syncscope("device") acquire')
    assert found == ["fence.acq_rel.gpu", "atom.global.or.b32", "fence.acq_rel.gpu"]


def test_before_sm_70_fences_make_the_order() -> None:
    found = instructions('add ptr addrspace(1) %g, i32 3 syncscope("block") acq_rel', "sm_60")
    assert [name.replace("cta.global", "cta") for name in found] == ["membar.cta", "atom.cta.add.u32", "membar.cta"]
    found = instructions("add ptr addrspace(1) %g, i32 3 monotonic", "sm_50")
    assert found == ["atom.global.add.u32"]
