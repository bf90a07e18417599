# SPDX-License-Identifier: Apache-2.0
"""Every mistake gives one `lw.Error` that names the thing and the rule, and the next launch works."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__global__ void twice(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
__global__ void too_much_shared(int *out) {
    __shared__ int s[100000];
    s[threadIdx.x] = 1; __syncthreads(); *out = s[threadIdx.x ^ 1];
}
"""
X = np.arange(8, dtype=np.float32)


def launch(module: lw.Module, *arguments: Any, grid: Any = 1, block: Any = 8, **options: Any) -> np.ndarray:
    y = np.zeros(8, np.float32)
    module["twice"].launch(grid, block, arguments or (y, X, 8), **options)
    return y


@pytest.fixture
def module(compile_cuda: Callable[[str], lw.Module]) -> Iterator[lw.Module]:
    """A module that still works after whatever a test has done to it."""
    module = compile_cuda(SOURCE)
    before = launch(module)
    yield module
    assert (launch(module) == before).all()
    assert (before == 2 * X).all()


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        (lambda m: m["trice"], "has no kernel 'trice'; its kernels: twice, too_much_shared"),
        (lambda m: launch(m, X), r"kernel twice takes 3 arguments, not 1: float \*y, const float \*x, int n"),
        (lambda m: launch(m, X, X, 8, 9), r"kernel twice takes 3 arguments, not 4"),
        (
            lambda m: launch(m, X.astype(float), X, 8),
            r"argument 'y': float \* needs an array of dtype float32, not float64",
        ),
        (lambda m: launch(m, X[::2], X, 4), "argument 'y': the array is not C-contiguous"),
        (lambda m: launch(m, np.broadcast_to(X, (2, 8)), X, 8), "argument 'y': the array is not C-contiguous"),
        (lambda m: launch(m, np.frombuffer(bytes(32), np.float32), X, 8), "argument 'y': the array is read-only"),
        (lambda m: launch(m, X, X, 8.0), "argument 'n': expected an integer for int, not float 8.0"),
        (lambda m: launch(m, grid=0), r"grid \(0\): x must be 1 to 2147483647, not 0"),
        (lambda m: launch(m, grid=(1, -1)), r"grid \(1, -1\): y must be 1 to 65535, not -1"),
        (lambda m: launch(m, block=1025), r"block \(1025\): x must be 1 to 1024, not 1025"),
        (lambda m: launch(m, block=(64, 32)), "has 2048 threads; a block has at most 1024"),
        (lambda m: launch(m, shared=300_000), "300000 of dynamic shared memory are more than the 232448"),
        (lambda m: launch(m, shared=2**60), "of dynamic shared memory are more than the 232448"),
        (lambda m: launch(m, shared=-1), "shared must be a number of bytes, 0 or more, not -1"),
        (lambda m: launch(m, shared="1"), "shared must be a number of bytes, 0 or more, not '1'"),
        (lambda m: m["too_much_shared"][1, 2](np.zeros(1, np.int32)), "400000 bytes of static .* more than the 232448"),
        (
            lambda m: launch(m, device="gpu:7"),
            "no device is called 'gpu:7'; the devices are cpu, reference, simt, cuda",
        ),
        (lambda m: launch(m, device=3), "a device is a name or what"),
        (lambda m: lw.device(3), "no device is called '3'; the devices are cpu"),  # type: ignore[arg-type]
        (lambda m: launch(m, stream=1), "stream must be an lw.Stream or None, not 1"),
        (lambda m: m["twice"].launch(1, 1, None), "arguments must be a tuple or a list"),
        (lambda m: m["twice"](X, X, 8), r"kernel twice: write k\[grid, block\]\(...\), not k\(...\)"),
        (lambda m: m.variable("nope"), "no __device__ or __constant__ variable 'nope'"),
        (lambda m: m.ir("nope"), "no step is called 'nope'; the steps are 'front-end', 'contract-multiply-add', "),
        (lambda m: m.ir("simplify"), "has 2 kernels; say which: twice, too_much_shared"),
        (lambda m: m.asm("nope"), "has no kernel 'nope'"),
        (lambda m: m.asm("twice", 0), r"block \(0\): x must be 1 to 1024"),
        (lambda m: m.ptx("sm_1"), "unknown architecture 'sm_1'; known are sm_50"),
    ],
)
def test_mistakes_with_a_module(module: lw.Module, mistake: Callable[[lw.Module], object], said: str):
    with pytest.raises(lw.Error, match=said):
        mistake(module)


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        (lambda: lw.compile("no_such_file.cu"), "^no_such_file.cu: no such file$"),
        (lambda: lw.compile("/no_such_folder/k.ptx", language="ptx"), "^/no_such_folder/k.ptx: no such file$"),
        (
            lambda: lw.compile("pyproject.toml"),
            r"pyproject.toml: the end of the name \('.toml'\) tells no language; known are cuda \(.cu, .cuh\), opencl",
        ),
        (lambda: lw.compile("void k() {}\n"), r"the language of the source text \('void k\(\) \{\}'\) can't be told"),
        (lambda: lw.compile("kernel", language="fortran"), "language 'fortran': expected one of cuda, ir"),
        (lambda: lw.compile("kernel", language="python"), r"mark the function with @lw\.jit"),
        (lambda: lw.compile("void f() {", language="cuda"), r"<source>:1:11: error: expected '}'"),
        (lambda: lw.compile("no IR", language="ir"), "line 1"),
        (lambda: lw.compile("", language="cuda", arch="sm_1"), "unknown architecture 'sm_1'"),
        (lambda: lw.compile("", language="cuda", arch=cast(Any, 80)), "arch must be a name such as 'sm_80', not 80"),
        (lambda: lw.compile("", language="cuda", options=["-fno-such"]), "unknown argument: '-fno-such'"),
        (lambda: lw.compile("", language="cuda", options="-O3"), "options must be a list"),
        (lambda: lw.compile("", language="cuda", include_dirs="/tmp"), "include_dirs must be a list"),
        (lambda: lw.compile("", language="cuda", defines={"A B": 1}), "'A B' is not the name of a macro"),
        (lambda: lw.compile("", language="cuda", defines={"": 1}), "'' is not the name of a macro"),
        (lambda: lw.compile(cast(Any, None)), "source must be a path or source text, not NoneType"),
        (lambda: lw.compile(cast(Any, b""), language="cuda"), "source must be a path or source text, not bytes"),
        (lambda: lw.device("gpu"), "no device is called 'gpu'; the devices are cpu, reference, simt"),
        (lambda: lw.to_device(X, "gpu"), "no device is called 'gpu'"),
    ],
)
def test_mistakes_before_there_is_a_module(mistake: Callable[[], object], said: str):
    with pytest.raises(lw.Error, match=said):
        mistake()


