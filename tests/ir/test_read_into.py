# SPDX-License-Identifier: Apache-2.0
"""Text read into a module that is there: definitions for its declarations, and more symbols."""

import pytest

from lanewise.ir.lexer import IRSyntaxError
from lanewise.ir.module import Module
from lanewise.ir.reader import read_into, read_module
from lanewise.ir.verifier import verify
from lanewise.ir.writer import write_module

MODULE = """\
@table = constant [1 x ptr] [ptr @given]
declare i32 @given(i32)
define i32 @f(i32 %x) {
  %y = call i32 @given(i32 %x)
  ret i32 %y
}
"""
GIVEN = "define internal i32 @given(i32 noundef %n) nounwind {\n  %r = call i32 @more(i32 %n)\n  ret i32 %r\n}\n"


@pytest.fixture
def module() -> Module:
    return read_module(MODULE)


def test_a_definition_takes_the_place_of_a_declaration(module: Module) -> None:
    given = module.function("given")
    read_into(module, f"{GIVEN}declare i32 @more(i32)\n")
    verify(module)
    assert module.function("given") is given
    assert list(module.symbols) == ["table", "f", "given", "more"]
    assert len(given.users) == 1
    assert given.linkage == "internal"
    assert write_module(module).endswith(
        "define internal i32 @given(i32 noundef %n) nounwind {\n0:\n  %r = call i32 @more(i32 %n)\n  ret i32 %r\n}\n\n"
        "declare i32 @more(i32)\n"
    )


def test_declarations_of_what_there_is_say_nothing(module: Module) -> None:
    read_into(module, "declare void @f()\ndeclare void @given()\n")
    assert write_module(module) == write_module(read_module(MODULE))


def test_symbols_of_the_module_are_known(module: Module) -> None:
    read_into(module, "%T = type { ptr }\n@user = constant %T { ptr @f }\n@again = constant ptr @table\n")
    verify(module)
    assert "@user = constant %T { ptr @f }" in write_module(module)


@pytest.mark.parametrize(
    "text", ["define void @f() {\n  ret void\n}", "@table = global i32 0", "declare void @table()"]
)
def test_nothing_is_defined_twice(module: Module, text: str) -> None:
    with pytest.raises(IRSyntaxError, match="defined once"):
        read_into(module, text)
