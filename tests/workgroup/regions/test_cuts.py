# SPDX-License-Identifier: Apache-2.0
"""Each rule of `cuts.py` by its number, where it makes a cut and where it must not."""

from ..parts import Parts, kernel_text, parts


def starts(found: Parts) -> set[str]:
    return {str(block.name) for block in found.cuts.starts}


def group_branches(found: Parts) -> set[str]:
    return {str(block.name) for block in found.cuts.group_branches}


def horizontal(found: Parts) -> list[str]:
    return [str(loop.header.name) for loop in found.cuts.horizontal]


# -- rules 1 and 2 -----------------------------------------------------------------------------------------------------


def test_rule_1_behind_every_barrier():
    found = parts(
        kernel_text("""
b:
  BARRIER
  store i32 1, ptr %out
  BARRIER
  ret void""")
    )
    assert starts(found) == {"b", "b.after", "b.after2"}
    assert group_branches(found) == set()


UNIFORM_IF = """
b:
  %is = icmp eq i32 %n, 3
  br i1 %is, label %yes, label %no
yes:
  store i32 1, ptr %out
  LEFT
  br label %end
no:
  RIGHT
  br label %end
end:
  store i32 1, ptr %in
  BARRIER
  ret void"""


def test_rule_2_a_uniform_branch_to_different_barriers():
    found = parts(kernel_text(UNIFORM_IF.replace("LEFT", "BARRIER").replace("RIGHT", "")))
    assert group_branches(found) == {"b"}
    assert starts(found) == {"b", "yes", "yes.after", "no", "end.after"}


def test_rule_2_not_where_the_same_barrier_comes_next():
    found = parts(kernel_text(UNIFORM_IF.replace("LEFT", "").replace("RIGHT", "")))
    assert group_branches(found) == set()
    assert starts(found) == {"b", "end.after"}


def test_rule_2_not_for_a_branch_that_may_go_both_ways():
    body = UNIFORM_IF.replace("LEFT", "BARRIER").replace("RIGHT", "")
    found = parts(kernel_text(body.replace("icmp eq i32 %n, 3", "load volatile i1, ptr %in")))
    assert group_branches(found) == set()


def test_rule_2_a_loop_with_a_barrier():
    found = parts(
        kernel_text("""
b:
  br label %loop
loop:
  %i = phi i32 [ 0, %b ], [ %next, %loop ]
  BARRIER
  %next = add i32 %i, 1
  %on = icmp ult i32 %next, %n
  br i1 %on, label %loop, label %end
end:
  ret void""")
    )
    assert group_branches(found) == {"loop.after"}
    assert starts(found) == {"b", "loop", "loop.after", "end"}


def test_rule_2_not_where_some_are_out_of_step():
    """Those with an odd %t pass the loop's branch while the others wait at the barrier."""
    body = """
b:
  TID
  %odd = trunc i32 %t to i1
  br label %loop
loop:
  %i = phi i32 [ 0, %b ], [ %next, %latch ]
  br i1 %odd, label %latch, label %wait
wait:
  BARRIER
  br label %latch
latch:
  %next = add i32 %i, 1
  %on = icmp ult i32 %next, %n
  br i1 %on, label %loop, label %behind
behind:
  br i1 %odd, label %end, label %more
more:
  BARRIER
  store i32 1, ptr %out
  br label %end
end:
  ret void"""
    found = parts(kernel_text(body))
    assert group_branches(found) == set()
    assert all(d.is_end or d.barrier for region in found.graph for d in region.destinations)


def test_rule_2_not_where_it_leads_to_a_parted_block():
    """Behind the barrier, those with an odd %t end and the others come to `tail`, where a uniform branch leads, too."""
    body = """
b:
  TID
  %odd = trunc i32 %t to i1
  %skips = icmp ugt i32 %n, 5
  br i1 %skips, label %tail, label %wait
wait:
  BARRIER
  br i1 %odd, label %odds, label %stay
odds:
  store i32 1, ptr %in
  br label %end
stay:
  store i32 2, ptr %in
  br label %tail
tail:
  store i32 1, ptr %out
  br label %end
end:
  ret void"""
    found = parts(kernel_text(body))
    assert group_branches(found) == set()
    assert starts(found) == {"b", "wait.after"}


# -- rule 3 ------------------------------------------------------------------------------------------------------------

LOOP = """
b:
  TID
  %place = getelementptr float, ptr %in, i32 %t
  %mine = getelementptr float, ptr %out, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 0, %b ], [ %next, %latch ]
  %sum = phi float [ 0.0, %b ], [ %more, %latch ]
  %x = load float, ptr %place
  BODY
  br label %latch
latch:
  %more = fadd float %sum, %x
  %next = add i32 %i, 1
  %on = icmp ult i32 %next, LIMIT
  br i1 %on, label %loop, label %end
end:
  store float %more, ptr %mine
  ret void"""


