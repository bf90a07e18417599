# SPDX-License-Identifier: Apache-2.0
"""Prefetches for later iterations of loops by a stride: of which loads, up to where, and that nothing else changes."""

import re

import numpy as np
import pytest

import lanewise as lw

# Sixteen multiplications and additions that no rule of algebra shortens.
PRELUDE = """
#define TWICE(v) v = v * v + 1; v = v * v + 3;
#define LONG(v) TWICE(v) TWICE(v) TWICE(v) TWICE(v) TWICE(v) TWICE(v) TWICE(v) TWICE(v)
#define X (blockIdx.x * blockDim.x + threadIdx.x)
#define AT(i) { unsigned long v = in[i]; LONG(v) out[i] = v; }
"""
PARAMETERS = "unsigned long *out, const unsigned long *in, int n, int stride, unsigned m, unsigned by"
PREFETCHED = {
    "grid": "for (int i = X; i < n; i += gridDim.x * blockDim.x) AT(i)",
    "wide": "for (long i = X; i < n; i += (long)gridDim.x * blockDim.x) AT(i)",
    "inclusive": "for (int i = threadIdx.x; i <= n - 1; i += stride) AT(i)",
    "mirrored": "for (int i = threadIdx.x; n > i; i += stride) AT(i)",
    "inverted": "for (int i = threadIdx.x;; i += stride) { if (i >= n) break; AT(i) }",
    "at_the_end": "int i = threadIdx.x; do { AT(i) i += stride; } while (i < n);",
    "unsigned_index": "for (unsigned i = threadIdx.x; i < m; i += by) AT(i)",
    "gathers_count_by_lane": "for (int i = X; i < n; i += stride) out[i] = out[in[i] & 255] * 3;",
    "close_to_one_another": """for (int i = X; i < n; i += stride) {
        unsigned long v = in[i] + in[i + 1] + in[i + 2]; LONG(v) out[i] = v; }""",
}
NOT_PREFETCHED = {
    "1: volatile": "for (int i = X; i < n; i += stride) { unsigned long v = ((volatile unsigned long *)in)[i]; LONG(v) "
    "out[i] = v; }",
    "1: the group's own memory": """__shared__ unsigned long tile[1024];
        for (int i = threadIdx.x; i < 1024; i += 256) tile[i] = in[i];
        __syncthreads();
        unsigned long sum = 0;
        for (int i = threadIdx.x; i < n; i += stride) { unsigned long v = tile[i]; LONG(v) sum += v; }
        out[threadIdx.x] = sum;""",
    "2: product": "for (int i = 0; i < n; i += stride) AT(i * 3 + threadIdx.x)",
    "3: growing stride": "for (int i = threadIdx.x; i < n; i += stride) { AT(i) stride += 256; }",
    "3: subtracted stride": "for (int i = n - 256 + threadIdx.x; i >= 0; i -= stride) AT(i)",
    "4: no bound": "for (int i = threadIdx.x; in[m]; i += stride) AT(i)",
    "4: bound that changes": "for (int i = threadIdx.x; i < n; i += stride) { AT(i) n -= by; }",
    "4: until equal": "int i = 0; do { AT(i + threadIdx.x) i += stride; } while (i != n);",
    "4: not compared in each iteration": """for (int i = 0; in[m]; i += stride) {
        AT(i + threadIdx.x)
        if (in[m + 1]) { out[m] = i; if (i >= n) break; } }""",
    "5: bound of each lane's own": "int end = in[threadIdx.x]; for (int i = threadIdx.x; i < end; i += stride) AT(i)",
    "5: stride of each lane's own": "stride *= threadIdx.x; for (int i = threadIdx.x; i < n; i += stride) AT(i)",
    "6: not in each iteration": """for (int i = X; i < n; i += stride) {
        unsigned v = m; LONG(v) if ((threadIdx.x ^ v) & i & 8) { LONG(v) LONG(v) LONG(v) out[i] = v + in[i]; } }""",
    "not 1: short": "for (int i = X; i < n; i += stride) out[i] = in[i] * 3 + 1;",
    "not 2: constant stride": "for (int i = threadIdx.x; i < n; i += 256) AT(i)",
}


def compiled(body: str, parameters: str = PARAMETERS) -> lw.Module:
    source = f"{PRELUDE} __global__ void kernel({parameters}) {{ {body} }}"
    return lw.compile(source, language="cuda", mapping="lanes:16x2")


def code_of(body: str, parameters: str = PARAMETERS) -> str:
    return compiled(body, parameters).ir("work-group", "kernel", block=256)


def prefetches(text: str) -> int:
    return text.count("call void @llvm.prefetch")


