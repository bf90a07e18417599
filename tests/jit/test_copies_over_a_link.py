# SPDX-License-Identifier: Apache-2.0
"""Copies to a device whose memory the host can't access: blocks by themselves, all else through staging memory."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

import lanewise as lw
from lanewise.device.base import Device
from lanewise.jit.nests import host_array
from lanewise.jit.tile_runs import placed
from lanewise.transfer.affine import AffineForm, counter
from lanewise.transfer.nest import ArrayReference, LoopRange
from lanewise.transfer.plan import plan


class Link:
    """The memory of a simulated GPU behind a link that notes the bytes of each copy."""

    def __init__(self) -> None:
        self._memory = lw.device("simt", memory="1 MiB").memory
        self.written: list[int] = []
        self.read_back: list[int] = []

    def write(self, address: int, data: Any) -> None:
        assert data.flags.c_contiguous
        self.written.append(data.nbytes)
        self._memory.write(address, data)

    def read(self, address: int, out: Any) -> None:
        assert out.flags.c_contiguous
        self.read_back.append(out.nbytes)
        self._memory.read(address, out)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._memory, name)


@pytest.mark.parametrize(
    ("subscripts", "bytes_of_copies"),
    [
        ((AffineForm(3), counter("j")), [80]),  # a row: one block
        ((counter("j"), AffineForm(3)), [80]),  # a column: gathered into 80 bytes
        ((counter("j"), counter("j", 2)), [80]),  # a diagonal of every other column
    ],
)
def test_only_what_is_touched_goes_over_the_link(subscripts: tuple[AffineForm, ...], bytes_of_copies: list[int]):
    a = np.arange(400.0).reshape(20, 20)
    before = a.copy()
    link = Link()
    device = cast("Device", SimpleNamespace(memory=link, name="link"))
    nest = (LoopRange("j", 10),), [ArrayReference(host_array("a", a), subscripts, "update")]
    with placed(device, plan(*nest, "exact", strided=True), {"a": a}, {}) as places:
        address = places["a"].address
        for j in range(10):
            at = [each.at({"j": j}) for each in subscripts]
            strides = places["a"].strides or a.strides
            place = address + at[0] * strides[0] + at[1] * strides[1]
            element = np.empty(1)
            link._memory.read(place, element)
            assert element[0] == before[tuple(at)]
            link._memory.write(place, element + 1000)
            before[tuple(at)] += 1000
    assert (link.written, link.read_back) == (bytes_of_copies, bytes_of_copies)
    assert (a == before).all()
