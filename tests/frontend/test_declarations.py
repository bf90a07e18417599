# SPDX-License-Identifier: Apache-2.0
"""Signatures of kernels: names, types as written, places among the packed arguments, and NumPy's view of them."""

from __future__ import annotations

import numpy as np
import pytest

from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda
from lanewise.frontend.declarations import kernel_signature
from lanewise.frontend.signature import Parameter
from lanewise.frontend.source_types import BFLOAT16, Dtype
from lanewise.ir.debug_info import DebugInfo
from lanewise.ir.reader import read_module
from lanewise.ir.strip_debug import strip_debug_info


def parameters(kernel: str, before: str = "") -> list[Parameter]:
    """The parameters of a kernel, written as the list between its parentheses."""
    text = compile_cuda(Source(f"{before}\n__global__ void k({kernel}) {{}}"), CudaOptions()).text
    return of_ir(text)


def of_ir(text: str) -> list[Parameter]:
    module = read_module(text)
    return list(kernel_signature(module, module.kernels[-1], DebugInfo(module.metadata)).parameters)


def parameter(kernel: str, before: str = "") -> Parameter:
    (only,) = parameters(kernel, before)
    return only


def as_numpy(dtype: Dtype) -> np.dtype[np.generic]:
    if isinstance(dtype, str):
        return np.dtype(dtype)
    if "base" in dtype:
        return np.dtype((as_numpy(dtype["base"]), tuple(dtype["shape"])))  # type: ignore[arg-type]
    formats = [as_numpy(f) for f in dtype["formats"]]  # type: ignore[attr-defined]
    return np.dtype({**dtype, "formats": formats})  # type: ignore[call-overload]


SCALARS = {
    "bool": ("bool", 1, "|b1"),
    "char": ("int", 1, "<i1"),
    "unsigned char": ("int", 1, "<u1"),
    "short": ("int", 2, "<i2"),
    "unsigned short": ("int", 2, "<u2"),
    "int": ("int", 4, "<i4"),
    "unsigned int": ("int", 4, "<u4"),
    "long": ("int", 8, "<i8"),
    "unsigned long": ("int", 8, "<u8"),
    "long long": ("int", 8, "<i8"),
    "_Float16": ("float", 2, "<f2"),
    "float": ("float", 4, "<f4"),
    "double": ("float", 8, "<f8"),
    "__bf16": ("struct", 2, BFLOAT16),
}


@pytest.mark.parametrize("written", SCALARS)
def test_scalars_and_pointers_to_them(written: str) -> None:
    kind, size, dtype = SCALARS[written]
    value, pointer = parameters(f"{written} x, {written} *p")
    assert (value.name, value.ctype, value.kind, value.size, value.layout) == ("x", written, kind, size, dtype)
    assert (pointer.name, pointer.ctype, pointer.kind, pointer.size, pointer.layout) == (
        "p", f"{written} *", "pointer", 8, dtype,
    )  # fmt: skip
    assert not pointer.const


POINTERS = {
    "const float *p": ("const float *", "<f4", True),
    "float const *__restrict__ p": ("const float *", "<f4", True),
    "float *const p": ("float *", "<f4", False),
    "volatile int *p": ("volatile int *", "<i4", False),
    "void *p": ("void *", "", False),
    "const void *p": ("const void *", "", True),
    "float **p": ("float **", "<u8", False),
    "const float *const *p": ("const float **", "<u8", True),
    "float &p": ("float &", "<f4", False),
    "const double &p": ("const double &", "<f8", True),
    "int (*p)[4]": ("int (*)[4]", {"base": "<i4", "shape": [4]}, False),
    "int p[8]": ("int *", "<i4", False),
    "void (*p)(int)": ("void (*)(int)", "", False),
    "real *p": ("real *", "<f4", False),
    "const real *p": ("const real *", "<f4", True),
    "enum colour *p": ("colour *", "<u4", False),
    "small *p": ("small *", "<u1", False),
}


@pytest.mark.parametrize("written", POINTERS)
def test_pointers(written: str) -> None:
    before = "typedef float real; enum colour { red }; enum class small : unsigned char { a };"
    found = parameter(written, before)
    assert found.kind == "pointer"
    assert (found.ctype, found.layout, found.const) == POINTERS[written]


def test_vector_types_are_structs_of_their_components() -> None:
    found = parameter("float4 *p")
    assert as_numpy(found.layout) == np.dtype([(name, "<f4") for name in "xyzw"])
    assert parameter("uchar4 v").size == 4


def test_each_parameter_stands_at_its_natural_alignment() -> None:
    found = parameters("char a, short b, int3 c, char d, float4 e, char f, double g, char h, P i, Wide j", """
        struct P { char c; short s; };
        struct __align__(32) Wide { float f; };""")  # fmt: skip
    places = {p.name: (p.offset, p.size) for p in found}
    assert places == {
        "a": (0, 1), "b": (2, 2), "c": (4, 12), "d": (16, 1), "e": (32, 16), "f": (48, 1), "g": (56, 8), "h": (64, 1),
        "i": (66, 4), "j": (96, 32),
    }  # fmt: skip


