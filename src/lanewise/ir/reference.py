# SPDX-License-Identifier: Apache-2.0
"""The reference of the IR, docs/ir.md, written from the tables of operations and intrinsics.

python -m lanewise.ir.reference > docs/ir.md
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from lanewise.ir.intrinsics import INTRINSICS, Intrinsic
from lanewise.ir.ops import ATOMIC_OPERATIONS, FAST_MATH, OPS, ORDERINGS, Op
from lanewise.ir.predicates import FLOAT_PREDICATES, INT_PREDICATES

_HEAD: Final = """\
# The kernel IR

Kernel IR is LLVM 22 textual IR for `nvptx64`, as clang writes it for CUDA, with the `llvm.nvvm.*` intrinsics for what
a GPU has and a CPU has not. A kernel is a function with the calling convention `ptx_kernel`. Attributes, metadata and
whatever else no pass interprets are kept and written again. The tables below say what Lanewise gives a meaning to; the
invariants of a module are the docstring of `src/lanewise/ir/verifier.py`.

This file is made by `make docs` from `src/lanewise/ir/ops.py` and `src/lanewise/ir/intrinsics.py`.

## Address spaces

| number | space | on the CPU |
| --- | --- | --- |
| 0 | generic | memory of the process |
| 1 | global | memory of the process |
| 3 | shared | in the arena of the worker that runs the work-group |
| 4 | constant | memory of the process |
| 5 | local | the work-item's own |

## Operations

*Effect*: whether it reads or writes memory. *Traps*: it may be undefined for some operands, so it can't be executed
where the program did not. *Result* over the work-items that compute it together: *varying* differs, *warp* is one value
for the members of a warp that take part, *uniform* is one value for the group, *operands* is uniform where all operands
are. An atomic or volatile load is varying, and the next table tells of calls. *Flags* are words that may stand after
the name; *fast-math* stands for
"""
_INTRINSICS: Final = """\
## Intrinsics

One row serves all types of an overloaded intrinsic: `llvm.fma.v4f32` is `llvm.fma`. An intrinsic without a row is
unknown to every pass and refused by the back ends, by name.

*Result*: as above. *Effect*: whether it reads or writes memory, and whether it may end the work-item or the program.
*Convergent*: it may not be made to depend on more conditions, nor be copied. *Ignored*: a hint or a marker, without
meaning to execution. *Target*: the least `sm_XX` and PTX version.
"""


def reference() -> str:
    """The whole document."""
    flags = f"{_code(sorted(FAST_MATH))}.\n"
    parts = [_HEAD + flags, _operations(), _words(), _INTRINSICS, _intrinsics()]
    return "\n".join(parts)


def _operations() -> str:
    rows = [
        (f"`{op.name}`", op.form, op.divergence, _effect(op), "yes" if op.traps else "", _flags(op))
        for op in OPS.values()
    ]
    return _table(("operation", "form", "result", "effect", "traps", "flags"), rows)


def _words() -> str:
    listed = (
        ("Predicates of `icmp`", INT_PREDICATES),
        ("Predicates of `fcmp`", FLOAT_PREDICATES),
        ("Operations of `atomicrmw`", ATOMIC_OPERATIONS),
        ("Orderings", ORDERINGS),
    )
    return "\n".join(f"{what}: {_code(sorted(words))}.\n" for what, words in listed)


def _intrinsics() -> str:
    rows = [
        (
            f"`{row.name}`",
            row.divergence,
            _effect(row),
            "yes" if row.convergent else "",
            "yes" if row.ignorable else "",
            f"sm_{row.sm}, PTX {row.ptx // 10}.{row.ptx % 10}" if row.name.startswith("llvm.nvvm.") else "",
        )
        for row in INTRINSICS.values()
    ]
    return _table(("intrinsic", "result", "effect", "convergent", "ignored", "target"), rows)


def _effect(row: Op | Intrinsic) -> str:
    ends = isinstance(row, Intrinsic) and row.ends
    return ", ".join(word for word, holds in (("reads", row.reads), ("writes", row.writes), ("ends", ends)) if holds)


def _flags(op: Op) -> str:
    rest = op.flags - FAST_MATH if op.flags >= FAST_MATH else op.flags
    return ", ".join([*(f"`{flag}`" for flag in sorted(rest)), *(["fast-math"] if op.flags >= FAST_MATH else [])])


def _code(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


if __name__ == "__main__":
    print(reference(), end="")
