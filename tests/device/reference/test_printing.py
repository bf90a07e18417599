# SPDX-License-Identifier: Apache-2.0
"""printf and assert."""

import numpy as np
import pytest

from lanewise.errors import LaunchError

from .conftest import Make


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (r'"plain %% text\n"', "plain % text\n"),
        (r'"%d %i %u %x %X %o|", -5, 7, -1, 255, 255, 8', "-5 7 4294967295 ff FF 10|"),
        (r'"%5d|%-5d|%05d|%+d", 42, 42, 42, 42', "   42|42   |00042|+42"),
        (r'"%lld %llu %ld %zu", -1LL, ~0ULL, 1L << 40, sizeof(int)', "-1 18446744073709551615 1099511627776 4"),
        (r'"%hhd %hd %hhu", 300, 70000, 300', "44 4464 44"),
        (r'"%f %.3f %10.2f|%e %g %G", 1.5, 3.14159f, 2.5, 12345.678, 1e-10, 1e20', "1.500000 3.142       2.50|"
         "1.234568e+04 1e-10 1E+20"),
        (r'"%a", 1.0', "0x1p+0"),
        (r'"%s|%8s|%-8s|%.2s|%s", "text", "right", "left", "cut", (char *)0', "text|   right|left    |cu|(null)"),
        (r'"%c%c", 65, 66', "AB"),
        (r'"%*d|%.*f|%-*d|", 5, 42, 2, 3.14159, 4, 7', "   42|3.14|7   |"),
        (r'"%d %f %d %lld %c", 1, 2.0, 3, 4LL, 53', "1 2.000000 3 4 5"),
        (r'"%p", (void *)4096', "0x1000"),
        (r'"100%"', "100%"),
    ],
)  # fmt: skip
def test_conversions(cuda: Make, call: str, text: str) -> None:
    kernels = cuda(f"#include <cstdio>\n__global__ void k() {{ printf({call}); }}")
    kernels("k")
    assert kernels.printed == [text]


def test_every_work_item_prints(cuda: Make) -> None:
    kernels = cuda('__global__ void k(int *n) { n[threadIdx.x] = printf("%d of %d\\n", threadIdx.x, blockDim.x); }')
    taken = np.zeros(3, np.int32)
    kernels("k", taken, block=3)
    assert kernels.printed == ["0 of 3\n", "1 of 3\n", "2 of 3\n"]
    assert taken.tolist() == [2, 2, 2]


def test_a_failed_assertion(cuda: Make) -> None:
    kernels = cuda("""
#include <cassert>
__global__ void k(int n) {
    assert(n > 3 && "too small");
}
""")
    kernels("k", 4)
    with pytest.raises(LaunchError, match=r'^<source>:3: kernel k, .*: assertion `n > 3 && "too small"` failed'):
        kernels("k", 3)
