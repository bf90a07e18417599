# SPDX-License-Identifier: Apache-2.0
"""The accesses to memory of a kernel that is to be checked: where, to what, and by what right."""

from typing import Final, NamedTuple, final

from lanewise.checks.names import SourceNames
from lanewise.checks.objects import Object, Objects, as_pointer, is_local_argument
from lanewise.checks.parts import BARRIERS, MEMORY
from lanewise.checks.pointers import MemoryPointers
from lanewise.checks.subscripts import ObjectAddress, extents, offset_in
from lanewise.frontend.checked_places import ARGUMENT, CHOICE, HEAP, LOCAL, CheckedObject, CheckedPlace
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.builder import Builder
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import align_of, array_shape
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.values import Argument, Constant, Value, i32, i64

_KINDS: Final = {"load": "read", "store": "write"}


class KernelParameters(NamedTuple):
    """Facts about a kernel's parameters: the numbers of those that point to memory, and the names of all."""

    pointers: tuple[int, ...]
    names: tuple[str, ...]
    point_inside: bool = False
    """Arguments may point into the middle of an array: launches also tell how many bytes come before."""


class CheckedAccess(NamedTuple):
    """A pointer that an instruction accesses memory through."""

    instruction: Instruction
    pointer: Value
    size: Value
    """Bytes, an i64."""
    kind: str
    align: int


def add_parameters(kernel: Function, parameters: KernelParameters) -> None:
    """Append what launches add: the sizes in bytes of what each pointer points to, the bytes before it if it may point
    inside, the size of dynamic shared memory, and the report."""
    added = [Argument(ty.I64, f"{parameters.names[number]}.size") for number in parameters.pointers]
    if parameters.point_inside:
        added += [Argument(ty.I64, f"{parameters.names[number]}.before") for number in parameters.pointers]
    added += [Argument(ty.I64, "dynamic.size"), Argument(ty.PTR, "report")]
    kernel.arguments += added
    fields = (*kernel.value_type.fields, *(argument.type for argument in added))
    kernel.value_type = ty.function(kernel.result_type, fields)


