# SPDX-License-Identifier: Apache-2.0
"""Predicates of comparisons, and the algebra of those of integers and pointers.

Source: LLVM Language Reference, "icmp" and "fcmp".
"""

from __future__ import annotations

from typing import Final

INT_PREDICATES: Final = frozenset({"eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"})
FLOAT_PREDICATES: Final = frozenset({
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
})  # fmt: skip

_INVERSE: Final = {
    "eq": "ne", "ne": "eq", "ugt": "ule", "ule": "ugt", "uge": "ult", "ult": "uge", "sgt": "sle", "sle": "sgt",
    "sge": "slt", "slt": "sge",
}  # fmt: skip
_MIRRORED: Final = {
    "eq": "eq", "ne": "ne", "ugt": "ult", "ult": "ugt", "uge": "ule", "ule": "uge", "sgt": "slt", "slt": "sgt",
    "sge": "sle", "sle": "sge",
}  # fmt: skip


def inverse(predicate: str) -> str:
    """The predicate of `icmp` that holds exactly if `predicate` does not."""
    return _INVERSE[predicate]


def mirrored(predicate: str) -> str:
    """The predicate of `icmp` that holds for `b` and `a` exactly if `predicate` does for `a` and `b`."""
    return _MIRRORED[predicate]
