# SPDX-License-Identifier: Apache-2.0
"""Each way in which a value lives from one region to another: that it is taken, and that it gives the right result."""

import numpy as np
import pytest

from ..parts import Parts, kernel_text, parts, run

GRID, BLOCK = 3, 64
SIZE = GRID * BLOCK

PLACES = """
  TID
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %g, 64
  %place = add i32 %first, %t
  %from = getelementptr i32, ptr %in, i32 %place
  %to = getelementptr i32, ptr %out, i32 %place"""

FIRST = {"first": "group"}
"""What PLACES itself keeps across a barrier."""


def data() -> np.ndarray:
    return np.random.default_rng(5).integers(0, 1 << 32, SIZE, np.uint32)


def result_of(body: str, n: int = 3, m: int = 5, values: np.ndarray | None = None) -> np.ndarray:
    out = np.zeros(SIZE, np.uint32)
    run(kernel_text(body), GRID, BLOCK, out, data() if values is None else values, n, m)
    return out


def simplified(body: str) -> Parts:
    return parts(kernel_text(body), simplified=True)


# -- again -------------------------------------------------------------------------------------------------------------


def test_cheap_varying_values_are_computed_again():
    body = f"""
b:
{PLACES}
  %value = xor i32 %place, %n
  store i32 %value, ptr %to
  BARRIER
  %old = load i32, ptr %to
  %new = add i32 %old, %value
  store i32 %new, ptr %to
  ret void"""
    found = simplified(body)
    assert found.live_values.is_rematerialised(found.value("value"))
    assert found.live_values.is_rematerialised(found.value("to"))
    assert found.slots == FIRST
    assert (result_of(body) == 2 * (np.arange(SIZE) ^ 3)).all()


def test_ids_cost_nothing():
    """Eight instructions, each of which takes the id."""
    steps = "\n".join(f"  %r{i + 1} = xor i32 %r{i}, %t" for i in range(1, 8))
    body = f"""
b:
{PLACES}
  %r1 = add i32 %n, %t
{steps}
  store i32 %r8, ptr %to
  BARRIER
  %old = load i32, ptr %to
  %new = sub i32 %old, %r8
  store i32 %new, ptr %to
  ret void"""
    found = parts(kernel_text(body))
    assert found.live_values.is_rematerialised(found.value("r8"))
    assert (result_of(body) == 0).all()


def test_what_is_not_cheap_any_more_is_kept():
    steps = "\n".join(f"  %s{i + 1} = mul i32 %r{i}, %s{i}\n  %r{i + 1} = xor i32 %s{i + 1}, %t" for i in range(6))
    body = f"""
b:
{PLACES}
  %s0 = add i32 %place, %n
  %r0 = xor i32 %s0, %m
{steps}
  store i32 %r6, ptr %to
  BARRIER
  %old = load i32, ptr %to
  %new = sub i32 %old, %r6
  store i32 %new, ptr %to
  ret void"""
    found = simplified(body)
    assert not found.live_values.is_rematerialised(found.value("r6"))
    assert found.slots == FIRST | {"r6": "item"}
    assert (result_of(body) == 0).all()


def test_again_from_a_uniform_value_keeps_that_one():
    body = f"""
b:
{PLACES}
  %u = load i32, ptr %in
  %value = add i32 %u, %t
  store i32 %value, ptr %to
  BARRIER
  %old = load i32, ptr %to
  %new = add i32 %old, %value
  store i32 %new, ptr %to
  ret void"""
    found = simplified(body)
    assert found.live_values.is_rematerialised(found.value("value"))
    assert found.slots == FIRST | {"u": "group"}
    assert (result_of(body) == 2 * (data()[0] + np.arange(SIZE, dtype=np.uint32) % BLOCK)).all()


