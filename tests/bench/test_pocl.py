# SPDX-License-Identifier: Apache-2.0
"""The measurements of pocl's paper: samples at small sizes against NumPy, code for 64-bit Arm, the scheduler, calls."""

import numpy as np
import pytest
from bench.cpu.compare import difference
from bench.pocl.__main__ import samples_generated
from bench.pocl.functions import by_lanewise, generated
from bench.pocl.generated import TARGETS, counts, work_group_ir
from bench.pocl.loops import LATENCIES, table
from bench.pocl.samples import SAMPLES, sample
from bench.pocl.schedule import blocks, cycles, unrolled

import lanewise as lw

_OWN = [name for name, module in SAMPLES.items() if module.startswith("bench.pocl")]

SUM = """
define float @sum(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  %x = load float, ptr %a
  %m = fmul float %x, 2.0
  %t = fadd float %s, %m
  %next = add i64 %i, 1
  %c = icmp eq i64 %next, %n
  br i1 %c, label %end, label %loop
end:
  ret float %t
}
"""


@pytest.mark.parametrize("name", _OWN)
@pytest.mark.parametrize("mapping", ["lanes", "loop"])
def test_samples_compute_what_numpy_does(name: str, mapping: str):
    each = sample(name)
    problem = each.kernel.problem(each.kernel.tiny)
    arguments = [
        lw.local(one.nbytes) if type(one).__name__ == "Local" else np.copy(one) if isinstance(one, np.ndarray) else one
        for one in problem.arguments
    ]
    compiled = lw.compile(each.folder / f"{each.name}.cl", mapping=mapping)[each.name]
    compiled.ndrange(problem.global_size, problem.local_size, device="cpu")(*arguments)
    assert difference(problem, [np.asarray(arguments[place]) for place in problem.results], problem.expected()) == ""


def test_every_sample_has_a_source():
    for name in SAMPLES:
        assert f"void {sample(name).name}(" in sample(name).source


def test_code_for_arm_has_its_vectors():
    target = TARGETS["aarch64"]()
    each = sample("QuasiRandomSequence")
    looped, chosen = (
        counts(work_group_ir(each.source, each.name, (64,), mapping, target), target) for mapping in ("loop", "auto")
    )
    assert 0 < chosen.vector < chosen.all < looped.all
    assert looped.calls == chosen.calls == 0
    row = samples_generated(["QuasiRandomSequence"], target).splitlines()[2]
    assert row.startswith("| QuasiRandomSequence |")
    assert row.endswith("| 0 |")


def test_calls_of_arms_vectors_are_code():
    rows = generated(TARGETS["aarch64"]()).splitlines()[2:]
    assert [row.split(" | ")[0] for row in rows] == ["| float", "| float", "| double", "| double"]
    assert "calls" not in "".join(rows)


def test_a_loop_that_carries_a_sum_takes_the_latency_of_its_addition():
    loop = max(blocks(SUM), key=lambda block: block.multiplications)
    assert (loop.multiplications, loop.issued) == (1, 6)
    latencies = {"add": 5, "multiply": 4, "memory": 3}
    assert cycles(loop, latencies) == 1 + 3 + 4 + 5
    assert cycles(unrolled(loop, 8), latencies) == 1 + 3 + 4 + 8 * 5
    assert cycles(unrolled(loop, 8), {}) == 1 + 1 + 1 + 8 * 1


def test_units_bound_what_starts_in_a_cycle():
    loop = max(blocks(SUM), key=lambda block: block.multiplications)
    scarce = {"integer": 1, "add": 1, "multiply": 1, "memory": 1}
    assert cycles(unrolled(loop, 8), {}, scarce) >= 8 * 3  # three integer operations per iteration


def test_loops_inside_the_work_items_take_fewer_cycles_the_longer_operations_are():
    rows = [row.strip("| ").split(" | ") for row in table(TARGETS["aarch64"]()).splitlines()[2:]]
    assert [int(row[0]) for row in rows] == list(LATENCIES)
    times = [float(row[3]) for row in rows]
    assert times == sorted(times)
    assert times[-1] > 2


@pytest.mark.parametrize(("type_", "width", "items"), [("float", 4, 1), ("double", 1, 64)])
def test_calls_are_made_as_often_as_asked(type_: str, width: int, items: int):
    by_lanewise(type_, width, "exp", items, 10)()
