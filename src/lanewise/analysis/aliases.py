# SPDX-License-Identifier: Apache-2.0
"""Alias analysis of accesses, by memory spaces, objects and distances.

Why: a pass that removes a load or a store asks what the instructions between may read or change. A GPU's memory spaces
have no byte in common, and kernels touch several of them in turn. gpucc's dead store elimination makes lavaMD five
times as fast this way (gpucc-cgo2016, section 3.3).

Terms
    location    the bytes from an address on that an access touches
    object      a variable, or what a parameter points to (`memory_objects.py`)
    hidden      an object of which this thread alone has the address: it is never stored, passed or made a number
    visible     a location that other threads or other functions may touch

Needs. Two locations are apart (`AliasAnswer.NO`) if for each object of the one and each of the other
  1. their memory spaces differ: shared, global, constant, local, that of parameters. A kernel's parameters without a
     space point to global memory, and an address is in the space that it was cast to on its way from the object.
     Structs that are passed by value are local in other functions, and in kernels among the parameters or, where the
     address was cast to that, local;
  2. they are different variables, or a private variable and a parameter. Shared variables whose size only the launch
     says all have the same address;
  3. one is a `noalias` parameter, and the other another parameter or a variable;
  4. one is hidden, and the other an address that was loaded, computed from a number, returned or passed;
or if
  5. both are at known distances from one address (`address_polynomials.py`), and their ranges have no byte in common.
They are the same bytes (`AliasAnswer.MUST`) if that distance is 0 and they have the same size. All else may alias.

An instruction may read or change a location
  6. if it is an access or a copy of bytes, and the two aren't apart;
  7. if it orders what threads see (a barrier, a fence, an atomic or volatile access) or is an unknown call, and the
     location is visible. All private variables that are hidden aren't;
but nothing changes
  8. constant memory, constants, and what a parameter that is both `noalias` and `readonly` points to.

Method. Two addresses are compared as values at one point of the program. Polynomials of the same values are at a known
distance as long as none of these values was computed anew: who looks along paths has to stop there. The values between
need no attention, since each dominates what is computed from it.

Limits. Whether two indices differ is known for constants alone. Values of an inlined function's `noalias` parameters,
which LLVM keeps as metadata, are not looked at.

Neighbours. LLVM's infer-address-spaces rewrites pointers before code generation; nothing is rewritten here. Of 292
functions in its tests, the same accesses get a space in 68, none by both in 190, more here in 13, which are volatile,
and fewer in 21: 11 choose between an object and null, an undefined value or a number made a pointer, 7 assume what
`isspacep` says, and 3 make a pointer a number and back. None gets another space.
"""

from enum import Enum
from typing import Final, NamedTuple, final

from lanewise.analysis.address_polynomials import PolynomialAddress, Polynomials
from lanewise.analysis.memory_objects import Kind, Objects, kind_of, objects_of
from lanewise.analysis.origins import DERIVED
from lanewise.ir import effects
from lanewise.ir.address_spaces import CONSTANT, GENERIC, GLOBAL, LOCAL, PARAMETER, SHARED, SHARED_OF_CLUSTER
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Alias as ModuleAlias
from lanewise.ir.module import GlobalVariable, Module, constants_in
from lanewise.ir.values import Argument, Constant, Value

_FOLLOWED: Final = DERIVED | {"phi", "select"}
_INTERNAL: Final = frozenset({"internal", "private"})
_OF_KERNELS_STRUCTS: Final = frozenset({PARAMETER, LOCAL})
"""The memory spaces of structs that are passed by value to kernels: a copy in local memory may stand for them."""
_MOST_PAIRS: Final = 64
"""Pairs of objects that are compared. Pointers that may point into so many are taken to alias."""


class AliasAnswer(Enum):
    NO = "no byte in common"
    MAY = "perhaps bytes in common"
    MUST = "the same bytes"


class AccessedBytes(NamedTuple):
    """Bytes that an access touches."""

    address: PolynomialAddress
    objects: Objects
    """Objects that they may be in."""
    space: int
    """The memory space that the address names or was cast to; GENERIC: none."""
    size: int | None
    """Number of bytes from the address on; None: not known, and maybe before it, too."""

    @property
    def end(self) -> int:
        """The offset after the last byte, if the size is known."""
        assert self.size is not None
        return self.address.offset + self.size

    def covers(self, other: "AccessedBytes") -> bool:
        """True if the other location lies in this one for certain."""
        if self.size is None or other.size is None or self.address.start != other.address.start:
            return False
        return self.address.offset <= other.address.offset and other.end <= self.end


