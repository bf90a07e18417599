# SPDX-License-Identifier: Apache-2.0
"""The object that a pointer points into, where the pointer says which, and its size in bytes.

An object is an argument, a variable of the module (shared memory is one), or a variable of the work-item. A pointer
that is chosen between several gets a start and a size that are chosen alike, by `select` and phi. Pointers that come
from memory, from numbers or from calls say nothing (`pointers.py`).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeGuard, final

from lanewise.analysis.memory_objects import LOCAL_ARGUMENTS
from lanewise.analysis.origins import DERIVED
from lanewise.ir import types as ty
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.builder import Builder
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import size_of
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.types import Type
from lanewise.ir.values import Argument, Constant, Value, i32, i64


class Object(NamedTuple):
    """The object behind a pointer: a value that is its start, and its size in bytes, an i64."""

    start: Value
    size: Value
    choices: "tuple[Object, ...]" = ()
    """The objects that it may be, if it is one of several."""
    which: Value | None = None
    """The number of the one among the choices that it is, an i32."""
    before: Value | None = None
    """Bytes of it that lie before `start`, an i64, if an argument points into its middle. The size counts them."""
    kind: str = ""
    """Its description, if `start` doesn't give one."""


@final
class Objects:
    """The objects that pointers of a kernel point into. `sizes`: of what arguments point to, by argument; and of
    dynamic shared memory, which has no name, by None. `before`: the bytes before what an argument points to, where
    launches tell these."""

    def __init__(
        self,
        module: Module,
        kernel: Function,
        sizes: Mapping[Argument | None, Value],
        before: Mapping[Argument, Value] = MappingProxyType({}),
    ) -> None:
        self._module: Final = module
        self._kernel: Final = kernel
        self._sizes: Final = sizes
        self._before: Final = before
        self._known: Final[dict[Value, Object | None]] = {}

    def of(self, pointer: Value) -> Object | None:
        """The object of a pointer, if it is known."""
        root = root_of(pointer)
        if root not in self._known:
            self._known[root] = self._one(root)
        return self._known[root]

    def _one(self, root: Value) -> Object | None:
        if isinstance(root, Instruction) and root.op in ("phi", "select"):
            return self._chosen(root)
        if isinstance(root, Argument):
            if root.byval is not None:
                return Object(root, i64(self._bytes(ty.named(root.byval[1:])))) if root.byval[0] == "%" else None
            size = self._sizes.get(root)
            return None if size is None else Object(root, size, before=self._before.get(root))
        if isinstance(root, GlobalVariable):
            if root.name == LOCAL_ARGUMENTS:
                return None
            if is_dynamic(root):
                return Object(root, self._sizes[None])
            return Object(root, i64(self._bytes(root.value_type)))
        if isinstance(root, Instruction) and root.op == "alloca" and not root.operands:
            assert root.source_type is not None
            return Object(root, i64(self._bytes(root.source_type)))
        if is_local_argument(root):
            assert isinstance(root, Instruction)
            number = root.operands[1]
            size = self._sizes.get(number) if isinstance(number, Argument) else None
            return None if size is None else Object(root, size)
        if isinstance(root, Instruction) and root.callee == "malloc":
            return self._allocated(root)
        if isinstance(root, Constant) and root.kind == "null":
            return Object(root, i64(0))
        return None

    def _allocated(self, call: Instruction) -> Object:
        """Memory of the device's heap: none if there was none left."""
        block = call.parent
        behind = block.instructions.index(call) + 1
        build = Builder(block)
        count = len(block.instructions)
        fails = build.compare("eq", call, Constant(call.type, "null"))
        size = build.select(fails, i64(0), call.arguments[0])
        made = block.instructions[count:]
        del block.instructions[count:]
        block.instructions[behind:behind] = made
        return Object(call, size)

    def _chosen(self, choice: Instruction) -> Object | None:
        """The object of a pointer that is chosen: the one that all have in common, or a start and a size that are
        chosen as the pointer is. None if one of them isn't known."""
        nodes: dict[Instruction, list[Value]] = {}
        found: dict[Value, Object] = {}
        work: list[Value] = [choice]
        while work:
            value = work.pop()
            if is_choice(value):
                if value not in nodes:
                    nodes[value] = [root_of(each) for each in chosen_from(value)]
                    work += nodes[value]
                continue
            object_ = self.of(value)
            if object_ is None:
                return None
            found[value] = object_
        if len(found) == 1:
            return next(iter(found.values()))
        objects = tuple(found.values())
        at = {value: as_pointer(object_.start, choice.type) for value, object_ in found.items()}
        if None in at.values() or any(node.type is not choice.type for node in nodes):
            return None
        starts = _parallel(nodes, {value: start for value, start in at.items() if start is not None}, choice.type)
        sizes = _parallel(nodes, {value: object_.size for value, object_ in found.items()}, ty.I64)
        numbers = _parallel(nodes, {value: i32(number) for number, value in enumerate(found)}, ty.I32)
        before: Mapping[Instruction, Value] = {}
        if any(object_.before is not None for object_ in objects):
            before = _parallel(nodes, {value: object_.before or i64(0) for value, object_ in found.items()}, ty.I64)
        for node in nodes:
            self._known[node] = Object(starts[node], sizes[node], objects, numbers[node], before.get(node))
        return self._known[choice]

    def _bytes(self, type_: Type) -> int:
        return size_of(type_, self._module.types)


