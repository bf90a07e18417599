# SPDX-License-Identifier: Apache-2.0
"""Accesses outside of arrays that Lanewise has allocated: python -m pytest tests/device/cpu/test_out_of_bounds.py"""

import re
from collections.abc import Sequence

import numpy as np
import pytest

import lanewise as lw

SOURCE = r"""
#define INDEX int i = blockIdx.x * blockDim.x + threadIdx.x
__global__ void one_too_many(float *out, const float *in, int n) {
    INDEX;
    if (i <= n) out[i] = in[i] + 1;
}
__global__ void in_place(float *out, const float *in, int n) {
    INDEX;
    if (i <= n) out[i] += 1;
}
__global__ void negative_index(float *out, const float *in, int n) {
    INDEX;
    if (i < n) out[i - 1] = in[i];
}
__global__ void no_test(float *out, const float *in, int n) {
    INDEX;
    out[i] = in[i];
}
__global__ void wrong_stride(float *out, const float *in, int n) {
    INDEX;
    if (i < n) out[i] = in[2 * i];
}
__global__ void matmul(float *c, const float *a, const float *b, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
__device__ float far(const float *in, int i) {
    return in[i + (1 << 13)];
}
__global__ void in_a_function(float *out, const float *in, int n) {
    INDEX;
    out[i] = 1;
    if (i < n)
        out[i] = far(in, i);
}
struct row { float numbers[1024]; };
__global__ void whole_structs(row *out, const row *in, long long i) {
    out[i] = in[1];
    out[0] = in[0];
}
__global__ void no_code(float *out) {
    void (*function)() = (void (*)())out;
    function();
}
__global__ void right(float *out, const float *in, int n) {
    INDEX;
    if (i < n) out[i] = in[i] + 1;
}
"""
SIZES = [100, 5000, 300_000]


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda")


def _line(part: str) -> int:
    return next(number for number, text in enumerate(SOURCE.splitlines(), 1) if part in text)


def _failure(kernel: lw.Kernel, grid: object, block: object, arguments: Sequence[object]) -> str:
    with pytest.raises(lw.LaunchError) as caught:
        kernel.launch(grid, block, arguments)  # pyright: ignore
    return str(caught.value)


