# SPDX-License-Identifier: Apache-2.0
"""A function made by the builder is what its text says."""

from __future__ import annotations

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Function
from lanewise.ir.module import Module
from lanewise.ir.values import Argument, i32, i64
from lanewise.ir.verifier import verify
from lanewise.ir.writer import write_function, write_module
from lanewise.llvm import LlvmModule

EXPECTED = """\
define i32 @f(ptr %p, i32 %n) {
entry:
  %slot = alloca i32, align 4
  %first = load i32, ptr %p, align 4
  %at = getelementptr inbounds i8, ptr %p, i64 8
  store i32 %first, ptr %at, align 4
  %c = icmp slt i32 %first, %n
  br i1 %c, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nsw i32 %i, 1
  %0 = call i32 @g(i32 %next)
  switch i32 %0, label %loop [
    i32 3, label %exit
    i32 4, label %dead
  ]

exit:
  %wide = sext i32 %n to i64
  %1 = call i32 %at(i64 %wide) #0
  ret i32 %1

dead:
  unreachable
}"""


def test_every_method() -> None:
    module = Module()
    module.attributes["#0"] = "nounwind"
    callee = Function("g", ty.function(ty.I32, (ty.I32,)), [Argument(ty.I32)])
    p, n = Argument(ty.PTR, "p"), Argument(ty.I32, "n")
    function = Function("f", ty.function(ty.I32, (ty.PTR, ty.I32)), [p, n])
    module.add(callee)
    module.add(function)
    entry, loop, done, dead = (function.add_block(name) for name in ("entry", "loop", "exit", "dead"))
    build = Builder(entry)
    build.alloca(ty.I32, "slot", align=4)
    first = build.load(ty.I32, p, "first", align=4)
    at = build.offset(p, 8, "at")
    assert build.offset(at, 0) is at
    build.store(first, at, align=4)
    build.branch_if(build.compare("slt", first, n, "c"), loop, done)
    build.block = loop
    counter = build.phi(ty.I32, [(i32(0), entry)], "i")
    following = build.binary("add", counter, i32(1), "next", flags=("nsw",))
    counter.append_operand(following)
    counter.append_operand(loop)
    build.switch(build.call_function(callee, [following]), loop, [(i32(3), done), (i32(4), dead)])
    build.block = done
    wide = build.cast("sext", n, ty.I64, "wide")
    build.ret(build.call(at, ty.function(ty.I32, (ty.I64,)), [wide], suffix="#0"))
    build.block = dead
    build.unreachable()
    verify(module)
    assert write_function(function) == EXPECTED
    LlvmModule.parse(write_module(module))


def test_names_in_use_get_a_suffix_and_numbers_are_quoted() -> None:
    function = Function("f", ty.function(ty.VOID, ()), [])
    build = Builder(function.add_block("x"))
    for name in ("x", "x", "7", "a b", None):
        build.binary("add", i64(1), i64(2), name)
    build.ret()
    assert [line.split(" = ")[0] for line in write_function(function).splitlines()[2:7]] == [
        "  %x.1",
        "  %x.2",
        '  %"7"',
        '  %"a b"',
        "  %0",
    ]
