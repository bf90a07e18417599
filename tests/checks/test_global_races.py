# SPDX-License-Identifier: Apache-2.0
"""Races in global memory: between threads of a block, and between blocks, whatever order they ran in."""

import itertools
from typing import NamedTuple

import numpy as np
import pytest

import lanewise as lw
from lanewise.program.checked.faults import KernelFault, OtherAccess, race_offset
from lanewise.program.checked.messages import Messages

SOURCE = """
#define I int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
__global__ void shift(int *a) { I
    a[i] = a[(i + 1) % n] + 1;
}
__global__ void shift_right(int *a) { I
    a[i] = a[i] + 1;
}
__global__ void reverse(int *a) { I
    int first = blockIdx.x * blockDim.x;
    a[i] = i;
    a[n + i] = a[first + blockDim.x - 1 - threadIdx.x];
}
__global__ void reverse_right(int *a) { I
    int first = blockIdx.x * blockDim.x;
    a[i] = i;
    __syncthreads();
    a[n + i] = a[first + blockDim.x - 1 - threadIdx.x];
}
__global__ void sum(int *a) { I
    a[n] += i;
}
__global__ void sum_right(int *a) { I
    atomicAdd(a + n, i);
}
__global__ void overhang(int *a) { I
    a[blockIdx.x * (blockDim.x - 1) + threadIdx.x] = i;
}
__global__ void overhang_right(int *a) { I
    a[blockIdx.x * (blockDim.x + 1) + threadIdx.x] = i;
}
__global__ void bytes(int *a) { I
    ((char *)a)[i / 2] = i;
}
__global__ void bytes_right(int *a) { I
    ((char *)a)[i / 2] = 7;
    ((char *)a)[4 * n + i] = i;
}
__global__ void broadcast(int *a) { I
    a[n + i] = a[0];
    if (i == n - 1) a[0] = 5;
}
__global__ void broadcast_right(int *a) { I
    a[n + i] = a[0];
    if (i == n - 1) a[2 * n] = 5;
}
__global__ void update(int *a) { I
    a[i] = a[i] + i;
    if (threadIdx.x < 2) a[n + i] = a[(i + blockDim.x) % n];
}
__global__ void update_right(int *a) { I
    a[i] = a[i] + i;
    if (threadIdx.x < 2) a[n + i] = a[i];
}
__global__ void wide(int *a) { I
    ((double *)a)[i] = i;
    a[2 * ((i + blockDim.x) % n) + 1] = i;
}
__global__ void wide_right(int *a) { I
    ((double *)a)[i] = i;
    a[2 * i + 1] = i;
}
__global__ void mixed(int *a) { I
    if (threadIdx.x == 0) atomicAdd(a + n, 1);
    if (i == 0) a[n] = n;
}
__global__ void mixed_right(int *a) { I
    if (threadIdx.x == 0) atomicAdd(a + n, 1);
    if (i == 0) atomicExch(a + n + 1, n);
}
__global__ void fenced(int *a) { I
    __shared__ bool last;
    a[i] = i;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(a + n, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) a[n + 1 + threadIdx.x] = a[threadIdx.x] + a[n - 1 - threadIdx.x];
}
__global__ void planes(int *a, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    a[y * width + x] = x + 100 * y;
}
"""


class Race(NamedTuple):
    """A kernel, the starts of two accesses in their lines of the source, and whether two blocks are told of.

    None: as it happens, since blocks that run at the same time are at the same element by turns."""

    kernel: str
    one: str
    other: str
    of_blocks: bool | None = True


RACES = (
    Race("shift", "a[i] = a[(i", "a[(i + 1)", of_blocks=False),
    Race("reverse", "a[first + blockDim", "a[i] = i;", of_blocks=False),
    Race("sum", "a[n] += i", "a[n] += i", of_blocks=None),
    Race("overhang", "a[blockIdx", "a[blockIdx"),
    Race("broadcast", "a[0];", "a[0] = 5"),
    Race("update", "a[i]", "a[(i + blockDim"),
    Race("wide", "((double *)a)[i] = i;", "a[2 * ((i"),
    Race("mixed", "+ n, 1)", "a[n] = n"),
    Race("bytes", "((char *)a)[i / 2] = i", "((char *)a)[i / 2] = i", of_blocks=False),
)


@pytest.fixture(scope="module", params=["lanes", "loop", "threads"])
def module(request: pytest.FixtureRequest) -> lw.Module:
    return lw.compile(SOURCE, language="cuda", checked="races", mapping=request.param)