def test_addresses_of_private_memory_cost_nothing():
    body = f"""
b:
  %mine = alloca [8 x i32], align 4
{PLACES}
  %which = and i32 %n, 7
  %low = and i32 %t, 7
  %slot = getelementptr [8 x i32], ptr %mine, i32 0, i32 %low
  store i32 %place, ptr %slot
  BARRIER
  %other = getelementptr [8 x i32], ptr %mine, i32 0, i32 %which
  store i32 7, ptr %other
  %got = load i32, ptr %slot
  store i32 %got, ptr %to
  ret void"""
    found = simplified(body)
    assert found.value("mine") in {v for live in found.live_values.live_ins.values() for v in live.early}
    assert set(found.slots.values()) == {"group"}
    place = np.arange(SIZE)
    assert (result_of(body) == np.where(place % 8 == 3, 7, place)).all()


# -- uniform and varying -----------------------------------------------------------------------------------------------


def test_uniform_values_are_kept_once_a_group():
    body = f"""
b:
{PLACES}
  %begin = getelementptr i32, ptr %in, i32 %first
  %u = load i32, ptr %begin
  store i32 %place, ptr %to
  BARRIER
  %old = load i32, ptr %to
  %new = add i32 %old, %u
  store i32 %new, ptr %to
  ret void"""
    assert simplified(body).slots == FIRST | {"u": "group"}
    place = np.arange(SIZE, dtype=np.uint32)
    assert (result_of(body) == place + data()[place // BLOCK * BLOCK]).all()


@pytest.mark.parametrize("type_", ["i32", "<4 x i8>", "{ i16, i16 }", "float", "[2 x i16]"])
def test_varying_values_are_kept_once_a_work_item(type_: str):
    body = f"""
b:
{PLACES}
  %v = load {type_}, ptr %from
  store i32 0, ptr %to
  BARRIER
  store {type_} %v, ptr %to
  ret void"""
    assert parts(kernel_text(body)).slots == FIRST | {"v": "item"}
    assert (result_of(body) == data()).all()


def test_truth_values_are_kept_too():
    body = f"""
b:
{PLACES}
  %v = load i32, ptr %from
  %odd = trunc i32 %v to i1
  %u = load i32, ptr %in
  %known = trunc i32 %u to i1
  BARRIER
  %x = select i1 %odd, i32 5, i32 7
  %y = select i1 %known, i32 10, i32 20
  %z = add i32 %x, %y
  store i32 %z, ptr %to
  ret void"""
    found = parts(kernel_text(body))
    assert found.slots["known" if "known" in found.slots else "u"] == "group"
    assert (result_of(body) == np.where(data() % 2, 5, 7) + (10 if data()[0] % 2 else 20)).all()


def test_result_of_a_barrier_is_kept_once_a_group():
    body = f"""
b:
{PLACES}
  %few = icmp ult i32 %t, %m
  %count = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %few)
  store i32 %count, ptr %to
  BARRIER
  %old = load i32, ptr %to
  %sum = add i32 %old, %count
  store i32 %sum, ptr %to
  ret void"""
    assert simplified(body).slots == FIRST | {"count": "group"}
    assert (result_of(body, m=5) == 10).all()


def test_a_uniform_value_that_only_some_rounds_define():
    body = f"""
b:
{PLACES}
  br label %loop
loop:
  %i = phi i32 [ 0, %b ], [ %next, %latch ]
  %x = phi i32 [ 100, %b ], [ %y, %latch ]
  %odd = trunc i32 %i to i1
  br i1 %odd, label %some, label %latch
some:
  %u = load i32, ptr %in
  BARRIER
  %v = add i32 %x, %u
  br label %latch
latch:
  %y = phi i32 [ %x, %loop ], [ %v, %some ]
  BARRIER
  %next = add i32 %i, 1
  %on = icmp ult i32 %next, %n
  br i1 %on, label %loop, label %end
end:
  store i32 %y, ptr %to
  ret void"""
    assert set(simplified(body).slots.values()) == {"group"}
    for n in (1, 2, 5):
        assert (result_of(body, n=n) == (100 + n // 2 * int(data()[0])) % (1 << 32)).all()


# -- entrances ---------------------------------------------------------------------------------------------------------

SWAP = f"""
b:
{PLACES}
  %x = load i32, ptr %from
  %y = xor i32 %x, -1
  br label %loop
loop:
  %i = phi i32 [ 0, %b ], [ %next, %loop ]
  %a = phi i32 [ %x, %b ], [ %c, %loop ]
  %c = phi i32 [ %y, %b ], [ %a, %loop ]
  BARRIER
  %next = add i32 %i, 1
  %on = icmp ult i32 %next, %n
  br i1 %on, label %loop, label %end
end:
  %d = mul i32 %c, 3
  %sum = add i32 %a, %d
  store i32 %sum, ptr %to
  ret void"""


def test_phis_at_a_start_come_through_entrances_and_may_swap():
    found = simplified(SWAP)
    assert found.entrances == {"i": "group", "a": "item", "c": "item"}
    x = data()
    for n in (1, 2, 3, 4):
        a, c = (x, ~x) if n % 2 else (~x, x)
        assert (result_of(SWAP, n=n) == a + 3 * c).all()


def test_code_behind_a_loop_sees_the_value_of_the_last_round_not_of_the_next():
    """%a is live behind the loop, and at its end the entrance already holds the next round's."""
    body = f"""
b:
{PLACES}
  %x = load i32, ptr %from
  br label %loop
loop:
  %i = phi i32 [ 0, %b ], [ %next, %loop ]
  %a = phi i32 [ %x, %b ], [ %more, %loop ]
  BARRIER
  %v = load i32, ptr %from
  %more = add i32 %a, %v
  %next = add i32 %i, 1
  %on = icmp ult i32 %next, %n
  br i1 %on, label %loop, label %end
end:
  store i32 %a, ptr %to
  ret void"""
    found = simplified(body)
    assert found.slots.get("a") == "item"
    for n in (1, 3):
        assert (result_of(body, n=n) == n * data()).all()


# -- late --------------------------------------------------------------------------------------------------------------

LATE = f"""
b:
{PLACES}
  %low = and i32 %t, 7
  %early = lshr i32 %low, 1
  %side = trunc i32 %t to i1
  %never = icmp ugt i32 %n, 1000
  br label %loop
loop:
  %i = phi i32 [ 0, %b ], [ %next, %latch ]
  %shifted = mul i32 %i, %m
  VALUE
  %due = icmp eq i32 %early, %i
  %before = and i1 %due, %side
  br i1 %before, label %end, label %stay
stay:
  BARRIER
  %next = add i32 %i, 1
  br i1 %due, label %end, label %latch
latch:
  br label %loop
end:
  store i32 %v, ptr %to
  ret void"""


def expected_late(values: np.ndarray, m: int, *, uniform: bool) -> np.ndarray:
    place = np.arange(SIZE)
    rounds = place % BLOCK % 8 // 2
    return values[m * rounds if uniform else (place + m * rounds) % SIZE]


def test_a_value_that_may_be_this_rounds_or_the_last_rounds_is_loaded_late():
    """Behind the barrier a work-item stores what it loaded before, or loads anew and stores that."""
    value = """%w = add i32 %place, %shifted
  %at = urem i32 %w, 192
  %far = getelementptr i32, ptr %in, i32 %at
  %v = load i32, ptr %far"""
    body = LATE.replace("VALUE", value)
    found = simplified(body)
    assert "v" in found.late
    assert found.slots["v"] == "item"
    assert (result_of(body, m=5) == expected_late(data(), 5, uniform=False)).all()


def test_a_uniform_value_loaded_late_is_kept_once_a_work_item():
    body = LATE.replace("VALUE", "%far = getelementptr i32, ptr %in, i32 %shifted\n  %v = load i32, ptr %far")
    found = simplified(body)
    assert found.facts.is_uniform(found.value("v"))
    assert "v" in found.late
    assert found.slots["v"] == "item"
    assert found.value("v") in found.live_values.forced
    assert (result_of(body, m=5) == expected_late(data(), 5, uniform=True)).all()
