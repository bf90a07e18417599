# SPDX-License-Identifier: Apache-2.0
"""Private arrays that are accessed element by element only, so that their elements may be stored anywhere.

Why: a work-item's private array need not lie in one piece. If those of a group are interleaved, lanes that access the
same element find theirs side by side (`workgroup/layout/interleaved_arrays.py`).

Needs. A private variable is *apart* with elements of E bytes (1, 2, 4 or 8) if
  1. its size is known, and it is aligned to E bytes;
  2. each use of its address is one of:
       a. a load or store of E bytes, or of a vector of such elements, aligned to E: so at a multiple of E;
       b. a memset to a constant, memcpy or memmove (not within a variable) of a constant number of elements, aligned
          as these are, not volatile;
       c. making another address: getelementptr, addrspacecast, freeze, phi or select;
       d. a comparison of two addresses of the same variable;
       e. a marker that does nothing (the start and end of its life);
  3. if a phi, select or copy joins several variables, this holds for all of them, with the same E, and the phi or
     select has nothing else to choose from.
Any other use (a call, storing the address, an integer of it, an atomic operation) might show where its elements are.

Method. Addresses are followed from the variables to their uses, which say what the elements may be. Then variables are
dropped until all that are joined are alike.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from lanewise.ir import effects
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import NamedTypes, align_of, size_of
from lanewise.ir.values import Constant, Value

ELEMENTS: Final = (1, 2, 4, 8)
_ADDRESSES: Final = frozenset({"getelementptr", "addrspacecast", "freeze", "phi", "select"})

Roots = dict[Value, frozenset[Instruction]]
"""Address -> the variables that it may point into."""


class PrivateArrays(NamedTuple):
    """Variables that are apart, and all their uses, in the order of the code."""

    elements: dict[Instruction, int]
    """Alloca -> bytes of an element."""
    steps: tuple[Instruction, ...]
    """Every getelementptr."""
    accesses: tuple[Instruction, ...]
    """Loads and stores."""
    transfers: "tuple[Transfer, ...]"


class Transfer(NamedTuple):
    """A memset, memcpy or memmove."""

    call: Instruction
    element: int
    """Bytes of an element of the variables that it touches."""
    private: tuple[bool, bool]
    """True if its target is such a variable, and the same for its source."""


def private_arrays(function: Function, types: NamedTypes) -> PrivateArrays:
    """The variables of a function that are apart."""
    roots = _roots(function)
    uses = [(user, address) for address in roots for user in address.users]
    sizes: dict[Instruction, set[int | None]] = {variable: set() for of in roots.values() for variable in of}
    for address, of in roots.items():
        found = {_element_of_use(user, address, roots, types) for user in address.users} - {0}
        if _chooses_other(address, roots):  # 3
            found.add(None)
        for variable in of:
            sizes[variable] |= found
    elements: dict[Instruction, int] = {}
    for variable, found in sizes.items():
        size = next(iter(found)) if len(found) == 1 else None
        if size is not None and _alignment(variable, types) >= size:  # 1, 2a
            elements[variable] = size
    _keep_those_alike(elements, uses, roots)
    return _collected(function, roots, elements)


def _keep_those_alike(
    elements: dict[Instruction, int], uses: Sequence[tuple[Instruction, Value]], roots: Roots
) -> None:
    """Drop variables that are joined with others that are not apart or have other elements (3), or that are copied in
    parts (2b)."""
    copies = [(user, address) for user, address in uses if effects.is_copy(user)]
    together = [of for of in roots.values() if len(of) > 1]
    together += [_of(call.arguments[0], roots) | _of(call.arguments[1], roots) for call, _ in copies]
    lost: set[Instruction] | None = None
    while lost is None or lost:
        lost = set()
        for of in together:
            if len({elements.get(variable) for variable in of}) > 1:
                lost |= of & elements.keys()
        for call, address in copies:
            of = roots[address] & elements.keys()
            if not all(_fits(call, address, elements[variable]) for variable in of):
                lost |= of
        for variable in lost:
            del elements[variable]


def _roots(function: Function) -> Roots:
    work: list[Value] = [i for i in function.instructions() if i.op == "alloca" and _has_known_size(i)]  # 1
    roots: Roots = {alloca: frozenset((alloca,)) for alloca in work if isinstance(alloca, Instruction)}
    while work:
        address = work.pop()
        for user in address.users:
            if user.op in _ADDRESSES:  # 2c
                known = roots.get(user, frozenset())
                if not roots[address] <= known:
                    roots[user] = known | roots[address]
                    work.append(user)
    return roots


def _of(value: Value, roots: Roots) -> frozenset[Instruction]:
    """The variables that a value points into; none if it is no address that is followed."""
    return roots.get(value, frozenset())


def _has_known_size(alloca: Instruction) -> bool:
    return all(isinstance(o, Constant) and o.kind == "int" for o in alloca.operands)


def _chooses_other(address: Value, roots: Roots) -> bool:
    """True for a phi or select with a value that is no address that is followed."""
    if not isinstance(address, Instruction) or address.op not in ("phi", "select"):
        return False
    values = [v for v, _ in address.incoming()] if address.op == "phi" else address.operands[1:]
    return any(v not in roots and not _is_undefined(v) for v in values)


def _is_undefined(value: Value) -> bool:
    return isinstance(value, Constant) and value.kind in ("poison", "undef")


def _element_of_use(user: Instruction, address: Value, roots: Roots, types: NamedTypes) -> int | None:
    """Bytes of the elements that a use accesses, 0 if it accesses none; None if it is not one of 2."""
    if user.op in _ADDRESSES:
        return 0 if user.type.is_pointer else None  # no vectors of addresses
    if effects.is_marker(user):  # 2e
        return 0
    if user.op in ("load", "store"):  # 2a
        is_stored = user.op == "store" and user.operands[0] is address
        return None if is_stored else _accessed(user, types)
    if user.op == "icmp":  # 2d
        a, b = (_of(o, roots) for o in user.operands)
        return 0 if a == b and len(a) == 1 else None
    if effects.is_copy(user):  # 2b
        return None if _may_overlap(user, roots) else 0
    return None


def _accessed(access: Instruction, types: NamedTypes) -> int | None:
    type_ = effects.accessed_type(access)
    element = type_.scalar
    if access.ordering is not None or element.is_aggregate:
        return None
    size = size_of(element, types)
    if size not in ELEMENTS or element.bits != 8 * size:
        return None
    return size if (access.align or align_of(type_, types)) >= size else None


def _alignment(alloca: Instruction, types: NamedTypes) -> int:
    assert alloca.source_type is not None
    return alloca.align or align_of(alloca.source_type, types)


def _fits(call: Instruction, address: Value, element: int) -> bool:
    """True if a call transfers a known number of whole elements from or to this address (2b)."""
    target, source, length, volatile = call.arguments
    if not isinstance(length, Constant) or not isinstance(volatile, Constant) or volatile.integer:
        return False
    if call.callee.startswith("llvm.memset") and not (isinstance(source, Constant) and source.kind == "int"):
        return False
    sides = [i for i, side in enumerate((target, source)) if side is address]
    return length.integer % element == 0 and all(argument_align(call, i) >= element for i in sides)


def _may_overlap(call: Instruction, roots: Roots) -> bool:
    """True if a call may move bytes within a variable."""
    target, source = call.arguments[:2]
    return call.callee.startswith("llvm.memmove") and bool(_of(target, roots) & _of(source, roots))


def argument_align(call: Instruction, index: int) -> int:
    """The alignment in bytes that a call states for an argument; 1 if it does not."""
    assert call.call is not None
    words = call.call.arguments[index] if index < len(call.call.arguments) else ()
    found = (int(word.removeprefix("align ")) for word in words if word.startswith("align "))
    return max(found, default=1)


def _collected(function: Function, roots: Roots, elements: dict[Instruction, int]) -> PrivateArrays:
    steps: list[Instruction] = []
    accesses: list[Instruction] = []
    transfers: list[Transfer] = []

    def element(address: Value) -> int | None:
        return next((elements[root] for root in roots.get(address, ()) if root in elements), None)

    for instruction in function.instructions():
        if instruction.op == "getelementptr" and element(instruction):
            steps.append(instruction)
        elif instruction.op in ("load", "store") and element(effects.pointer_operand(instruction)):
            accesses.append(instruction)
        elif effects.is_copy(instruction):
            sides = [element(side) for side in instruction.arguments[:2]]
            if any(sides):
                transfers.append(Transfer(instruction, max(filter(None, sides)), (bool(sides[0]), bool(sides[1]))))
    return PrivateArrays(elements, tuple(steps), tuple(accesses), tuple(transfers))
