# SPDX-License-Identifier: Apache-2.0
"""Work-item functions (6.12.1) of plain launches, of those with an offset, and where the last groups are smaller."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.frontend.opencl.running import DEVICES

import lanewise as lw

QUERIES = ("global_id", "local_id", "group_id", "global_size", "local_size", "num_groups", "global_offset")
TEXT = f"""kernel void k(global ulong *out) {{
  size_t at = (get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) - get_global_offset(1);
  at = at * get_global_size(0) + get_global_id(0) - get_global_offset(0);
  for (uint d = 0; d < 4; ++d) {{
    {"".join(f"out[(at * 4 + d) * {len(QUERIES)} + {i}] = get_{query}(d);" for i, query in enumerate(QUERIES))}
  }}
}}"""


@pytest.mark.parametrize(("size", "local", "offset"), [
    ((12, 1, 1), (4, 1, 1), (0, 0, 0)),
    ((6, 4, 2), (3, 2, 1), (0, 0, 0)),
    ((6, 4, 2), (3, 2, 2), (100, 7, 5)),
    ((7, 5, 3), (4, 2, 2), (0, 0, 0)),
    ((7, 5, 3), (4, 2, 2), (1, 2, 3)),
])  # fmt: skip
def test_queries(size: tuple[int, int, int], local: tuple[int, int, int], offset: tuple[int, int, int]):
    kernel = lw.compile(TEXT, language="opencl")["k"]
    x, y, z = size
    wanted = np.zeros((z, y, x, 4, len(QUERIES)), np.uint64)
    wanted[..., 3, :] = (0, 0, 0, 1, 1, 1, 0)  # there is no fourth dimension
    for item in itertools.product(range(x), range(y), range(z)):
        for d in range(3):
            groups, group = -(-size[d] // local[d]), item[d] // local[d]
            here = min(local[d], size[d] - group * local[d])
            answers = (offset[d] + item[d], item[d] % local[d], group, size[d], here, groups, offset[d])
            wanted[item[2], item[1], item[0], d] = answers
    for device in DEVICES:
        out = np.zeros_like(wanted)
        kernel.ndrange(size, local, offset, device=device)(out)
        np.testing.assert_array_equal(out, wanted, device)


LINEAR = """kernel void k(global ulong *out) {
  size_t at = get_global_linear_id();
  out[5 * at] = at + 1;
  out[5 * at + 1] = get_local_linear_id();
  for (uint d = 0; d < 3; ++d) out[5 * at + 2 + d] = get_enqueued_local_size(d);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
}"""


@pytest.mark.parametrize(("size", "local", "offset"), [
    ((6, 4, 2), (3, 2, 1), (0, 0, 0)),
    ((7, 5, 3), (4, 2, 2), (1, 2, 3)),
])  # fmt: skip
def test_linear_ids(size: tuple[int, int, int], local: tuple[int, int, int], offset: tuple[int, int, int]):
    kernel = lw.compile(LINEAR, language="opencl", options=["-cl-std=CL2.0"])["k"]
    x, y, z = size
    wanted = np.zeros((z, y, x, 5), np.uint64)
    for number, (k, j, i) in enumerate(itertools.product(range(z), range(y), range(x))):
        here = [min(n, s - at // n * n) for n, s, at in zip(local, size, (i, j, k), strict=True)]
        place = (k % local[2] * here[1] + j % local[1]) * here[0] + i % local[0]
        wanted[k, j, i] = (number + 1, place, *local)
    for device in DEVICES:
        out = np.zeros_like(wanted)
        kernel.ndrange(size, local, offset, device=device)(out)
        np.testing.assert_array_equal(out, wanted, device)