class _Uses(NamedTuple):
    """Things that are done with the addresses of an object."""

    captured: bool
    """Something else than this function may have one."""
    read: bool
    """Something may be loaded from one."""


@final
class Aliases:
    """The aliases of a function's accesses. Holds as long as no pointer is stored, and no access is added to a variable
    that had none; accesses and stores may go."""

    def __init__(self, function: Function, module: Module) -> None:
        self._function: Final = function
        self._module: Final = module
        self.polynomials: Final = Polynomials(module.types)
        self._places: Final[dict[Value, tuple[PolynomialAddress, Objects, int]]] = {}
        self._locations: Final[dict[Instruction, AccessedBytes]] = {}
        self._uses: Final[dict[Value, _Uses]] = {}
        self._pairs: Final[dict[tuple[Objects, Objects], bool]] = {}
        self._mentions: dict[GlobalVariable, list[tuple[Instruction, Value]]] | None = None

    def forget(self) -> None:
        """Forget all addresses, since a value that some are computed from has been replaced by another."""
        self.polynomials.forget()
        self._places.clear()
        self._locations.clear()

    def location(self, access: Instruction) -> AccessedBytes:
        """The location that a load, a store or an atomic operation touches."""
        known = self._locations.get(access)
        if known is None:
            size = effects.access_size(access, self._module.types)
            known = self._locations[access] = self.bytes_at(effects.pointer_operand(access), size)
        return known

    def bytes_at(self, pointer: Value, size: int | None) -> AccessedBytes:
        """The place of so many bytes from a pointer on; None: an unknown number, and maybe before it, too."""
        place = self._places.get(pointer)
        if place is None:
            address = self.polynomials.address_of(pointer)
            place = self._places[pointer] = address, objects_of(pointer), _named_space(pointer)
        return AccessedBytes(*place, size)

    def alias(self, a: AccessedBytes, b: AccessedBytes) -> AliasAnswer:
        """The bytes that two locations have in common; see above."""
        if a.size is not None and b.size is not None and a.address.start == b.address.start:
            if a.end <= b.address.offset or b.end <= a.address.offset:  # 5
                return AliasAnswer.NO
            same = a.address.offset == b.address.offset and a.size == b.size
            return AliasAnswer.MUST if same else AliasAnswer.MAY
        if a.space != GENERIC or b.space != GENERIC:
            spaces = self._spaces(a), self._spaces(b)
            if spaces[0].isdisjoint(spaces[1]) and GENERIC not in spaces[0] | spaces[1]:  # 1
                return AliasAnswer.NO
        return AliasAnswer.NO if self._are_apart(a.objects, b.objects) else AliasAnswer.MAY

    def may_read(self, instruction: Instruction, location: AccessedBytes) -> bool:
        """True if an instruction may read a byte of a location, for this thread or by letting another one read it."""
        if instruction.op == "load":
            return self._touches(instruction, location)
        if instruction.op == "store":
            return effects.is_ordered(instruction) and self.is_visible(location)  # 7
        return self._may_touch(instruction, location, effects.reads(instruction), 1)

    def may_change(self, instruction: Instruction, location: AccessedBytes) -> bool:
        """True if a byte of a location may be another one after an instruction, for this thread."""
        if instruction.op == "load" and not effects.is_ordered(instruction):
            return False
        writes = effects.writes(instruction) or effects.is_ordered(instruction)
        return writes and not self.is_constant(location) and self._may_touch(instruction, location, writes, 0)

    def is_visible(self, location: AccessedBytes) -> bool:
        """True unless this function alone can tell what a location holds: it lies in hidden private variables."""
        return not all(kind_of(each) is Kind.PRIVATE and self.is_hidden(each) for each in location.objects)  # 7

    def is_constant(self, location: AccessedBytes) -> bool:
        """True if nothing changes a location while the kernel runs."""
        return all(self._is_constant(each) for each in location.objects)

    def is_hidden(self, object_: Value) -> bool:
        """True if this function alone has the address of an object."""
        return _is_traceable(object_) and not self._uses_of(object_).captured

    def is_never_read(self, location: AccessedBytes) -> bool:
        """True if nothing is ever loaded from the objects of a location, by any thread."""
        nothing = _Uses(captured=False, read=False)
        return all(
            kind_of(each) in (Kind.PRIVATE, Kind.SHARED) and _is_traceable(each) and self._uses_of(each) == nothing
            for each in location.objects
        )

    def _touches(self, access: Instruction, location: AccessedBytes) -> bool:
        if effects.is_ordered(access) and self.is_visible(location):  # 7
            return True
        return self.alias(self.location(access), location) is not AliasAnswer.NO  # 6

    def _may_touch(self, instruction: Instruction, location: AccessedBytes, does: bool, argument: int) -> bool:
        """The same for a read or a write; `argument`: the number of the argument that a copy does it to."""
        if instruction.op in effects.ACCESSES:
            return self._touches(instruction, location)
        if effects.is_marker(instruction) or not does:
            return False
        if not effects.is_copy(instruction) or effects.orders(instruction):
            return self.is_visible(location)  # 7
        length = instruction.arguments[2]
        known = isinstance(length, Constant) and length.kind == "int" and length.integer >= 0
        size = length.integer if known and isinstance(length, Constant) else None
        return self.alias(self.bytes_at(instruction.arguments[argument], size), location) is not AliasAnswer.NO  # 6

    def _spaces(self, location: AccessedBytes) -> frozenset[int]:
        """The memory spaces that a location may be in."""
        named = frozenset({location.space})
        spaces = frozenset[int]().union(*(self._spaces_of(each) for each in location.objects))
        return named if location.space != GENERIC and not (named < _OF_KERNELS_STRUCTS <= spaces) else spaces

    def _are_apart(self, a: Objects, b: Objects) -> bool:
        if len(a) * len(b) > _MOST_PAIRS:
            return False
        known = self._pairs.get((a, b))
        if known is None:
            known = self._pairs[a, b] = all(self._objects_are_apart(x, y) for x in a for y in b)
        return known

    def _objects_are_apart(self, a: Value, b: Value) -> bool:
        if a is b:
            return False
        spaces = self._spaces_of(a), self._spaces_of(b)
        if spaces[0].isdisjoint(spaces[1]) and GENERIC not in spaces[0] | spaces[1]:  # 1
            return True
        return self._is_apart_from(a, b) or self._is_apart_from(b, a)

    def _is_apart_from(self, a: Value, b: Value) -> bool:
        """Conditions 2 to 4, of which each names one of the two first."""
        if _is_variable(a) and (_is_variable(b) or (kind_of(a) is Kind.PRIVATE and isinstance(b, Argument))):  # 2
            return True
        if isinstance(a, GlobalVariable) and not _is_dynamic(a) and _is_dynamic(b):  # 2
            return True
        if _is_noalias(a) and (isinstance(b, Argument) or _is_variable(b)):  # 3
            return True
        return not _is_variable(b) and self.is_hidden(a) and not _is_dynamic(b)  # 4

    def _spaces_of(self, object_: Value) -> frozenset[int]:
        """The memory spaces that an object may be in."""
        space = self.space_of(object_)
        return _OF_KERNELS_STRUCTS if space == PARAMETER else frozenset({space})

    def space_of(self, object_: Value) -> int:
        """The memory space of an object, GENERIC if it isn't known."""
        kind = kind_of(object_)
        if kind in (Kind.SHARED, Kind.PRIVATE):
            return SHARED if kind is Kind.SHARED else LOCAL
        space = object_.type.addrspace
        if space == SHARED_OF_CLUSTER:
            return GENERIC
        if isinstance(object_, Argument) and object_.byval is not None:
            return PARAMETER if self._function.is_kernel else LOCAL
        if space == GENERIC and (kind is Kind.VARIABLE or self._is_parameter_of_kernel(object_)):
            return GLOBAL
        return space

    def _is_parameter_of_kernel(self, object_: Value) -> bool:
        return isinstance(object_, Argument) and object_.type.is_pointer and self._function.is_kernel

    def _is_constant(self, object_: Value) -> bool:
        if isinstance(object_, GlobalVariable) and object_.is_constant:
            return True
        is_kept = isinstance(object_, Argument) and {"noalias", "readonly"} <= set(object_.attributes)
        return self.space_of(object_) == CONSTANT or (is_kept and self._function.is_kernel)  # 8

    # -- uses of objects -----------------------------------------------------------------------------------------

    def _uses_of(self, object_: Value) -> _Uses:
        known = self._uses.get(object_)
        if known is None:
            known = self._uses[object_] = self._new_uses(object_)
        return known

    def _new_uses(self, object_: Value) -> _Uses:
        read = False
        seen: set[Value] = {object_}
        work: list[tuple[Instruction, Value]] = [(user, object_) for user in object_.users]
        if isinstance(object_, GlobalVariable):
            mentions = self._of_variables().get(object_, [])
            if self._is_in_data(object_) or any(_hides_address(value, object_) for _, value in mentions):
                return _Uses(True, True)
            work = mentions.copy()
        while work:
            user, pointer = work.pop()
            if user.op in _FOLLOWED:
                if user not in seen:
                    seen.add(user)
                    work += [(each, user) for each in user.users]
            elif not _keeps_address(user, pointer):
                return _Uses(True, True)
            else:
                read |= user.op != "icmp" and self._reads_through(user, pointer)
        return _Uses(False, read)

    @staticmethod
    def _reads_through(user: Instruction, pointer: Value) -> bool:
        if effects.is_copy(user):
            return len(user.arguments) > 1 and user.arguments[1] is pointer
        return user.op in ("load", "atomicrmw", "cmpxchg")

    def _is_in_data(self, variable: GlobalVariable) -> bool:
        """True if an initial value or an alias has the address of a variable."""
        data = [each.initializer for each in self._module.variables if each.initializer is not None]
        data += [each.aliasee for each in self._module.symbols.values() if isinstance(each, ModuleAlias)]
        return any(variable in constants_in(each) for each in data)

    def _of_variables(self) -> dict[GlobalVariable, list[tuple[Instruction, Value]]]:
        """The instructions that have each variable as operand, perhaps within a constant."""
        if self._mentions is None:
            found: dict[GlobalVariable, list[tuple[Instruction, Value]]] = {}
            for function in self._module.functions:
                for instruction in function.instructions():
                    for operand in dict.fromkeys(instruction.operands):
                        if isinstance(operand, (Constant, GlobalVariable)):
                            for each in constants_in(operand):
                                if isinstance(each, GlobalVariable):
                                    found.setdefault(each, []).append((instruction, operand))
            self._mentions = found
        return self._mentions


