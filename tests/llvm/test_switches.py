# SPDX-License-Identifier: Apache-2.0
"""python -m pytest tests/llvm/test_switches.py"""

import os
import random
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from lanewise.llvm import LlvmModule, Machine
from lanewise.llvm.switches import GPU, Switch, switches

NVPTX = Machine.nvptx("sm_80", 78)
LOOP = """
define void @f(ptr %a, ptr %b, i32 %stride, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %index = mul nsw i32 %i, %stride
  %plus = add nsw i32 %index, FACTOR
  %wide = sext i32 %plus to i64
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  %q = getelementptr inbounds float, ptr %b, i64 %wide
  %v = load float, ptr %p
  store float %v, ptr %q
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
"""


STEPS = """
define float @f(ptr %a, i32 %first, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  %v0 = load float, ptr %p
MULTIPLICATIONS
  %more = fadd float %sum, %v20
  %next = add nsw i32 %i, 128
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  ret float %more
}
""".replace("MULTIPLICATIONS", "\n".join(f"  %v{i + 1} = fmul float %v{i}, {i}.5" for i in range(20)))


def assembly(machine: Machine, number: int, source: str = LOOP, unroll: bool = False) -> str:
    module = LlvmModule.parse(source.replace("FACTOR", str(number)))
    machine.claim(module)
    machine.optimise(module, vectorise=False, unroll=unroll)
    return machine.assembly(module)


@pytest.mark.parametrize("switch", GPU, ids=lambda switch: switch.name)
def test_each_switch_changes_gpu_code(switch: Switch, monkeypatch: pytest.MonkeyPatch):
    def both() -> tuple[str, str]:
        return assembly(NVPTX, 5), assembly(NVPTX, 5, STEPS, unroll=True)

    left = switch._replace(gpu=switch.otherwise)
    monkeypatch.setattr("lanewise.llvm.switches.GPU", tuple(left if each is switch else each for each in GPU))
    with switches(gpu=False):
        pass
    without = both()
    monkeypatch.undo()
    with switches(gpu=False):
        pass
    assert both() != without


@pytest.mark.parametrize("switch", GPU, ids=lambda switch: switch.name)
def test_a_host_gets_the_value_that_llvm_has_unless_told(switch: Switch):
    """A process of its own, since the first switch of this one may have changed the value already."""
    script = f"""
from lanewise.llvm import LlvmModule, Machine, set_option
def code():
    module = LlvmModule.parse({STEPS!r})
    host = Machine.host()
    host.claim(module)
    host.optimise(module, vectorise=False)
    return host.assembly(module)
before = code()
set_option("-{switch.name}={switch.otherwise}")
assert code() == before
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_code_is_the_same_whatever_was_compiled_before_and_beside():
    host = Machine.host()
    wanted = {(machine, n): assembly(machine, n) for n in range(20) for machine in (host, NVPTX)}
    with ThreadPoolExecutor(8) as pool:
        for seed in range(10):
            order = list(wanted)
            random.Random(seed).shuffle(order)
            assert dict(zip(order, pool.map(lambda key: assembly(*key), order), strict=True)) == wanted


def test_the_two_kinds_never_meet_and_neither_waits_for_ever():
    inside: list[bool] = []
    met: list[bool] = []
    entered = {True: 0, False: 0}
    end = time.monotonic() + 1

    def enter(gpu: bool) -> None:
        while time.monotonic() < end:
            with switches(gpu=gpu):
                inside.append(gpu)
                met.append((not gpu) in inside)
                time.sleep(0.001)
                inside.remove(gpu)
            entered[gpu] += 1

    threads = [threading.Thread(target=enter, args=(number % 2 == 0,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not any(met)
    assert min(entered.values()) > 20


def test_a_forked_child_need_not_wait_for_threads_that_it_lacks():
    with switches(gpu=True):
        child = os.fork()
        if not child:
            with switches(gpu=False):
                os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


FORCED = """
declare void @g() convergent
define void @f(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @g()
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.ASKED"}
"""


@pytest.mark.parametrize("asked", ['unroll.enable"', 'unroll.full"', 'unroll.count", i32 4'])
def test_llvm_prints_no_warning_of_a_loop_that_stays_as_it_is(asked: str):
    text = FORCED.replace('ASKED"', asked)
    script = f"""
from lanewise.llvm import LlvmModule, Machine
module = LlvmModule.parse({text!r})
assert module.has_forced_loops
Machine.host().claim(module)
Machine.host().optimise(module)
assert "@g()" in module.text()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_passes_are_left_out_once_nothing_else_compiles():
    """LLVM's set of such passes isn't to be changed while another thread reads it."""
    script = """
import threading
from lanewise.llvm.switches import switches
told = []
def force():
    with switches(gpu=False, unwarned=True):
        told.append("inside")
with switches(gpu=False):
    thread = threading.Thread(target=force)
    thread.start()
    thread.join(0.2)
    assert not told
thread.join()
with switches(gpu=False):
    force()
assert told == ["inside", "inside"]
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=30)
