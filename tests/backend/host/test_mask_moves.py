# SPDX-License-Identifier: Apache-2.0
"""Code in which LLVM may have lost a mask is told from other code, and made again so that it is right."""

import pytest

from lanewise.backend.host import compile as compiling
from lanewise.backend.host.load_masks import lanes_of_mask_registers
from lanewise.backend.host.mask_moves import hide_moved_masks, may_have_wrong_mask, without_mask_moves
from lanewise.llvm import LlvmModule, Machine, code_of

AVX512 = Machine("x86_64-linux-gnu", "x86-64-v4", "+avx512f,+avx512vl,+avx512dq,+avx512bw")
AVX2 = Machine("x86_64-linux-gnu", "haswell", "+avx2")


def signs(lanes: int, type_: str) -> str:
    """A function that brings the signs of a vector into a general register."""
    return f"""
define i32 @signs(<{lanes} x {type_}> %x) {{
  %negative = icmp slt <{lanes} x {type_}> %x, zeroinitializer
  %mask = bitcast <{lanes} x i1> %negative to i{lanes}
  %wide = zext i{lanes} %mask to i32
  ret i32 %wide
}}
"""


def machine_code(ir: str, machine: Machine) -> bytes:
    module = LlvmModule.parse(ir)
    machine.claim(module)
    return machine.object(module)


@pytest.mark.parametrize(("lanes", "type_"), [(4, "i32"), (8, "i32"), (2, "i64"), (4, "i64"), (16, "i8")])
def test_masks_that_llvm_moves_by_movmsk(lanes: int, type_: str):
    assert may_have_wrong_mask(AVX512, machine_code(signs(lanes, type_), AVX512))
    right = without_mask_moves(AVX512)
    assert not may_have_wrong_mask(right, machine_code(signs(lanes, type_), right))
    module = LlvmModule.parse(signs(lanes, type_))
    right.claim(module)
    assert "%k" not in right.assembly(module)


@pytest.mark.parametrize("lanes", [2, 16, 64])
def test_other_code_for_avx_512_is_left_alone(lanes: int):
    ir = f"define void @sum(ptr %p, ptr %q) {{\n  %a = load <{lanes} x float>, ptr %p\n"
    ir += f"  %b = fadd <{lanes} x float> %a, %a\n  store <{lanes} x float> %b, ptr %q\n  ret void\n}}\n"
    assert not may_have_wrong_mask(AVX512, machine_code(ir, AVX512))


def test_movmsk_is_right_without_avx_512():
    assert not may_have_wrong_mask(AVX2, machine_code(signs(8, "i32"), AVX2))


def test_code_is_what_stands_in_sections_of_code():
    ir = '@data = constant [3 x i8] c"\\C5\\F8\\50"\ndefine ptr @at() {\n  ret ptr @data\n}\n'
    assert b"\xc5\xf8\x50" in machine_code(ir, AVX512)
    assert b"\xc5\xf8\x50" not in code_of(machine_code(ir, AVX512))


@pytest.mark.parametrize("type_", ["i8", "i16", "i32"])
def test_sums_of_products_are_left_alone(type_: str):
    """vpdpbusd and its like have the same opcode in another map."""
    wide = {"i8": "i32", "i16": "i32", "i32": "i64"}[type_]
    ir = f"""
define void @dot(ptr %p, ptr %q, ptr %r) {{
  %a = load <64 x {type_}>, ptr %p
  %b = load <64 x {type_}>, ptr %q
  %c = zext <64 x {type_}> %a to <64 x {wide}>
  %d = sext <64 x {type_}> %b to <64 x {wide}>
  %e = mul <64 x {wide}> %c, %d
  %s = call {wide} @llvm.vector.reduce.add(<64 x {wide}> %e)
  store {wide} %s, ptr %r
  ret void
}}
""".replace("reduce.add(", f"reduce.add.v64{wide}(")
    machine = AVX512._replace(features=f"{AVX512.features},+avx512vnni,+avxvnni")
    assert not may_have_wrong_mask(machine, machine_code(ir, machine))


@pytest.mark.parametrize(("lanes", "type_"), [(4, "i32"), (8, "i32"), (2, "i64"), (4, "i64"), (16, "i8")])
def test_hidden_masks_are_moved_out_of_their_registers(lanes: int, type_: str):
    hidden = hide_moved_masks(signs(lanes, type_), 64)
    assert hidden is not None
    assert not may_have_wrong_mask(AVX512, machine_code(hidden, AVX512))


SIGN_OF_ONE = """
define i32 @sign(float %x) {
  %bits = bitcast float %x to i32
  %sign = lshr i32 %bits, 31
  ret i32 %sign
}
"""


def test_the_sign_of_one_number_is_no_reason_to_leave_out_avx_512():
    assert may_have_wrong_mask(AVX512, machine_code(SIGN_OF_ONE, AVX512))
    hidden = hide_moved_masks(SIGN_OF_ONE, 64)
    assert hidden is not None
    assert not may_have_wrong_mask(AVX512, machine_code(hidden, AVX512))


def test_nothing_is_hidden_where_no_mask_is_moved():
    assert hide_moved_masks("define i32 @one() {\n  ret i32 1\n}\n", 64) is None


@pytest.mark.skipif(lanes_of_mask_registers(Machine.host()) == 0, reason="a processor without AVX-512")
@pytest.mark.parametrize("ir", [signs(8, "i32"), SIGN_OF_ONE])
def test_code_with_hidden_masks_is_for_the_whole_processor(ir: str):
    made = compiling._generated(ir, Machine.host())
    assert made.machine == Machine.host()
    assert not may_have_wrong_mask(made.machine, made.machine_code)
