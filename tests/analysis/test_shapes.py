# SPDX-License-Identifier: Apache-2.0
"""Shapes, each expected beside its line: `; (lane, row, chunk)` with `?` for a step that is not known, and of blocks
`; masked` or `; together`. %x is a lane's place in x (16 lanes, aligned to 16), %y that of a row in y."""

import re

import pytest

from lanewise.analysis.divergence import Divergence
from lanewise.analysis.flow import Flow
from lanewise.analysis.shapes import EXACT, Extent, Shape, normal
from lanewise.ir.function import Block
from lanewise.ir.reader import read_module
from lanewise.ir.values import Value

NOTE = re.compile(r"; (\([^)]*\)|masked|together).*$")
EXTENT = Extent(lanes=16, rows=1, chunks=4)
ALONG_Y = {"x": Shape(1, 0, 0, EXACT, 16), "y": Shape(0, 0, 1)}
ALONG_X = {"x": Shape(1, 0, 16, EXACT, 16), "y": Shape(0, 0, 0)}


def analysed(body: str, ids: dict[str, Shape], extent: Extent) -> tuple[Divergence, list[str]]:
    text = f"define void @f(ptr %p, i32 %n, i32 %x, i32 %y) {{\nentry:\n{body}\n}}"
    text = re.sub(r"^ +(\w+:)", r"\1", re.sub(r";.*", "", text), flags=re.MULTILINE)
    function = read_module("declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)\n" + text).function("f")
    given: dict[Value, Shape] = {
        argument: normal(ids[argument.name], extent) for argument in function.arguments if argument.name in ids
    }
    end = Block("end")

    def successors(block: Block) -> list[Block]:
        return list(dict.fromkeys(block.successors)) or [end]

    flow = Flow(function.entry, end, successors)
    return Divergence(flow, given, extent, {}), body.splitlines()


def check(body: str, ids: dict[str, Shape] = ALONG_Y, extent: Extent = EXTENT) -> Divergence:
    divergence, lines = analysed(body, ids, extent)
    values = {i.name: i for block in divergence.flow.entry.parent.blocks for i in block.instructions if i.name}
    blocks = {block.name: block for block in divergence.flow.entry.parent.blocks}
    checked = 0
    for line in lines:
        note = NOTE.search(line)
        if note is None:
            continue
        if note[1][0] == "(":
            shape = divergence.shapes[values[line.split("=")[0].strip(" %")]]
            found = f"({', '.join('?' if step is None else str(step) for step in shape[:3])})"
        else:
            found = "masked" if blocks[line.split(":")[0].strip()] in divergence.masked else "together"
        assert found == note[1], line
        checked += 1
    assert checked
    return divergence


def test_sums_and_products():
    check("""
      %a = add nsw i32 %x, %n                        ; (1, 0, 0)
      %b = mul nsw i32 %a, 3                         ; (3, 0, 0)
      %c = sub nsw i32 7, %b                         ; (-3, 0, 0)
      %d = shl nsw i32 %y, 2                         ; (0, 0, 4)
      %e = add nsw i32 %d, %c                        ; (-3, 0, 4)
      %f = mul nsw i32 %x, %n                        ; (?, ?, 0)  a step that only the run knows
      %g = mul nsw i32 %y, %n                        ; (0, 0, ?)
      %h = add nsw i32 %f, %y                        ; (?, ?, 1)  columns: neighbours from chunk to chunk
      %i = mul i32 %x, %x                            ; (?, ?, 0)
      ret void""")


def test_complements_count_downwards():
    check("""
      %a = xor i32 %x, -1                            ; (-1, 0, 0)
      %b = add i32 %a, %n                            ; (-1, 0, 0)  n - 1 - x
      %c = sext i32 %a to i64                        ; (-1, 0, 0)
      %d = zext i32 %a to i64                        ; (?, ?, 0)
      %e = xor i32 %x, 15                            ; (?, ?, 0)
      %f = sub nsw i32 %y, %x                        ; (-1, 0, 1)
      %g = xor i32 %f, -1                            ; (1, 0, -1)
      ret void""")


def test_addresses_in_bytes():
    check("""
      %row = mul nsw i32 %y, %n                      ; (0, 0, ?)
      %at = add nsw i32 %row, %x                     ; (1, 0, ?)
      %wide = sext i32 %at to i64                    ; (1, 0, ?)
      %q = getelementptr float, ptr %p, i64 %wide    ; (4, 0, ?)
      %r = getelementptr [3 x i16], ptr %p, i64 %wide, i64 1  ; (6, 0, ?)
      %v = load float, ptr %q                        ; (?, ?, ?)
      ret void""")