def test_a_diagnostic_has_file_line_and_column(tmp_path: Path):
    path = tmp_path / "broken.cu"
    path.write_text("__global__ void k(int *p) {\n    *p = missing;\n}\n")
    with pytest.raises(lw.CompileError) as error:
        lw.compile(path)
    assert error.value.diagnostics == (f"{path}:2:10: error: use of undeclared identifier 'missing'",)
    assert str(error.value).startswith(f"{path}:2:10: error: ")


def test_a_file_that_is_no_text(tmp_path: Path):
    path = tmp_path / "binary.cu"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(lw.CompileError, match=f"{path}: can't be read"):
        lw.compile(path)


def test_a_folder_is_no_source(tmp_path: Path):
    (tmp_path / "folder.cu").mkdir()
    with pytest.raises(lw.CompileError, match="can't be read"):
        lw.compile(tmp_path / "folder.cu")


@pytest.mark.parametrize(
    ("declared", "body", "said"),
    [
        ("__device__ int f(int);", "*o = f(1);", r"k.*calls .*f.*declared but defined nowhere"),
        (
            "struct A { virtual __device__ ~A() {} }; struct B : A {};",
            "*o = dynamic_cast<B *>((A *)o) != 0;",
            "kernel k uses dynamic_cast, which needs type information at run time",
        ),
        ("", 'asm("tcgen05.wait::ld.sync.aligned;");', r"inline assembly .* can't run on the CPU"),
    ],
)
def test_what_the_cpu_can_not_do_is_named(declared: str, body: str, said: str):
    module = lw.compile(f"{declared} __global__ void k(int *o) {{ {body} }}", language="cuda")
    for _ in range(2):
        with pytest.raises(lw.CompileError, match=said):
            module["k"][1, 1](np.zeros(1, np.int32))


def test_private_arrays_beyond_all_memory(compile_cuda: Callable[[str], lw.Module]):
    module = compile_cuda("""
        __global__ void k(int *o, int n) {
            int a[1 << 20];
            for (int i = 0; i < n; ++i) a[i] = i + threadIdx.x;
            __syncthreads();
            o[threadIdx.x] = a[n - 1];
        }""")
    out = np.zeros(1024, np.int32)
    with pytest.raises(lw.LaunchError, match=r"MiB for its private arrays .*use smaller blocks"):
        module["k"][1, 1024](out, 4)
    module["k"][1, 4](out, 4)
    assert out[:4].tolist() == [3, 4, 5, 6]


def test_option_that_only_llvm_reads():
    with pytest.raises(lw.CompileError, match=r"Unknown command line argument '-nosuch'"):
        lw.compile("__global__ void k() {}", language="cuda", options=["-mllvm", "-nosuch"])


def test_arguments_by_name():
    module = lw.compile("__global__ void k(int n) {}", language="cuda")
    with pytest.raises(lw.LaunchError, match=r"arguments go by position, not by name \(n\)"):
        module["k"][1, 1](n=3)
    with pytest.raises(lw.Error, match=r"defines must be a dict"):
        lw.compile("__global__ void k() {}", language="cuda", defines=["X"])  # type: ignore[arg-type]
