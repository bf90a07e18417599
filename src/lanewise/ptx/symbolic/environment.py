# SPDX-License-Identifier: Apache-2.0
"""Operands as terms: values of registers in a state, special registers, constants, addresses of variables."""

from __future__ import annotations

import re
import struct
from typing import Final

from lanewise.ptx.control.steps import Register, Step
from lanewise.ptx.language.operands import Address, Immediate, Name, Negated, Offset, Operand, Vector
from lanewise.ptx.symbolic.instructions import WIDTHS
from lanewise.ptx.symbolic.operations import Operations
from lanewise.ptx.symbolic.terms import Differs, Term, Terms

_PLACE: Final = frozenset({"%tid.x", "%laneid"})
_OF_THE_WARP: Final = frozenset({"%nwarpid", "%nsmid", "%gridid", "WARP_SZ"})
"""%warpid and %smid are excluded: they change if a warp is moved (10.4, 10.8)."""
_OF_THE_GRID: Final = ("%ntid", "%ctaid", "%nctaid", "%cluster", "%ncluster", "%nclusterid", "%clusterid", "%envreg",
                       "%dynamic_smem_size", "%total_smem_size", "%aggr_smem_size", "%is_explicit_cluster")  # fmt: skip
_WIDE: Final = frozenset({"%clock64", "%globaltimer", "%gridid", "%current_graph_exec"})

_SPECIAL: Final = re.compile(
    r"%(n?tid|laneid|n?warpid|n?ctaid|n?smid|gridid|n?clusterid|cluster_n?cta(id|rank)|is_explicit_cluster"
    r"|lanemask_(eq|le|lt|ge|gt)|clock(_hi|64)?|pm\d(_64)?|envreg\d+|globaltimer(_lo|_hi)?|reserved_smem_\w+"
    r"|(total|aggr|dynamic)_smem_size|current_graph_exec)(\.[xyzw])?"
).fullmatch
"""Predefined names (PTX ISA 9.0, chapter 10)."""

Registers = dict[Register, Term]
"""The value of each register."""


def is_special(name: str) -> bool:
    """True for the name of a special register."""
    return _SPECIAL(name) is not None


def _bits(value: int | float) -> int:
    """A number as bits; a decimal as those of a double. It matters only that different numbers have different bits."""
    return value if isinstance(value, int) else int.from_bytes(struct.pack("<d", value), "little")


def width_of(register: Register) -> int:
    return WIDTHS.get(register.type, 32)


class Environment:
    """Terms of operands."""

    def __init__(self, terms: Terms, operations: Operations, address_bits: int) -> None:
        self.terms: Final = terms
        self.operations: Final = operations
        self.address_bits: Final = address_bits

    def operand(self, step: Step, operand: Operand, registers: Registers, width: int) -> Term:
        """An operand that an instruction reads with `width` bits."""
        terms = self.terms
        if isinstance(operand, Name):
            return self.resized(self._named(step, operand.text, registers, width), width)
        if isinstance(operand, Immediate):
            return terms.constant(width, _bits(operand.value))
        if isinstance(operand, Negated):
            value = self.operand(step, operand.operand, registers, width)
            return terms.scale(value, -1) if operand.sign == "-" else terms.complement(value)
        if isinstance(operand, Offset):
            base = self.operand(step, operand.base, registers, width)
            return terms.add(base, terms.constant(width, operand.offset))
        if isinstance(operand, Vector):
            return self._packed(step, operand, registers, width)
        return terms.fresh("operand", width)

    def address(self, step: Step, address: Address, registers: Registers) -> Term:
        """`[base+offset]`, with the width of the register, or else of an address."""
        width = self.address_bits
        if isinstance(address.base, Name):
            register = step.scope.register(address.base.text)
            if register is not None:
                width = width_of(register)
        base = self.operand(step, address.base, registers, width)
        return self.terms.add(base, self.terms.constant(width, address.offset))

    def resized(self, value: Term, width: int) -> Term:
        """An operand wider than the instruction's type is truncated, a narrower one zero-extended (9.4.1)."""
        return self.operations.extend("zext", value, width)

    def _named(self, step: Step, name: str, registers: Registers, width: int) -> Term:
        register = step.scope.register(name)
        if register is not None:
            held = registers.get(register)
            if held is None:
                held = self.terms.symbol(f"{name} before it is written", width_of(register), Differs.FREELY)
            return held
        if name[0] == "%":
            return self._special(name)
        return self.terms.symbol(name, width, Differs.NOT)

    def _special(self, name: str) -> Term:
        """Source: PTX ISA 9.0, chapter 10 "Special Registers"."""
        terms = self.terms
        width = 64 if name in _WIDE else 32
        if name in _PLACE:
            return terms.symbol(name, width, Differs.BY_PLACE)
        if name in ("%tid.y", "%tid.z"):
            return terms.symbol(name, width, Differs.BY_ROW)
        if name in _OF_THE_WARP or name.startswith(_OF_THE_GRID):
            return terms.symbol(name, width, Differs.NOT)
        return terms.fresh(name, width)

    def _packed(self, step: Step, vector: Vector, registers: Registers, width: int) -> Term:
        """`mov.b64 %rd, {%r1, %r2}`"""
        part = width // max(1, len(vector.items))
        total = self.terms.constant(width, 0)
        for place, item in enumerate(vector.items):
            value = self.operations.extend("zext", self.operand(step, item, registers, part), width)
            total = self.terms.add(total, self.terms.scale(value, 1 << (place * part)))
        return total
