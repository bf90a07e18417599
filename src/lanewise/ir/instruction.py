# SPDX-License-Identifier: Apache-2.0
"""The one instruction class.

All operations share `op`, `type` (of the result), `operands`, `flags` and `metadata`. The few slots below them are
read only for the operations named. The table in `ops.py` describes each operation.

Operand order:

    ret [value]                       br dest | br condition, if_true, if_false
    switch value, default, (constant, block)...
    phi (value, block)...             select condition, a, b
    load pointer                      store value, pointer
    atomicrmw pointer, value          cmpxchg pointer, expected, new
    getelementptr base, index...      call callee, argument...
    insertelement vector, scalar, index      shufflevector a, b, mask
    alloca [count]                    insertvalue aggregate, value

Debug records (`#dbg_declare(...)`) are instructions too, of type void: `predicate` holds their text after the
name, with a HOLE for each operand.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, final

from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Global, Value

if TYPE_CHECKING:
    from lanewise.ir.function import Block, Function

Metadata = tuple[tuple[str, str], ...]
"""Attachments of an instruction or symbol: (kind, node) pairs such as ("!dbg", "!15")."""

TERMINATORS: Final = frozenset({"ret", "br", "switch", "unreachable", "indirectbr"})
DEBUG_RECORD_PREFIX: Final = "#dbg"


class CallSite(NamedTuple):
    """The parts of a call beside callee and arguments, all kept as written."""

    function_type: Type
    prefix: tuple[str, ...] = ()
    """Calling convention and attributes of the result."""
    arguments: tuple[tuple[str, ...], ...] = ()
    """Attributes of each argument; ("metadata",) alone for a local value that is passed as metadata."""
    suffix: str = ""
    """Function attributes and operand bundles (bundle operands are not values of ours)."""


class Ordering(NamedTuple):
    """Memory order of an atomic access; `failure` of a cmpxchg alone. Source: Language Reference, "Atomics"."""

    success: str
    failure: str = ""
    scope: str = ""
    """`syncscope("...")` as written, or empty for the whole system."""


@final
class Instruction(Value):
    """One operation of a block. See the module's docstring for the order of `operands`."""

    __slots__ = ("align", "block", "call", "flags", "indices", "metadata", "op", "operands", "ordering",
                 "predicate", "source_type")  # fmt: skip

    def __init__(
        self,
        op: str,
        type_: Type,
        operands: Sequence[Value] = (),
        *,
        name: str | None = None,
        flags: tuple[str, ...] = (),
        metadata: Metadata = (),
        predicate: str = "",
        source_type: Type | None = None,
        align: int = 0,
        ordering: Ordering | None = None,
        indices: tuple[int, ...] = (),
        call: CallSite | None = None,
    ) -> None:
        self.type = type_
        self.name = name
        self.users: dict[Instruction, int] = {}
        self.op = op
        self.operands: list[Value] = list(operands)
        self.block: Block | None = None
        self.flags = flags
        """nuw, nsw, exact, fast-math words, volatile, atomic, inbounds, tail ...: in the order they print."""
        self.metadata = metadata
        self.predicate = predicate
        """icmp, fcmp: the predicate. atomicrmw: its operation."""
        self.source_type = source_type
        """alloca: what is allocated. getelementptr: what the first index steps over."""
        self.align = align
        """load, store, alloca, atomics: bytes, 0 if the text has none."""
        self.ordering = ordering
        self.indices = indices
        """extractvalue, insertvalue."""
        self.call = call
        for operand in self.operands:
            if operand.__class__ is not Constant:
                users = operand.users
                users[self] = users.get(self, 0) + 1

    def __repr__(self) -> str:
        from lanewise.ir.writer import write_instruction  # the writer needs this class: import at call only

        return f"<{write_instruction(self)}>"

    # -- operands ----------------------------------------------------------------------------------------------

    def set_operand(self, index: int, new: Value) -> None:
        old = self.operands[index]
        if old.__class__ is not Constant:
            left = old.users[self] - 1
            if left:
                old.users[self] = left
            else:
                del old.users[self]
        self.operands[index] = new
        if new.__class__ is not Constant:
            new.users[self] = new.users.get(self, 0) + 1

    def append_operand(self, new: Value) -> None:
        self.operands.append(new)
        if new.__class__ is not Constant:
            new.users[self] = new.users.get(self, 0) + 1

    def replace_operand(self, old: Value, new: Value) -> None:
        for i, operand in enumerate(self.operands):
            if operand is old:
                self.set_operand(i, new)

    def drop_operands(self) -> None:
        """Forget all operands, before the instruction itself goes."""
        for operand in self.operands:
            if operand.__class__ is not Constant:
                operand.users.pop(self, None)
        self.operands.clear()

    def copied(self, operands: Sequence[Value]) -> "Instruction":
        """The same operation on other operands, without name and in no block yet."""
        return Instruction(
            self.op,
            self.type,
            operands,
            flags=self.flags,
            metadata=self.metadata,
            predicate=self.predicate,
            source_type=self.source_type,
            align=self.align,
            ordering=self.ordering,
            indices=self.indices,
            call=self.call,
        )

    # -- place -------------------------------------------------------------------------------------------------

    @property
    def parent(self) -> "Block":
        assert self.block is not None, "instruction stands in no block"
        return self.block

    @property
    def function(self) -> "Function":
        return self.parent.parent

    def erase(self) -> None:
        """Take this unused instruction out of its block for good."""
        assert not self.users, f"{self!r} still has users"
        self.parent.instructions.remove(self)
        self.block = None
        self.drop_operands()

    # -- what kind ---------------------------------------------------------------------------------------------

    @property
    def is_terminator(self) -> bool:
        return self.op in TERMINATORS

    @property
    def is_debug_record(self) -> bool:
        return self.op.startswith(DEBUG_RECORD_PREFIX)

    @property
    def callee(self) -> str:
        """Name of the directly called function, "" for an indirect call, inline assembly or another operation."""
        if self.op != "call":
            return ""
        target = self.operands[0]
        return target.name or "" if isinstance(target, Global) else ""

    @property
    def arguments(self) -> list[Value]:
        """Arguments of a call."""
        return self.operands[1:]

    @property
    def is_volatile(self) -> bool:
        return "volatile" in self.flags

    def incoming(self) -> "Iterator[tuple[Value, Block]]":
        """(value, predecessor) pairs of a phi."""
        operands = self.operands
        for i in range(0, len(operands), 2):
            yield operands[i], operands[i + 1]  # type: ignore[misc]  # odd operands of a phi are blocks

    def metadata_of(self, kind: str) -> str | None:
        """The node hung on as `kind` ("!dbg"), or None."""
        for key, node in self.metadata:
            if key == kind:
                return node
        return None