def test_a_sum_that_may_wrap_is_not_affine_behind_its_extension():
    check("""
      %a = add i32 %x, %n                            ; (1, 0, 0)
      %b = zext i32 %a to i64                        ; (?, ?, 0)
      %c = sext i32 %a to i64                        ; (?, ?, 0)
      %d = add nuw i32 %x, %n                        ; (1, 0, 0)
      %e = zext i32 %d to i64                        ; (1, 0, 0)
      %f = sext i32 %d to i64                        ; (?, ?, 0)
      %g = sub nuw i32 %n, %x                        ; (-1, 0, 0)
      %h = zext i32 %g to i64                        ; (?, ?, 0)  a lane that is switched off may be below zero
      ret void""")


def test_division_by_powers_of_two_of_aligned_ids():
    check("""
      %a = lshr i32 %x, 4                            ; (0, 0, 0)
      %b = and i32 %x, 15                            ; (1, 0, 0)
      %c = lshr i32 %x, 3                            ; (?, ?, 0)  lanes 0 to 7 and 8 to 15 differ
      %d = and i32 %x, 7                             ; (?, ?, 0)
      %e = add nuw nsw i32 %x, 1                     ; (1, 0, 0)
      %f = lshr i32 %e, 4                            ; (?, ?, 0)  the last lane is beyond
      ret void""")


def test_bits_that_the_lanes_of_a_row_agree_in():
    check("""
      %a = and i32 %x, -16                           ; (0, 0, 0)
      %b = and i32 %x, 65520                         ; (0, 0, 0)
      %c = and i32 %x, -8                            ; (?, ?, 0)  lanes 0 to 7 and 8 to 15 differ
      %d = and i32 %x, 47                            ; (1, 0, 0)  bit 4 is the same for all
      %e = and i32 %x, 46                            ; (?, ?, 0)
      %f = shl nuw nsw i32 %x, 4                     ; (16, 0, 0)
      %g = and i32 %f, 240                           ; (16, 0, 0)
      %h = and i32 %f, 1044480                       ; (0, 0, 0)
      %i = and i32 %f, 1044496                       ; (?, ?, 0)
      %j = or i32 %x, 16                             ; (1, 0, 0)
      %k = or i32 %x, 8                              ; (?, ?, 0)
      %l = or i32 %x, 31                             ; (0, 0, 0)
      %m = or i32 %f, 7                              ; (16, 0, 0)
      %n16 = xor i32 %x, 32                          ; (1, 0, 0)  the partner in a butterfly
      %o = xor i32 %x, 4                             ; (?, ?, 0)
      %p31 = xor i32 %x, 31                          ; (?, ?, 0)
      %q = xor i32 %f, 5                             ; (16, 0, 0)
      %r = zext i32 %q to i64                        ; (16, 0, 0)
      %s = mul nsw i32 %x, -1                        ; (-1, 0, 0)
      %t = and i32 %s, -16                           ; (?, ?, 0)
      %u = add i32 %x, %n                            ; (1, 0, 0)  aligned to nothing
      %v = and i32 %u, -16                           ; (?, ?, 0)
      ret void""")


def test_bits_that_chunks_beside_each_other_agree_in():
    check("""
      %a = and i32 %x, -16                           ; (0, 0, 16)
      %b = and i32 %x, 240                           ; (0, 0, ?)
      %c = or i32 %x, 16                             ; (1, 0, ?)
      %d = shl i32 %x, 4                             ; (16, 0, 256)
      %e = and i32 %d, -256                          ; (0, 0, 256)
      %f = xor i32 %d, 64                            ; (?, ?, ?)
      %g = or i32 %d, 15                             ; (16, 0, 256)
      %h = xor i32 %d, 3                             ; (16, 0, 256)
      %i = and i32 %d, 240                           ; (16, 0, 0)
      ret void""", ALONG_X)  # fmt: skip


def test_chunks_beside_each_other():
    check("""
      %a = lshr i32 %x, 4                            ; (0, 0, 1)
      %b = lshr i32 %x, 5                            ; (0, 0, ?)
      %c = and i32 %x, 15                            ; (1, 0, 0)
      %d = and i32 %x, 31                            ; (1, 0, ?)
      ret void""", ALONG_X)  # fmt: skip


def test_rows_of_a_narrow_group():
    check("""
      %a = mul nsw i32 %y, 8                         ; (0, 8, 16)
      %b = add nsw i32 %a, %x                        ; (1, 8, 16)
      %c = mul nsw i32 %y, %n                        ; (0, ?, ?)
      %d = add nsw i32 %c, %x                        ; (1, ?, ?)
      ret void""", {"x": Shape(1, 0, 0, EXACT, 8), "y": Shape(0, 1, 2)}, Extent(8, 2, 4))  # fmt: skip


def test_loads_are_as_their_addresses():
    check("""
      %a = load i32, ptr %p                          ; (0, 0, 0)
      %b = getelementptr i32, ptr %p, i32 %y         ; (0, 0, 4)
      %c = load i32, ptr %b                          ; (0, 0, ?)
      %d = load volatile i32, ptr %p                 ; (?, ?, ?)
      %e = atomicrmw add ptr %p, i32 1 monotonic     ; (?, ?, ?)
      ret void""")


