# SPDX-License-Identifier: Apache-2.0
"""Operations of work-groups and sub-groups. Source: SPIR-V Specification 1.6, 3.56.21 and 3.56.24."""

from __future__ import annotations

from typing import Final

from lanewise.frontend.spirv import types as ty
from lanewise.frontend.spirv.arithmetic import Handler, resized
from lanewise.frontend.spirv.atomics import SUBGROUP, WORKGROUP
from lanewise.frontend.spirv.function import FunctionWriter
from lanewise.frontend.spirv.mangling import Mangled, PointerTo, mangled_type
from lanewise.frontend.spirv.module import damaged, refused
from lanewise.frontend.spirv.words import SpirvInstruction

_REDUCE, _INCLUSIVE, _EXCLUSIVE, _CLUSTERED = range(4)
_FORMS: Final = {_REDUCE: "reduce", _INCLUSIVE: "scan_inclusive", _EXCLUSIVE: "scan_exclusive"}
_COUNTS: Final = {_REDUCE: "bit_count", _INCLUSIVE: "inclusive_scan", _EXCLUSIVE: "exclusive_scan"}
_SHUFFLES: Final = {
    "GroupNonUniformShuffle": "sub_group_shuffle", "GroupNonUniformShuffleXor": "sub_group_shuffle_xor",
    "GroupNonUniformShuffleUp": "sub_group_shuffle_up", "GroupNonUniformShuffleDown": "sub_group_shuffle_down",
    "GroupNonUniformBroadcast": "sub_group_non_uniform_broadcast", "SubgroupShuffleINTEL": "intel_sub_group_shuffle",
    "SubgroupShuffleXorINTEL": "intel_sub_group_shuffle_xor",
    "SubgroupShuffleDownINTEL": "intel_sub_group_shuffle_down", "SubgroupShuffleUpINTEL": "intel_sub_group_shuffle_up",
}  # fmt: skip
_VOTES: Final = {
    "GroupAll": "all", "GroupAny": "any", "GroupNonUniformAll": "non_uniform_all",
    "GroupNonUniformAny": "non_uniform_any",
}  # fmt: skip
_OPERATIONS: Final = ("Add", "Mul", "Min", "Max", "And", "Or", "Xor")
_BALLOT: Final = {
    "GroupNonUniformInverseBallot": "sub_group_inverse_ballot",
    "GroupNonUniformBallotFindLSB": "sub_group_ballot_find_lsb",
    "GroupNonUniformBallotFindMSB": "sub_group_ballot_find_msb",
    "GroupNonUniformBallotBitExtract": "sub_group_ballot_bit_extract",
}

Argument = tuple[str, str, Mangled]


def _group(writer: FunctionWriter, scope: int) -> str:
    """The prefix of the functions of a scope."""
    number = writer.constant(scope)
    if number not in (WORKGROUP, SUBGROUP):
        raise damaged(f"a group operation of the scope {number}")
    return "work_group_" if number == WORKGROUP else "sub_group_"


def _predicate(writer: FunctionWriter, number: int) -> Argument:
    """A truth value as OpenCL C's int."""
    return "i32", writer.emit(f"zext {writer.typed(number)} to i32"), "i"


def _truth(writer: FunctionWriter, each: SpirvInstruction, value: str) -> None:
    """The result of an instruction from OpenCL C's int."""
    writer.result(each.result, each.type, f"icmp ne i32 {value}, 0")


def _vote(writer: FunctionWriter, each: SpirvInstruction) -> None:
    name = _group(writer, each.operands[0]) + _VOTES[each.name]
    _truth(writer, each, writer.call(name, ty.IntType(32), [_predicate(writer, each.operands[1])]))


def _elect(writer: FunctionWriter, each: SpirvInstruction) -> None:
    _truth(writer, each, writer.call("sub_group_elect", ty.IntType(32), []))


def _all_equal(writer: FunctionWriter, each: SpirvInstruction) -> None:
    argument = _number(writer, each.operands[1])
    _truth(writer, each, writer.call("sub_group_non_uniform_all_equal", ty.IntType(32), [argument]))


