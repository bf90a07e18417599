# SPDX-License-Identifier: Apache-2.0
"""version-by-alignment: runs another copy of a loop if rows turn out to be aligned, in which neighbours are one access.

Why
    A GPU loads 16 bytes by one instruction, from an address that is a multiple of 16. Nobody states that of a
    parameter, though nearly all arrays begin at such an address, and most rows have such a length. A loop over a row,
    unrolled by eight, has eight loads per turn where two would do. Two matrices times a vector execute 37 % fewer
    instructions, and read a quarter of the sectors.

Before
    define ptx_kernel void @f(ptr %out, ptr %a, i64 %n) {
    entry:
      br label %loop
    loop:
      %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
      %sum = phi i32 [ 0, %entry ], [ %s3, %loop ]
      %p0 = getelementptr inbounds i32, ptr %a, i64 %k
      %v0 = load i32, ptr %p0, align 4
      %s0 = add i32 %sum, %v0
      %p1 = getelementptr inbounds i8, ptr %p0, i64 4
      %v1 = load i32, ptr %p1, align 4
      %s1 = xor i32 %s0, %v1
      %p2 = getelementptr inbounds i8, ptr %p0, i64 8
      %v2 = load i32, ptr %p2, align 4
      %s2 = add i32 %s1, %v2
      %p3 = getelementptr inbounds i8, ptr %p0, i64 12
      %v3 = load i32, ptr %p3, align 4
      %s3 = xor i32 %s2, %v3
      %k.next = add nuw i64 %k, 4
      %more = icmp ult i64 %k.next, %n
      br i1 %more, label %loop, label %end
    end:
      store i32 %s3, ptr %out, align 4
      ret void
    }

After
    define ptx_kernel void @f(ptr %out, ptr %a, i64 %n) {
    entry:
      %0 = ptrtoint ptr %a to i64
      %1 = trunc i64 %0 to i32
      %2 = and i32 %1, 15
      %3 = icmp eq i32 %2, 0
      br i1 %3, label %loop, label %4
    loop:
      %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
      %sum = phi i32 [ 0, %entry ], [ %s3, %loop ]
      %p0 = getelementptr inbounds i32, ptr %a, i64 %k
      %v0 = load i32, ptr %p0, align 16
      %s0 = add i32 %sum, %v0
      %p1 = getelementptr inbounds i8, ptr %p0, i64 4
      %v1 = load i32, ptr %p1, align 4
      %s1 = xor i32 %s0, %v1
      %p2 = getelementptr inbounds i8, ptr %p0, i64 8
      %v2 = load i32, ptr %p2, align 8
      %s2 = add i32 %s1, %v2
      %p3 = getelementptr inbounds i8, ptr %p0, i64 12
      %v3 = load i32, ptr %p3, align 4
      %s3 = xor i32 %s2, %v3
      %k.next = add nuw i64 %k, 4
      %more = icmp ult i64 %k.next, %n
      br i1 %more, label %loop, label %end, !llvm.loop !1
    4:
      %5 = phi i64 [ 0, %entry ], [ %19, %4 ]
      %6 = phi i32 [ 0, %entry ], [ %18, %4 ]
      %7 = getelementptr inbounds i32, ptr %a, i64 %5
      %8 = load i32, ptr %7, align 4
      %9 = add i32 %6, %8
      %10 = getelementptr inbounds i8, ptr %7, i64 4
      %11 = load i32, ptr %10, align 4
      %12 = xor i32 %9, %11
      %13 = getelementptr inbounds i8, ptr %7, i64 8
      %14 = load i32, ptr %13, align 4
      %15 = add i32 %12, %14
      %16 = getelementptr inbounds i8, ptr %7, i64 12
      %17 = load i32, ptr %16, align 4
      %18 = xor i32 %15, %17
      %19 = add nuw i64 %5, 4
      %20 = icmp ult i64 %19, %n
      br i1 %20, label %4, label %end, !llvm.loop !1
    end:
      %21 = phi i32 [ %s3, %loop ], [ %18, %4 ]
      store i32 %21, ptr %out, align 4
      ret void
    }
    !0 = !{!"llvm.loop.unroll.disable"}
    !1 = distinct !{!1, !0}

Needs
    1. A loop without loops in it, entered from one block, and left to one. It has no barrier, no operation of the warp
       and no unknown call: a barrier must not be in two places.
    2. Neighbours of 4 or 8 bytes, neither volatile nor atomic, of up to 16 bytes together, in one block.
    3. Nothing between them may change what they load, or sees what they store.
    4. Their common address is a sum of values each of which is a multiple, or is one if certain values are that are
       known before the loop. A counter is if its start and its step are.
    5. These values are the same for all threads of a block: otherwise threads of a warp might take both copies, one
       after the other.
    6. The loop isn't such a copy: it isn't entered by a test of an alignment.

Method
    Conditions on all values, of all neighbours of the loop, make one test: the lower bits of all of them together. They
    are collected backwards from each address: a sum or a phi is a multiple if its operands are, a product if one
    factor is. A phi in a loop is assumed to be one while its operands are looked at, which is induction over turns. If
    the test succeeds, a copy runs whose accesses state the alignment. LLVM's load-store-vectorizer then merges them.

When not
    Fewer than three accesses saved per turn. More than 1,100 operations to copy in a kernel, as an unrolled loop may
    have. Neighbours that begin elsewhere than at a multiple of their size from the base. Straight-line code, in which
    the test costs what it saves. Shared memory, whose arrays ptxas aligns itself. Bytes and halves, which are taken out
    of registers: 47 % more for a product of bytes.

Neighbours
    LLVM's load-store-vectorizer merges what is aligned for certain, as much in 297 functions of its own tests after the
    GPU's passes as without. `reassociate-pointer-arithmetic` and `step-pointers` follow: a stepped pointer doesn't say
    what it is a multiple of. From a latch that branches out of the loop and jumps back, ptxas copies a
    turn before one of the two loops. So latches branch back here, and `.pragma "nounroll"` keeps ptxas from that form.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, final

from lanewise.analysis.addresses import AffineAddress, affine_address
from lanewise.analysis.memory_objects import are_apart, objects_of
from lanewise.analysis.shapes import alignment
from lanewise.analysis.uniformity import Uniformity, uniformity
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.copied_blocks import copied_blocks
from lanewise.ir.dominators import DominatorTree, dominators
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import intrinsic_of
from lanewise.ir.loops import Loop, find_loops
from lanewise.ir.module import Module
from lanewise.ir.predicates import inverse
from lanewise.ir.preheaders import preheader
from lanewise.ir.remarks import leave_alone
from lanewise.ir.values import Argument, Constant, Value, i32

_WIDEST: Final = 16
"""Bytes of the widest access."""
_LEAST_SAVED: Final = 3
"""Accesses that a turn has to save: one vector of four."""
_MOST_COPIED: Final = 1_100
"""Operations that are copied in a kernel, at most: as many as a loop that is unrolled as a whole may have."""
_MOST_OPERANDS: Final = 12
"""Limit on operations that are looked through for a condition."""

_NEVER: Final = '!{!"llvm.loop.unroll.disable"}'

Conditions = dict[Value, int]
"""Values, and the power of two that each has to be a multiple of."""


class _Access(NamedTuple):
    instruction: Instruction
    address: AffineAddress
    size: int
    place: int


class _Vector(NamedTuple):
    """Neighbours that become one access."""

    accesses: Sequence[_Access]
    width: int
    """Bytes."""


def run(function: Function, module: Module) -> bool:
    """Version the loops of a kernel; see above. Returns whether anything changed."""
    if not function.is_kernel or not function.blocks:
        return False
    tree = dominators(function)
    loops = find_loops(function, tree).loops
    copied, headers = 0, [loop.header for loop in loops]
    for header in headers:
        loop = next(each for each in loops if each.header is header)
        if any(each.parent is loop for each in loops) or not _can_be_copied(loop):  # 1
            continue
        size = sum(not each.is_debug_record for block in loop.blocks for each in block.instructions)
        vectors = [vector for block in tree.order if block in loop.blocks for vector in _vectors(block, module)]
        if _saved(vectors) < _LEAST_SAVED:
            continue
        if copied + size > _MOST_COPIED:
            leave_alone(header, f"{copied + size} instructions would be copied, of at most {_MOST_COPIED}")
        elif _version(loop, vectors, tree, module):
            copied += size
            tree = dominators(function)
            loops = find_loops(function, tree).loops
    return copied > 0


def _saved(vectors: Iterable[_Vector]) -> int:
    return sum(len(vector.accesses) - 1 for vector in vectors)


def _can_be_copied(loop: Loop) -> bool:
    if len(loop.entering()) != 1 or len({after for _, after in loop.exits()}) != 1:
        return False
    if _tests_lower_bits(loop.entering()[0].terminator):  # 6
        return False
    return not any(_stays_single(each) for block in loop.blocks for each in block.instructions)


def _tests_lower_bits(branch: Instruction) -> bool:
    """True for a branch that depends on an alignment."""
    test = branch.operands[0]
    if len(branch.operands) != 3 or not isinstance(test, Instruction) or test.op != "icmp":
        return False
    bits = test.operands[0]
    if not isinstance(bits, Instruction) or bits.op != "and":
        return False
    mask = bits.operands[1]
    return isinstance(mask, Constant) and mask.kind == "int" and mask.integer in (1, 3, 7, 15)


def _stays_single(instruction: Instruction) -> bool:
    if instruction.op != "call":
        return instruction.op in ("alloca", "indirectbr")
    row = intrinsic_of(instruction.callee)
    return row is None or row.convergent


# -- neighbours ----------------------------------------------------------------------------------------------------


def _vectors(block: Block, module: Module) -> list[_Vector]:
    """Neighbours in a block that would be one access if only their address were aligned."""
    groups: dict[object, dict[int, _Access]] = defaultdict(dict)
    for place, instruction in enumerate(block.instructions):
        if instruction.op not in ("load", "store") or effects.is_ordered(instruction):  # 2
            continue
        size = effects.access_size(instruction, module.types)
        type_ = effects.accessed_type(instruction)
        if size not in (4, 8) or type_.is_vector:  # 2
            continue
        address = affine_address(effects.pointer_operand(instruction), module.types)
        access = _Access(instruction, address, size, place)
        groups[instruction.op, type_, address.start].setdefault(address.offset, access)
    return [vector for group in groups.values() for vector in _parts(group, block)]


def _parts(group: Mapping[int, _Access], block: Block) -> Iterable[_Vector]:
    """The widest vectors first."""
    left = dict(group)
    size = next(iter(group.values())).size
    width = _WIDEST
    while width > size:
        for offset in sorted(left):
            offsets = range(offset, offset + width, size)
            if offset % width or not all(each in left for each in offsets):
                continue
            vector = _Vector([left[each] for each in offsets], width)
            if vector.accesses[0].instruction.align < width:
                if _is_interrupted(vector, block):
                    continue
                yield vector
            for each in offsets:
                del left[each]
        width //= 2


def _is_interrupted(vector: _Vector, block: Block) -> bool:
    """True if an instruction between neighbours may depend on when they are executed."""
    places = {access.place for access in vector.accesses}
    objects = objects_of(effects.pointer_operand(vector.accesses[0].instruction))
    is_load = vector.accesses[0].instruction.op == "load"
    for place in range(min(places), max(places)):
        between = block.instructions[place]
        matters = effects.writes(between) if is_load else effects.touches_memory(between)
        if place in places or not matters:
            continue
        if between.op not in ("load", "store") or effects.is_ordered(between):  # 3
            return True
        others = objects_of(effects.pointer_operand(between))
        if not all(are_apart(a, b) for a in objects for b in others):  # 3
            return True
    return False


# -- conditions ----------------------------------------------------------------------------------------------------


@final
class _Known:
    """The conditions on values known before a loop under which others are multiples of a power of two."""

    def __init__(self, loop: Loop, tree: DominatorTree, same: Uniformity) -> None:
        (self._before,) = loop.entering()
        self._tree: Final = tree
        self._same: Final = same

    def of_address(self, address: AffineAddress, width: int) -> Conditions | None:
        """The conditions under which an address is a multiple of `width`; None if there are none."""
        found: Conditions = {}
        parts = [(address.base, 1), *((term.value, term.factor) for term in address.others)]
        for value, factor in parts:
            conditions = self._of(value, width // min(width, factor & -factor), frozenset(), _MOST_OPERANDS)
            if conditions is None:
                return None
            _add(found, conditions)
        return found

    def _of(self, value: Value, modulus: int, assumed: frozenset[tuple[Value, int]], depth: int) -> Conditions | None:
        """Conditions under which a value is a multiple."""
        if modulus == 1 or (value, modulus) in assumed:
            return {}
        if isinstance(value, Constant):
            return {} if value.type.is_int and value.kind == "int" and value.integer % modulus == 0 else None
        if value.type.is_int and alignment(value) % modulus == 0:
            return {}
        if self._is_known(value) and self._same.is_uniform(value):  # 5
            return {value: modulus}
        return self._of_parts(value, modulus, assumed, depth)

    def _is_known(self, value: Value) -> bool:
        """True for a value that can be tested before the loop."""
        if isinstance(value, Instruction):
            return self._tree.dominates(value.parent, self._before)
        return isinstance(value, Argument) and value.byval is None

    def _of_parts(
        self, value: Value, modulus: int, assumed: frozenset[tuple[Value, int]], depth: int
    ) -> Conditions | None:
        if not isinstance(value, Instruction) or not depth:  # 4
            return None

        def of_all(values: Iterable[Value], also: frozenset[tuple[Value, int]] = assumed) -> Conditions | None:
            found: Conditions = {}
            for each in values:
                conditions = self._of(each, modulus, also, depth - 1)
                if conditions is None:
                    return None
                _add(found, conditions)
            return found

        match value.op:
            case "add" | "sub" | "or":
                return of_all(value.operands)
            case "sext" | "zext" | "trunc" | "freeze" | "ptrtoint" | "inttoptr" | "addrspacecast":
                return of_all(value.operands) if value.type.bits >= 8 else None
            case "select":
                return of_all(value.operands[1:])
            case "phi":
                return of_all((each for each, _ in value.incoming()), assumed | {(value, modulus)})
            case "shl":
                by = value.operands[1]
                if isinstance(by, Constant) and by.kind == "int" and 0 <= by.integer < value.type.bits:
                    return self._of(value.operands[0], max(1, modulus >> by.integer), assumed, depth - 1)
                return None
            case "mul":
                return self._of_product(value, modulus, assumed, depth)
            case _:
                return None

    def _of_product(
        self, value: Instruction, modulus: int, assumed: frozenset[tuple[Value, int]], depth: int
    ) -> Conditions | None:
        a, b = value.operands
        if isinstance(b, Constant) and b.kind == "int" and b.integer:
            return self._of(a, max(1, modulus // (b.integer & -b.integer)), assumed, depth - 1)
        found = self._of(b, modulus, assumed, depth - 1)
        return self._of(a, modulus, assumed, depth - 1) if found is None else found


def _add(found: Conditions, more: Conditions) -> None:
    for value, modulus in more.items():
        found[value] = max(modulus, found.get(value, 1))


# -- rewriting -----------------------------------------------------------------------------------------------------


def _version(loop: Loop, vectors: list[_Vector], tree: DominatorTree, module: Module) -> bool:
    known = _Known(loop, tree, uniformity(loop.header.parent))
    conditions: Conditions = {}
    kept: list[_Vector] = []
    for vector in vectors:
        found = known.of_address(vector.accesses[0].address, vector.width)
        if found:
            _add(conditions, found)
            kept.append(vector)
    if _saved(kept) < _LEAST_SAVED:
        return False
    conditions = _in_order(conditions, loop.header.parent)
    before = preheader(loop)
    for latch in loop.latches:
        _jump_back(latch.terminator, loop)
        _keep_rolled(latch.terminator, module)
    copies = _copy(loop, before)
    enters = before.instructions.pop()
    enters.drop_operands()
    build = Builder(before)
    test = build.compare("eq", _lower_bits(conditions, build), i32(0))
    header = copies[loop.header]
    assert isinstance(header, Block)
    build.branch_if(test, loop.header, header, enters.metadata)
    for vector in kept:
        for number, access in enumerate(vector.accesses):
            offset = number * access.size
            access.instruction.align = max(access.instruction.align, vector.width if not offset else offset & -offset)
    return True


def _in_order(conditions: Conditions, function: Function) -> Conditions:
    """The conditions in the order in which a function has their values: addresses have their terms in none."""
    values: list[Value] = [*function.arguments, *function.instructions()]
    return {value: conditions[value] for value in values if value in conditions}


def _jump_back(branch: Instruction, loop: Loop) -> None:
    """Let a latch branch back, and fall out of the loop: of the other form, ptxas copies a turn before the loop."""
    test = branch.operands[0]
    if len(branch.operands) != 3 or branch.operands[1] is loop.header:
        return
    if isinstance(test, Instruction) and test.op == "icmp" and len(test.users) == 1:
        test.predicate = inverse(test.predicate)
        out, back = branch.operands[1:]
        branch.set_operand(1, back)
        branch.set_operand(2, out)


def _keep_rolled(branch: Instruction, module: Module) -> None:
    """Keep ptxas from unrolling a loop, which it does where the latch branches back."""
    never = next((name for name, body in module.metadata.items() if body == _NEVER), None) or module.add_metadata(
        _NEVER
    )
    node = module.add_metadata("")
    module.metadata[node] = f"distinct !{{{node}, {never}}}"
    branch.metadata = (*(each for each in branch.metadata if each[0] != "!llvm.loop"), ("!llvm.loop", node))


def _lower_bits(conditions: Conditions, build: Builder) -> Value:
    """A number that is 0 if all conditions hold."""
    most = max(conditions.values())
    total: Value | None = None
    for value, modulus in conditions.items():
        number = build.cast("freeze", value, value.type) if isinstance(value, Instruction) else value
        number = build.cast("ptrtoint", number, ty.I64) if value.type.is_pointer else number
        if number.type.bits != 32:
            number = build.cast("trunc" if number.type.bits > 32 else "zext", number, ty.I32)
        if modulus < most:
            number = build.binary("shl", number, i32((most // modulus).bit_length() - 1))
        total = number if total is None else build.binary("or", total, number)
    assert total is not None
    return build.binary("and", total, i32(most - 1))


def _copy(loop: Loop, before: Block) -> dict[Value, Value]:
    """Put a copy of a loop after it. Returns the copy of each block and instruction."""
    function = before.parent
    blocks = [block for block in function.blocks if block in loop.blocks]
    made, copies = copied_blocks(blocks)
    after = 1 + max(function.blocks.index(block) for block in blocks)
    function.blocks[after:after] = made
    _join(loop, blocks, copies)
    return copies


def _join(loop: Loop, blocks: list[Block], copies: Mapping[Value, Value]) -> None:
    """Let what comes after a loop have the values of the one that has run."""
    ((*_, end),) = {(after,) for _, after in loop.exits()}
    sources = list(dict.fromkeys(block for block, _ in loop.exits()))
    for phi in end.phis:
        for value, block in list(phi.incoming()):
            if block in loop.blocks:
                phi.append_operand(copies.get(value, value))
                phi.append_operand(copies[block])
    for block in blocks:
        for value in block.instructions:
            outside = [user for user in value.users if not _is_inside(user, value, loop, copies)]
            if not outside:
                continue
            phi = Instruction("phi", value.type)
            for source in sources:
                for one, place in ((value, source), (copies[value], copies[source])):
                    phi.append_operand(one)
                    phi.append_operand(place)
            end.insert(0, phi)
            for user in outside:
                user.replace_operand(value, phi)


def _is_inside(user: Instruction, value: Value, loop: Loop, copies: Mapping[Value, Value]) -> bool:
    """True if `user` uses a value of the loop in it, in its copy, or at an edge out of it."""
    if user.block in loop.blocks:
        return True
    if user.op != "phi":
        return False
    own = {*loop.blocks, *(copies[block] for block in loop.blocks)}
    return all(place in own for each, place in user.incoming() if each is value)