@pytest.mark.parametrize("race", RACES, ids=lambda race: race.kernel)
def test_both_accesses_of_a_race_are_told(module: lw.Module, race: Race) -> None:
    with pytest.raises(lw.CheckError) as raised:
        module[race.kernel][4, 64](np.zeros(1024, np.int32))
    lines = SOURCE.splitlines()
    wanted = sorted((race.one, race.other))
    for fault in raised.value.faults:
        assert fault.other is not None
        assert (fault.other.block, fault.other.thread) != (fault.block, fault.thread)
        pair = sorted(lines[each.line - 1][each.column - 1 :] for each in (fault, fault.other))
        assert all(map(str.startswith, pair, wanted))
    kinds = {fault.other.block != fault.block for fault in raised.value.faults if fault.other is not None}
    assert kinds if race.of_blocks is None else race.of_blocks in kinds


@pytest.mark.parametrize("kernel", [*(f"{race.kernel}_right" for race in RACES), "fenced"])
def test_no_word_on_the_mended_twin(module: lw.Module, kernel: str) -> None:
    for _ in range(2):  # what the first launch left behind is no access of the second
        module[kernel][4, 64](np.zeros(1024, np.int32))


@pytest.mark.parametrize(("width", "block", "races"), [(32, (8, 4), False), (31, (8, 4), True), (8, (8, 1), True)])
def test_rows_that_overlap(module: lw.Module, width: int, block: tuple[int, int], *, races: bool) -> None:
    launch = module["planes"][(4, 4), block]
    if not races:
        launch(np.zeros(1024, np.int32), width)
        return
    with pytest.raises(lw.CheckError, match=r"of block \(\d, \d, 0\) here, though nothing orders blocks"):
        launch(np.zeros(1024, np.int32), width)


def test_the_text_of_a_race_between_blocks() -> None:
    module = lw.compile(SOURCE, language="cuda", checked="races")
    with pytest.raises(lw.CheckError) as raised:
        module["overhang"][2, 2](np.zeros(16, np.int32))
    first = str(raised.value).splitlines()[1]
    start = "<source>:27:5: error: race: write of element 1 of argument 'a', int32[16], and write by thread "
    ends = [
        f"{thread} of block {block} here, though nothing orders blocks, in block {own_block}, thread {own}"
        for (thread, block), (own, own_block) in itertools.permutations(
            (((1, 0, 0), (0, 0, 0)), ((0, 0, 0), (1, 0, 0)))
        )
    ]
    assert first in [start + each for each in ends]


GIB = 1 << 30


@pytest.mark.parametrize(
    ("low", "nbytes", "offset"),
    [
        (2_500_000_000, 3 * GIB, 2_500_000_000),
        (2_500_000_000, 5 * GIB, 2_500_000_000),
        (4 * GIB - 4, 64, -4),
        (64, 64, 64),
    ],
)
def test_offsets_of_races_have_32_bits(low: int, nbytes: int, offset: int) -> None:
    assert race_offset(low, nbytes) == offset


@pytest.mark.parametrize(("gib", "element"), [(3, "byte 2500000000 of "), (5, "")])
def test_no_element_is_told_where_it_is_not_known(gib: int, element: str) -> None:
    shape, first, second = (gib * GIB,), (0, 0, 0), (1, 0, 0)
    other = OtherAccess("write", first, "k.cu", 1, 1, first)
    fault = KernelFault(
        "k", "k.cu", 1, 1, "write", 1, "race", "argument", "a", "uint8", 1, shape, gib * GIB, 2_500_000_000,
        0, 0, 1, first, second, 1, other,
    )  # fmt: skip
    text = str(Messages({}, "k.cu", "").error("k", [fault]))
    assert f"race: write of {element}argument 'a', uint8[{gib * GIB}], and write by work-item (0, 0, 0)" in text


VOLATILE = """
__global__ void plain(volatile int *a) {
    if (threadIdx.x == 0) a[0] = blockIdx.x + 1;
}
__global__ void waiting(volatile int *a) {
    if (threadIdx.x) return;
    if (blockIdx.x == 0) {
        a[1] = 5;
        a[0] = 1;
    } else {
        while (a[0] == 0);
        a[2] = a[1];
    }
}
"""


def test_volatile_accesses_of_two_blocks_race_unless_one_waits() -> None:
    module = lw.compile(VOLATILE, language="cuda", checked="races")
    module["waiting"].launch(2, 32, (np.zeros(4, np.int32),), cooperative=True)
    with pytest.raises(lw.CheckError, match="nothing orders blocks"):
        module["plain"][2, 32](np.zeros(4, np.int32))