def as_pointer(start: Value, type_: Type) -> Value | None:
    """The start of an object as a pointer of a type, which may be one to any kind of memory; None if it has no such
    form without an instruction."""
    if start.type is type_:
        return start
    if isinstance(start, GlobalVariable):
        return Constant(type_, "expr", operands=(start,), opcode="addrspacecast")
    return Constant(type_, "null") if isinstance(start, Constant) and start.kind == "null" else None


def is_choice(value: Value) -> TypeGuard[Instruction]:
    """True for a pointer that is one of several."""
    return isinstance(value, Instruction) and value.op in ("phi", "select")


def chosen_from(choice: Instruction) -> list[Value]:
    """The pointers that a choice chooses from."""
    if choice.op == "select":
        return choice.operands[1:]
    return [value for value, _ in choice.incoming()]


def _parallel(
    nodes: Mapping[Instruction, list[Value]], leaves: Mapping[Value, Value], type_: Type
) -> dict[Instruction, Instruction]:
    """Choices that choose among other values, of `type_`, as `nodes` choose among pointers."""
    made: dict[Instruction, Instruction] = {}
    for node in nodes:
        made[node] = Instruction(node.op, type_)
        block = node.parent
        block.insert(block.instructions.index(node) + 1, made[node])
    for node, roots in nodes.items():
        values = [made[root] if is_choice(root) else leaves[root] for root in roots]
        if node.op == "select":
            for value in (node.operands[0], *values):
                made[node].append_operand(value)
        else:
            for value, (_, block) in zip(values, node.incoming(), strict=True):
                made[node].append_operand(value)
                made[node].append_operand(block)
    return made


def root_of(pointer: Value) -> Value:
    """The value that an address is computed from, through additions and casts."""
    while not is_local_argument(pointer):
        if not isinstance(pointer, Instruction | Constant):
            break
        operation = pointer.op if isinstance(pointer, Instruction) else pointer.opcode
        if operation not in DERIVED:
            break
        pointer = pointer.operands[0]
    return pointer


def is_dynamic(variable: GlobalVariable) -> bool:
    """Shared memory whose size the launch gives: an array without extent."""
    empty = variable.value_type.kind == "array" and variable.value_type.count == 0
    return variable.type.addrspace == SHARED and (empty or variable.initializer is None)


def is_internal(object_: Object) -> bool:
    """True for a variable that Lanewise has added to a kernel."""
    return isinstance(object_.start, GlobalVariable) and str(object_.start.name).startswith(("lw.", "__lw_"))


def is_local_argument(value: Value) -> bool:
    """The address of an argument in OpenCL's local memory: so many bytes behind the start of all that is local."""
    return (
        isinstance(value, Instruction)
        and value.op == "getelementptr"
        and isinstance(value.operands[0], GlobalVariable)
        and value.operands[0].name == LOCAL_ARGUMENTS
        and value.source_type is ty.I8
        and isinstance(value.operands[1], Argument)
    )
