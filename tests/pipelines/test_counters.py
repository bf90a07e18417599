# SPDX-License-Identifier: Apache-2.0
"""Calls of the counters' library become intrinsics on the CPU."""

from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.pipelines.counters import tally

MODULE = """
@__lw_counters = dso_local global [256 x i64] zeroinitializer
define internal void @__lw_count_warps(ptr %counters, i32 %number, i32 %distance) {
  store i64 1, ptr %counters
  ret void
}
define ptx_kernel void @k() {
  call void @__lw_count_warps(ptr @__lw_counters, i32 3, i32 16)
  ret void
}
"""


def test_functions_that_count_become_intrinsics():
    module = read_module(MODULE)
    assert tally(module)
    text = write_module(module)
    assert "call void @__lw_tally_warps(ptr @__lw_counters, i32 3, i32 16)" in text
    assert "declare void @__lw_tally_warps(" in text
    assert "memory(inaccessiblemem: readwrite)" in text
    assert "store" not in text
    assert not tally(read_module("define ptx_kernel void @k() {\n  ret void\n}\n"))
