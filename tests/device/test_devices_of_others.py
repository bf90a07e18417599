# SPDX-License-Identifier: Apache-2.0
"""Devices that other packages add, and devices with memory of their own."""

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.config import Config
from lanewise.session import Session

from .apart.installed import installed

SOURCE = """
__device__ int total;
__global__ void add(int *p, const int *q, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += q[i];
}
__global__ void next(int **slot, int *p) { *slot = p + 1; }
"""


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda")


def fresh() -> Session:
    return Session(Config(None, 1))


class TestEntryPoints:
    def test_a_device_is_listed_and_opened(self, tmp_path: Path):
        with installed(tmp_path, "lanewise.device.reference:open_device"):
            names = [device.name for device in fresh().devices()]
            assert names == ["cpu", "reference", "simt", "reference"], (
                "the last one is the entry point's, by its own name"
            )
            assert fresh().device("apart").name == "reference"

    def test_unknown_names_are_refused_with_those_that_there_are(self, tmp_path: Path):
        with (
            installed(tmp_path),
            pytest.raises(lw.Error, match=r"'gpu'; the devices are cpu, reference, simt, cuda, apart"),
        ):
            fresh().device("gpu")

    @pytest.mark.parametrize("entry", ["no_such_package:open_device", "lanewise.device.reference:nothing"])
    def test_one_that_cannot_be_loaded(self, tmp_path: Path, entry: str):
        with installed(tmp_path, entry):
            with pytest.raises(lw.Error, match=f"device 'apart' can't be loaded from {entry}: "):
                fresh().device("apart")
            with pytest.warns(UserWarning, match=r"device 'apart' can't be loaded"):
                assert len(fresh().devices()) == 3


class TestOwnMemory:
    def test_arrays_are_copied_and_what_may_be_written_comes_back(self, module: lw.Module, apart: lw.Device):
        p, q = np.arange(8, dtype=np.int32), np.full(8, 10, np.int32)
        module["add"].launch(1, 8, (p, q, 8), device=apart)
        assert p.tolist() == list(range(10, 18))
        assert q.tolist() == [10] * 8

    def test_overlapping_arrays_overlap_there(self, module: lw.Module, apart: lw.Device):
        whole = np.arange(6, dtype=np.int32)
        module["add"].launch(1, 1, (whole[2:], whole[:4], 1), device=apart)
        module["add"].launch(1, 4, (whole[:4], whole[:4], 4), device=apart)
        assert whole.tolist() == [0, 2, 4, 6, 4, 5]

    def test_pointers_to_buffers_are_the_device_s(self, module: lw.Module, apart: lw.Device):
        p, slot = lw.zeros(4, "int32", apart), np.zeros(1, np.uint64)
        module["next"].launch(1, 1, (slot, p), device=apart)
        assert slot[0] == p[1:].address == p.address + 4

    def test_addresses_of_the_host_are_refused(self, apart: lw.Device):
        array = np.zeros(4, np.uint8)
        with pytest.raises(lw.LaunchError, match="is not in the device's memory"):
            apart.memory.write(array.ctypes.data, array)

    def test_the_host_has_no_view_of_a_buffer(self, apart: lw.Device):
        buffer = lw.to_device(np.arange(4), apart)
        with pytest.raises(lw.Error, match="is in the device's own memory, which the host can't access"):
            _ = buffer.array
        assert not hasattr(buffer, "__array_interface__")
        assert np.asarray(buffer).tolist() == [0, 1, 2, 3]
        with pytest.raises(ValueError, match="an array of the host is a copy"):
            np.array(buffer, copy=False)

    def test_buffers_of_other_devices_are_refused(self, module: lw.Module, apart: lw.Device):
        there, here = lw.zeros(4, "int32", apart), lw.zeros(4, "int32", "cpu")
        for stream in (None, lw.Stream("cpu")):
            with pytest.raises(lw.LaunchError, match=r"argument 'q': <buffer int32 \(4,\) on apart> is in that device"):
                module["add"].launch(1, 4, (here, there, 4), stream=stream, device="cpu")
        module["add"].launch(1, 4, (here, here, 4), device=apart)

    @pytest.mark.parametrize("index", [np.s_[1:, ::2], np.s_[::-1], np.s_[:, 1], np.s_[..., None], np.s_[2, 3]])
    def test_parts_are_copied_as_numpy_s(self, apart: lw.Device, index: Any):
        array = np.arange(24, dtype=np.int16).reshape(4, 6)
        buffer = lw.to_device(array, apart)
        assert buffer[index].copy_to_host().tolist() == array[index].tolist()
        buffer[index] = -1
        array[index] = -1
        assert buffer.copy_to_host().tolist() == array.tolist()

    def test_copies_between_devices(self, apart: lw.Device):
        there, here = lw.to_device(np.arange(12).reshape(3, 4), apart), lw.zeros((3, 4), "int64", "cpu")
        lw.copy_async(here, there)
        assert here.copy_to_host().tolist() == there.copy_to_host().tolist()
        lw.copy_async(there[0], here[2])
        lw.copy_async(there[:, 1], there[:, 0])
        lw.memset_async(there[1:, 2:], 0)
        assert there.copy_to_host().tolist() == [[8, 8, 10, 11], [4, 4, 0, 0], [8, 8, 0, 0]]

    def test_memory_is_freed(self, apart: lw.Device):
        freed = apart.channel.freed  # pyright: ignore[reportAttributeAccessIssue] : it is the client's
        buffer = lw.zeros(4, "int32", apart)
        part = buffer[1:]
        del buffer
        before = len(freed)
        del part
        deadline = time.monotonic() + 10
        while len(freed) == before and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(freed) == before + 1

    def test_a_device_that_is_full(self, module: lw.Module, apart: lw.Device, monkeypatch: pytest.MonkeyPatch):
        def full(nbytes: int, zeroed: bool) -> int:
            raise MemoryError("all of it is taken")

        monkeypatch.setattr(apart.memory, "allocate", full)
        p = np.zeros(4, np.int32)
        with pytest.raises(lw.LaunchError, match="apart has no room for a copy of an argument, 16 bytes: all of it is"):
            module["add"].launch(1, 4, (p, p, 4), device=apart)
        with pytest.raises(lw.Error, match=r"no buffer of shape 4 and dtype int32: all of it is taken"):
            lw.empty(4, "int32", apart)

    def test_faults_are_told_in_terms_of_the_arguments(self, module: lw.Module, apart: lw.Device):
        p = lw.zeros(4, "int32", apart)
        with pytest.raises(lw.LaunchError, match=r"kernel add: .* argument 'p'"):
            module["add"].launch(1 << 12, 256, (p, p, 1 << 20), device=apart)
