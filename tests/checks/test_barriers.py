# SPDX-License-Identifier: Apache-2.0
"""Barriers that only some threads come to, and masks that name lanes which don't: told alike by all devices."""

from typing import NamedTuple

import numpy as np
import pytest

import lanewise as lw
from lanewise.program.checked.faults import KernelFault

SOURCE = """
#define I int i = threadIdx.x;
__global__ void half(int *out) { I
    if (i < 16) __syncthreads();
    out[i] = 1;
}
__global__ void half_right(int *out) { I
    if (blockDim.x > 16) __syncthreads();
    out[i] = 1;
}
__global__ void arms(int *out) { I
    if (i < 40) { out[i] = 2; __syncthreads(); }
    else __syncthreads();
    out[i] = 1;
}
__global__ void arms_right(int *out) { I
    if (i < 40) out[i] = 2;
    __syncthreads();
    out[i] = 1;
}
__global__ void rounds(int *out) { I
    for (int k = 0; k < i; k += 16) { __syncthreads(); out[i] = k; }
    out[i] = 1;
}
__global__ void rounds_right(int *out) { I
    for (int k = 0; k < 64; k += 16) { if (k < i) out[i] = k; __syncthreads(); }
    out[i] = 1;
}
__global__ void later(int *out) { I
    if (i > 50) { out[i] = 2; __syncthreads(); }
    out[i] = 3;
    __syncthreads();
    out[i] = 1;
}
__global__ void later_right(int *out) { I
    if (i > 50) { out[i] = 2; return; }
    out[i] = 3;
    __syncthreads();
    out[i] = 1;
}
__global__ void some(int *out) { I
    int v = i;
    if (i % 32 < 16) v += __shfl_down_sync(0xffffffff, v, 8);
    out[i] = v;
}
__global__ void some_right(int *out) { I
    int v = i;
    if (i % 32 < 16) v += __shfl_down_sync(0xffff, v, 8, 16);
    if (i < 32) v += __shfl_down_sync(0xffffffff, v, 1);
    if (i % 32 < 7) return;
    out[i] = __shfl_sync(0xffffffff, v, 8);
}
__global__ void lacks(int *out, unsigned mask) { I
    out[i] = __ballot_sync(mask, i & 1);
}
__global__ void lacks_right(int *out, unsigned mask) { I
    if (mask >> i % 32 & 1) out[i] = __ballot_sync(mask, i & 1);
}
__global__ void in_vain(int *out) { I
    if (i % 32 < 30) __syncwarp();
    out[i] = 0;
    __syncthreads();
    out[i] = 1;
}
__global__ void in_vain_right(int *out) { I
    if (i % 32 < 30) { __syncwarp(0x3fffffff); out[i] = 2; }
    else __syncwarp(0xc0000000);
    __syncthreads();
    out[i] = 1;
}
__global__ void first(int *out) { I
    int v = i;
    if (i < 40) { out[i] = i; __syncthreads(); v = out[39 - i]; }
    if (i == 0) out[0] = v;
}
__global__ void first_right(int *out) { I
    if (i >= 40) return;
    out[i] = i;
    __syncthreads();
    if (i == 0) out[0] = out[39];
}
__global__ void chosen(int *out) { I
    for (int k = 0; k < 3; ++k) {
        if (i < 40) __syncthreads();
        if (i == k) out[i] = k;
    }
}
__global__ void chosen_right(int *out) { I
    for (int k = 0; k < i; ++k)
        if (k == 2) out[i] = k;
    __syncthreads();
    if (i == 0) out[i] = 1;
}
"""


class Bad(NamedTuple):
    """A kernel, the start of what is at fault in its line, the words for that, and the thread that is named."""

    kernel: str
    place: str
    words: str
    thread: int


