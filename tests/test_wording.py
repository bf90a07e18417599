# SPDX-License-Identifier: Apache-2.0
"""Messages use the terms of the source's language."""

import pytest

import lanewise as lw
from lanewise.wording import worded


@pytest.mark.parametrize(
    ("text", "in_cuda"),
    [
        ("65 work-items of a work-group", "65 threads of a block"),
        ("Work-groups end.", "Blocks end."),
        ("it was in a work-group.", "it was in a block."),
        ("at /src/work-items/k.cu:3, work-item 0", "at /src/work-items/k.cu:3, thread 0"),
        ("at work-item.cu:3", "at work-item.cu:3"),
        ("no network-groups", "no network-groups"),
    ],
)
def test_terms(text: str, in_cuda: str):
    assert worded(text, "cuda") == in_cuda
    assert worded(text, "opencl") == text


CUDA = "__global__ void k(int *p) { int i = p[threadIdx.x]; while (i > 1) i /= 2; p[threadIdx.x] = i; }"
IR = lw.compile(f'extern "C" {CUDA}', language="cuda").ir()
OPENCL = "__kernel void k(__global int *p) { int j = get_local_id(0), i = p[j]; while (i > 1) i /= 2; p[j] = i; }"


@pytest.mark.parametrize(
    ("source", "language", "one", "several"),
    [(CUDA, "cuda", "thread", "block"), (IR, "ir", "thread", "block"), (OPENCL, "opencl", "work-item", "work-group")],
)
def test_by_the_module_s_language(source: str, language: str, one: str, several: str):
    kernel = lw.compile(source, language=language)["k"]
    for call in (lambda: kernel.info((64, 1000)), lambda: kernel[1, (64, 1000)](None)):
        with pytest.raises(lw.LaunchError, match=rf"has 64000 {one}s; a {several} has at most"):
            call()
    assert f"of the {one}s side by side" in "".join(kernel.remarks(64))
    assert f"memory of a {several}" in str(kernel.info(64))
