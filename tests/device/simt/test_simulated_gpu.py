# SPDX-License-Identifier: Apache-2.0
"""The simulated GPU: programs go through PTX, memory is its own and has an end."""

import gc

import numpy as np
import pytest

import lanewise as lw

CUDA = """
__global__ void add(int *p, const int *q, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += q[i];
}
__global__ void put(int *p, long long i) { p[i] = 1; }
__global__ void dynamic(int *p) {
    extern __shared__ int s[];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
"""


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(CUDA, language="cuda")


@pytest.fixture
def gpu() -> lw.Device:
    return lw.device("simt", gpu="T4", memory="1 MiB")


def test_a_kernel_whose_ptx_has_no_translation(gpu: lw.Device):
    source = """
    __global__ void mode(cudaTextureObject_t t, int *p) { asm("txq.addr_mode_0.b32 %0, [%1];" : "=r"(p[0]) : "l"(t)); }
    __global__ void plain(int *p) { p[0] = 1; }
    """
    module, p = lw.compile(source, language="cuda"), np.zeros(1, np.int32)
    texture = lw.Texture(np.zeros(4, np.int32))
    for do in (module["mode"].launch, module["mode"].prepare):
        with pytest.raises(lw.CompileError, match=r"^kernel mode can't run on simt: .*txq"):
            do(1, 1, (texture, p), device=gpu)
    module["plain"].launch(1, 1, (p,), device=gpu)
    assert p[0] == 1


@pytest.mark.parametrize(
    ("target", "gpu", "runs"),
    [
        ("sm_75", "T4", True), ("sm_80", "T4", False), ("sm_90", "A100", False), ("sm_90a", "H100", True),
        ("sm_80a", "H100", False), ("sm_80f", "RTX 4090", True), ("sm_80f", "H100", False), ("sm_103", "H100", False),
    ],
)  # fmt: skip
def test_ptx_for_a_newer_gpu(target: str, gpu: str, runs: bool):
    text = f".version 9.0\n.target {target}, debug\n.address_size 64\n.visible .entry k() {{ ret; }}\n"
    kernel, device = lw.compile(text, language="ptx")["k"], lw.device("simt", gpu=gpu, memory="1 MiB")
    if runs:
        kernel.launch(1, 1, (), device=device)
    else:
        with pytest.raises(lw.CompileError, match=rf"<source>:2: PTX for {target} doesn't run on an sm_\d+ GPU"):
            kernel.launch(1, 1, (), device=device)
    kernel.launch(1, 1, ())


class TestWrongAddresses:
    @pytest.mark.parametrize("element", [70, 5000, -5000])
    def test_beside_an_array(self, module: lw.Module, gpu: lw.Device, element: int):
        buffer = lw.zeros(8, "int32", gpu)
        with pytest.raises(lw.LaunchError, match=rf"element {element} of argument 'p', int32\[8\].*at <source>:\d+"):
            module["put"].launch(1, 1, (buffer, element), device=gpu)

    @pytest.mark.parametrize(
        ("element", "told"), [(8, "0 bytes past its end"), (9, "4 bytes past"), (-1, "4 bytes before")]
    )
    def test_writes_close_to_an_array(self, module: lw.Module, gpu: lw.Device, element: int, told: str):
        buffer, host = lw.zeros(8, "int32", gpu), np.zeros(8, np.int32)
        for array in (buffer, host):
            with pytest.raises(lw.LaunchError, match=rf"wrote outside of its arrays: element {element} of .*: {told}"):
                module["put"].launch(1, 1, (array, element), device=gpu)
            module["put"].launch(1, 1, (array, 7), device=gpu)

    def test_a_part_of_a_buffer_may_be_left(self, module: lw.Module, gpu: lw.Device):
        buffer = lw.zeros(8, "int32", gpu)
        module["put"].launch(1, 1, (buffer[2:4], 5), device=gpu)
        assert buffer.copy_to_host().tolist() == [0] * 7 + [1]

    def test_far_from_all(self, module: lw.Module, gpu: lw.Device):
        buffer = lw.zeros(8, "int32", gpu)
        expected = rf"outside every buffer: \d+ bytes past the end of the nearest, 32 bytes at {buffer.address:#x}"
        with pytest.raises(lw.LaunchError, match=expected):
            module["put"].launch(1, 1, (buffer, 1 << 33), device=gpu)
        module["put"].launch(1, 1, (buffer, 0), device=gpu)
        assert buffer.copy_to_host()[0] == 1, "the process and the device live on"

    def test_what_was_freed(self, module: lw.Module, gpu: lw.Device):
        buffer, other = lw.zeros(8, "int32", gpu), lw.zeros(8, "int32", gpu)
        address = buffer.address
        del buffer
        gc.collect()
        with pytest.raises(lw.LaunchError, match=rf"write to address {address:#x} "):
            module["put"].launch(1, 1, (other, (address - other.address) // 4), device=gpu)


class TestCapacity:
    def test_buffers_that_do_not_fit(self, module: lw.Module, gpu: lw.Device):
        with pytest.raises(lw.Error, match=r"of the device's 1 MiB, \d+ bytes are free, and at most \d+ in one piece"):
            lw.empty(1 << 18, "int32", gpu)
        big, small = np.zeros(1 << 18, np.int32), np.zeros(4, np.int32)
        with pytest.raises(lw.LaunchError, match="simt has no room for copies of 2 arguments, 1048592 bytes"):
            module["add"].launch(1, 4, (big, small, 4), device=gpu)

    def test_what_is_freed_can_be_had_again(self, gpu: lw.Device):
        for _ in range(5):
            assert not lw.zeros(150_000, "int32", gpu).copy_to_host().any()

    def test_what_a_device_says_of_itself(self, gpu: lw.Device):
        assert gpu.description.startswith("simulated NVIDIA T4 with 1 MiB, ")
        assert gpu.capabilities.memory_bytes == 1 << 20

    def test_shared_memory(self, module: lw.Module, gpu: lw.Device):
        p = np.arange(4, dtype=np.int32)
        with pytest.raises(lw.LaunchError, match=r"kernel dynamic: 0 bytes of static and 70000 of dynamic .* on a T4"):
            module["dynamic"].launch(1, 4, (p,), shared=70000, device=gpu)
        module["dynamic"].launch(1, 4, (p,), shared=70000, device=lw.device("simt", gpu="a100", memory="1 MiB"))
        assert p.tolist() == [3, 2, 1, 0]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"memory": "x"}, "memory must be bytes or a text such as"),
        ({"memory": "8 GB"}, "memory must be bytes or a text such as"),
        ({"memory": True}, "memory must be bytes or a text such as"),
        ({"memory": 0}, "memory must be from 1 byte to 16 TiB, not 0"),
        ({"memory": "9" * 400 + ".5 TiB"}, "memory must be from 1 byte to 16 TiB"),
        ({"memory": 1.5}, "memory must be a whole number of bytes, not 1.5"),
        ({"memory": "17 TiB"}, "memory must be from 1 byte to 16 TiB, not '17 TiB'"),
        ({"gpu": "Z9"}, "no GPU is called 'Z9'; known are A100"),
    ],
)
def test_devices_that_there_are_not(given: dict[str, object], expected: str):
    with pytest.raises(lw.Error, match=expected):
        lw.device("simt", **given)  # type: ignore[arg-type]


def test_other_devices_have_no_such_options():
    with pytest.raises(lw.Error, match="gpu= and memory= are for the device 'simt', not for 'cpu'"):
        lw.device("cpu", gpu="A100")
