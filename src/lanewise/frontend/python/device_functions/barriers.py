# SPDX-License-Identifier: Apache-2.0
"""Barriers of the work-group, with and without a reduction, and fences of memory."""

from typing import Final

from lanewise.frontend.python.code import PythonCode, described
from lanewise.frontend.python.device_functions.call import Emit, called
from lanewise.frontend.python.python_types import INT, PYTHON_BOOL
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.values import NumberValue, PythonObject, Value
from lanewise.ir import types as ty
from lanewise.ir.values import i32

_GRID_SYNC: Final = "__lw_grid_sync"
_SCOPES: Final = {"group": "cta", "device": "gl", "system": "sys"}


def barrier(code: PythonCode) -> PythonObject:
    called(code, "llvm.nvvm.barrier.cta.sync.aligned.all", ty.VOID, i32(0))
    return PythonObject(None)


def barrier_count(code: PythonCode, predicate: Value) -> NumberValue:
    count = called(code, "llvm.nvvm.barrier.cta.red.popc.aligned.all", ty.I32, i32(0), code.is_true(predicate))
    return NumberValue(INT, code.build.cast("zext", count, ty.I64))


def barrier_vote(kind: str) -> Emit:
    """A barrier that tells all work-items if any ("or") or all ("and") of them came with a true predicate."""

    def emit(code: PythonCode, predicate: Value) -> NumberValue:
        symbol = f"llvm.nvvm.barrier.cta.red.{kind}.aligned.all"
        return NumberValue(PYTHON_BOOL, called(code, symbol, ty.I1, i32(0), code.is_true(predicate)))

    return emit


def grid_barrier(code: PythonCode) -> PythonObject:
    """One work-item of each group waits for those of the others, between barriers of the group."""
    build, meet, end = code.build, code.new_block("grid.meet"), code.new_block("grid.end")
    barrier(code)
    ids = [called(code, f"llvm.nvvm.read.ptx.sreg.tid.{axis}", ty.I32) for axis in "xyz"]
    combined = build.binary("or", build.binary("or", ids[0], ids[1]), ids[2])
    build.branch_if(code.compare("eq", combined, i32(0)), meet, end)
    code.go_on(meet)
    code.program.module.declare(_GRID_SYNC, ty.function(ty.VOID, ())).suffix = "convergent"
    called(code, _GRID_SYNC, ty.VOID)
    code.branch(end)
    code.go_on(end)
    return barrier(code)


def memory_fence(code: PythonCode, scope: Value) -> PythonObject:
    known = _SCOPES.get(scope.object) if isinstance(scope, PythonObject) else None
    if known is None:
        raise UnsupportedError(
            f'the scope of a fence is "group", "device" or "system", written as a constant, not {described(scope)}'
        )
    called(code, f"llvm.nvvm.membar.{known}", ty.VOID)
    return PythonObject(None)
