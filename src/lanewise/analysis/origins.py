# SPDX-License-Identifier: Apache-2.0
"""Objects that addresses are computed from."""

from __future__ import annotations

from typing import Final

from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Argument, Constant, Value

DERIVED: Final = frozenset({"getelementptr", "bitcast", "addrspacecast", "freeze"})
"""Operations whose result points into what their first operand points into."""


def origins(address: Value) -> list[Value]:
    """The objects that an address may be computed from. It is computed from one of them."""
    found: dict[Value, None] = {}
    seen: set[Value] = set()
    work = [address]
    while work:
        value = work.pop()
        if value in seen:
            continue
        seen.add(value)
        if isinstance(value, Instruction) and value.op in DERIVED:
            work.append(value.operands[0])
        elif isinstance(value, Instruction) and value.op == "phi":
            work += [incoming for incoming, _ in value.incoming()]
        elif isinstance(value, Instruction) and value.op == "select":
            work += value.operands[1:]
        elif isinstance(value, Constant) and value.kind == "expr" and value.opcode in DERIVED:
            work.append(value.operands[0])
        else:
            found[value] = None
    return list(found)


def parameters_behind(address: Value) -> list[Argument]:
    """The parameters that an address may be computed from, except structs passed by value."""
    return [o for o in origins(address) if isinstance(o, Argument) and o.byval is None]
