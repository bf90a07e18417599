# SPDX-License-Identifier: Apache-2.0
"""The symbols that code, initial values and aliases name."""

from typing import Final

import pytest

from lanewise.analysis.references import reached_from, references, symbols_in
from lanewise.ir.reader import read_module
from lanewise.ir.values import Global

TEXT: Final = """
@number = global i32 7
@table = global [2 x ptr] [ptr @leaf, ptr null]
@loop = global ptr @loop
@outside = external global i32
@other = alias i32 (i32), ptr @helper
define i32 @leaf(i32 %x) {
  ret i32 %x
}
define i32 @helper(i32 %x) {
  %y = call i32 @leaf(i32 %x)
  %z = call i32 @leaf(i32 %y)
  ret i32 %z
}
define i32 @recursive(i32 %x) {
  %y = call i32 @recursive(i32 %x)
  ret i32 %y
}
define void @stores(ptr %p) {
  store ptr getelementptr (i8, ptr @table, i64 8), ptr %p
  store ptr @other, ptr %p
  ret void
}
define void @debugged() {
  #dbg_value(ptr @outside, !0, !DIExpression(), !1)
  store ptr @loop, ptr @number
  ret void
}
"""


@pytest.mark.parametrize(
    ("symbol", "direct", "reached"),
    [
        ("number", [], ["number"]),
        ("outside", [], ["outside"]),
        ("table", ["leaf"], ["table", "leaf"]),
        ("loop", ["loop"], ["loop"]),
        ("other", ["helper"], ["other", "helper", "leaf"]),
        ("helper", ["leaf", "leaf"], ["helper", "leaf"]),
        ("recursive", ["recursive"], ["recursive"]),
        ("stores", ["table", "other"], ["stores", "table", "other", "helper", "leaf"]),
        ("debugged", ["loop", "number"], ["debugged", "loop", "number"]),
    ],
)
def test_what_a_symbol_refers_to(symbol: str, direct: list[str], reached: list[str]):
    found = read_module(TEXT).symbols[symbol]
    assert isinstance(found, Global)
    assert [each.name for each in references(found)] == direct
    assert [each.name for each in reached_from([found])] == reached


def test_a_constant_names_what_stands_inside_it():
    store = read_module(TEXT).function("stores").blocks[0].instructions[0]
    assert [symbol.name for symbol in symbols_in(store.operands[0])] == ["table"]
    assert list(symbols_in(store.operands[1])) == []


def test_roots_come_first_and_once():
    module = read_module(TEXT)
    roots = [module.function("leaf"), module.function("helper"), module.function("leaf")]
    assert [symbol.name for symbol in reached_from(roots)] == ["leaf", "helper"]
