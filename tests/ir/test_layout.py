# SPDX-License-Identifier: Apache-2.0
"""Sizes, alignments and offsets against LLVM's own, for random types in the nvptx64 layout."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanewise.ir import types as ty
from lanewise.ir.layout import align_of, field_offsets, resolve, round_up, size_of
from lanewise.ir.reader import read_module
from lanewise.ir.types import Type
from lanewise.llvm import LlvmModule, Machine

scalars = st.one_of(
    st.sampled_from([ty.FLOAT, ty.DOUBLE, ty.floating("half"), ty.floating("bfloat"), ty.PTR, ty.pointer(3)]),
    st.integers(1, 130).map(ty.integer),
)
vectors = st.builds(
    ty.vector, st.integers(1, 17), st.sampled_from([ty.I1, ty.I8, ty.I16, ty.I32, ty.I64, ty.FLOAT, ty.DOUBLE, ty.PTR])
)
types = st.recursive(
    st.one_of(scalars, vectors),
    lambda inner: st.one_of(
        st.builds(ty.array, st.integers(0, 5), inner),
        st.builds(ty.struct, st.lists(inner, max_size=5).map(tuple), st.booleans()),
    ),
    max_leaves=8,
)


def by_llvm(type_: Type) -> tuple[int, int, tuple[int, ...]]:
    """(size, alignment, offsets of the fields) in bytes."""
    machine = Machine.nvptx("sm_80", 78)
    module = LlvmModule.parse(f'target datalayout = "{machine.data_layout()}"\n@x = global {type_} zeroinitializer\n')
    data = machine.of_thread(0).target_data
    llvm_type = module.handle.get_global_variable("x").global_value_type
    offsets = tuple(data.get_element_offset(llvm_type, i) for i in range(len(type_.fields)))
    return data.get_abi_size(llvm_type), data.get_abi_alignment(llvm_type), offsets


@settings(max_examples=300, deadline=None)
@given(types)
def test_as_llvm(type_: Type) -> None:
    offsets = field_offsets(type_, {})[0] if type_.kind == "struct" else ()
    assert (size_of(type_, {}), align_of(type_, {}), offsets) == by_llvm(type_)


def test_named_types_are_those_of_the_module() -> None:
    names = read_module("%A = type { i8, %B }\n%B = type { i32, [3 x i16] }\n%C = type opaque").types
    assert field_offsets(ty.named("A"), names) == ((0, 4), 16)
    assert resolve(ty.named("B"), names) is names["B"]
    with pytest.raises(ValueError, match="%C has no body"):
        size_of(ty.named("C"), names)


@pytest.mark.parametrize("type_", [ty.VOID, ty.LABEL, ty.METADATA, ty.opaque('target("t")')])
def test_what_has_no_size(type_: Type) -> None:
    with pytest.raises(ValueError, match="has no size"):
        size_of(type_, {})


def test_round_up() -> None:
    assert [round_up(n, 4) for n in (0, 1, 4, 5)] == [0, 4, 4, 8]
