# SPDX-License-Identifier: Apache-2.0
"""The report of a launch: memory in which a kernel counts its faults, place by place.

Each place has a record, as `ir/check_report.py` says. The number of a fault is the byte offset in the object, an index,
or an address.

The function that writes there is kernel IR, so any device runs it. The runtime core has the same as a service, which
the CPU's code calls in its place.
"""

from __future__ import annotations

from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.check_report import FAULT_BYTES, KEPT, PLACE_BYTES
from lanewise.ir.intrinsics import CHECK_FAULT, CHECK_MEETING, CHECK_SHARED

FUNCTION_TYPE: Final = ty.function(ty.VOID, (ty.PTR, ty.I32, ty.I32, ty.I64))

SHARED_TYPE: Final = ty.function(ty.VOID, (ty.PTR, ty.I32, ty.PTR, ty.I64, ty.I32, ty.I32, ty.I64, ty.I32, ty.I32))
"""The type of the function that looks for races. The runtime core has it; here it does nothing, for devices that don't
look."""

MEETING_TYPE: Final = ty.function(ty.VOID, (ty.PTR, ty.I32, ty.I32, ty.I32, ty.I32))
"""The type of the function that looks for work-items that don't meet; likewise."""

OUTSIDE: Final = 0
"""Code of a fault: the offset in the object, which is given, is outside of it."""
MISALIGNED: Final = 255
"""Code of a fault: the address is not aligned. The codes between say which index was out of bounds."""
CHOICE_SHIFT: Final = 8
"""Bits of a code above those: which object it was, of those that the code chooses from."""

_REGISTERS: Final = tuple(f"{name}.{axis}" for name in ("ctaid", "tid") for axis in "xyz")


NO_RACES: Final = f"""
define internal void @{CHECK_SHARED}(ptr %0, i32 %1, ptr %2, i64 %3, i32 %4, i32 %5, i64 %6, i32 %7, i32 %8) nounwind {{
entry:
  ret void
}}
"""

NO_MEETINGS: Final = f"""
define internal void @{CHECK_MEETING}(ptr %0, i32 %1, i32 %2, i32 %3, i32 %4) nounwind {{
entry:
  ret void
}}
"""


def definition() -> str:
    """The function, as kernel IR."""
    declared = "".join(f"declare i32 @llvm.nvvm.read.ptx.sreg.{name}()\n" for name in _REGISTERS)
    words = [f"  %{name} = call i32 @llvm.nvvm.read.ptx.sreg.{name}()" for name in _REGISTERS]
    fields = [f"i32 %{name}" for name in _REGISTERS] + ["i32 %what"]
    stores = [
        f"  %place.{n} = getelementptr inbounds i8, ptr %fault, i64 {4 * n}\n  store {field}, ptr %place.{n}, align 4"
        for n, field in enumerate(fields)
    ]
    text = "\n".join([*words, *stores])
    return f"""
define internal void @{CHECK_FAULT}(ptr %report, i32 %site, i32 %what, i64 %number) nounwind {{
entry:
  %wide = zext i32 %site to i64
  %at = mul i64 %wide, {PLACE_BYTES}
  %record = getelementptr inbounds i8, ptr %report, i64 %at
  %count = atomicrmw add ptr %record, i64 1 monotonic, align 8
  %kept = icmp ult i64 %count, {KEPT}
  br i1 %kept, label %keep, label %done
keep:
  %behind = mul i64 %count, {FAULT_BYTES}
  %start = add i64 %behind, 8
  %fault = getelementptr inbounds i8, ptr %record, i64 %start
{text}
  %last = getelementptr inbounds i8, ptr %fault, i64 32
  store i64 %number, ptr %last, align 8
  br label %done
done:
  ret void
}}
{declared}"""
