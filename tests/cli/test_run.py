# SPDX-License-Identifier: Apache-2.0
"""`lanewise run`: arguments in, a summary and files out."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Run = Callable[[str], Any]

TYPES = """
struct Pair { int a; double b; };
__global__ void all(double *out, bool b, signed char c, unsigned long long u, _Float16 h, float4 v, Pair p) {
    double seen[] = {(double)b, (double)c, (double)u, (double)h, v.x, v.w, (double)p.a, p.b};
    for (int i = 0; i < 8; ++i) out[i] = seen[i];
}
"""
SHAPES = """
#include <cstdio>
__global__ void first(int *out) { out[threadIdx.x] = threadIdx.x; }
template <int N> __global__ void fill(int *out) { out[threadIdx.x] = N; }
extern __shared__ int scratch[];
__global__ void shared(int *out) {
    scratch[threadIdx.x] = 3 * threadIdx.x; __syncthreads();
    out[threadIdx.x] = scratch[blockDim.x - 1 - threadIdx.x];
}
__global__ void says() { printf("said by %d\\n", threadIdx.x); }
__global__ void is_null(int *out, void *p) { *out = p == nullptr; }
__global__ void grey(unsigned char *out, const unsigned char *in, int n) {
    for (int i = 0; i < n; ++i) out[i] = 255 - in[i];
}
"""


@pytest.fixture
def shapes(folder: Path) -> None:
    (folder / "shapes.cu").write_text(SHAPES)


PROGRAM = """
__global__ void k(int *p) { *p = 7; }
__global__ void l(float x) {}
int main() {}
"""


def test_one_kernel_of_a_file_with_main(run: Run, folder: Path):
    (folder / "program.cu").write_text(PROGRAM)
    assert "min 7, max 7" in run("run program.cu -k k -a zeros[1]").out
    (folder / "program.txt").write_text(PROGRAM)
    done = run("run program.txt -x cuda")
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines() == [
        "lanewise: error: program.txt has a main(), and whole programs are run from .cu files alone; this runs one "
        "kernel, with arguments",
        "  k(int *p)",
        "  l(float x)",
        "for example: lanewise run program.txt --kernel k --grid 4 --block 256 --arg p=...",
        "forms of --arg: lanewise run --help",
    ]
    (folder / "hello.txt").write_text('#include <cstdio>\n__global__ void k() { printf("hi\\n"); }\nint main() {}')
    done = run("run hello.txt -x cuda")
    assert (done.code, done.err) == (0, "note: main() of hello.txt is not run, only kernel k\n")
    assert done.out.startswith("hi\n")
    assert run("compile hello.txt -x cuda").err == ""


def test_a_result_is_shown_in_short(run: Run):
    done = run(
        "run saxpy.cu --grid 4 --block 256 --arg y=ones:f32[1000] --arg x=arange:f32[1000] --arg a=2.0 --arg n=1000"
    )
    assert (done.code, done.err) == (0, "")
    head, line = done.out.splitlines()
    assert re.fullmatch(r"saxpy\[4; 256\] on cpu: compiled in \d+ ms, ran in [\d.]+ ms", head)
    assert line == "  y  f32[1000]  min 1, max 1999  first 1 3 5 7 9 ..."


@pytest.mark.parametrize("mapping", ["auto", "loop", "lanes", "lanes:4x2"])
def test_each_mapping_gives_the_same(run: Run, mapping: str):
    done = run(f"run saxpy.cu --mapping {mapping} -g 2 -b 40 -a ones[80] -a arange[80] -a 2 -a 75")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[1] == "  y  f32[80]  min 1, max 149  first 1 3 5 7 9 ..."


def test_arguments_by_position_and_by_name(run: Run):
    done = run("run saxpy.cu -b 4 -a zeros[4] -a n=3 -a [1,2,3,4] -a 10")
    assert done.out.splitlines()[1] == "  y  f32[4]  min 0, max 30  first 10 20 30 0"


def test_all_types_of_arguments(run: Run, folder: Path):
    (folder / "types.cu").write_text(TYPES)
    done = run(
        "run types.cu -a zeros[8] -a true -a -5 -a 0xffffffffffffffff -a 0.5 -a 1,2,3,4 -a '(7, 0.25)' -s out.npy"
    )
    assert done.code == 0, done.err
    assert np.load("out.npy").tolist() == [1, -5, 2.0**64, 0.5, 1, 4, 7, 0.25]


@pytest.mark.parametrize(
    ("written", "array"),
    [
        ("zeros:i32[2,3]", np.zeros((2, 3), np.int32)),
        ("zeros[4]", np.zeros(4, np.int32)),
        ("ones:u32[4]", np.ones(4, np.uint32)),
        ("full(7)[4]", np.full(4, 7, np.int32)),
        ("arange[4]", np.arange(4, dtype=np.int32)),
        ("arange(5,-2)[4]", np.array([5, 3, 1, -1], np.int32)),
        ("[[1,2],[3,4]]", np.array([[1, 2], [3, 4]], np.int32)),
        ("@given.npy", np.array([9, 8, 7], np.int32)),
        ("@floats.npy:i32", np.array([1, 2], np.int32)),
    ],
)
def test_forms_of_arrays(run: Run, folder: Path, written: str, array: np.ndarray):
    (folder / "k.cu").write_text(
        "__global__ void k(int *p) {}" if array.dtype != np.uint32 else "__global__ void k(unsigned *p) {}"
    )
    np.save("given.npy", np.array([9, 8, 7], np.int32))
    np.save("floats.npy", np.array([1.9, 2.1]))
    done = run(f"run k.cu -a p={written} -s p.npy")
    assert done.code == 0, done.err
    stored = np.load("p.npy")
    assert stored.dtype == array.dtype
    assert stored.tolist() == array.tolist()


def test_random_numbers_follow_the_seed(run: Run, folder: Path):
    (folder / "k.cu").write_text("__global__ void k(float *f, int *i, bool *b, short *s) {}")
    seen: list[list[np.ndarray]] = []
    for seed in (1, 1, 2):
        names = "fibs"
        done = run(
            f"run k.cu --seed {seed} -a rand[1000] -a rand[1000] -a rand[1000] -a rand(-3,3)[1000] "
            + " ".join(f"-s {name}.npy" for name in names)
        )
        assert done.code == 0, done.err
        seen.append([np.load(f"{name}.npy") for name in names])
    floats, integers, bools, shorts = seen[0]
    assert 0 <= floats.min() < 0.1 < 0.9 < floats.max() < 1
    assert (integers.min(), integers.max()) == (0, 99)
    assert 300 < bools.sum() < 700
    assert (shorts.min(), shorts.max()) == (-3, 3)
    assert all((a == b).all() for a, b in zip(seen[0], seen[1], strict=True))
    assert (seen[0][0] != seen[2][0]).any()


def test_an_array_of_structs_of_the_kernel_s_own_type(run: Run, folder: Path):
    (folder / "k.cu").write_text("struct P { float x; int n; }; __global__ void k(P *p) { p[threadIdx.x].n += 2; }")
    done = run("run k.cu -b 2 -a arange[2]")
    assert done.out.splitlines()[1] == "  p  struct[2]    first (0, 2) (1, 3)"


@pytest.mark.usefixtures("shapes")
class TestKernels:
    def test_a_kernel_by_name(self, run: Run):
        assert "first 0 1 2" in run("run shapes.cu --kernel first -b 3 -a zeros[3]").out

    def test_an_instance_of_a_template(self, run: Run):
        assert "first 7 7 7" in run("run shapes.cu -k 'fill<7>' -b 3 -a zeros[3]").out

    def test_dynamic_shared_memory(self, run: Run):
        assert "first 6 3 0" in run("run shapes.cu -k shared -b 3 -a zeros[3] --shared 12").out

    def test_what_a_kernel_prints_comes_first(self, run: Run):
        lines = run("run shapes.cu -k says -b 2").out.splitlines()
        assert sorted(lines[:2]) == ["said by 0", "said by 1"]

    def test_null(self, run: Run):
        assert "first 1" in run("run shapes.cu -k is_null -a zeros[1] -a null").out

    def test_which_kernel_must_be_said(self, run: Run):
        done = run("run shapes.cu")
        assert done.code == 1
        assert done.err.startswith("lanewise: error: say which kernel with --kernel: first, shared, says, ")

    def test_a_file_without_kernels(self, run: Run, folder: Path):
        (folder / "host.cu").write_text("int host() { return 1; }")
        done = run("run host.cu")
        assert done.code == 1
        assert done.err.startswith("lanewise: error: the file has no kernel: mark one with __global__")

    def test_images(self, run: Run, folder: Path):
        from PIL import Image

        Image.fromarray(np.arange(12, dtype=np.uint8).reshape(3, 4)).save(folder / "in.png")
        done = run("run shapes.cu -k grey -a zeros[3,4] -a in=@in.png -a 12 -s out=negative.png")
        assert done.code == 0, done.err
        assert done.out.splitlines()[-1] == "wrote out to negative.png"
        assert np.asarray(Image.open("negative.png")).tolist() == (255 - np.arange(12).reshape(3, 4)).tolist()


def test_defines_include_folders_options_and_the_device(run: Run, folder: Path):
    (folder / "inc").mkdir()
    (folder / "inc" / "h.h").write_text("#define FROM_HEADER 30\n")
    (folder / "k.cu").write_text(
        "#include <h.h>\ntemplate <class T> concept C = true;\n"
        "__global__ void k(int *p) { *p = FROM_HEADER + SIX + FLAG + __CUDA_ARCH__; }"
    )
    done = run("run k.cu -a zeros[1] -I inc -D SIX=6 -D FLAG --option=-std=c++20 --arch sm_90 --device reference")
    assert done.code == 0, done.err
    assert "on reference:" in done.out
    assert "first 937" in done.out


def test_an_array_is_written_under_its_parameter_s_name(run: Run, folder: Path):
    (folder / "results").mkdir()
    assert run("run saxpy.cu -b 3 -a ones[3] -a ones[3] -a 4 -a 3 -s results/y.npy -s x=other.npy").code == 0
    assert np.load("results/y.npy").tolist() == [5, 5, 5]
    assert np.load("other.npy").tolist() == [1, 1, 1]
    assert sorted(path.name for path in (folder / "results").iterdir()) == ["y.npy"]


def test_special_values_in_the_summary(run: Run):
    lines = run("run saxpy.cu -b 3 -a [0,0,0] -a full(inf)[3] -a 0 -a 2").out.splitlines()
    assert lines[1] == "  y  f32[3]  min 0, max 0, 2 NaN  first nan nan 0"
    assert run("run saxpy.cu -a zeros[0] -a zeros[0] -a 0 -a 0").out.splitlines()[1] == "  y  f32[0]    empty"


def test_time_launches_again_on_copies(run: Run):
    done = run("run saxpy.cu -b 4 -a y=zeros[4] -a n=3 -a [1,2,3,4] -a 10 --time")
    assert (done.code, done.err) == (0, "")
    _, result, front_end, machine_code, first, launch, arrays = done.out.splitlines()
    assert result == "  y  f32[4]  min 0, max 30  first 10 20 30 0"
    assert re.fullmatch(r"  front end: [\d.]+ ms", front_end)
    assert re.fullmatch(r"  machine code: [\d.]+ [um]?s", machine_code)
    assert re.fullmatch(r"  first launch: [\d.]+ [um]s", first)
    assert re.fullmatch(r"  launch: [\d.]+ [um]s \(median of \d+; [\d.]+ [um]s to [\d.e+]+ [um]?s\)", launch)
    assert re.fullmatch(
        r"  arrays: 32 B read, 16 B written, [\d.e-]+ GB/s if each element is accessed once; the arrays fit the caches",
        arrays,
    )


def test_time_prints_once_what_a_kernel_says(run: Run, shapes: None):
    assert run("run shapes.cu -k says --time").out.count("said by 0") == 1


def test_a_launch_that_takes_too_long_is_given_up(run: Run, folder: Path):
    (folder / "spins.cu").write_text("__global__ void spins(int *p) { while (atomicAdd(p, 0) == 0) ; }")
    done = run("run spins.cu -a zeros[1] --timeout 0.1")
    assert done.code == 1
    assert "kernel spins: the launch ran longer than its timeout of 0.1 s" in done.err


@pytest.mark.parametrize("size", [100, 5000, 300_000])
def test_an_access_outside_of_an_array_is_an_error(run: Run, folder: Path, size: int):
    (folder / "wide.cu").write_text("__global__ void wide(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] += 1; }")
    done = run(f"run wide.cu -g {size // 64 + 40} -b 64 -a zeros:f32[{size}]")
    assert done.code == 1
    assert f"of argument 'a', float32[{size}]: " in done.err


def test_a_cooperative_launch(run: Run, folder: Path):
    (folder / "grid.cu").write_text("""
        #include <cooperative_groups.h>
        __global__ void sum(int *out, int *parts) {
            parts[blockIdx.x] = blockIdx.x;
            cooperative_groups::this_grid().sync();
            if (blockIdx.x == 0) for (int i = 0; i < gridDim.x; ++i) *out += parts[i];
        }""")
    done = run("run grid.cu -g 5 -a zeros[1] -a zeros[5] --cooperative")
    assert (done.code, done.out.splitlines()[1]) == (0, "  out    i32[1]  min 10, max 10  first 10")
    assert "cooperative" in run("run grid.cu -g 5 -a zeros[1] -a zeros[5]").err
