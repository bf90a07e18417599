# SPDX-License-Identifier: Apache-2.0
"""What checked kernels call in the runtime core: stopped launches, forks, sizes beyond tables."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__global__ void busy(int *a, int n) {
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) a[j % 2] = a[k % 2] * 5 ^ j + k;
}
__global__ void each(int *a, int n) { a[(threadIdx.x + n) % 64] = n; }
__global__ void long_exchange(int *out, int n) {
    __shared__ int t[32];
    int v = 0, i = threadIdx.x;
    t[i] = i;
    for (int k = 0; k < n; k++) v += __shfl_xor_sync(0xffffffffu, i, 1);
    out[i] = t[i ^ 1] + v;
}
"""


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda", checked="races")


def test_a_launch_goes_on_after_others_were_stopped(module: lw.Module) -> None:
    array = np.zeros(64, np.int32)
    for _ in range(12):
        with pytest.raises(TimeoutError):
            module["busy"].launch(1, 1, [array, 1 << 20], timeout=0.03)
    module["each"].launch(1, 64, [array, 3], timeout=20)
    assert array.tolist() == [3] * 64


def test_the_child_of_a_fork_can_launch(module: lw.Module) -> None:
    array = np.zeros(64, np.int32)
    module["each"].launch(1, 64, [array, 1])

    def busy() -> None:
        with pytest.raises(TimeoutError):
            module["busy"].launch(1, 1, [array, 1 << 20], timeout=1.5)

    thread = threading.Thread(target=busy)
    thread.start()
    children: list[int] = []
    for number in range(6):
        time.sleep(0.1)
        child = os.fork()
        if not child:
            signal.alarm(30)
            module["each"][1, 64](array, number)
            os._exit(7 if array.tolist() == [number] * 64 else 8)
        children.append(child)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    thread.join()
    assert codes == [7] * 6


def test_more_operations_of_the_warp_than_can_be_counted_are_no_race(module: lw.Module) -> None:
    out = np.zeros(32, np.int32)
    module["long_exchange"][1, 32](out, 65536)
    assert out[0] == 1 + 65536


def test_groups_larger_than_the_tables_of_barriers_run() -> None:
    source = """
    kernel void some(global int *out, int n) {
        local int first;
        int i = get_local_id(0);
        if (i == 0) first = 5;
        if (i < n) barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = first;
    }
    """
    kernel = lw.compile(source, language="opencl", checked="barriers")["some"]
    for size in (1024, 2048, 8192):
        out = np.zeros(2 * size, np.int32)
        kernel.ndrange(2 * size, size)(out, size)
        assert out.tolist() == [5] * (2 * size)


SHORT_OF_MEMORY = """
import resource
import numpy as np
import lanewise as lw

source = "__global__ void k(int *a, int n) { __shared__ int s[11000]; if (n) { ACCESS } }"
kernel = lw.compile(source.replace("ACCESS", ACCESS), language="cuda", checked="races")["k"]
array = np.zeros(64, np.int32)
kernel[1, 64](array, 0)  # compiles, and notes nothing
taken = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + (64 << 10), resource.RLIM_INFINITY))
try:
    kernel[1, 64](array, 1)
except lw.LaunchError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("access", "what"),
    [
        ("a[0] = threadIdx.x;", "accesses to global memory"),
        ("s[(n * 7) % 64] = threadIdx.x; a[threadIdx.x] = s[threadIdx.x];", "accesses to shared memory"),
    ],
)
def test_a_launch_without_memory_for_checks_fails(access: str, what: str) -> None:
    program = f"ACCESS = {access!r}\n{SHORT_OF_MEMORY}"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.endswith(f"no memory for what checks note of {what}\n")
    assert len(run.stdout.splitlines()) == 1
