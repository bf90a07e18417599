# SPDX-License-Identifier: Apache-2.0
"""Launches in OpenCL's terms."""

import itertools
from typing import Any, cast

import numpy as np
import pytest

import lanewise as lw

RECORD = r"""
typedef struct {
    ulong global_id[3], local_id[3], group_id[3], local_size[3], global_size[3], groups[3], offset[3];
} Seen;
__kernel void record(__global Seen *seen, __global uint *visits) {
    ulong x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
    ulong z = get_global_id(2) - get_global_offset(2);
    ulong place = x + get_global_size(0) * (y + get_global_size(1) * z);
    Seen now;
    for (int d = 0; d < 3; d++) {
        now.global_id[d] = get_global_id(d);
        now.local_id[d] = get_local_id(d);
        now.group_id[d] = get_group_id(d);
        now.local_size[d] = get_local_size(d);
        now.global_size[d] = get_global_size(d);
        now.groups[d] = get_num_groups(d);
        now.offset[d] = get_global_offset(d);
    }
    seen[place] = now;
    atomic_inc(&visits[place]);
}
__kernel void last_of_group(__global uint *out, __local uint *ids) {
    ids[get_local_id(0)] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0) - get_global_offset(0)] = ids[get_local_size(0) - 1];
}
__kernel __attribute__((reqd_work_group_size(8, 2, 1))) void of_one_size(__global uint *out) {
    out[get_global_id(0)] = get_local_size(0);
}
__kernel void two_local(__global ulong *out, __local char *few, __local double16 *many) {
    few[get_local_id(0)] = (char)get_local_id(0);
    many[get_local_id(0)] = (double16)(get_local_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = few[3 - get_local_id(0)] * 10 + (ulong)many[get_local_id(0) ^ 1].sf;
}
"""
CUDA = 'extern "C" __global__ void plain(unsigned *out) { out[blockIdx.x * blockDim.x + threadIdx.x] += 1; }'


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(RECORD, language="opencl")


@pytest.fixture(params=["cpu", "reference"])
def device(request: pytest.FixtureRequest) -> lw.Device:
    return lw.device(request.param)


SIZES = [
    (12, 4, None),
    (12, None, None),
    (13, 4, None),
    (7, 16, 3),
    ((6, 4), (3, 2), (0, 0)),
    ((5, 4, 3), (2, 3, 2), (10, 0, 7)),
    ((4, 4, 4), (2, 4, 1), (0, 1, 0)),
]