@final
class KernelAccesses:
    """The accesses of one kernel, whose parameters have been added. `places` gets the place of each check."""

    def __init__(
        self, module: Module, kernel: Function, parameters: KernelParameters, places: list[CheckedPlace]
    ) -> None:
        self.module: Final = module
        self.kernel: Final = kernel
        self._parameters: Final = parameters
        self._places: Final = places
        self._sites: Final[dict[CheckedPlace, int]] = {}
        self._names: Final = SourceNames(module)
        count = len(parameters.pointers)
        added = kernel.arguments[-(count * (1 + parameters.point_inside) + 2) :]
        sizes, inside = added[:count], added[count:-2]
        self.dynamic_size, self.report = added[-2:]
        behind: dict[Argument | None, Value] = {None: self.dynamic_size}
        for number, size in zip(parameters.pointers, sizes, strict=True):
            behind[kernel.arguments[number]] = size
        before: dict[Argument, Value] = {
            kernel.arguments[number]: bytes_ for number, bytes_ in zip(parameters.pointers, inside, strict=False)
        }
        self.objects: Final = Objects(module, kernel, behind, before)
        self.pointers: Final = MemoryPointers(module, behind, before)

    def accesses(self, instruction: Instruction) -> list[CheckedAccess]:
        """The pointers that an instruction accesses memory through."""
        if instruction.op in effects.ACCESSES:
            pointer = effects.pointer_operand(instruction)
            size = i64(effects.access_size(instruction, self.module.types))
            kind = _KINDS.get(instruction.op, "atomic operation")
            align = instruction.align or align_of(effects.accessed_type(instruction), self.module.types)
            return [CheckedAccess(instruction, pointer, size, kind, align)]
        if effects.is_copy(instruction):
            target, source, length = instruction.arguments[:3]
            found = [CheckedAccess(instruction, target, length, "write", _alignment_of_argument(instruction, 0))]
            if source.type.is_pointer:
                found.append(CheckedAccess(instruction, source, length, "read", _alignment_of_argument(instruction, 1)))
            return found
        return []

    def offset(self, access: CheckedAccess, address: ObjectAddress, object_: Object, build: Builder) -> Value:
        """The offset in bytes of an access in its object, made in the block of `build`."""
        if address.root is object_.start:
            return offset_in(address, build)
        start = as_pointer(object_.start, access.pointer.type)
        if start is None:
            start = build.cast("addrspacecast", object_.start, access.pointer.type)
        return build.binary("sub", *_numbers(access.pointer, start, build))

    def site(self, access: CheckedAccess, address: ObjectAddress, object_: Object, check: str = MEMORY) -> Constant:
        """The number of the place, for the check of that name of an access. Copies of an access, such as those of a
        function that was inlined, have one place."""
        return self._site(self._place(access, address, object_)._replace(check=check))

    def value_site(self, instruction: Instruction, what: str, check: str) -> Constant:
        """The same for the check of an operation on values, called `what`. Barriers have a place for each copy, since
        work-items that wait at two copies don't meet."""
        place = self._names.place(instruction)
        file, line, column = place if place is not None else ("", 0, 0)
        size = instruction.type.bits // 8
        kernel = self.kernel.symbol
        made = CheckedPlace(kernel, file, line, column, what, size, "value", "", 1, check=check)
        return self._site(made, is_shared=check != BARRIERS)

    def _site(self, place: CheckedPlace, *, is_shared: bool = True) -> Constant:
        if not is_shared or place not in self._sites:
            self._sites[place] = len(self._places)
            self._places.append(place)
        return i32(self._sites[place])

    def _place(self, access: CheckedAccess, address: ObjectAddress, object_: Object) -> CheckedPlace:
        place = self._names.place(access.instruction)
        if isinstance(access.pointer, Instruction) and access.pointer.op == "getelementptr":
            start = self._names.place(access.pointer)  # of `p[i]` in `p[i] = 1`, unless the pointer was computed before
            if start is not None and (place is None or (start.file, start.line) == (place.file, place.line)):
                place = start
        file, line, column = place if place is not None else ("", 0, 0)
        kind, name, shape, element, parameter = self._described(object_)
        size = access.size.integer if isinstance(access.size, Constant) else 0
        kernel = self.kernel.symbol
        return CheckedPlace(
            kernel, file, line, column, access.kind, size, kind, name, element, shape, parameter,
            extents(address.subscripts), access.align,
            choices=tuple(CheckedObject(*self._described(each)) for each in object_.choices),
        )  # fmt: skip

    def _described(self, object_: Object) -> tuple[str, str, tuple[int, ...], int, int]:
        """Kind, name, shape, bytes of an element, and the number of the argument."""
        start = object_.start
        if object_.kind:
            return object_.kind, "", (), 1, -1
        if object_.choices:
            described = [self._described(each) for each in object_.choices]
            names = [f"{kind} '{name}'" if name else f"a {kind}" for kind, name, *_ in described]
            return CHOICE, " or ".join(dict.fromkeys(names)), (), 1, -1
        if isinstance(start, GlobalVariable):
            shape, element = array_shape(start.value_type, self.module.types)
            kind = "shared array" if start.type.addrspace == SHARED else "variable"
            return kind, self._names.of_variable(start), shape, element, -1
        if isinstance(start, Instruction) and start.op == "alloca":
            assert start.source_type is not None
            shape, element = array_shape(start.source_type, self.module.types)
            return "local array", self._names.of_local(start), shape, element, -1
        if isinstance(start, Instruction) and start.op == "call":
            return HEAP, "", (), 1, -1
        argument = start if isinstance(start, Argument) else None
        if isinstance(start, Instruction):
            argument = next(each for each in start.operands if isinstance(each, Argument))
        if argument is None:
            return "null pointer", "", (), 1, -1
        number = self.kernel.arguments.index(argument)
        name = self._parameters.names[number]
        if argument.byval is not None:
            size = object_.size
            return ARGUMENT, name, (), size.integer if isinstance(size, Constant) else 1, -1
        return (LOCAL if is_local_argument(start) else ARGUMENT), name, (), 1, number


def _numbers(a: Value, b: Value, build: Builder) -> tuple[Value, Value]:
    return build.cast("ptrtoint", a, ty.I64), build.cast("ptrtoint", b, ty.I64)


def _alignment_of_argument(call: Instruction, number: int) -> int:
    """The alignment in bytes that a call says its argument has."""
    words = call.call.arguments[number] if call.call is not None and number < len(call.call.arguments) else ()
    return next((int(word.removeprefix("align ")) for word in words if word.startswith("align ")), 1)
