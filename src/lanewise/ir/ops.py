# SPDX-License-Identifier: Apache-2.0
"""The table of operations: one row an instruction of the IR. Intrinsics have theirs in `intrinsics.py`.

Reader, verifier, analyses, interpreter and back ends ask this table rather than keep lists of their own.
Source: LLVM Language Reference, "Instruction Reference".
"""

from typing import Final, Literal, NamedTuple

Divergence = Literal["varying", "warp", "uniform", "operands"]
"""The result over the work-items that compute it together:

    varying     differs
    warp        the same for all members of a warp that take part, if they agree on who these are
    uniform     the same for the work-group
    operands    the same if all operands are
"""


class Op(NamedTuple):
    """Facts that all instances of an operation share."""

    name: str
    form: str
    """The grammar and type rule that it follows: binary, unary, cast, compare, memory, terminator, ..."""
    reads: bool = False
    writes: bool = False
    traps: bool = False
    """Undefined for some operands: it must not be executed unless the program does."""
    flags: frozenset[str] = frozenset()
    """Words that may follow the name."""
    divergence: Divergence = "operands"
    """A phi differs with the edge taken, too. A load is the same only while nobody writes to its address. The row of a
    call is that of an unknown one."""


FAST_MATH: Final = frozenset({"nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "fast"})
_WRAP: Final = frozenset({"nuw", "nsw"})
_EXACT: Final = frozenset({"exact"})
_VOLATILE: Final = frozenset({"volatile", "atomic"})

_ROWS: Final = (
    Op("add", "binary", flags=_WRAP),
    Op("sub", "binary", flags=_WRAP),
    Op("mul", "binary", flags=_WRAP),
    Op("udiv", "binary", traps=True, flags=_EXACT),
    Op("sdiv", "binary", traps=True, flags=_EXACT),
    Op("urem", "binary", traps=True),
    Op("srem", "binary", traps=True),
    Op("shl", "binary", flags=_WRAP),
    Op("lshr", "binary", flags=_EXACT),
    Op("ashr", "binary", flags=_EXACT),
    Op("and", "binary"),
    Op("or", "binary", flags=frozenset({"disjoint"})),
    Op("xor", "binary"),
    Op("fadd", "binary", flags=FAST_MATH),
    Op("fsub", "binary", flags=FAST_MATH),
    Op("fmul", "binary", flags=FAST_MATH),
    Op("fdiv", "binary", flags=FAST_MATH),
    Op("frem", "binary", flags=FAST_MATH),
    Op("fneg", "unary", flags=FAST_MATH),
    Op("freeze", "unary"),
    Op("trunc", "cast", flags=_WRAP),
    Op("zext", "cast", flags=frozenset({"nneg"})),
    Op("sext", "cast"),
    Op("fptrunc", "cast", flags=FAST_MATH),
    Op("fpext", "cast", flags=FAST_MATH),
    Op("fptoui", "cast"),
    Op("fptosi", "cast"),
    Op("uitofp", "cast", flags=frozenset({"nneg"}) | FAST_MATH),
    Op("sitofp", "cast", flags=FAST_MATH),
    Op("ptrtoint", "cast"),
    Op("ptrtoaddr", "cast"),
    Op("inttoptr", "cast"),
    Op("bitcast", "cast"),
    Op("addrspacecast", "cast"),
    Op("icmp", "compare", flags=frozenset({"samesign"})),
    Op("fcmp", "compare", flags=FAST_MATH),
    Op("phi", "phi", flags=FAST_MATH),
    Op("select", "select", flags=FAST_MATH),
    Op("extractelement", "element"),
    Op("insertelement", "element"),
    Op("shufflevector", "element"),
    Op("extractvalue", "aggregate"),
    Op("insertvalue", "aggregate"),
    Op("getelementptr", "address", flags=frozenset({"inbounds", "nuw", "nusw"})),
    Op("alloca", "memory", flags=frozenset({"inalloca", "swifterror"}), divergence="varying"),
    Op("load", "memory", reads=True, traps=True, flags=_VOLATILE),
    Op("store", "memory", writes=True, traps=True, flags=_VOLATILE),
    Op("atomicrmw", "memory", reads=True, writes=True, traps=True, flags=frozenset({"volatile"}), divergence="varying"),
    Op(
        "cmpxchg",
        "memory",
        reads=True,
        writes=True,
        traps=True,
        flags=frozenset({"weak", "volatile"}),
        divergence="varying",
    ),
    Op("fence", "memory", reads=True, writes=True, traps=True),
    Op("va_arg", "memory", reads=True, writes=True, traps=True, divergence="varying"),
    Op("call", "call", reads=True, writes=True, traps=True, flags=FAST_MATH, divergence="varying"),
    Op("ret", "terminator"),
    Op("br", "terminator"),
    Op("switch", "terminator"),
    Op("indirectbr", "terminator"),
    Op("unreachable", "terminator"),
)

OPS: Final = {row.name: row for row in _ROWS}

ORDERINGS: Final = frozenset({"unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"})
"""Language Reference, "Atomic Memory Ordering Constraints"."""

ATOMIC_OPERATIONS: Final = frozenset({
    "xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin", "fadd", "fsub", "fmax", "fmin",
    "fmaximum", "fminimum", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat",
})  # fmt: skip