def _number(writer: FunctionWriter, number: int, *, signed: bool = True) -> Argument:
    """A value that a group shares: a truth value as an int."""
    return (
        _predicate(writer, number)
        if writer.type_of(number) == ty.BoolType()
        else writer.argument(number, signed=signed)
    )


def _arithmetic(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """A reduction or a scan."""
    scope, form, value, *cluster = each.operands
    word = next(word for word in _OPERATIONS if word in each.name).lower()
    is_logical = "Logical" in each.name
    kind = writer.module.type(each.type)
    prefix = _group(writer, scope)
    prefix += "non_uniform_" * ("NonUniform" in each.name and form != _CLUSTERED)
    argument = _number(writer, value, signed="U" + word.capitalize() not in each.name)
    arguments = [argument]
    if form == _CLUSTERED:
        if not cluster:
            raise damaged(f"Op{each.name} of clusters whose size isn't said")
        arguments.append(("i32", writer.value(cluster[0]), "j"))
        name = f"{prefix}clustered_reduce_{'logical_' * is_logical}{word}"
    elif form in _FORMS:
        name = f"{prefix}{_FORMS[form]}_{'logical_' * is_logical}{word}"
    else:
        raise refused(f"the group operation {form}")
    if kind == ty.BoolType():
        _truth(writer, each, writer.call(name, ty.IntType(32), arguments))
    else:
        writer.give(each.result, each.type, writer.call(name, kind, arguments))


def _broadcast(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """OpGroupBroadcast, whose place in a work-group is a number or a vector."""
    scope, value, place = each.operands
    prefix, kind = _group(writer, scope), writer.module.type(each.type)
    where = writer.type_of(place)
    if prefix == "sub_group_":
        places: list[Argument] = [("i32", resized(writer, place, ty.IntType(32)), "j")]
    elif isinstance(where, ty.VectorType):
        parts = [writer.emit(f"extractelement {writer.typed(place)}, i32 {i}") for i in range(where.count)]
        element = where.element.text
        places = [("i64", p if element == "i64" else writer.emit(f"zext {element} {p} to i64"), "m") for p in parts]
    else:
        places = [("i64", resized(writer, place, ty.IntType(64)), "m")]
    name = prefix + "broadcast"
    writer.give(each.result, each.type, writer.call(name, kind, [writer.argument(value), *places]))


def _shuffle(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """A value of another work-item of the sub-group."""
    *values, place = each.operands if each.name.endswith("INTEL") else each.operands[1:]
    arguments = [*(_number(writer, value) for value in values), ("i32", resized(writer, place, ty.IntType(32)), "j")]
    _shared(writer, each, writer.call(_SHUFFLES[each.name], _shared_type(writer, each), arguments))


def _shared_type(writer: FunctionWriter, each: SpirvInstruction) -> ty.SpirvType:
    kind = writer.module.type(each.type)
    return ty.IntType(32) if kind == ty.BoolType() else kind


def _shared(writer: FunctionWriter, each: SpirvInstruction, value: str) -> None:
    if writer.module.type(each.type) == ty.BoolType():
        _truth(writer, each, value)
    else:
        writer.give(each.result, each.type, value)


def _broadcast_first(writer: FunctionWriter, each: SpirvInstruction) -> None:
    argument = _number(writer, each.operands[1])
    _shared(writer, each, writer.call("sub_group_broadcast_first", _shared_type(writer, each), [argument]))


def _rotate(writer: FunctionWriter, each: SpirvInstruction) -> None:
    _, value, delta, *cluster = each.operands
    arguments = [_number(writer, value), ("i32", resized(writer, delta, ty.IntType(32)), "i")]
    arguments += [("i32", writer.value(number), "j") for number in cluster]
    name = "sub_group_clustered_rotate" if cluster else "sub_group_rotate"
    _shared(writer, each, writer.call(name, _shared_type(writer, each), arguments))


def _ballot(writer: FunctionWriter, each: SpirvInstruction) -> None:
    kind = writer.module.type(each.type)
    argument = _predicate(writer, each.operands[1])
    writer.give(each.result, each.type, writer.call("sub_group_ballot", kind, [argument]))


def _of_ballot(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """A function of a ballot: of one work-item, or of all."""
    arguments = [writer.argument(number, signed=False) for number in each.operands[1:]]
    found = writer.call(_BALLOT[each.name], ty.IntType(32), arguments)
    if writer.module.type(each.type) == ty.BoolType():
        _truth(writer, each, found)
    else:
        writer.give(each.result, each.type, found)


def _ballot_count(writer: FunctionWriter, each: SpirvInstruction) -> None:
    _, form, value = each.operands
    if form not in _COUNTS:
        raise refused(f"the group operation {form} of a ballot")
    argument = writer.argument(value, signed=False)
    writer.give(each.result, each.type, writer.call(f"sub_group_ballot_{_COUNTS[form]}", ty.IntType(32), [argument]))


def _async_copy(writer: FunctionWriter, each: SpirvInstruction) -> None:
    _, target, source, count, stride, event = each.operands
    kinds = [writer.type_of(number) for number in (target, source)]
    element = mangled_type(writer.module.pointee(kinds[0]), signed=True)
    spaces = [kind.space if isinstance(kind, ty.PointerType) else 0 for kind in kinds]
    arguments: list[Argument] = [
        (kinds[0].text, writer.value(target), PointerTo(element, spaces[0])),
        (kinds[1].text, writer.value(source), PointerTo(element, spaces[1], "K")),
        ("i64", resized(writer, count, ty.IntType(64)), "m"),
    ]
    is_strided = writer.constant(stride) != 1
    if is_strided:
        arguments.append(("i64", resized(writer, stride, ty.IntType(64)), "m"))
    arguments.append(writer.argument(event))
    name = "async_work_group_strided_copy" if is_strided else "async_work_group_copy"
    writer.give(each.result, each.type, writer.call(name, ty.EventType(), arguments))


def _wait(writer: FunctionWriter, each: SpirvInstruction) -> None:
    _, count, events = each.operands
    kind = writer.type_of(events)
    place = writer.value(events)
    if kind.text != "ptr":
        place = writer.emit(f"addrspacecast {kind.text} {place} to ptr")
    event = PointerTo(mangled_type(ty.EventType(), signed=True), 0)
    writer.call(
        "wait_group_events",
        ty.VoidType(),
        [("i32", resized(writer, count, ty.IntType(32)), "i"), ("ptr", place, event)],
    )


_ARITHMETIC: Final = (
    *(f"Group{word}" for word in ("IAdd", "FAdd", "FMin", "UMin", "SMin", "FMax", "UMax", "SMax")),
    *(
        f"GroupNonUniform{word}"
        for word in (
            "IAdd", "FAdd", "IMul", "FMul", "SMin", "UMin", "FMin", "SMax", "UMax", "FMax", "BitwiseAnd", "BitwiseOr",
            "BitwiseXor", "LogicalAnd", "LogicalOr", "LogicalXor",
        )
    ),
    *(
        f"Group{word}KHR"
        for word in (
            "IMul", "FMul", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "LogicalAnd", "LogicalOr", "LogicalXor",
        )
    ),
)  # fmt: skip

GROUPS: Final[dict[str, Handler]] = {
    **dict.fromkeys(_ARITHMETIC, _arithmetic),
    **dict.fromkeys(_SHUFFLES, _shuffle),
    **dict.fromkeys(_VOTES, _vote),
    **dict.fromkeys(_BALLOT, _of_ballot),
    "GroupBroadcast": _broadcast,
    "GroupNonUniformElect": _elect,
    "GroupNonUniformAllEqual": _all_equal,
    "GroupNonUniformBroadcastFirst": _broadcast_first,
    "GroupNonUniformRotateKHR": _rotate,
    "GroupNonUniformBallot": _ballot,
    "GroupNonUniformBallotBitCount": _ballot_count,
    "GroupAsyncCopy": _async_copy,
    "GroupWaitEvents": _wait,
}
