# SPDX-License-Identifier: Apache-2.0
"""Z3 proves that an exact affine address is what its instructions compute, for each form of index at all widths, and
the rules of passes that change addresses and counters."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sampling import EVERY_SHAPE

from lanewise.analysis.addresses import affine_address
from lanewise.ir.instruction import Instruction
from lanewise.ir.reader import read_module
from lanewise.ir.values import Constant, Value

z3 = pytest.importorskip("z3")

FORMS = (
    "add nsw iN %a, %b | sext",
    "add nuw iN %a, %b | zext",
    "add nuw nsw iN %a, %b | zext nneg",
    "add nsw iN %a, -1 | zext nneg",
    "add iN %a, %b | sext",
    "sub nsw iN %a, %b | sext",
    "sub nuw iN %a, %b | zext",
    "or disjoint iN %a, %b | sext",
    "or disjoint iN %a, %b | zext",
    "mul nsw iN %a, 3 | sext",
    "mul nuw iN %a, 3 | zext",
    "mul nuw iN %a, -1 | zext",
    "shl nsw iN %a, 1 | sext",
    "shl nuw iN %a, 1 | zext",
    "shl nuw nsw iN %a, 1 | zext nneg",
    "mul iN %a, 3 | zext",
)
"""An index of N bits, computed of values of as many, and its extension to 64."""
_WIDTHS = range(3, 64) if EVERY_SHAPE else (3, 8, 16, 31, 32, 33, 63)


def _proved(claim: Any, assumed: list[Any]) -> None:
    solver = z3.Solver()
    solver.add(*assumed, z3.Not(claim))
    assert solver.check() == z3.unsat, solver.model()


class _Meaning:
    """The values of instructions as bit vectors, and what their flags promise."""

    def __init__(self) -> None:
        self.promises: list[Any] = []
        self._known: dict[Value, Any] = {}

    def of(self, value: Value) -> Any:
        if isinstance(value, Constant):
            return z3.BitVecVal(value.integer, value.type.bits)
        if value not in self._known:
            bits = 64 if value.type.is_pointer else value.type.bits
            computed = isinstance(value, Instruction)
            self._known[value] = self._computed(value) if computed else z3.BitVec(str(value.name), bits)
        return self._known[value]

    def _computed(self, value: Instruction) -> Any:
        a, *others = map(self.of, value.operands)
        if value.op in ("sext", "zext"):
            if "nneg" in value.flags:
                self.promises.append(a >= 0)
            more = value.type.bits - a.size()
            return z3.SignExt(more, a) if value.op == "sext" else z3.ZeroExt(more, a)
        (b,) = others
        if value.op == "getelementptr":
            return a + b  # of bytes
        if value.op == "or":
            self.promises.append(a & b == 0)
            return a | b
        self.promises += [self._exact(value.op, a, b, z3.SignExt)] if "nsw" in value.flags else []
        self.promises += [self._exact(value.op, a, b, z3.ZeroExt)] if "nuw" in value.flags else []
        return self._operation(value.op, a, b)

    @staticmethod
    def _operation(op: str, a: Any, b: Any) -> Any:
        return {"add": lambda: a + b, "sub": lambda: a - b, "mul": lambda: a * b, "shl": lambda: a << b}[op]()

    def _exact(self, op: str, a: Any, b: Any, extend: Any) -> Any:
        """True if the result is that of integers."""
        bits = a.size()
        wide = extend(bits, a), (z3.ZeroExt if op == "shl" else extend)(bits, b)
        return extend(bits, self._operation(op, a, b)) == self._operation(op, *wide)


@pytest.mark.parametrize("form", FORMS)
def test_an_exact_address_is_the_sum_that_it_is_said_to_be(form: str):
    computed, _, extension = form.partition(" | ")
    for bits in _WIDTHS:
        module = read_module(
            f"define ptr @f(ptr %p, i{bits} %a, i{bits} %b) {{\n"
            f"  %i = {computed.replace('iN', f'i{bits}')}\n"
            f"  %w = {extension} i{bits} %i to i64\n"
            "  %q = getelementptr i8, ptr %p, i64 %w\n"
            "  ret ptr %q\n}\n"
        )
        address = next(each for each in module.function("f").instructions() if each.op == "getelementptr")
        meaning = _Meaning()
        found = affine_address(address, module.types, exact=True)
        total = meaning.of(found.base) + found.offset
        for term in found.others:
            value = meaning.of(term.value)
            more = 64 - value.size()
            wide = {"sext": z3.SignExt, "zext": z3.ZeroExt}[term.extension](more, value) if more else value
            total += wide * term.factor
        _proved(meaning.of(address) == total, meaning.promises)


def test_counters_of_one_step_are_at_equal_distances_from_their_starts():
    """merge-counters: one counter is at its end when the other is as far beyond its own start."""
    for bits in (1, *_WIDTHS, 64):
        start, own, end, gone = (z3.BitVec(name, bits) for name in ("start", "own", "end", "gone"))
        _proved((start + gone == end) == (own + gone == end - start + own), [])


def test_sums_keep_their_lower_bits_whatever_is_extended():
    """narrow-shared-addresses: an address below 2^32 is that of 32 bits, of row and column before they are scaled."""
    row, column, base = z3.BitVec("row", 64), z3.BitVec("column", 32), z3.BitVec("base", 64)
    for factor in (1, 4, 12, 132):
        for extend in (z3.SignExt, z3.ZeroExt):
            wide = base + row * factor + extend(32, column) * factor
            narrow = z3.Extract(31, 0, base) + (z3.Extract(31, 0, row) + column) * factor
            _proved(wide == z3.ZeroExt(32, narrow), [z3.ULT(wide, 1 << 32)])
