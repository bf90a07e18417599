# SPDX-License-Identifier: Apache-2.0
"""What of a module stays visible in PTX, and what goes."""

from __future__ import annotations

import re

from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda
from lanewise.pipelines.gpu import compile_ptx

SOURCE = """
__device__ int counter = 3;
__constant__ float weights[4];
static __device__ int hidden;
static __device__ const int known = 5;
template <typename T> __device__ T shared_by_templates;
extern __shared__ float dynamic[];

__device__ __noinline__ int called(int x) { return x * x + hidden + known; }
__device__ int never_called(int x) { return x - 1; }
inline __device__ int inlined(int x) { return x + 1; }

__global__ void plain(int *p) {
  __shared__ int tile[32];
  tile[threadIdx.x] = called(inlined(p[0]));
  __syncthreads();
  dynamic[threadIdx.x] = weights[threadIdx.x & 3] * tile[31 - threadIdx.x];
  p[threadIdx.x] = atomicAdd(&counter, 1) + (int)dynamic[0] + shared_by_templates<int>;
}

template <typename T> __global__ void __launch_bounds__(256) templated(T *p) { p[0] = 1; }
template __global__ void templated<float>(float *);
static __global__ void local_kernel(int *p) { *p = hidden; }
void host(int *p) { local_kernel<<<1, 1>>>(p); }
"""


def ptx() -> str:
    return compile_ptx(compile_cuda(Source(SOURCE), CudaOptions()).text, "sm_80")


def test_kernels_are_the_visible_entries() -> None:
    assert re.findall(r"^\.visible \.entry (\w+)\(", ptx(), re.MULTILINE) == [
        "_Z5plainPi",
        "_Z9templatedIfEvPT_",
        "_ZL12local_kernelPi",
    ]


def test_functions_stay_only_where_called_and_are_not_visible() -> None:
    text = ptx()
    assert "never_called" not in text
    assert "inlined" not in text
    assert re.findall(r"^(.*\.func.*)$", text, re.MULTILINE) == [".func  (.param .b32 func_retval0) _Z6calledi("]


def test_variables_of_the_host_are_visible() -> None:
    text = ptx()
    visible = re.findall(r"^\.visible \.(global|const) .*?(\w+)(?:\[\d+\])?(?: = .*)?;$", text, re.MULTILINE)
    assert visible == [
        ("global", "counter"),
        ("const", "weights"),
        ("global", "_ZL6hidden"),
        ("global", "_Z19shared_by_templatesIiE"),
    ]
    assert "_ZL5known" not in text
    assert re.search(r"^\.extern \.shared .* dynamic\[\];$", text, re.MULTILINE)


def test_bounds_are_stated() -> None:
    assert ".maxntid 256" in ptx()


def test_limits_of_resident_blocks_and_registers_are_stated() -> None:
    """All kernels get those of their own, and PTX has no loop that ptxas may unroll against the program's word."""
    source = """
__global__ void __launch_bounds__(128, 4) resident(int *p) { *p = 1; }
__global__ void __maxnreg__(40) limited(int *p) { *p = 1; }
__global__ void __launch_bounds__(256, 2, 4) rolled(int *p, int n) {
#pragma unroll 1
  for (int i = 0; i < n; i++) p[i * 7] += p[i * 7 + threadIdx.x];
}
"""
    text = compile_ptx(compile_cuda(Source(source), CudaOptions(arch="sm_90")).text, "sm_90")
    entries = text.split(".entry ")[1:]
    directives = [re.findall(r"^\.(max\w+ \d+|minn\w+ \d+)", entry, re.MULTILINE) for entry in entries]
    assert directives == [
        ["maxntid 128", "minnctapersm 4"],
        ["maxnreg 40"],
        ["maxntid 256", "minnctapersm 2", "maxclusterrank 4"],
    ]
    assert text.count('.pragma "nounroll"') == 1


def test_no_debug_information() -> None:
    text = ptx()
    assert not re.search(r"\.(loc|file|section)\b|debug", text)


def test_deterministic() -> None:
    assert ptx() == ptx()


def test_comdats_target_attributes_and_lists_of_used_symbols_go() -> None:
    module = """
$f = comdat any
@llvm.compiler.used = appending global [1 x ptr] [ptr @f], section "llvm.metadata"
define linkonce_odr hidden i32 @f(i32 %x) #0 comdat {
  ret i32 %x
}
define weak_odr ptx_kernel void @k(ptr %p) #0 comdat($f) {
  %x = call i32 @f(i32 1) #1
  store i32 %x, ptr %p
  ret void
}
attributes #0 = { "target-cpu"="sm_90a" "target-features"="+ptx80,+sm_90a" }
attributes #1 = { nounwind }
"""
    text = compile_ptx(module, "sm_80")
    assert ".target sm_80\n" in text
    assert ".visible .entry k(" in text
    assert ".func" not in text


def test_addresses_of_functions_are_in_global_memory() -> None:
    source = """
    using Operation = int (*)(int);
    __device__ int twice(int x) { return 2 * x; }
    __device__ int square(int x) { return x * x; }
    struct Rule { int kind; Operation apply; };
    __device__ const Rule rules[] = {{1, twice}, {2, square}, {3, nullptr}};
    __constant__ Operation operations[2] = {square, twice};
    __constant__ int numbers[2] = {3, 4};
    __global__ void k(int *p, int i) {
      if (rules[i].apply)
        *p = rules[i].apply(*p) + operations[i & 1](numbers[i & 1]);
    }"""
    text = compile_ptx(compile_cuda(Source(source), CudaOptions()).text, "sm_80")
    spaces = {name: space for space, name in re.findall(r"\.(global|const) .*?(rules|operations|numbers)\[", text)}
    assert spaces == {"rules": "global", "operations": "global", "numbers": "const"}
