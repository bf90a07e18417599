# SPDX-License-Identifier: Apache-2.0
"""Loops and conditions that the source doesn't have."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from lanewise.frontend.python.code import PythonCode
from lanewise.ir import types as ty
from lanewise.ir.values import Value as IrValue
from lanewise.ir.values import i64


def count(code: PythonCode, start: IrValue, stop: IrValue, step: int, made: Callable[[IrValue], None]) -> None:
    """A loop from a start to a stop; `made` makes its body."""
    counter = code.entry.alloca(ty.I64, "count.counter")
    code.build.store(start, counter)
    test, body, end = (code.new_block(f"count.{part}") for part in ("test", "body", "end"))
    code.branch(test)
    code.go_on(test)
    code.build.branch_if(code.compare("slt", code.build.load(ty.I64, counter), stop), body, end)
    code.go_on(body)
    made(code.build.load(ty.I64, counter))
    code.build.store(code.plus(code.build.load(ty.I64, counter), i64(step)), counter)
    code.branch(test)
    code.go_on(end)


@contextmanager
def when(code: PythonCode, condition: IrValue) -> Generator[None]:
    """Do what is made within if a condition holds."""
    yes, end = code.new_block("when.yes"), code.new_block("when.end")
    code.build.branch_if(condition, yes, end)
    code.go_on(yes)
    yield
    code.branch(end)
    code.go_on(end)


def least(code: PythonCode, a: IrValue, b: IrValue) -> IrValue:
    """The lesser of two numbers."""
    return code.build.select(code.compare("slt", a, b), a, b)


def turns(code: PythonCode, things: IrValue, each: IrValue) -> IrValue:
    """The number of turns for so many things, several in each."""
    return code.build.binary("sdiv", code.plus(things, code.plus(each, i64(-1))), each)
