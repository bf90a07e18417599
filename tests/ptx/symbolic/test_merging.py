# SPDX-License-Identifier: Apache-2.0
"""That flows are kept apart where they are few, and met where they are many."""

from __future__ import annotations

import pytest

from lanewise.ptx.symbolic.emulator import MOST_STATES
from lanewise.ptx.symbolic.terms import Differs

from .emulating import emulation, loads


def _diamonds(count: int, change: str) -> str:
    return "    mov.u32 %r1, 0;\n" + "".join(f"""
    and.b32 %r2, %n, {1 << k};
    setp.eq.s32 %p1, %r2, 0;
    @%p1 bra L{k};
    {change.format(bit=1 << k)}
L{k}:
""" for k in range(count)) + """
    mul.wide.s32 %d1, %r1, 4;
    add.s64 %d1, %d1, %a;
    ld.global.f32 %f1, [%d1];
"""  # fmt: skip


def test_diamonds_that_change_nothing_make_one_state() -> None:
    found = emulation(_diamonds(20, "add.s32 %r3, %n, {bit};"))
    assert [len(flows) for flows in loads(found)] == [1]
    assert found.merges == 0


@pytest.mark.parametrize(("count", "states"), [(1, 2), (2, 4), (3, 8), (4, 16)])
def test_diamonds_that_change_an_address_make_states(count: int, states: int) -> None:
    found = emulation(_diamonds(count, "add.s32 %r1, %r1, {bit};"))
    assert [len(flows) for flows in loads(found)] == [states]
    assert found.merges == 0
    assert states <= MOST_STATES


def test_many_diamonds_are_merged() -> None:
    """20 of them are a million flows."""
    found = emulation(_diamonds(20, "add.s32 %r1, %r1, {bit};"))
    (addresses,) = loads(found)
    assert len(addresses) <= MOST_STATES
    assert 1 <= found.merges <= 20
    assert {address.differs for address in addresses} == {Differs.FREELY}


def test_what_all_flows_have_outlives_a_merge() -> None:
    found = emulation("    ld.global.f32 %f2, [%a];\n" + _diamonds(20, "add.s32 %r1, %r1, {bit};")
                      + "    ld.global.f32 %f3, [%a];")  # fmt: skip
    last = found.sightings[max(found.sightings)]
    first = min(found.sightings)
    assert all(first in {access.step.number for access in sighting.before} for sighting in last)


def test_what_one_flow_has_does_not() -> None:
    found = emulation(
        """
    setp.eq.s32 %p1, %n, 3;
    @%p1 bra M;
    ld.global.f32 %f2, [%a];
M:
"""
        + _diamonds(20, "add.s32 %r1, %r1, {bit};")
        + "    ld.global.f32 %f3, [%a];"
    )
    last = found.sightings[max(found.sightings)]
    first = min(found.sightings)
    assert all(first not in {access.step.number for access in sighting.before} for sighting in last)


def test_a_branch_that_is_decided_is_one_way() -> None:
    found = emulation("""
    setp.lt.s32 %p1, %n, 10;
    @!%p1 bra E;
    setp.lt.s32 %p2, %n, 20;
    @%p2 bra M;
    ld.global.f32 %f1, [%a+4];
M:
    ld.global.f32 %f2, [%a];
E:
""")
    assert [len(flows) for flows in loads(found)] == [1]