def comparisons(text: str) -> list[tuple[str, str]]:
    """Predicate and bound by which 6 strides or 0 are chosen, in 64 bits."""
    extended = dict(re.findall(r"(%[\w.]+) = [sz]ext i32 (%[\w.]+) to i64", text))
    added = re.findall(
        r"(%[\w.]+) = mul i64 %[\w.]+, 6\n(?:.* = [sz]ext .*\n)?\s+(%[\w.]+) = add i64 %[\w.]+, \1\n", text
    )
    found: list[tuple[str, str]] = []
    for ahead, then in added:
        compared = rf"(%[\w.]+) = icmp (\w+) i64 {re.escape(then)}, (%[\w.]+)\n"
        chosen = rf".* = select i1 \1, i64 {re.escape(ahead)}, i64 0"
        for _, predicate, bound in re.findall(compared + chosen, text):
            found.append((predicate, extended.get(bound, bound)))
    return found


@pytest.mark.parametrize("kind", PREFETCHED)
def test_each_line_of_a_load_is_prefetched(kind: str):
    assert prefetches(code_of(PREFETCHED[kind])) == 4


@pytest.mark.parametrize("reason", NOT_PREFETCHED)
def test_nothing_is_prefetched(reason: str):
    assert prefetches(code_of(NOT_PREFETCHED[reason])) == 0


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("wide", ("slt", "%n")),
        ("grid", ("slt", "%n")),
        ("mirrored", ("slt", "%n")),
        ("inverted", ("slt", "%n")),
        ("at_the_end", ("slt", "%n")),
        ("unsigned_index", ("ult", "%m")),
    ],
)
def test_not_past_the_bound_in_64_bits(kind: str, expected: tuple[str, str]):
    text = code_of(PREFETCHED[kind])
    assert comparisons(text) == [expected]
    if kind != "wide":
        extension = "zext" if kind == "unsigned_index" else "sext"
        assert re.search(rf"(%[\w.]+) = {extension} i32 %[\w.]+ to i64\n\s+%[\w.]+ = mul i64 \1, 6\n", text)


def test_loads_of_each_iteration_are_prefetched_under_masks():
    text = code_of(
        """for (int i = X; i < n; i += stride) {
            uint2 v = in[i];
            LONG(v.x)
            if (v.x & 8) { LONG(v.y) LONG(v.y) LONG(v.y) LONG(v.y) out[i] = v.x ^ v.y; } }""",
        "unsigned *out, const uint2 *in, int n, int stride",
    )
    assert "@llvm.masked.load.v16i32" in text
    assert prefetches(text) == 2 * 2 + 2  # of two chunks, and of one in the version with masks


def test_first_of_two_exits():
    loops = "".join(
        f"""for (int i = {k};; i += stride) {{
            AT(i + threadIdx.x)
            if (i >= n) break;
            out[i + threadIdx.x + {k}] = by;
            if (i > {k} + (int)m) break; }}"""
        for k in range(6)
    )
    assert comparisons(code_of(loops)) == [("slt", "%n")] * 6


def test_long_chains_are_followed_in_part_only():
    chain = "i ^= stride; i = i * n; " * 1000
    text = code_of(f"for (int r = 0; r < n; r += stride) {{ int i = r; {chain} AT(i + threadIdx.x) }}")
    assert text.count(" xor ") >= 1000
    assert prefetches(text) == 0


def test_runs_of_one_way_of_a_branch_are_not_prefetched_after_it():
    text = code_of(
        """int c = threadIdx.x * pitch;
        unsigned sum = 0;
        for (int r = 0; r < n; r += stride) { uint2 v = in[r + c]; LONG(v.x) sum += v.x ^ v.y; }
        out[threadIdx.x] = sum;""",
        "unsigned *out, const uint2 *in, int n, int stride, int pitch",
    )
    assert "neighbours.yes" in text
    assert "alloca ptr" not in text
    assert prefetches(text) == 2  # the first vector of each of two chunks, whose addresses the test has computed


def test_lines_in_an_iteration():
    loads = " + ".join(f"in[i + {1000 * k}]" for k in range(10))
    text = code_of(f"for (int i = X; i < n; i += stride) {{ unsigned long v = {loads}; LONG(v) out[i] = v; }}")
    assert prefetches(text) == 32


@pytest.mark.parametrize("n", [5, 4096, 10_001])
@pytest.mark.parametrize("kind", ["grid", "wide", "unsigned_index"])
def test_values(n: int, kind: str):
    data = np.random.default_rng(n).integers(0, 1 << 63, n + 100, np.uint64)
    out = np.zeros_like(data)
    compiled(PREFETCHED[kind])["kernel"][1, 256](out, data, n, 256, n, 256)
    expected = data[:n]
    for _ in range(8):
        expected = expected * expected + np.uint64(1)
        expected = expected * expected + np.uint64(3)
    assert (out[:n] == expected).all()
    assert not out[n:].any()