def test_a_divergent_branch_masks_its_ways_and_blends_where_they_meet():
    check("""
      %c = icmp slt i32 %x, %n                       ; (?, ?, 0)
      br i1 %c, label %then, label %else
    then:                                            ; masked
      br label %join
    else:                                            ; masked
      br label %join
    join:                                            ; together
      %a = phi i32 [ 1, %then ], [ 2, %else ]        ; (?, ?, 0)
      %b = phi i32 [ %n, %then ], [ %n, %else ]      ; (0, 0, 0)  the same either way
      ret void""")


def test_a_branch_that_differs_from_chunk_to_chunk_blends_scalars():
    check("""
      %c = icmp slt i32 %y, %n                       ; (0, 0, ?)
      br i1 %c, label %then, label %join
    then:                                            ; masked
      br label %join
    join:                                            ; together
      %a = phi i32 [ 1, %then ], [ 2, %entry ]       ; (0, 0, ?)
      ret void""")


def test_a_uniform_branch_masks_nothing():
    check("""
      %c = icmp slt i32 %n, 3                        ; (0, 0, 0)
      br i1 %c, label %then, label %join
    then:                                            ; together
      br label %join
    join:                                            ; together
      %a = phi i32 [ %x, %then ], [ %y, %entry ]     ; (?, ?, ?)
      %b = phi i32 [ %n, %then ], [ 2, %entry ]      ; (0, 0, 0)
      ret void""")


def test_values_that_leave_a_divergent_loop_are_those_of_different_iterations():
    divergence = check("""
      br label %loop
    loop:                                            ; masked
      %i = phi i32 [ 0, %entry ], [ %next, %loop ]   ; (0, 0, 0)
      %next = add nsw i32 %i, 1                      ; (0, 0, 0)
      %c = icmp slt i32 %next, %x                    ; (?, ?, 0)
      br i1 %c, label %loop, label %done
    done:                                            ; together
      %after = phi i32 [ %i, %loop ]                 ; (?, ?, 0)
      %used = add nsw i32 %next, 1                   ; (?, ?, 0)
      ret void""")
    assert len(divergence.divergent_loops) == 1


def test_a_loop_with_a_break_in_divergent_code_is_divergent():
    divergence = check("""
      br label %loop
    loop:                                            ; masked
      %i = phi i32 [ 0, %entry ], [ %next, %latch ]  ; (0, 0, 0)
      %c = icmp slt i32 %i, %x                       ; (?, ?, 0)
      br i1 %c, label %inner, label %latch
    inner:                                           ; masked
      %d = icmp eq i32 %i, %n                        ; (0, 0, 0)
      br i1 %d, label %done, label %latch
    latch:                                           ; masked
      %next = add nsw i32 %i, 1                      ; (0, 0, 0)
      %e = icmp slt i32 %next, 9                     ; (0, 0, 0)
      br i1 %e, label %loop, label %done
    done:                                            ; together
      %after = phi i32 [ 1, %inner ], [ 2, %latch ]  ; (?, ?, 0)
      ret void""")
    assert len(divergence.divergent_loops) == 1


def test_affine_counters_of_uniform_loops():
    check("""
      br label %loop
    loop:                                            ; together
      %i = phi i32 [ %x, %entry ], [ %next, %loop ]  ; (1, 0, 0)
      %k = phi i32 [ %x, %entry ], [ %y, %loop ]     ; (?, ?, ?)
      %next = add nsw i32 %i, %n                     ; (1, 0, 0)
      %c = icmp slt i32 %n, 9                        ; (0, 0, 0)
      br i1 %c, label %loop, label %done
    done:                                            ; together
      ret void""")


def test_votes_are_the_same_for_a_warp():
    check("""
      %c = icmp slt i32 %x, %n                       ; (?, ?, 0)
      %v = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)  ; (0, 0, 0)
      %w = call i32 @llvm.nvvm.vote.ballot.sync(i32 %x, i1 %c)  ; (?, ?, ?)  tiles, each with its own mask
      ret void""")


def test_the_table_shows_shapes_beside_the_code():
    divergence, _ = analysed("%a = add nsw i32 %x, %n\nret void", ALONG_Y, EXTENT)
    table = divergence.table().splitlines()
    assert table[0].startswith("together")
    assert "entry" in table[0]
    assert table[1].startswith("affine (1, 0, 0)")
    assert "add nsw i32" in table[1]


@pytest.mark.parametrize("shape", [Shape(4, 8, 3), Shape(None, None, 3), Shape(0, 5, 0)])
def test_steps_over_what_there_is_one_of_are_zero(shape: Shape):
    found = normal(shape, Extent(16, 1, 1))
    assert found.chunk == 0
    assert found.row == (None if shape.lane is None else 0)
