# SPDX-License-Identifier: Apache-2.0
"""python -m pytest tests/llvm/test_tuning.py"""

import pytest

from lanewise.llvm import LlvmModule, Machine

SUM = """
define void @f(ptr noalias %sum, ptr noalias %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %p
  %before = load float, ptr %sum
  %after = fadd float %before, %x
  store float %after, ptr %sum
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
"""


def blocks_that_store(promotes: bool, *, all_passes: bool) -> list[str]:
    module = LlvmModule.parse(SUM)
    machine = Machine.host()
    machine.claim(module)
    if all_passes:
        machine.optimise(module, level=1, vectorise=False, unroll=False, promotes=promotes)
    else:
        machine.simplify(module, promotes=promotes)
    blocks = module.text().split("\n\n")
    return [block.partition(":")[0] for block in blocks if "store float" in block]


@pytest.mark.parametrize("all_passes", [False, True])
def test_memory_of_loops_stays_memory_if_asked_for_and_only_then(all_passes: bool) -> None:
    assert blocks_that_store(True, all_passes=all_passes) == ["done"]
    assert blocks_that_store(False, all_passes=all_passes) == ["loop"]
    assert blocks_that_store(True, all_passes=all_passes) == ["done"]