@pytest.mark.parametrize(("size", "local", "offset"), SIZES)
def test_every_work_item_runs_once_and_knows_where_it_is(module: lw.Module, device, size, local, offset):
    whole = (*np.atleast_1d(size), 1, 1)[:3]
    start = (0, 0, 0) if offset is None else (*np.atleast_1d(offset), 0, 0)[:3]
    count = int(np.prod(whole))
    seen = np.zeros((count, 7, 3), np.uint64)
    visits = np.zeros(count, np.uint32)
    kernel = module["record"]
    as_structs = seen.reshape(count, 21).view(np.dtype(kernel.params[0].dtype))
    kernel.ndrange(size, local, offset, device=device)(as_structs, visits)
    assert (visits == 1).all()
    chosen = seen[0, 3] if local is None else np.array((*np.atleast_1d(local), 1, 1)[:3])
    for z, y, x in itertools.product(*(range(n) for n in whole[::-1])):
        at = np.array([x, y, z])
        global_id, local_id, group, local_size, global_size, groups, begin = seen[x + whole[0] * (y + whole[1] * z)]
        assert (global_id == at + start).all()
        assert (group == at // chosen).all()
        assert (local_id == at % chosen).all()
        assert (global_size == whole).all()
        assert (begin == start).all()
        assert (groups == -(-np.array(whole) // chosen)).all()
        assert (local_size == np.minimum(chosen, np.array(whole) - group * chosen)).all()


def test_barriers_in_smaller_groups_wait_for_those_that_are_there(module: lw.Module, device):
    out = np.zeros(10, np.uint32)
    module["last_of_group"].ndrange(10, 4, 100, device=device)(out, lw.local(16))
    assert out.tolist() == [103] * 4 + [107] * 4 + [109] * 2


def test_local_arguments_lie_apart_and_aligned(module: lw.Module, device):
    out = np.zeros(4, np.uint64)
    module["two_local"].ndrange(4, 4, device=device)(out, lw.local(4), lw.local(4 * 128))
    assert out.tolist() == [31, 20, 13, 2]


def test_a_required_local_size_is_taken_and_kept_to(module: lw.Module):
    out = np.zeros(16, np.uint32)
    module["of_one_size"].ndrange((16, 2))(out)
    assert (out == 8).all()
    with pytest.raises(lw.LaunchError, match=r"local size \(16, 1, 1\) is not \(8, 2, 1\), which the kernel's decl"):
        module["of_one_size"].ndrange((16, 2), (16, 1))


def test_cuda_kernels_are_launched_so_too(device):
    plain = lw.compile(CUDA, language="cuda")["plain"]
    out = np.zeros(96, np.uint32)
    plain.ndrange(96, 32, device=device)(out)
    plain.ndrange(96, device=device)(out)
    assert (out == 2).all()
    for size, local, offset, what in (
        (100, 32, None, r"global size \(100, 1, 1\)"),
        (96, 32, 5, r"offset \(5, 0, 0\)"),
    ):
        with pytest.raises(lw.LaunchError, match=rf"{what} with local size .*: only OpenCL C's kernels"):
            plain.ndrange(size, local, offset)


def test_sizes_may_be_arrays(device):
    plain = lw.compile(CUDA, language="cuda")["plain"]
    out = np.zeros(96, np.uint32)
    sizes: list[Any] = [np.array([96, 1]), np.array([32])]
    plain.ndrange(*sizes, device=device)(out)
    assert (out == 1).all()


def test_a_stream_takes_them(module: lw.Module):
    stream = lw.Stream()
    out = np.zeros(10, np.uint32)
    module["last_of_group"].ndrange(10, 4, 100, stream=stream)(out, lw.local(16))
    stream.synchronize()
    assert out[-1] == 109


@pytest.mark.parametrize(
    ("launch", "message"),
    [
        (lambda k: k.ndrange(0), r"kernel last_of_group: global size 0: each must be 1 or more"),
        (lambda k: k.ndrange(4, 2, -1), r"kernel last_of_group: offset -1: each must be 0 or more"),
        (lambda k: k.ndrange((1, 1, 1, 1)), r"global size \(1, 1, 1, 1\): expected an int or 1 to 3 of them"),
        (lambda k: k.ndrange(4, 2, 1.5), r"offset 1.5: expected an int or a tuple of 1 to 3 ints"),
        (lambda k: k.ndrange(4, (128, 128)), r"kernel last_of_group: local size \(128, 128, 1\) has 16384 work-items"),
        (lambda k: k.ndrange("8"), r"global size '8': expected an int or a tuple of 1 to 3 ints"),
        (lambda k: k.ndrange(8, 2.5), r"local size 2.5: expected an int"),
        (lambda k: k.ndrange(9000, 9000), r"local size \(9000\): x must be 1 to 8192"),
        (lambda k: k.ndrange(4)(np.zeros(4, np.uint32)), r"takes 2 arguments, not 1: uint \*out, __local uint \*ids"),
        (lambda k: k.ndrange(4)(out=np.zeros(4, np.uint32)), r"by position, not by name \(out\); .* of k.ndrange\("),
        (
            lambda k: k.ndrange(5, 4)(np.zeros(5, np.uint32)),
            r"takes 2 arguments, not 1: uint \*out, __local uint \*ids",
        ),
        (
            lambda k: k.ndrange(4)(np.zeros(4, np.uint32), np.zeros(4, np.uint32)),
            r"argument 'ids': __local uint \* needs lw.local\(nbytes\), not an? ",
        ),
        (lambda k: k.ndrange(4)(np.zeros(4, np.uint32), None), r"'ids': __local uint \* needs lw.local\(nbytes\)"),
        (lambda k: lw.local(0), r"lw.local\(0\): local memory has a number of bytes, 1 or more"),
        (lambda k: lw.local(cast(Any, 1.5)), r"lw.local\(1.5\): local memory has a number of bytes"),
        (lambda k: k.ndrange(4)(np.zeros(4, np.uint32), lw.local(1 << 30)), r"dynamic shared memory are more than"),
    ],
)
def test_mistakes(module: lw.Module, launch, message: str):
    with pytest.raises(lw.LaunchError, match=message):
        launch(module["last_of_group"])


def test_a_kernel_asks_for_as_many_dimensions_as_were_written(device):
    text = "__kernel void ask(__global uint *out) { out[get_global_linear_id()] = get_work_dim(); }"
    text = text.replace("get_global_linear_id()", "get_global_id(0) + 4 * get_global_id(1)")
    ask = lw.compile(text, language="opencl")["ask"]
    for size, dimensions in ((4, 1), ((4,), 1), ((4, 1), 2), ((4, 2), 2), ((4, 1, 1), 3), ((2, 1, 1), 3)):
        out = np.zeros(8, np.uint32)
        ask.ndrange(size, device=device)(out)
        assert out[0] == dimensions, size
