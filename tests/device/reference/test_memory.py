# SPDX-License-Identifier: Apache-2.0
"""Accesses: what they may touch, and the messages of those that may not."""

import numpy as np
import pytest

from lanewise.errors import LaunchError

from .conftest import Make

ONE_STORE = """
__global__ void k(int *out, long long i) {
    out[i] = 1;
}
__global__ void get(int *out, const int *in, long long i) {
    out[0] = in[i];
}
"""


def test_an_array_is_used_in_place(cuda: Make) -> None:
    whole = np.zeros(8, np.int32)
    cuda(ONE_STORE)("k", whole[2:4], 1)
    assert whole.tolist() == [0, 0, 0, 1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("index", "place"),
    [(4, "just past the end of argument 'out'"), (6, "8 bytes past the end of argument 'out'"), (-1, "4 bytes before")],
)
def test_a_store_outside_an_array(cuda: Make, index: int, place: str) -> None:
    with pytest.raises(LaunchError, match=rf"^<source>:2: kernel k, block \(0, 0, 0\), thread \(0, 0, 0\): "
                       rf"a store of 4 bytes at 0x[0-9a-f]+, which is {place}.*\(16 bytes\)"):  # fmt: skip
        cuda(ONE_STORE)("k", np.zeros(8, np.int32)[2:6], index)


def test_a_load_outside_an_array(cuda: Make) -> None:
    with pytest.raises(LaunchError, match=r"^<source>:5: kernel get, .* a load of 4 bytes .* past the end"):
        cuda(ONE_STORE)("get", np.zeros(1, np.int32), np.zeros(3, np.int32), 3)


def test_nothing_before_the_fault_is_undone(cuda: Make) -> None:
    out = np.zeros(4, np.int32)
    kernels = cuda("__global__ void k(int *out) { out[threadIdx.x] = 1; }")
    with pytest.raises(LaunchError, match=r"thread \(4, 0, 0\)"):
        kernels("k", out, block=8)
    assert out.tolist() == [1, 1, 1, 1]


def test_a_null_pointer(cuda: Make) -> None:
    with pytest.raises(LaunchError, match=r"^<source>:2: .* a null pointer"):
        cuda(ONE_STORE)("k", None, 2)


def test_an_address_of_nothing(cuda: Make) -> None:
    with pytest.raises(LaunchError, match="where there is nothing that the launch was given"):
        cuda(ONE_STORE)("k", 1 << 50, 0)


def test_a_read_only_array(cuda: Make) -> None:
    out = np.zeros(4, np.int32)
    out.flags.writeable = False
    cuda(ONE_STORE)("get", np.zeros(1, np.int32), out, 0)
    with pytest.raises(LaunchError, match=r"^<source>:2: .* a store to argument 'out', which is read-only"):
        cuda(ONE_STORE)("k", out, 0)


def test_an_array_given_twice(cuda: Make) -> None:
    array = np.arange(8, dtype=np.int32)
    cuda(ONE_STORE)("get", array[1:], array[:6], 5)
    assert array[1] == 5


def test_a_misaligned_vector_access(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(float *out, int i) {
    *reinterpret_cast<float2 *>(out + i) = make_float2(1, 2);
}
""")
    out = np.zeros(4, np.float64).view(np.float32)
    kernels("k", out, 2)
    assert out.tolist() == [0, 0, 1, 2, 0, 0, 0, 0]
    with pytest.raises(LaunchError, match=r"^<source>:2: .* which is not a multiple of 8"):
        kernels("k", out, 1)


def test_constant_memory_is_read_only_to_kernels(cuda: Make) -> None:
    kernels = cuda("""
__constant__ int table[3] = {4, 5, 6};
__global__ void k(int *out, int i, int write) {
    out[0] = table[i];
    if (write) const_cast<int *>(table)[i] = 7;
}
""")
    out = np.zeros(1, np.int32)
    kernels("k", out, 1, 0)
    assert out[0] == 5
    kernels.module.variable("table").view(np.int32)[:] = [10, 20, 30]
    kernels("k", out, 2, 0)
    assert out[0] == 30
    with pytest.raises(LaunchError, match=r"^<source>:4: .* a store to variable 'table', which is read-only"):
        kernels("k", out, 1, 1)


def test_device_variables_live_as_long_as_the_module(cuda: Make) -> None:
    kernels = cuda("""
__device__ int counter = 5;
__device__ int *where = &counter;
__global__ void k() { *where += 1; }
""")
    kernels("k")
    kernels("k")
    assert kernels.module.variable("counter").view(np.int32)[0] == 7


def test_a_variable_whose_function_has_returned(cuda: Make) -> None:
    kernels = cuda("""
__device__ int *keep(int v) { int local = v; int *p = &local; return p; }
__global__ void k(int *out) {
    int *dead = keep(3);
    out[0] = *dead;
}
""")
    with pytest.raises(LaunchError, match=r"^<source>:4: .* a load of|private variable whose function has returned"):
        kernels("k", np.zeros(1, np.int32))


def test_a_variable_out_of_scope(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out) {
    int *dead;
    { int inner = 3; dead = &inner; }
    out[0] = *dead;
}
""")
    with pytest.raises(LaunchError, match=r"^<source>:4: .* a load of variable 'inner', which is out of scope"):
        kernels("k", np.zeros(1, np.int32))


def test_a_variable_in_a_loop_is_new_in_each_round(cuda: Make) -> None:
    kernels = cuda("""
__device__ void fill(int *p, int v) { *p = v; }
__global__ void k(int *out) {
    for (int i = 0; i < 3; i++) {
        int inner[2];
        if (i != 1) fill(inner, i);
        out[i] = inner[0];
    }
}
""")
    with pytest.raises(LaunchError, match=r"^<source>:6: .* a store of a value that depends on memory that was never"):
        kernels("k", np.zeros(3, np.int32))