def _named_space(pointer: Value) -> int:
    """The memory space that an address names or was cast to; GENERIC if there is none."""
    followed: set[Value] = set()
    while pointer not in followed:
        followed.add(pointer)
        if pointer.type.addrspace not in (GENERIC, SHARED_OF_CLUSTER):
            return pointer.type.addrspace
        if isinstance(pointer, Instruction | Constant):
            operation = pointer.op if isinstance(pointer, Instruction) else pointer.opcode
            pointer = pointer.operands[0] if operation in DERIVED else pointer
    return GENERIC


def _is_variable(object_: Value) -> bool:
    """True for an object with an address of its own, which no other object has."""
    if isinstance(object_, GlobalVariable):
        return not _is_dynamic(object_)
    if isinstance(object_, Argument):
        return object_.byval is not None
    return kind_of(object_) in (Kind.PRIVATE, Kind.SHARED)


def _is_dynamic(object_: Value) -> bool:
    """True for shared memory whose size only the launch says."""
    return isinstance(object_, GlobalVariable) and object_.initializer is None and object_.type.addrspace == SHARED


def _is_noalias(object_: Value) -> bool:
    return isinstance(object_, Argument) and "noalias" in object_.attributes


def _is_traceable(object_: Value) -> bool:
    """True if all uses of an object's address are in the module."""
    if isinstance(object_, GlobalVariable):  # the host may ask for the address of one in global memory
        is_shared = object_.type.addrspace == SHARED and object_.initializer is not None
        return is_shared and not _INTERNAL.isdisjoint(object_.prefix)
    return kind_of(object_) is Kind.PRIVATE or _is_noalias(object_)


def _hides_address(operand: Value, variable: GlobalVariable) -> bool:
    """True if an operand has a variable's address in another form than a pointer into it."""
    while operand is not variable:
        if not isinstance(operand, Constant) or operand.kind != "expr" or operand.opcode not in DERIVED:
            return True
        operand = operand.operands[0]
    return False


def _keeps_address(user: Instruction, pointer: Value) -> bool:
    """True if a use of an address lets nobody else know it."""
    if user.op in ("load", "icmp") or effects.is_marker(user):
        return True
    if user.op in effects.ACCESSES:
        return effects.pointer_operand(user) is pointer and sum(each is pointer for each in user.operands) == 1
    return effects.is_copy(user) and pointer in user.arguments[:2]
