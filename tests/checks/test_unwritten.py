# SPDX-License-Identifier: Apache-2.0
"""Reads of memory that nobody has written: told alike by all devices, by byte, and not of copies."""

from typing import NamedTuple

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
#define I int i = threadIdx.x;
struct Padded { char c; int x; };
extern __shared__ int dynamic[];
__global__ void tile(int *out) { I
    __shared__ int t[64];
    if (i != 5) t[i] = i;
    __syncthreads();
    out[i] = t[63 - i];
}
__global__ void tile_right(int *out) { I
    __shared__ int t[64];
    t[i] = i;
    __syncthreads();
    out[i] = t[63 - i];
}
__global__ void bytes(int *out) { I
    __shared__ unsigned char t[256];
    t[4 * i] = t[4 * i + 1] = t[4 * i + 3] = i;
    __syncthreads();
    out[i] = ((int *)t)[i];
}
__global__ void bytes_right(int *out) { I
    __shared__ unsigned char t[256];
    for (int k = i; k < 256; k += blockDim.x) t[k] = i;
    __syncthreads();
    out[i] = ((int *)t)[i];
}
__global__ void parts(int *out) { I
    if (i != 7) dynamic[i] = i;
    __syncthreads();
    out[i] = dynamic[63 - i];
}
__global__ void parts_right(int *out) { I
    dynamic[i] = i;
    __syncthreads();
    out[i] = dynamic[63 - i];
}
__global__ void own(int *out) { I
    for (int turn = 0; turn < 2; ++turn) {
        int a[8];
        for (int k = 0; k < 8 - turn; ++k) a[k] = k;
        out[i] = a[i & 7];
    }
}
__global__ void own_right(int *out) { I
    for (int turn = 0; turn < 2; ++turn) {
        int a[8] = {};
        for (int k = 0; k < 8 - turn; ++k) a[k] = k;
        out[i] = a[i & 7];
    }
}
__global__ void heap(int *out) { I
    int *p = (int *)malloc(16);
    p[0] = p[1] = p[3] = 1;
    out[i] = p[i & 3];
    free(p);
}
__global__ void heap_right(int *out) { I
    int *p = (int *)malloc(16);
    memset(p, 1, 16);
    out[i] = p[i & 3];
    free(p);
}
__global__ void count(int *out) { I
    __shared__ int n;
    atomicAdd(&n, 1);
    out[i] = 1;
}
__global__ void count_right(int *out) { I
    __shared__ int n;
    if (i == 0) n = 0;
    __syncthreads();
    atomicAdd(&n, 1);
    __syncthreads();
    out[i] = n;
}
__global__ void copies(int *out) { I
    __shared__ Padded t[64], u[64];
    Padded p;
    p.c = 1;
    p.x = i;
    t[i] = p;
    u[i] = t[i];
    __syncthreads();
    Padded q = u[63 - i];
    ((Padded *)out)[i & 31] = q;
    out[i] = q.x + q.c;
}
"""


class Bad(NamedTuple):
    """A kernel, what is said, and the first thread."""

    kernel: str
    words: str
    thread: int
    place: str


BAD = (
    Bad("tile", "read of element 5 of shared array 't'[64], which nobody has written", 58, "t[63 - i]"),
    Bad("bytes", "read of byte 0 of shared array 't'[256], which nobody has written", 0, "((int *)t)[i]"),
    Bad("parts", "read of element 7 of shared array 'dynamic'[64], which nobody has written", 56, "dynamic[63 - i]"),
    Bad("own", "read of element 7 of local array 'a'[8], which nobody has written", 7, "a[i & 7]"),
    Bad("heap", "read of byte 8 of memory of malloc(), which nobody has written", 2, "p[i & 3]"),
    Bad("count", "atomic operation of element 0 of shared variable 'n' of 4 bytes, which nobody", 0, "atomicAdd"),
)  # fmt: skip
DEVICES = ("lanes", "loop", "threads", "reference")


class Made(NamedTuple):
    """The kernels, and the device that they are for."""

    module: lw.Module
    device: str


@pytest.fixture(scope="module", params=DEVICES)
def made(request: pytest.FixtureRequest) -> Made:
    if request.param == "reference":
        return Made(lw.compile(SOURCE, language="cuda", checked="unwritten"), "reference")
    return Made(lw.compile(SOURCE, language="cuda", checked="unwritten", mapping=request.param), "cpu")


def launch(made: Made, kernel: str) -> None:
    with lw.on(made.device):
        made.module[kernel].launch(2, 64, (np.zeros(64, np.int32),), 256 if kernel.startswith("parts") else 0)


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.kernel)
def test_what_is_read_and_who_reads(made: Made, bad: Bad) -> None:
    with pytest.raises(lw.CheckError, match="1 place at fault") as raised:
        launch(made, bad.kernel)
    (fault,) = raised.value.faults
    assert bad.words in str(raised.value)
    assert fault.kind == "unwritten"
    if bad.kernel != "count":  # the threads of a block come there in any order
        assert fault.thread == (bad.thread, 0, 0)
    assert SOURCE.splitlines()[fault.line - 1][fault.column - 1 :].startswith(bad.place)


@pytest.mark.parametrize("kernel", [*(f"{bad.kernel}_right" for bad in BAD), "copies"])
def test_no_word_on_what_is_written(made: Made, kernel: str) -> None:
    launch(made, kernel)


def test_local_memory_of_open_cl() -> None:
    source = """
    kernel void ends(global int *out, local int *t, local int *u) {
        int i = get_local_id(0);
        t[i] = i;
        if (i) u[i] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = t[3 - i] + u[3 - i];
    }
    """
    module = lw.compile(source, language="opencl", checked=True)
    with pytest.raises(lw.CheckError) as raised:
        module["ends"].ndrange(4, 4)(np.zeros(4, np.int32), lw.local(16), lw.local(16))
    (told,) = [line.split(": error: ")[1] for line in str(raised.value).splitlines() if "error" in line]
    assert told == (
        "read of byte 0 of local memory 'u' of 16 bytes, which nobody has written, in work-group (0, 0, 0), "
        "work-item (3, 0, 0)"
    )


VECTORS = """
#define I int i = get_local_id(0);
kernel void one_by_one(global float4 *out, int n) { I
    local float4 t[32];
    t[i].x = i;
    t[i].y = 1;
    t[i].z = 2;
    t[i].w = 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[31 - i];
}
kernel void pairs(global float4 *out, int n) { I
    local float4 t[32];
    t[i].xy = (float2)(i, 1);
    t[i].wz = (float2)(2, 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[31 - i];
}
kernel void all_turned(global float4 *out, int n) { I
    local float4 t[32];
    t[i].wzyx = (float4)(i, 1, 2, 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[31 - i];
}
kernel void own(global float4 *out, int n) { I
    float3 a[4];
    float4 b[4];
    for (int j = 0; j < 4; ++j) {
        a[j].xy = (float2)(i, j);
        a[j].z = 1;
        b[j].x = j;
        b[j].yzw = a[j];
    }
    out[i].xyz = a[n & 3];
    out[i].w = b[n & 3].x;
}
kernel void at_number(global float4 *out, int n) { I
    local float4 t[4];
    if (i == 0) {
        t[0].x = t[0].y = t[0].z = t[0].w = 0;
        t[3].lo = t[3].hi = (float2)(1, 2);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[0] + t[3];
}
kernel void turned_wrong(global float4 *out, int n) { I
    local float4 t[32];
    t[i].xy = t[i].yx;
    out[i] = t[i];
}
kernel void added_wrong(global float4 *out, int n) { I
    float4 t[4];
    t[n].x += i;
    out[i] = t[n];
}
"""


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_components_of_vectors(device: str) -> None:
    module = lw.compile(VECTORS, language="opencl", checked="unwritten")
    with lw.on(device):
        for kernel in module.kernels:
            launch = module[kernel].ndrange(32, 32)
            if not kernel.endswith("_wrong"):
                launch(np.zeros((32, 4), np.float32), 1)
                continue
            with pytest.raises(lw.CheckError, match="1 place at fault") as raised:
                launch(np.zeros((32, 4), np.float32), 1)
            assert ("t[i].yx" if kernel == "turned_wrong" else "t[n].x +=") in str(raised.value)


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_with_all_other_checks(device: str) -> None:
    module = lw.compile(SOURCE, language="cuda", checked=True)
    with lw.on(device):
        module["tile_right"][2, 64](np.zeros(64, np.int32))
        with pytest.raises(lw.CheckError, match=BAD[0].words.replace("[", r"\[")):
            module["tile"][2, 64](np.zeros(64, np.int32))