def test_the_private_memory_of_another_work_item(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out) {
    __shared__ int *p;
    int own[2] = {1, 2};
    if (threadIdx.x == 0) p = own;
    __syncthreads();
    out[threadIdx.x] = p[1];
}
""")
    with pytest.raises(
        LaunchError, match=r"^<source>:6: .*thread \(1, 0, 0\): a load of a private variable of another"
    ):
        kernels("k", np.zeros(2, np.int32), block=2)


def test_the_end_of_a_private_array(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out, int n) {
    int own[4];
    for (int i = 0; i <= n; i++) own[i] = i;
    out[0] = own[n];
}
""")
    out = np.zeros(1, np.int32)
    kernels("k", out, 3)
    assert out[0] == 3
    with pytest.raises(LaunchError, match=r"^<source>:3: .* just past the end of variable 'own' \(16 bytes\)"):
        kernels("k", out, 4)


def test_the_end_of_shared_memory(cuda: Make) -> None:
    kernels = cuda("""
extern __shared__ float dynamic[];
__global__ void k(float *out, int n) {
    __shared__ float fixed[8];
    fixed[n] = 1;
    dynamic[n] = 2;
    out[0] = fixed[n] + dynamic[n];
}
""")
    out = np.zeros(1, np.float32)
    kernels("k", out, 7, dynamic_shared=32)
    assert out[0] == 3
    with pytest.raises(LaunchError, match=r"^<source>:5: .* just past the end of dynamic shared memory \(28 bytes\)"):
        kernels("k", out, 7, dynamic_shared=28)
    with pytest.raises(LaunchError, match=r"^<source>:4: .* just past the end of shared variable 'fixed' \(32 bytes\)"):
        kernels("k", out, 8, dynamic_shared=64)


def test_memory_functions(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(unsigned char *out, const unsigned char *in, int n) {
    unsigned char own[16];
    memset(own, 7, sizeof own);
    memcpy(own + 4, in, n);
    memmove(own + 6, own + 4, 4);
    memcpy(out, own, sizeof own);
}
__global__ void overlap(unsigned char *out, int n) { memcpy(out, out + 2, n); }
""")
    out = np.zeros(16, np.uint8)
    kernels("k", out, np.arange(1, 5, dtype=np.uint8), 4)
    assert out.tolist() == [7, 7, 7, 7, 1, 2, 1, 2, 3, 4, 7, 7, 7, 7, 7, 7]
    with pytest.raises(
        LaunchError, match=r"^<source>:4: .* a load of 5 bytes .*, of which 4 are the last of argument 'in'"
    ):
        kernels("k", out, np.arange(1, 5, dtype=np.uint8), 5)
    kernels("overlap", out, 2)
    with pytest.raises(LaunchError, match="between places that overlap"):
        kernels("overlap", out, 3)


def test_memory_is_compared_where_kernel_ir_calls_memcmp(ir: Make) -> None:
    """CUDA's header defines memcmp, so that only OpenCL C and IR from elsewhere call it."""
    kernels = ir("""
target triple = "nvptx64-nvidia-cuda"
declare i32 @memcmp(ptr, ptr, i64)
define ptx_kernel void @k(ptr %out, ptr %a, ptr %b, i64 %n) {
  %order = call i32 @memcmp(ptr %a, ptr %b, i64 %n)
  store i32 %order, ptr %out
  ret void
}
define ptx_kernel void @unwritten(ptr %out, ptr %a, i64 %n) {
  %own = alloca [4 x i8]
  %order = call i32 @memcmp(ptr %a, ptr %own, i64 %n)
  %less = icmp slt i32 %order, 0
  br i1 %less, label %then, label %done
then:
  store i32 1, ptr %out
  br label %done
done:
  ret void
}
""")
    out = np.zeros(1, np.int32)
    a, b = np.array([1, 2, 200, 4], np.uint8), np.array([1, 2, 100, 9], np.uint8)
    for n, order in ((0, 0), (2, 0), (3, 1), (4, 1)):
        kernels("k", out, a, b, n)
        assert np.sign(out[0]) == order
    kernels("k", out, b, a, 4)
    assert out[0] < 0
    with pytest.raises(LaunchError, match="a load of 5 bytes"):
        kernels("k", out, a, b, 5)
    with pytest.raises(LaunchError, match="memory that was never written"):
        kernels("unwritten", out, a, 4)


def test_memory_that_only_an_address_in_memory_leads_to(cuda: Make) -> None:
    kernels = cuda("""
struct Node { Node *next; int value; };
__global__ void k(int *out, const Node *list) {
    int sum = 0;
    for (; list; list = list->next) sum += list->value;
    *out = sum;
}
""")
    node = np.dtype([("next", np.uint64), ("value", np.int32), ("_", np.int32)])
    first, second = np.zeros(1, node), np.zeros(1, node)
    first["next"], first["value"], second["value"] = second.ctypes.data, 3, 4
    out = np.zeros(1, np.int32)
    kernels("k", out, first, reachable=[second])
    assert out[0] == 7
    with pytest.raises(LaunchError, match=r"^<source>:4: "):
        kernels("k", out, first)


def test_bits_pass_through_floating_point_registers(cuda: Make) -> None:
    bits = np.array([0x7F800001, 0xFFBFFFFF, 0x7FC12345, 0x80000000, 1], np.uint32)
    out = np.zeros(5, np.uint32)
    cuda("__global__ void k(float *out, const float *in) { float v = in[threadIdx.x]; out[threadIdx.x] = v; }")(
        "k", out, bits, block=5
    )
    assert out.tolist() == bits.tolist()