def loop(body: str = "", limit: str = "%n", width: int = 64, more: str = "") -> Parts:
    return parts(kernel_text(LOOP.replace("BODY", body).replace("LIMIT", limit), more=more), width)


def test_rule_3_a_uniform_loop_is_horizontal():
    found = loop()
    assert horizontal(found) == ["loop"]
    assert group_branches(found) == {"latch"}
    assert starts(found) == {"b", "loop", "end"}


def test_rule_3_not_with_less_than_a_vector_of_work_items():
    assert horizontal(loop(width=7)) == []
    assert horizontal(loop(width=8)) == ["loop"]


def test_rule_3_1_not_with_a_barrier_in_it():
    found = loop("BARRIER")
    assert horizontal(found) == []
    assert group_branches(found) == {"latch"}  # rule 2


def test_rule_3_2_not_where_an_exit_is_divergent():
    assert horizontal(loop(limit="%t")) == []


def test_rule_3_2_not_where_only_some_enter_it():
    assert (
        horizontal(
            parts(
                kernel_text("""
b:
  TID
  %some = icmp ult i32 %t, 7
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %b ], [ %next, %loop ]
  %next = add i32 %i, 1
  store i32 %i, ptr %out
  %on = icmp ult i32 %next, %n
  br i1 %on, label %loop, label %end
end:
  store i32 1, ptr %in
  ret void""")
            )
        )
        == []
    )


def test_rule_3_2_not_without_an_exit():
    assert (
        horizontal(
            parts(
                kernel_text("""
b:
  br label %loop
loop:
  store i32 1, ptr %out
  br label %loop""")
            )
        )
        == []
    )


NESTED = """
b:
  TID
  br label %outer
outer:
  %i = phi i32 [ 0, %b ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %j.next = add i32 %j, 1
  store i32 %j, ptr %out
  %again = icmp ult i32 %j.next, LIMIT
  br i1 %again, label %inner, label %latch
latch:
  %i.next = add i32 %i, 1
  %on = icmp ult i32 %i.next, %n
  br i1 %on, label %outer, label %end
end:
  store i32 1, ptr %in
  ret void"""


def test_rule_3_3_inner_loops_are_horizontal_too():
    assert horizontal(parts(kernel_text(NESTED.replace("LIMIT", "%m")))) == ["inner", "outer"]


def test_rule_3_3_not_around_a_loop_that_is_not():
    assert horizontal(parts(kernel_text(NESTED.replace("LIMIT", "%t")))) == []


def test_rule_3_4_not_with_what_keeps_the_vectoriser_out():
    for line in (
        "%old = atomicrmw add ptr %out, i32 1 monotonic",
        "%pair = cmpxchg ptr %out, i32 0, i32 1 monotonic monotonic",
        "fence seq_cst",
        "%v = load volatile i32, ptr %in",
        "store volatile i32 1, ptr %out",
        "%a = load atomic i32, ptr %in monotonic, align 4",
        "%r = call float @sinf(float %x)",
        "call void @llvm.nvvm.membar.gl()",
    ):
        more = "declare float @sinf(float)\ndeclare void @llvm.nvvm.membar.gl()"
        assert horizontal(loop(line, more=more)) == [], line


def test_rule_3_4_arithmetic_intrinsics_and_markers_are_fine():
    more = "declare float @llvm.sqrt.f32(float)\ndeclare void @llvm.assume(i1)"
    assert horizontal(
        loop("%r = call float @llvm.sqrt.f32(float %x)\n  call void @llvm.assume(i1 true)", more=more)
    ) == ["loop"]


def carrying(count: int) -> Parts:
    """A loop around which `count` varying values are carried."""
    phis = "\n".join(f"  %v{i} = phi i32 [ %t, %b ], [ %w{i}, %loop ]" for i in range(count))
    steps = "\n".join(f"  %w{i} = mul i32 %v{i}, {i + 3}\n  store i32 %w{i}, ptr %mine" for i in range(count))
    return parts(
        kernel_text(f"""
b:
  TID
  %mine = getelementptr i32, ptr %out, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 0, %b ], [ %next, %loop ]
{phis}
{steps}
  %next = add i32 %i, 1
  %on = icmp ult i32 %next, %n
  br i1 %on, label %loop, label %end
end:
  ret void""")
    )


def test_rule_3_is_not_worth_it_with_too_much_to_carry():
    assert horizontal(carrying(8)) == ["loop"]
    assert horizontal(carrying(9)) == []
