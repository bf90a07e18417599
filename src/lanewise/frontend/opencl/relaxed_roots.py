# SPDX-License-Identifier: Apache-2.0
"""relax-reciprocal-roots: writes rsqrt as a quotient by a root in programs that permit approximations.

Why
    The library's rsqrt rounds a root and a quotient, with no flags: it can't know what its callers permit. Where the
    flags stand at a quotient by a root, LLVM estimates the reciprocal root and refines it by one step of Newton's, in
    a third of the time. GPUs have an instruction for it.

Before
    define float @f(float %x) {
      %y = call reassoc nnan ninf nsz arcp afn float @_Z5rsqrtf(float %x)
      ret float %y
    }
    declare float @_Z5rsqrtf(float)

After
    define float @f(float %x) {
      %1 = call reassoc nsz arcp afn float @llvm.sqrt.f32(float %x)
      %y = fdiv reassoc nnan ninf nsz arcp afn float 1.0, %1
      ret float %y
    }
    declare float @llvm.sqrt.f32(float)

Needs
    1. The built-in function is rsqrt, half_rsqrt or native_rsqrt of a float or a vector of floats, and is not defined
       here.
    2. The call has all flags that `-cl-unsafe-math-optimizations` gives: reassoc, nsz, arcp and afn.

Method
    The root has these flags, too: GPUs have one instruction for both only then. It may be infinite, whatever the call
    promises, so that its reciprocal is 0.

When not
    Roots of double, which no processor estimates to more than 14 digits.

Neighbours
    `backend/host/divisions.py` mends the estimate where the argument is 0, denormal or infinite.
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.instruction import CallSite, Instruction
from lanewise.ir.intrinsics import spelled
from lanewise.ir.module import Module
from lanewise.ir.ops import FAST_MATH
from lanewise.ir.types import Type
from lanewise.ir.values import Constant

_ROOT: Final = re.compile(r"_Z(?:5|10half_|12native_)rsqrt(?:Dv\d+_)?f").fullmatch
_NEEDED: Final = ("reassoc", "nsz", "arcp", "afn")
_ALL: Final = "fast"
"""The flag that stands for all."""


def run(module: Module) -> bool:
    """Rewrite such calls of a module; returns whether there are any."""
    roots = [each for each in module.functions if each.is_declaration and _ROOT(each.symbol)]  # 1
    calls = [user for root in roots for user in root.users if user.callee == root.symbol and _is_relaxed(user)]
    for call in calls:
        _rewrite(call, module)
    for root in roots:
        if not root.users:
            del module.symbols[root.symbol]
    return bool(calls)


def _is_relaxed(call: Instruction) -> bool:
    return _ALL in call.flags or set(call.flags) >= set(_NEEDED)  # 2


def _rewrite(call: Instruction, module: Module) -> None:
    """Put a root and a quotient with the call's flags in its place."""
    block, type_ = call.parent, call.type
    line = tuple(node for node in call.metadata if node[0] == "!dbg")
    function = module.declare(f"llvm.sqrt.{spelled(type_)}", ty.function(type_, (type_,)))
    flags = tuple(flag for flag in call.flags if flag in FAST_MATH)
    site = CallSite(function.value_type)
    root = Instruction("call", type_, (function, *call.arguments), flags=_NEEDED, metadata=line, call=site)
    quotient = Instruction("fdiv", type_, (_one(type_), root), name=call.name, flags=flags, metadata=line)
    for made in (root, quotient):
        block.insert(block.instructions.index(call), made)
    call.replace_all_uses(quotient)
    call.erase()


def _one(type_: Type) -> Constant:
    one = Constant(ty.FLOAT, "float", "1.0")
    return Constant(type_, "splat", operands=(one,)) if type_.is_vector else one
