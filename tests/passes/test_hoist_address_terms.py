# SPDX-License-Identifier: Apache-2.0
"""`hoist-address-terms` in the pipeline: fewer instructions in a loop, the same results, and one order of terms."""

import re

import numpy as np
from bench.gpu.tools import find_tools

import lanewise as lw
from bench.gpu import compilers
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.passes import hoist_address_terms, narrow_shared_addresses

SOURCE = """
extern "C" __global__ void copied(float *out, const float *in, long head, int row, int n) {
    __shared__ float tile[32][9];
    int lane = threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < n; k++)
        tile[lane][k] = in[head + (row + k) * 32 + lane];
#pragma unroll 1
    for (int k = 0; k < n; k++)
        out[row + lane * 8 + k] = tile[lane][k];
}
"""

SUM = """
define void @f(ptr %a, i64 %x, i64 %y, i64 %z, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %plus.x = add nsw i64 %k, %x
  %plus.y = add nsw i64 %plus.x, %y
  %plus.z = add nsw i64 %plus.y, %z
  %p = getelementptr inbounds float, ptr %a, i64 %plus.z
  store float 0.0, ptr %p, align 4
  %k.next = add nsw i64 %k, 1
  %done = icmp eq i64 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
"""

SHARED = """
@tile = internal addrspace(3) global [576 x float] undef, align 4
define void @f(i32 %row, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %i = add nuw nsw i32 %row, %k
  %wide = zext nneg i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %wide
  store float 0.0, ptr %p, align 4
  %q = getelementptr inbounds i8, ptr %p, i64 4
  store float 0.0, ptr %q, align 4
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
"""


def test_constants_stay_in_accesses_to_shared_memory():
    module = read_module(SHARED)
    function = module.function("f")
    assert hoist_address_terms.run(function, module)
    assert narrow_shared_addresses.run(function, module)
    text = write_module(module)
    assert text.count("inttoptr") == 1
    assert re.search(r"getelementptr i8, ptr addrspace\(3\) %\d+, i64 4$", text, re.MULTILINE)


def test_loops_have_fewer_instructions():
    with_it, without = (_in_loops(frozenset(steps)) for steps in ([], ["hoist-address-terms"]))
    assert len(with_it) == len(without) == 2
    assert all(fewer < many for fewer, many in zip(with_it, without, strict=True)), (with_it, without)


def _in_loops(without: frozenset[str]) -> list[int]:
    """The instructions of each loop of one block."""
    ptx = compilers.ptx("lanewise", SOURCE, "sm_80", find_tools(None), without)
    blocks = re.findall(r"^(\$L__BB\d+_\d+):(.*?)(?=^\$|^\})", ptx, re.DOTALL | re.MULTILINE)
    return [body.count(";") for label, body in blocks if re.search(rf"bra(\.uni)?\s+{re.escape(label)};", body)]


def test_results_are_those_of_the_source():
    given = np.arange(1, 601, dtype=np.float32)
    program = lw.compile(SOURCE, language="cuda")
    found = []
    for device in ("simt", "reference"):
        out = np.zeros(263, np.float32)
        program["copied"].launch(1, 32, (out, given, 16, 7, 8), device=device)
        found.append(out)
    assert found[0].any()
    np.testing.assert_array_equal(*found)


def test_equal_modules_become_equal_modules():
    modules = [read_module(SUM) for _ in range(20)]
    for module in modules:
        assert hoist_address_terms.run(module.function("f"), module)
        assert not hoist_address_terms.run(module.function("f"), module)
    assert len({write_module(module) for module in modules}) == 1
