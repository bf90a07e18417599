# SPDX-License-Identifier: Apache-2.0
"""Masked loads for AVX-512 read no lane that is switched off."""

import re

import pytest

from lanewise.backend.host import compile as compiling
from lanewise.backend.host.load_masks import lanes_of_mask_registers, part_load_masks
from lanewise.llvm import LlvmModule, Machine

AVX512 = Machine("x86_64-linux-gnu", "x86-64-v4", "+avx512f,+avx512vl,+avx512dq,+avx512bw,-prefer-256-bit")


def kernel(lanes: int, type_: str, mask: str = "%on") -> str:
    """Two masked loads, and products that are masked alike: one may replace its second operand, the other one can't,
    since that is read later."""
    vector, on = f"<{lanes} x {type_}>", f"<{lanes} x i1>"
    short = {"float": "f32", "double": "f64"}[type_]
    load, fma = f"@llvm.masked.load.v{lanes}{short}.p0", f"@llvm.fma.v{lanes}{short}"
    return f"""
define {vector} @products(ptr %p, ptr %q, <{lanes} x i32> %x, {vector} %b) {{
  %on = icmp sgt <{lanes} x i32> %x, zeroinitializer
  %v = call {vector} {load}(ptr align 4 %p, {on} {mask}, {vector} poison)
  %w = call {vector} {load}(ptr align 4 %q, {on} {mask}, {vector} poison)
  %a = call {vector} {fma}({vector} %v, {vector} %b, {vector} zeroinitializer)
  %c = call {vector} {fma}({vector} %w, {vector} %b, {vector} zeroinitializer)
  %d = select {on} {mask}, {vector} %a, {vector} zeroinitializer
  %e = select {on} {mask}, {vector} %c, {vector} zeroinitializer
  %f = fadd {vector} %d, %e
  ret {vector} %f
}}
declare {vector} {load}(ptr, {on}, {vector})
declare {vector} {fma}({vector}, {vector}, {vector})
"""


def loads(ir: str) -> list[str]:
    """Lines of assembly that read from the two pointers."""
    module, _ = compiling._prepared(LlvmModule.parse(ir), AVX512)
    AVX512.claim(module)
    return [line for line in AVX512.assembly(module).split("\n") if re.search(r"\(%r[ds]i\)", line)]


@pytest.mark.parametrize(
    ("lanes", "type_"),
    [(2, "double"), (4, "float"), (4, "double"), (8, "float"), (8, "double"), (16, "float"), (32, "float")],
)
@pytest.mark.parametrize("mask", ["%on", "constant"])
def test_each_load_is_masked(lanes: int, type_: str, mask: str) -> None:
    constant = "<" + ", ".join(f"i1 {str(lane % 8 > 0).lower()}" for lane in range(lanes)) + ">"
    found = loads(kernel(lanes, type_, constant if mask == "constant" else mask))
    assert len(found) >= 2
    assert all(re.search(r"\{%k[1-7]\} \{z\}", line) for line in found)


def test_a_mask_is_parted_once_in_a_block() -> None:
    text = part_load_masks(kernel(16, "float"))
    assert text is not None
    assert text.count("asm") == 1
    assert LlvmModule.parse(text).text().count("asm") == 1


def test_masks_that_no_register_holds_are_left_alone() -> None:
    narrow = Machine("x86_64-linux-gnu", "knl", "+avx512f,-avx512bw")
    assert lanes_of_mask_registers(narrow) == 16
    assert "asm" in (part_load_masks(kernel(16, "float"), 16) or "")
    assert "asm" not in (part_load_masks(kernel(32, "float"), 16) or "")


def test_code_without_masked_loads_is_left_alone() -> None:
    assert part_load_masks("define void @nothing() {\n  ret void\n}\n") is None