def _require_usable(module: lw.Module, size: int) -> None:
    out, inp = lw.zeros(size), lw.to_device(np.arange(size, dtype=np.float32))
    module["right"][-(-size // 128), 128](out, inp, size)
    assert (out.copy_to_host() == np.arange(size, dtype=np.float32) + 1).all()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["one_too_many", "in_place", "negative_index", "wrong_stride", "no_test"])
def test_a_kernel_that_goes_too_far_ends_as_a_launch_error(module: lw.Module, name: str, size: int):
    out, inp = lw.zeros(size), lw.zeros(size)
    text = _failure(module[name], size // 128 + 64, 128, (out, inp, size))
    argument = rf"argument '(out|in)', float32\[{size}\]"
    assert re.search(
        rf"^kernel {name}: .*element -?\d+ of {argument}: \d+ bytes? (past its end|before its start)", text
    )
    _require_usable(module, size)


@pytest.mark.parametrize("size", [10, 70, 547])
def test_a_matrix_product_with_a_grid_that_is_too_wide(module: lw.Module, size: int):
    """With 100, 4,900 and 299,209 elements."""
    a, b, c = (lw.zeros((size, size)) for _ in range(3))
    blocks = -(-size // 16)
    for grid in ((blocks + 1, blocks), (blocks, blocks + 1)):
        text = _failure(module["matmul"], grid, (16, 16), (c, a, b, size))
        assert re.search(rf"element \d+ of argument '[abc]', float32\[{size},{size}\]", text)
    _require_usable(module, size * size)


def test_a_fault_tells_block_threads_argument_element_and_line(module: lw.Module):
    out, inp = lw.zeros(256), lw.zeros(256)
    assert re.fullmatch(
        r"kernel wrong_stride: read of address 0x[0-9a-f]+ \(element \d+ of argument 'in', float32\[256\]: \d+ bytes "
        r"past its end\), in block \(1, 0, 0\), one of the threads \(0, 0, 0\) to \(127, 0, 0\), at <source>:"
        rf'{_line("out[i] = in[2 * i]")}; compiled with options=\["-g"\], it says the thread',
        _failure(module["wrong_stride"], 2, 128, (out, inp, 256)),
    )


def test_a_write_to_slack_is_told_without_a_place(module: lw.Module):
    out, inp = lw.zeros(100), lw.zeros(128)
    assert _failure(module["one_too_many"], 1, 128, (out, inp, 100)) == (
        "kernel one_too_many: it, or work beside it, wrote outside of its arrays: element 100 of argument 'out', "
        "float32[100]: 0 bytes past its end; that was found when the launch had ended, so block and thread aren't known"
    )


def test_parts_of_buffers(module: lw.Module):
    out, inp = lw.zeros(100), lw.zeros(100)
    text = _failure(module["negative_index"], 1, 50, (out[:50], inp[50:], 50))
    assert "element -1 of argument 'out', float32[50]: 1 byte before its start" in text
    module["negative_index"][1, 50](out[10:], inp, 50)


def test_work_in_a_stream(module: lw.Module):
    stream = lw.Stream()
    out, inp = lw.zeros(100), lw.zeros(100)
    module["one_too_many"][1, 128, 0, stream](out, inp, 100)
    with pytest.raises(lw.LaunchError, match="element 100 of argument 'out'"):
        stream.synchronize()


def test_the_line_is_that_of_the_function_that_was_inlined(module: lw.Module):
    out, inp = lw.zeros(256), lw.zeros(256)
    text = _failure(module["in_a_function"], 1, 128, (out, inp, 128))
    assert f", at <source>:{_line('return in[i + (1 << 13)]')};" in text


@pytest.mark.parametrize("mapping", ["loop", "lanes:4", "lanes:16x2", "auto"])
def test_the_line_with_each_mapping(mapping: str):
    module = lw.compile(SOURCE, language="cuda", mapping=mapping)
    out, inp = lw.zeros(5000), lw.zeros(5000)
    text = _failure(module["wrong_stride"], 40, 128, (out, inp, 5000))
    assert f", at <source>:{_line('in[2 * i]')};" in text
    text = _failure(module["matmul"], (5, 6), (16, 16), (lw.zeros(4900), inp[:4900], inp[:4900], 70))
    lines = [f", at <source>:{_line(part)};" for part in ("sum += a[y * n + k]", "] = sum")]
    if mapping == "loop":  # LLVM may load before the loop, as no line says
        lines.append('(15, 15, 0); compiled with options=["-g"], it says the line')
    assert any(line in text for line in lines)


def test_the_line_of_a_copy_by_the_c_library(module: lw.Module):
    out, inp = lw.zeros(2048), lw.zeros(2048)
    text = _failure(module["whole_structs"], 1, 1, (out, inp, 2))
    assert "of argument 'out', float32[2048]" in text
    assert f", at <source>:{_line('out[i] = in[1]')};" in text


def test_a_jump_to_data_is_told_as_such(module: lw.Module):
    out = lw.zeros(100)
    text = _failure(module["no_code"], 1, 1, (out,))
    assert re.search(
        r"^kernel no_code: execution of address 0x[0-9a-f]+ \(in argument 'out'\), in block \(0, 0, 0\)", text
    )
    assert f", at <source>:{_line('function();')};" in text


def test_a_saved_module_tells_the_line(module: lw.Module, tmp_path):
    module.save(tmp_path / "kernels.lwo", ir=False)
    loaded = lw.load(tmp_path / "kernels.lwo")
    out, inp = lw.zeros(256), lw.zeros(256)
    text = _failure(loaded["wrong_stride"], 2, 128, (out, inp, 256))
    assert "of argument 'in', float32[256]" in text
    assert f", at <source>:{_line('in[2 * i]')};" in text


def test_code_of_our_own_headers_counts_as_the_line_that_calls_it():
    source = "__global__ void k(int *p, int i) {\n    p[0] = 1;\n    atomicMax(p + i, 3);\n}"
    kernel = lw.compile(source, language="cuda")["k"]
    assert ", at <source>:3;" in _failure(kernel, 1, 32, (lw.zeros(64, "i4"), 64))


def test_opencl():
    source = """__kernel void k(__global float4 *p, int i) {
  p[0] = 1;
  vstore4(p[1], get_global_id(0) + i, (__global float *)p);
}"""
    kernel = lw.compile(source, language="opencl")["k"]
    assert ", at <source>:3;" in _failure(kernel, 1, 32, (lw.zeros(256), 40))
