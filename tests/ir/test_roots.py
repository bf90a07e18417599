# SPDX-License-Identifier: Apache-2.0
"""Of a module, the functions that some need are read, and others are declarations."""

import pytest

from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule

TEXT = """
@table = internal constant [2 x ptr] [ptr @in_a_table, ptr @"quoted name"]
@other = internal constant [1 x ptr] [ptr @never]
@"an alias" = alias void (), ptr @behind_an_alias

define void @first() {
  call void @second()
  ret void
}
define internal void @second() {
  %f = load ptr, ptr @table
  call void %f()
  call void @"an alias"()
  call void @second()
  ret void
}
define internal void @in_a_table() {
  ret void
}
define internal void @"quoted name"() {
  ret void
}
define void @behind_an_alias() {
  ret void
}
define internal void @never() {
  ret void
}
define void @alone() {
  ret void
}
"""
REACHED = {"first", "second", "in_a_table", "quoted name", "behind_an_alias"}


@pytest.mark.parametrize(
    ("roots", "bodies"),
    [
        (["first"], REACHED),
        (["alone"], {"alone"}),
        (["alone", "in_a_table"], {"alone", "in_a_table"}),
        (["first", "alone"], REACHED | {"alone"}),
        ([], set[str]()),
        (["no such function"], set[str]()),
    ],
)
def test_what_roots_reach_has_a_body(roots: list[str], bodies: set[str]) -> None:
    module = read_module(TEXT, roots)
    assert {f.symbol for f in module.functions if f.blocks} == bodies
    assert {f.symbol for f in module.functions} == REACHED | {"never", "alone"}


def test_what_is_left_is_a_module() -> None:
    LlvmModule.parse(write_module(read_module(TEXT, ["alone", "behind_an_alias"])))
    LlvmModule.parse(write_module(read_module(TEXT, ["first"])))
