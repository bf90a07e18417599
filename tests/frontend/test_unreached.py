# SPDX-License-Identifier: Apache-2.0
"""What is dropped from a module before it is read, and what must stay."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda
from lanewise.frontend.metadata_nodes import with_nodes_in_order
from lanewise.frontend.unreached import without_unreached
from lanewise.ir.reader import read_module

MODULE = """\
target triple = "nvptx64-nvidia-cuda"
@word = private unnamed_addr constant [2 x i8] c"a\\00"
@unused.word = private unnamed_addr constant [2 x i8] c"b\\00"
@counter = addrspace(1) externally_initialized global i32 0
@chosen = addrspace(1) externally_initialized global ptr @by_variable

; Function Attrs: convergent
define ptx_kernel void @k(ptr %p) #0 !dbg !3 {
  call void @direct(ptr %p)
  store ptr @by_pointer, ptr %p
  store ptr @word, ptr %p
  ret void
}

; Function Attrs: convergent
define void @direct(ptr %p) #0 {
  call void @declared()
  ret void
}

declare void @declared()

define void @by_pointer(ptr %p) #0 {
  ret void
}

define void @by_variable(ptr %p) #0 {
  ret void
}

; Function Attrs: convergent
define void @unused(ptr %p) #0 !dbg !4 {
  call void @"only by unused"()
  call void @declared.for.unused()
  store ptr @unused.word, ptr %p
  store i32 1, ptr addrspacecast (ptr addrspace(1) @counter to ptr)
  ret void
}

define internal void @"only by unused"() {
  call void @unused(ptr null)
  ret void
}

declare void @declared.for.unused()

define void @by_metadata() {
  ret void
}

attributes #0 = { convergent }

!named = !{!0}
!0 = !{ptr @by_metadata}
!1 = !{!"of nothing"}
!3 = distinct !DISubprogram(name: "k", type: !5)
!4 = distinct !DISubprogram(name: "unused", type: !6)
!5 = !{!"of k"}
!6 = !{!"of unused"}
"""


def test_what_no_kernel_reaches_goes() -> None:
    text = with_nodes_in_order(without_unreached(MODULE))
    symbols = read_module(text).symbols
    assert set(symbols) == {
        "word", "counter", "chosen", "k", "direct", "declared", "by_pointer", "by_variable", "by_metadata",
    }  # fmt: skip
    assert text.count("; Function Attrs") == 2
    assert re.findall(r"^!(\w+) = ", text, re.MULTILINE) == ["named", "0", "1", "2"]
    assert "of unused" not in text
    assert "of k" in text


def test_what_is_reached_stays_as_it_is_written() -> None:
    text = without_unreached(MODULE)
    assert without_unreached(text) == text
    assert set(text.splitlines()) <= set(MODULE.splitlines())


def test_a_module_without_kernels_stays_whole() -> None:
    library = MODULE.replace("ptx_kernel ", "")
    assert without_unreached(library) == library


CUDA = """
struct Shape { __device__ virtual int area(int x) { return x; } };
struct Square : Shape { __device__ int area(int x) override { return x * x; } };
__device__ int twice(int x) { return 2 * x; }
__device__ int thrice(int x) { return 3 * x; }
__device__ int never(int x) { return x; }
__device__ float never_either(float x) { Shape s; Shape *p = &s; return never(1) + p->area(2) + erfcf(x); }
__device__ int (*const table[])(int) = {twice};
__device__ int (*chosen)(int) = thrice;
__global__ void k(int *p) { Square s; Shape *q = &s; p[0] = q->area(p[1]) + table[p[2]](3); }
"""

OPENCL = """
float never(float x) { return erfc(x); }
static float used(float x) { return x + 1; }
kernel void k(global float *p) { p[0] = used(p[0]); }
"""


def _cuda() -> str:
    return compile_cuda(Source(CUDA), CudaOptions()).text


def _opencl() -> str:
    from lanewise.cache import Cache
    from lanewise.frontend.opencl import OpenClOptions, compile_opencl

    return compile_opencl(OPENCL, None, OpenClOptions(), Cache(None)).text


@pytest.mark.parametrize(
    ("text", "kept", "gone"),
    [
        (_cuda, "twice thrice area Square table chosen", "never erfcf"),
        (_opencl, "used", "never erfc"),
    ],
)
def test_functions_of_programs(text: Callable[[], str], kept: str, gone: str) -> None:
    ir = text()
    symbols = " ".join(re.findall(r"^(?:define[^@\n]*|declare[^@\n]*)?@([\w$.]+)", ir, re.MULTILINE))
    assert all(name in symbols for name in kept.split())
    assert not any(name in ir for name in gone.split())