BAD = (
    Bad("half", "__syncthreads();\n    out[i] = 1;", "only 16 of 64 {waits}, and 48 have gone past it and ended", 0),
    Bad("arms", "__syncthreads(); }\n    else", "40 of 64 {waits}, and 24 at another one, at <source>:13:10", 0),
    Bad("rounds", "__syncthreads(); out[i] = k;", "only 63 of 64 {waits}, and 1 has gone past it and ended", 1),
    Bad("first", "__syncthreads(); v = out", "only 40 of 64 {waits}, and 24 have gone past it and ended", 0),
    Bad(
        "chosen",
        "__syncthreads();\n        if (i == k)",
        "only 40 of 64 {waits}, and 24 have gone past it and ended",
        0,
    ),
    Bad("later", "__syncthreads(); }\n    out[i] = 3", "13 of 64 {waits}, and 51 at another one", 51),
    Bad(
        "some",
        "__shfl_down_sync(0xffffffff, v, 8)",
        "{mask} 0xffffffff, of which 16 of 32 lanes never come: lanes 16",
        0,
    ),
    Bad("lacks", "__ballot_sync(mask, i & 1);\n}", "{mask} 0x0000ffff, which lacks the lane that executes it", 16),
    Bad("in_vain", "__syncwarp();", "{mask} 0xffffffff, of which 2 of 32 lanes never come: lanes 30 to 31", 0),
)
WORDS = {"waits": "threads of the block wait at this barrier", "mask": "operation of the warp with the mask"}
MASKED = ("some", "lacks", "in_vain")


class Made(NamedTuple):
    """The kernels, and the device that they are for."""

    module: lw.Module
    device: str
    has_warps: bool = True


@pytest.fixture(scope="module", params=["lanes", "loop", "threads", "reference"])
def made(request: pytest.FixtureRequest) -> Made:
    if request.param == "reference":
        return Made(lw.compile(SOURCE, language="cuda", checked="barriers"), "reference")
    return Made(
        lw.compile(SOURCE, language="cuda", checked="barriers", mapping=request.param), "cpu", request.param != "loop"
    )


def launched(made: Made, kernel: str) -> tuple[list[KernelFault], str]:
    """The faults of a kernel in blocks of 64 threads, and what is said."""
    if kernel.startswith(MASKED) and not made.has_warps:
        pytest.skip("loops over threads have no warps")
    arguments: list[object] = [np.zeros(64, np.int32)]
    if kernel.startswith("lacks"):
        arguments.append(0xFFFF)
    try:
        with lw.on(made.device):
            made.module[kernel][2, 64](*arguments)
    except lw.CheckError as error:
        return list(error.faults), str(error)
    return [], ""


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.kernel)
def test_who_waits_and_who_does_not_come(made: Made, bad: Bad) -> None:
    (fault,), told = launched(made, bad.kernel)
    assert bad.words.format(**WORDS) in told
    lines = SOURCE.splitlines(keepends=True)
    assert (lines[fault.line - 1][fault.column - 1 :] + lines[fault.line]).lstrip().startswith(bad.place)
    assert fault.thread == (bad.thread, 0, 0)  # of the block that came first


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.kernel)
def test_no_word_on_the_mended_twin(made: Made, bad: Bad) -> None:
    assert launched(made, f"{bad.kernel}_right") == ([], "")


def test_the_place_of_the_others() -> None:
    module = lw.compile(SOURCE, language="cuda", checked="barriers")
    (fault,), _ = launched(Made(module, "cpu"), "arms")
    assert fault.other is not None
    assert (fault.kind, fault.threads, fault.other.thread) == ("divergent barrier", (40, 24), (40, 0, 0))
    assert SOURCE.splitlines()[fault.other.line - 1].strip() == "else __syncthreads();"


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_strict_barriers_in_the_words_of_open_cl(device: str) -> None:
    source = """
    kernel void early(global int *p, int n) {
        int i = get_local_id(0);
        if (i >= n) return;
        p[i] = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        p[i] = 2;
    }
    """
    plain = lw.compile(source, language="opencl", checked="barriers")
    strict = lw.compile(source, language="opencl", checked="barriers-strict")
    with lw.on(device):
        plain["early"].ndrange(16, 16)(np.zeros(16, np.int32), 12)
        strict["early"].ndrange(16, 16)(np.zeros(16, np.int32), 16)
        with pytest.raises(lw.CheckError) as raised:
            strict["early"].ndrange(16, 16)(np.zeros(16, np.int32), 12)
    text = str(raised.value).splitlines()[1]
    assert text == (
        "<source>:6:9: error: divergent barrier: only 12 of 16 work-items of the work-group wait at this barrier, and "
        "4 have returned (the first of them is work-item (12, 0, 0)), in work-group (0, 0, 0), work-item (0, 0, 0)"
    )
