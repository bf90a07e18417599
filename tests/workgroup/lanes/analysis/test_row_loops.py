# SPDX-License-Identifier: Apache-2.0
"""Loops along rows of memory, by several elements: which they are, and that they compute the same."""

import numpy as np
import pytest

import lanewise as lw
from lanewise.workgroup.lanes.analysis.row_loops import ELEMENTS

ROWS, WIDE, BLOCK = 75, 24, 64
"""Rows of the matrix, its columns, and work-items of a group."""

WALKS = {
    "from_0": "for (int k = 0; k < n; ++k) sum = 3 * sum + row[k] * x[k];",
    "by_unsigned": "for (unsigned k = 0; k != (unsigned)n; ++k) sum = 3 * sum + row[k];",
    "by_long": "for (long k = 0; k < n; ++k) sum = 3 * sum + row[k];",
    "by_pointer": "const int *end = x + n; for (const int *p = row; x < end; ++x, ++p) sum = 3 * sum + *p;",
    "until_pointer": "const int *p = row, *end = x + n; for (; x != end; ++x) sum = 3 * sum + *p++;",
    "past_the_end_of_int": "for (unsigned k = first - 6u; k != (unsigned)n; ++k) sum = 3 * sum + *row++;",
    "sum_in_memory": "for (int k = 0; k < n; ++k) out[i] = sum = 3 * sum + row[k];",
    "quotients": "for (int k = 0; k < n; ++k) sum = 3 * sum + row[k] / (x[k] + 1);",
    "until_unsigned": "for (unsigned k = first; k != (unsigned)max(first, n); ++k) sum = 3 * sum + row[k];",
    "unsigned_once": "unsigned k = first; do { sum = 3 * sum + row[k]; } while (++k < n);",
    "downwards": "for (int k = n - 1; k >= 0; --k) sum = 3 * sum + row[k];",
    "count_down": "const int *p = row; for (int k = n; k > first; --k) sum = 3 * sum + *p++;",
    "rest_of_it": "const int *p = row; int left = n; while (left--) sum = 3 * sum + *p++;",
    "by_an_unsigned_row": "for (int k = 0; k < n; ++k) sum = 3 * sum + matrix[(unsigned)i * wide + k];",
    "from_further": "for (int k = first; k < n; ++k) sum = 3 * sum + row[k];",
    "at_least_once": "int k = first; do { sum = 3 * sum + row[k]; ++k; } while (k < n);",
    "up_to_most": "int k = first; do { sum = 3 * sum + row[k]; } while (++k <= n - 1);",
    "value_behind": "int k = first, last = 5; for (; k < n; ++k) { last = row[k]; sum = last - sum; } sum += k + last;",
    "two_values": "unsigned a = 1, b = i;"
                  " for (int k = 0; k < n; ++k) { unsigned t = a; a = b; b = t ^ row[k]; } sum = a - 7 * b;",
    "two_rows": "for (int k = 0; k < n; ++k) sum = sum * row[k] + matrix[(i / 2) * wide + k];",
    "one_behind": "for (int k = 0; k < n; ++k) sum = 5 * sum + row[k];"
                  " for (int k = first; k < n; ++k) sum = 3 * sum + row[k];",
    "within_another": "for (int j = 0; j < 3; ++j) for (int k = j; k < n; ++k) sum = 3 * sum + row[k] * x[j];",
    "by_a_uniform_bound": "for (int k = first; k < x[0] % 20; ++k) sum = 3 * sum + row[k];",
    "behind_a_branch": "if (i % 3) for (int k = 0; k < n; ++k) sum = 3 * sum + row[k]; else sum = 4;",
    "by_two": "for (int k = 0; k < n; k += 2) sum = 3 * sum + row[k];",
    "every_second": "for (int k = 0; k < n / 2; ++k) sum = 3 * sum + row[2 * k];",
    "by_fours": "const int4 *fours = (const int4 *)row;"
                " for (int k = 0; k < n / 4; ++k) { int4 v = fours[k]; sum = sum + v.x * 3 + v.y * 5 - v.z + v.w; }",
}  # fmt: skip
"""Bodies of a kernel in which lanes walk along rows; `n` elements, or from `first` on."""

OTHERS = {
    "own_bound": "for (int k = 0; k < n - i % 2; ++k) sum = 3 * sum + row[k];",
    "own_start": "for (int k = i % 2; k < n; ++k) sum = 3 * sum + row[k];",
    "leaves_early": "for (int k = 0; k < n; ++k) { if (row[k] == 7) break; sum = 3 * sum + row[k]; }",
    "columns": "for (int k = 0; k < n; ++k) sum = 3 * sum + matrix[k * ROWS + i];",
    "same_for_all": "for (int k = 0; k < n; ++k) sum = 3 * sum + x[k];",
    "every_fourth": "for (int k = 0; k < n / 4; ++k) sum = 3 * sum + row[4 * k];",
    "every_sixth": "for (int k = 0; k < n / 6; ++k) sum = 3 * sum + row[6 * k];",
    "writes": "for (int k = 0; k < n; ++k) *(volatile int *)(out + i) = sum = 3 * sum + row[k];",
    "reads_anew": "for (int k = 0; k < n; ++k) sum = 3 * sum + *(volatile const int *)(row + k);",
    "by_a_table": "for (int k = 0; k < n; ++k) sum = 3 * sum + row[x[k] % 20];",
}
"""Bodies with loops that stay as they are."""


