# SPDX-License-Identifier: Apache-2.0
"""Call graphs: who calls whom, which functions call themselves, and which must exist by themselves."""

from collections.abc import Iterable

import pytest

from lanewise.analysis.call_graph import CallGraph, called_type, is_indirect, variables_used
from lanewise.ir.function import Function
from lanewise.ir.reader import read_module

MODULE = read_module("""
@table = internal global [2 x ptr] [ptr @in_table, ptr @elsewhere]
@counter = global i32 0

declare void @elsewhere(i32)

define ptx_kernel void @k(ptr %f) {
  call void @once(i32 1)
  call void @once(i32 2)
  call void @elsewhere(i32 3)
  call void %f(i32 4)
  call void asm "", ""()
  ret void
}

define void @once(i32 %n) {
  store i32 %n, ptr @counter
  ret void
}

define void @itself(i32 %n) {
  call void @itself(i32 %n)
  ret void
}

define void @even(i32 %n) {
  call void @odd(i32 %n)
  call void @once(i32 %n)
  ret void
}

define void @odd(i32 %n) {
  call void @even(i32 %n)
  ret void
}

define void @in_table(i32 %n) {
  %first = load ptr, ptr @table
  ret void
}

define i32 @passed(i32 %n) {
  ret i32 %n
}

define void @passes(ptr %to) {
  store ptr @passed, ptr %to
  ret void
}
""")
GRAPH = CallGraph(MODULE)


def names(functions: Iterable[Function]) -> list[str]:
    return [str(function.symbol) for function in functions]


@pytest.mark.parametrize(
    ("caller", "callees"),
    [("k", ["once"]), ("once", []), ("itself", ["itself"]), ("even", ["odd", "once"]), ("passes", [])],
)
def test_callees_are_defined_functions_each_once(caller: str, callees: list[str]):
    assert names(GRAPH.callees(MODULE.function(caller))) == callees


def test_calls_through_pointers():
    calls = [i for i in MODULE.function("k").instructions() if i.op == "call"]
    assert [is_indirect(call) for call in calls] == [False, False, False, True, False]
    assert called_type(calls[3]) is MODULE.function("once").value_type
    assert [f.symbol for f in MODULE.functions if f.blocks and GRAPH.has_indirect_calls(f)] == ["k"]


def test_functions_whose_address_is_taken():
    assert names(GRAPH.addressed) == ["in_table", "passed"], "in an initialiser, or stored"


def test_functions_that_call_themselves():
    assert sorted(names(GRAPH.cyclic)) == ["even", "itself", "odd"]


def test_functions_that_must_exist_by_themselves():
    assert names(GRAPH.out_of_line) == ["itself", "even", "odd", "in_table", "passed"]


def test_a_call_through_a_pointer_leads_to_addressed_functions_of_its_type():
    assert names(GRAPH.targets(MODULE.function("once").value_type)) == ["in_table"]
    assert names(GRAPH.targets(MODULE.function("passed").value_type)) == ["passed"]


@pytest.mark.parametrize(
    ("start", "reached"),
    [("k", ["in_table", "k", "once"]), ("even", ["even", "odd", "once"]), ("passes", ["passes"])],
)
def test_functions_that_may_be_called(start: str, reached: list[str]):
    assert sorted(names(GRAPH.reached([MODULE.function(start)]))) == reached


def test_variables_that_code_names():
    named = variables_used([MODULE.function("once"), MODULE.function("in_table")])
    assert {variable.name for variable in named} == {"counter", "table"}
