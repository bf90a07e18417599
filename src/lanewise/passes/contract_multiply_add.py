# SPDX-License-Identifier: Apache-2.0
"""contract-multiply-add: decides once which products and sums are rounded together.

Why
    CUDA lets a compiler fuse a * b + c into one instruction that rounds once: half the instructions of a matrix
    product's inner loop, and another result in the last digit. Who decides late decides differently: LLVM's back ends
    and ptxas fuse what they happen to see after inlining and unrolling, the reference device sees source order. So this
    pass decides on the front end's IR, for all devices, and takes the permission away.

Before
    define float @f(float %a, float %b, ptr %p) {
      %t = alloca float, align 4
      %mul = fmul contract float %a, %b
      store float %mul, ptr %t, align 4
      %c = load float, ptr %p, align 4
      %0 = load float, ptr %t, align 4
      %sub = fsub contract float %c, %0
      ret float %sub
    }

After
    define float @f(float %a, float %b, ptr %p) {
      %t = alloca float, align 4
      %c = load float, ptr %p, align 4
      %1 = fneg float %a
      %sub = call float @llvm.fma.f32(float %1, float %b, float %c)
      ret float %sub
    }
    declare float @llvm.fma.f32(float, float, float)

Needs
    1. The multiplication, the addition or subtraction, and negations between them all carry `contract`.
    2. They are in half, float or double, or vectors of these.
    3. The product vanishes: all its uses are operands of such sums, directly, through negations or local variables.
    4. A local variable on the way is stored to once, and stored and loaded as a whole; nothing else sees its address,
       and no access is volatile.
    5. That store dominates the loads.
    6. No sum fuses two products: of two that could be, the first operand is, and the second stays a product.

Method
    From each product along its uses: a negation flips the sign, the store to a local variable goes on at its loads.
    The factors dominate the product, that the store, and that the loads, and no path leads from one of them to a load
    past the next, so at the sum they still have the values that were multiplied. Signs move onto a factor and the other
    operand, which is exact. The fused operation keeps the fast-math flags that product and sum share. `llvm.fmuladd`,
    permission for its own three operands, becomes `llvm.fma`; where that can't be, a product and a sum. Then `contract`
    goes from all instructions, and NVPTX writes `mul.rn` in place of `mul`, which ptxas leaves alone.

When not
    Without `fused`, for hosts that have no instruction: a library's fma costs fifty times as much. In bfloat: GPUs
    before sm_80 have no instruction either, and CUDA's operators of __nv_bfloat16 are never contracted anyway. Missed,
    since the reference device sees no more: products that pass through a call, a member of a struct, an array, a
    conversion, a choice, or a variable that is assigned to more than once.

Neighbours
    LLVM's DAG combiner fuses by the same flags at code generation, and duplicates products for it; it finds none left.
    What the user calls by name, `fmaf` or `__fmul_rn`, never carries the flag.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from lanewise.ir import types as ty
from lanewise.ir.dominators import DominatorTree, dominators
from lanewise.ir.function import Function
from lanewise.ir.instruction import CallSite, Instruction, Metadata
from lanewise.ir.intrinsics import spelled
from lanewise.ir.module import Module
from lanewise.ir.ops import FAST_MATH
from lanewise.ir.values import Value, poison

_FUSED_FORMATS: Final = frozenset({"half", "float", "double"})
_SUMS: Final = frozenset({"fadd", "fsub"})
_FAST_BUT_CONTRACT: Final = ("reassoc", "nnan", "ninf", "nsz", "arcp", "afn")
"""Flags that `fast` implies besides `contract`, in the order in which LLVM prints them."""
_LIFETIMES: Final = ("llvm.lifetime.start", "llvm.lifetime.end")


class ContractOptions(NamedTuple):
    """`fused`: the target has an instruction that multiplies and adds in one rounding."""

    fused: bool


class _Use(NamedTuple):
    """An operand of a sum that is a product, or a product negated."""

    sum: Instruction
    operand: int
    negated: bool


class _Product(NamedTuple):
    """A multiplication whose uses all end in sums, and what lies between and goes with it, uses behind definitions."""

    multiplication: Instruction
    uses: list[_Use]
    between: list[Instruction]


def run(function: Function, module: Module, options: ContractOptions) -> bool:
    """Fuse in a function of `module`; see above. Gives whether anything changed."""
    changed = False
    if options.fused:
        products = _chosen(_products(function), function)
        _fuse(products, module)
        changed = bool(products)
    changed |= _decide_calls(function, module, options)
    return _strip(function) or changed


# -- what can be fused ---------------------------------------------------------------------------------------------


def _products(function: Function) -> list[_Product]:
    multiplications = [i for i in function.instructions() if i.op == "fmul" and _may_contract(i)]
    if not multiplications:
        return []
    variables = _Variables(function)
    found = (_product(multiplication, variables) for multiplication in multiplications)
    return [product for product in found if product is not None and product.uses]


def _product(multiplication: Instruction, variables: "_Variables") -> _Product | None:
    """The product with all its uses; None where one is no operand of a sum."""
    if multiplication.type.scalar.kind not in _FUSED_FORMATS:  # 2
        return None
    product = _Product(multiplication, [], [])
    work = [(multiplication, False)]
    while work:
        value, negated = work.pop()
        for user in value.users:
            if user.is_debug_record:
                continue
            if user.op in _SUMS and _may_contract(user):  # 1
                product.uses.extend(_Use(user, i, negated) for i, o in enumerate(user.operands) if o is value)
            elif user.op == "fneg" and _may_contract(user):  # 1
                product.between.append(user)
                work.append((user, not negated))
            elif user.op == "store" and (loads := variables.loads_behind(user)) is not None:
                product.between.extend((user, *loads))
                work.extend((load, negated) for load in loads)
            else:  # 3
                return None
    return product


class _Variables:
    """Local variables of a function that hold one value."""

    def __init__(self, function: Function) -> None:
        self._function: Final = function
        self._tree: DominatorTree | None = None

    def loads_behind(self, store: Instruction) -> list[Instruction] | None:
        """All loads of the local variable that `store` writes to, where they give just what it wrote; else None."""
        value, variable = store.operands
        if not isinstance(variable, Instruction) or variable.op != "alloca":  # 4
            return None
        loads: list[Instruction] = []
        for user in variable.users:
            if user.op == "load" and user.type is value.type and not user.flags:
                loads.append(user)
            elif not ((user is store and not store.flags) or _is_marker(user)):  # 4
                return None
        return loads if all(self._dominates(store, load) for load in loads) else None  # 5

    def _dominates(self, above: Instruction, below: Instruction) -> bool:
        if above.parent is below.parent:
            instructions = above.parent.instructions
            return instructions.index(above) < instructions.index(below)
        self._tree = self._tree or dominators(self._function)
        return self._tree.dominates(above.parent, below.parent)


def _is_marker(user: Instruction) -> bool:
    return user.is_debug_record or user.callee.startswith(_LIFETIMES)


def _chosen(products: list[_Product], function: Function) -> list[_Product]:
    """6: those of `products` that are left when no sum fuses two."""
    operands: dict[Instruction, dict[int, _Product]] = {}
    for product in products:
        for use in product.uses:
            operands.setdefault(use.sum, {})[use.operand] = product
    kept = {product.multiplication: product for product in products}
    for instruction in function.instructions():
        both = operands.get(instruction, {})
        if len(both) == 2 and both[0].multiplication in kept:
            kept.pop(both[1].multiplication, None)
    return list(kept.values())


def _may_contract(instruction: Instruction) -> bool:
    return "contract" in instruction.flags or "fast" in instruction.flags


# -- rewriting -----------------------------------------------------------------------------------------------------


def _fuse(products: Iterable[_Product], module: Module) -> None:
    instead: dict[Instruction, list[Instruction]] = {}
    for product in products:
        for use in product.uses:
            instead[use.sum] = _fused(product.multiplication, use, module)
            use.sum.replace_all_uses(instead[use.sum][-1])
        for gone in (product.multiplication, *product.between):
            instead[gone] = []
    _replace(instead)


def _fused(multiplication: Instruction, use: _Use, module: Module) -> list[Instruction]:
    """Instructions in place of a sum, the last of which gives its result."""
    a, b = multiplication.operands
    other = use.sum.operands[1 - use.operand]
    subtracts = use.sum.op == "fsub"
    signs: list[Instruction] = []
    if use.negated != (subtracts and use.operand == 1):
        a = Instruction("fneg", a.type, (a,))
        signs.append(a)
    if subtracts and use.operand == 0:
        other = Instruction("fneg", other.type, (other,))
        signs.append(other)
    shared = _stripped(multiplication.flags)
    flags = tuple(flag for flag in _stripped(use.sum.flags) if flag in shared)
    return [*signs, _call_of_fma((a, b, other), use.sum, flags, module)]


def _decide_calls(function: Function, module: Module, options: ContractOptions) -> bool:
    """llvm.fmuladd, fused or not."""
    instead: dict[Instruction, list[Instruction]] = {}
    for call in function.instructions():
        if not call.callee.startswith("llvm.fmuladd."):
            continue
        a, b, c = call.arguments
        flags = tuple(flag for flag in _stripped(call.flags) if flag in FAST_MATH)
        if options.fused and call.type.scalar.kind in _FUSED_FORMATS:
            made = [_call_of_fma((a, b, c), call, flags, module)]
        else:
            product = Instruction("fmul", call.type, (a, b), flags=flags, metadata=_place(call))
            total = Instruction("fadd", call.type, (product, c), name=call.name, flags=flags, metadata=_place(call))
            made = [product, total]
        instead[call] = made
        call.replace_all_uses(made[-1])
    _replace(instead)
    return bool(instead)


def _call_of_fma(
    operands: tuple[Value, Value, Value], instead_of: Instruction, flags: tuple[str, ...], module: Module
) -> Instruction:
    type_ = instead_of.type
    function = module.declare(f"llvm.fma.{spelled(type_)}", ty.function(type_, (type_, type_, type_)))
    return Instruction(
        "call",
        type_,
        (function, *operands),
        name=instead_of.name,
        flags=flags,
        metadata=_place(instead_of),
        call=CallSite(function.value_type),
    )


def _place(instruction: Instruction) -> Metadata:
    """The metadata that says where in the source an instruction is: all that what replaces it keeps."""
    return tuple(node for node in instruction.metadata if node[0] == "!dbg")


def _replace(instead: Mapping[Instruction, Sequence[Instruction]]) -> None:
    """Put instructions in place of others, whose results no one uses but each other and debug records."""
    for block in dict.fromkeys(gone.parent for gone in instead):
        before, block.instructions = block.instructions, []
        for instruction in before:
            for new in instead.get(instruction, (instruction,)):
                block.append(new)
    for gone in instead:
        gone.drop_operands()
    for gone in instead:
        gone.replace_all_uses(poison(gone.type))
        gone.block = None


def _strip(function: Function) -> bool:
    """Take `contract` off all instructions."""
    flagged = [instruction for instruction in function.instructions() if _may_contract(instruction)]
    for instruction in flagged:
        instruction.flags = _stripped(instruction.flags)
    return bool(flagged)


def _stripped(flags: tuple[str, ...]) -> tuple[str, ...]:
    if "fast" in flags:
        return tuple(word for flag in flags for word in (_FAST_BUT_CONTRACT if flag == "fast" else (flag,)))
    return tuple(flag for flag in flags if flag != "contract")