def test_struct_with_everything() -> None:
    before = """
        struct Inner { float x; int n[2][3]; };
        struct Base { long id; };
        struct S : Base {
          char c;
          Inner inner[2];
          bool flag;
          unsigned a : 3, b : 7;
          int after;
          const float *data;
          S *next;
          static const int ignored = 3;
          union { int i; float f; } either;
        };"""
    found = parameter("S s", before)
    dtype = as_numpy(found.layout)
    inner = np.dtype([("x", "<f4"), ("n", "<i4", (2, 3))])
    assert (found.ctype, found.kind, found.size, dtype.itemsize) == ("S", "struct", 104, 104)
    assert dtype.fields is not None
    assert {name: (str(field[0]), field[1]) for name, field in dtype.fields.items()} == {
        "base0": (str(np.dtype([("id", "<i8")])), 0),
        "c": ("int8", 8),
        "inner": (str(np.dtype((inner, 2))), 12),
        "flag": ("bool", 68),
        "a_b": ("|V2", 69),
        "after": ("int32", 72),
        "data": ("uint64", 80),
        "next": ("uint64", 88),
        "either": ("|V4", 96),
    }


def test_pointer_to_a_struct_that_nothing_looks_into_takes_anything() -> None:
    assert parameter("S *p", "struct S { int a; };").layout == ""
    assert parameter("S *p", "struct S;").layout == ""


def test_offsets_are_the_compilers() -> None:
    """Members at offsets that the compiler itself confirms."""
    members = ["char a", "double b", "float3 c", "short d", "float4 e", "bool f", "int g[5]"]
    before = f"struct S {{ {'; '.join(members)}; }};"
    found = parameter("S s", before)
    assert isinstance(found.layout, dict)
    names, offsets = found.layout["names"], found.layout["offsets"]
    assert isinstance(names, list)
    assert isinstance(offsets, list)
    checks = [f"static_assert(__builtin_offsetof(S, {n}) == {o});" for n, o in zip(names, offsets, strict=True)]
    parameters("S s", "\n".join([before, *checks, f"static_assert(sizeof(S) == {found.layout['itemsize']});"]))


def test_union_is_bytes() -> None:
    assert parameter("U u", "union U { int i; double d; };").layout == "V8"


def test_empty_struct_takes_a_byte() -> None:
    found = parameters("E e, int x", "struct E {};")
    assert [(p.offset, p.size, p.kind) for p in found] == [(0, 1, "struct"), (4, 4, "int")]


def test_empty_base_has_no_memory() -> None:
    found = parameter("D d", "struct E {}; struct B { int a; }; struct D : E, B { int b; };")
    assert as_numpy(found.layout).names == ("base0", "b")


def test_struct_that_leads_back_to_itself() -> None:
    found = parameter("N n", "struct N { N *next; N *children[2]; int v; };")
    assert as_numpy(found.layout) == np.dtype(
        {
            "names": ["next", "children", "v"],
            "formats": ["<u8", ("<u8", 2), "<i4"],
            "offsets": [0, 8, 24],
            "itemsize": 32,
        }
    )


def test_template_instance() -> None:
    before = """
        template <typename T, int N> struct Vec { T v[N]; };
        template <typename T> __global__ void scale(T *out, Vec<T, 3> v) {}
        template __global__ void scale<double>(double *, Vec<double, 3>);"""
    module = read_module(compile_cuda(Source(before), CudaOptions()).text)
    found = kernel_signature(module, module.kernels[0], DebugInfo(module.metadata)).parameters
    assert [(p.name, p.ctype) for p in found] == [("out", "double *"), ("v", "Vec<double, 3>")]
    assert as_numpy(found[1].layout) == np.dtype([("v", "<f8", 3)])


def test_unnamed_parameters_are_counted() -> None:
    assert [p.name for p in parameters("int, float *named, int")] == ["arg0", "named", "arg2"]


def test_without_debug_information() -> None:
    text = compile_cuda(
        Source("struct S { int a; double b; };\n__global__ void k(const float *p, int n, double x, bool b, S s) {}"),
        CudaOptions(),
    ).text
    module = read_module(text)
    strip_debug_info(module)
    kernel = module.kernels[0]
    for argument in kernel.arguments:
        argument.name = None
    found = kernel_signature(module, kernel, DebugInfo(module.metadata)).parameters
    assert [(p.name, p.kind, p.offset, p.size) for p in found] == [
        ("arg0", "pointer", 0, 8),
        ("arg1", "int", 8, 4),
        ("arg2", "float", 16, 8),
        ("arg3", "bool", 24, 1),
        ("arg4", "struct", 32, 16),
    ]
    assert found[0].layout == ""
