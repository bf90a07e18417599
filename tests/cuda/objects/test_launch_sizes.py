# SPDX-License-Identifier: Apache-2.0
"""Block sizes that host code launches kernels with."""

from pathlib import Path

from lanewise.cuda.objects.host_code import compile_host_code
from lanewise.cuda.objects.host_compiler import HostCompiler
from lanewise.cuda.objects.launch_sizes import MOST, launch_sizes, sizes_of
from lanewise.frontend.source import Source

UNIT = "0123456789abcdef" * 2

PROGRAM = """
#define SIDE 16
__global__ void plain(int *p) {}
__global__ void shaped(int *p) {}
__global__ void called(int *p) {}
__global__ void unknown(int *p) {}
__global__ void often(int *p) {}
extern "C" __global__ void c_name() {}
template <class T, int N> __global__ void made(T x) {}
namespace inside { __global__ void named() {} }
static __global__ void hidden() {}
__global__ void too_large() {}

template <int N> void helper(int *p) { often<<<1, N>>>(p); }

int main(int count, char **) {
  int *p = nullptr, threads = 128;
  dim3 block(SIDE, SIDE / 2), grid(count);
  plain<<<count, threads>>>(p);
  plain<<<count, count>>>(p);
  for (int i = 0; i < count; ++i) {
    shaped<<<grid, block, count>>>(p);
    shaped<<<2, dim3(4, 2, 3), 0, nullptr>>>(p);
  }
  void *arguments[] = {&p};
  cudaLaunchKernel((const void *)called, grid, dim3(96), arguments, 0, nullptr);
  unknown<<<1, count>>>(p);
  helper<32>(p), helper<64>(p), helper<96>(p), helper<128>(p), helper<160>(p), helper<32>(p);
  c_name<<<1, 8>>>();
  made<float, 3><<<1, 48>>>(1.5f);
  inside::named<<<1, 56>>>();
  hidden<<<1, 40>>>();
  too_large<<<1, 1025>>>();
}
"""


def test_sizes_that_are_constants(compiler: HostCompiler) -> None:
    made = compile_host_code(Source(PROGRAM, Path(__file__)), UNIT, "sm_80", ("-O2",), compiler)
    assert launch_sizes(made.ir.decode()) == {
        "_Z5plainPi": ((128, 1, 1),),
        "_Z6shapedPi": ((16, 8, 1), (4, 2, 3)),
        "_Z6calledPi": ((96, 1, 1),),
        "_Z5oftenPi": ((32, 1, 1), (64, 1, 1), (96, 1, 1), (128, 1, 1)),
        "c_name": ((8, 1, 1),),
        "_Z4madeIfLi3EEvT_": ((48, 1, 1),),
        "_ZN6inside5namedEv": ((56, 1, 1),),
        "_ZL6hiddenv": ((40, 1, 1),),
    }
    assert MOST == 4


def test_kernels_of_several_files_have_longer_names() -> None:
    sizes = {"_ZL6hiddenv": ((40, 1, 1),)}
    assert sizes_of(sizes, "_ZL6hiddenv") == ((40, 1, 1),)
    assert sizes_of(sizes, "_ZL6hiddenv__static__0a1b") == ((40, 1, 1),)
    assert sizes_of(sizes, "_ZL6hiddenvx") == ()