def kernel(name: str, body: str) -> str:
    return f"""__global__ void {name}(int *out, const int *matrix, const int *x, int wide, int first, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= ROWS) return;
    const int *row = matrix + i * wide;
    unsigned sum = 1;
    {body}
    out[i] = sum;
}}"""


SOURCE = "\n".join([f"#define ROWS {ROWS}", *(kernel(n, b) for n, b in {**WALKS, **OTHERS}.items())])
MAPPINGS = ["lanes:16x1", "lanes:8x2", "lanes:4x1", "auto", "loop"]
REMARK = f"loops along rows by {ELEMENTS} elements"


@pytest.fixture(scope="module")
def modules() -> dict[str, lw.Module]:
    return {mapping: lw.compile(SOURCE, language="cuda", mapping=mapping) for mapping in MAPPINGS}


@pytest.mark.parametrize("name", WALKS)
def test_lanes_walk_along_rows(modules: dict[str, lw.Module], name: str):
    assert any(REMARK in remark for remark in modules["lanes:16x1"][name].remarks(BLOCK))
    assert not any(REMARK in remark for remark in modules["loop"][name].remarks(BLOCK))


@pytest.mark.parametrize("name", OTHERS)
def test_other_loops_stay(modules: dict[str, lw.Module], name: str):
    assert not any(REMARK in remark for remark in modules["lanes:16x1"][name].remarks(BLOCK))


RECORDS = {"every_second": 2 * ELEMENTS - 1, "by_two": 2 * ELEMENTS - 1, "by_fours": 4 * ELEMENTS}
"""Elements from the first to the last that are loaded of a row at once, where these aren't one behind the other."""


@pytest.mark.parametrize("name", WALKS)
def test_a_row_is_loaded_from_once_for_several_elements(modules: dict[str, lw.Module], name: str):
    text = modules["lanes:8x2"].ir("work-group", name, BLOCK)
    assert f"load <{RECORDS.get(name, ELEMENTS)} x i32>" in text


@pytest.mark.parametrize("name", [*WALKS, *OTHERS])
def test_values(modules: dict[str, lw.Module], name: str):
    rng = np.random.default_rng(11)
    matrix = rng.integers(0, 99, (ROWS + 1) * WIDE, np.int32)
    x = rng.integers(0, 99, 2 * WIDE, np.int32)
    grid = -(-ROWS // BLOCK)
    for first, n in [(0, 0), (0, 3), (0, 4), (0, 7), (0, 20), (1, 8), (2, 5), (5, 5), (9, 4), (4, 21)]:
        found: dict[str, list[int]] = {}
        for mapping, module in modules.items():
            out = np.zeros(ROWS, np.int32)
            module[name][grid, BLOCK](out, matrix, x, WIDE, first, n)
            found[mapping] = out.tolist()
        out = np.zeros(ROWS, np.int32)
        modules["auto"][name].launch(grid, BLOCK, (out, matrix, x, WIDE, first, n), device="reference")
        assert all(values == out.tolist() for values in found.values()), (first, n)


@pytest.mark.parametrize("ctype", ["double", "float", "long long", "short", "unsigned char"])
@pytest.mark.parametrize("mapping", ["lanes:16x1", "lanes:8x4", "lanes:4x2"])
def test_rows_of_other_types(ctype: str, mapping: str):
    source = f"""__global__ void sums({ctype} *out, const {ctype} *matrix, int wide, int n) {{
        {ctype} sum = 1;
        for (int k = 0; k < n; ++k) sum = ({ctype})(sum * 3 / 2 + matrix[threadIdx.x * wide + k]);
        out[threadIdx.x] = sum;
    }}"""
    kernel = lw.compile(source, language="cuda", mapping=mapping)["sums"]
    assert any(REMARK in remark for remark in kernel.remarks(40))
    dtype = np.dtype({"float": "f4", "long long": "i8", "unsigned char": "u1"}.get(ctype, ctype))
    matrix = np.random.default_rng(3).integers(0, 99, 40 * WIDE).astype(dtype)
    for n in (0, 3, 4, 9, 17):
        out, wanted = np.zeros(40, dtype), np.zeros(40, dtype)
        kernel.launch(1, 40, (out, matrix, WIDE, n), device="cpu")
        kernel.launch(1, 40, (wanted, matrix, WIDE, n), device="reference")
        assert out.tobytes() == wanted.tobytes()


def test_code_that_no_lanes_can_run_stays_as_it_is():
    source = kernel("knot", f"{WALKS['from_0']} if (i & 1) goto in; again: sum += i; in: if (++sum < 9) goto again;")
    knot = lw.compile(f"#define ROWS {ROWS}\n{source}", language="cuda", mapping="lanes:8x1")
    assert "a loop over threads" in knot["knot"].remarks(BLOCK)[0]
    assert "several" not in knot.ir("work-group", block=BLOCK)
