# SPDX-License-Identifier: Apache-2.0
"""Brackets of launches that a formatter has taken apart."""

import pytest

from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda
from lanewise.frontend.cuda.launch_brackets import joined_launches


@pytest.mark.parametrize(
    ("written", "joined"),
    [
        ("k << <1, 2 >> > (p);", "k <<< 1, 2  >>> (p);"),
        ("k<< <dim3(1), n * sizeof(int)>> >(p);", "k<<< dim3(1), n * sizeof(int) >>>(p);"),
        ("k<<<1, 2>> >(p);", "k<<<1, 2 >>>(p);"),
        ("k<t<2> > << <\n  g(1),\n  b>> >\n  (p);", "k<t<2> > <<< \n  g(1),\n  b >>>\n  (p);"),
    ],
)
def test_brackets_are_joined_in_place(written: str, joined: str):
    assert joined_launches(written) == joined
    assert len(written) == len(joined)


@pytest.mark.parametrize(
    "text",
    [
        "k<<<1, 2>>>(p);",
        "a << b; c >> d; e > (f);",
        "vector<vector<vector<int> > > (3);",
        "operator<< <int>(out, 3); x >> y > (z);",
        "if (a << b < c) { d >> e; }",
    ],
)
def test_the_rest_stays(text: str):
    assert joined_launches(text) == text


def test_a_template_that_only_such_a_launch_instantiates():
    source = """
        template <typename T> __global__ void fill(T *p) { *p = 1; }
        void host(float *p) { fill<float> << < 1, 2 >> > (p); }
    """
    kernels = compile_cuda(Source(source), CudaOptions()).kernels
    assert [k.qualified for k in kernels] == ["fill<float>"]
