# SPDX-License-Identifier: Apache-2.0
"""Types of the kernel IR: LLVM's, one interned object each, so that `is` compares them.

Source: LLVM Language Reference, "Type System". A type is one of these kinds:

    void, label, metadata, token    no size
    int                             `bits`
    half bfloat float double ...    `bits`
    ptr                             `addrspace`
    vector, array                   `count`, `element` (a scalable vector has `scalable`)
    struct                          `fields`, `packed`
    named                           `name`; `Module.types` has its body
    function                        `element` (what it returns), `fields` (parameters), `vararg`
    opaque                          an unknown body, or a target extension type kept as text
"""

from __future__ import annotations

from functools import cache
from typing import Final, final

from lanewise.ir.names import quoted

FLOAT_BITS: Final = {
    "half": 16, "bfloat": 16, "float": 32, "double": 64, "fp128": 128, "x86_fp80": 80, "ppc_fp128": 128,
}  # fmt: skip


@final
class Type:
    """One type; made only by the functions of this module, so equal types are the same object."""

    __slots__ = ("addrspace", "bits", "count", "element", "fields", "kind", "name", "packed", "scalable",
                 "text", "vararg")  # fmt: skip

    def __init__(
        self,
        kind: str,
        text: str,
        *,
        bits: int = 0,
        addrspace: int = 0,
        count: int = 0,
        element: Type | None = None,
        fields: tuple[Type, ...] = (),
        packed: bool = False,
        vararg: bool = False,
        scalable: bool = False,
        name: str = "",
    ) -> None:
        self.kind: Final = kind
        self.text: Final = text
        self.bits: Final = bits
        self.addrspace: Final = addrspace
        self.count: Final = count
        self.element: Final = element
        self.fields: Final = fields
        self.packed: Final = packed
        self.vararg: Final = vararg
        self.scalable: Final = scalable
        self.name: Final = name

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.text}>"

    @property
    def is_int(self) -> bool:
        return self.kind == "int"

    @property
    def is_float(self) -> bool:
        return self.kind in FLOAT_BITS

    @property
    def is_pointer(self) -> bool:
        return self.kind == "ptr"

    @property
    def is_vector(self) -> bool:
        return self.kind == "vector"

    @property
    def is_aggregate(self) -> bool:
        return self.kind in ("struct", "array", "named")

    @property
    def scalar(self) -> Type:
        """The element type of a vector, any other type itself."""
        return self.inner if self.kind == "vector" else self

    @property
    def inner(self) -> Type:
        """`element` of a vector, array or function type, for which it is never None."""
        assert self.element is not None, f"{self.text} has no element type"
        return self.element

    def with_shape_of(self, other: Type) -> Type:
        """This scalar type, as a vector if `other` is one (i1 of a comparison of <4 x float>: <4 x i1>)."""
        return vector(other.count, self, other.scalable) if other.kind == "vector" else self


VOID: Final = Type("void", "void")
LABEL: Final = Type("label", "label")
METADATA: Final = Type("metadata", "metadata")
TOKEN: Final = Type("token", "token")


def integer(bits: int) -> Type:
    return _integer(bits)


def floating(kind: str) -> Type:
    return _floating(kind)


def pointer(addrspace: int = 0) -> Type:
    return _pointer(addrspace)


def vector(count: int, element: Type, scalable: bool = False) -> Type:
    return _vector(count, element, scalable)


def array(count: int, element: Type) -> Type:
    return _array(count, element)


def struct(fields: tuple[Type, ...], packed: bool = False) -> Type:
    return _struct(fields, packed)


def named(name: str) -> Type:
    """A `%name` type, whose body `Module.types` holds."""
    return _named(name)


def function(result: Type, parameters: tuple[Type, ...], vararg: bool = False) -> Type:
    return _function(result, parameters, vararg)


def opaque(text: str) -> Type:
    return _opaque(text)


# The functions above give each of these one spelling of its arguments, so that the cache holds each type once.


@cache
def _integer(bits: int) -> Type:
    return Type("int", f"i{bits}", bits=bits)


@cache
def _floating(kind: str) -> Type:
    return Type(kind, kind, bits=FLOAT_BITS[kind])


@cache
def _pointer(addrspace: int) -> Type:
    return Type("ptr", f"ptr addrspace({addrspace})" if addrspace else "ptr", bits=64, addrspace=addrspace)


@cache
def _vector(count: int, element: Type, scalable: bool) -> Type:
    text = f"<{'vscale x ' if scalable else ''}{count} x {element}>"
    return Type("vector", text, count=count, element=element, scalable=scalable)


@cache
def _array(count: int, element: Type) -> Type:
    return Type("array", f"[{count} x {element}]", count=count, element=element)


@cache
def _struct(fields: tuple[Type, ...], packed: bool) -> Type:
    body = f"{{ {', '.join(map(str, fields))} }}" if fields else "{}"
    return Type("struct", f"<{body}>" if packed else body, fields=fields, packed=packed)


@cache
def _named(name: str) -> Type:
    return Type("named", f"%{quoted(name)}", name=name)


@cache
def _function(result: Type, parameters: tuple[Type, ...], vararg: bool) -> Type:
    shown = [str(p) for p in parameters] + (["..."] if vararg else [])
    return Type("function", f"{result} ({', '.join(shown)})", element=result, fields=parameters, vararg=vararg)


@cache
def _opaque(text: str) -> Type:
    return Type("opaque", text)


I1: Final = integer(1)
I8: Final = integer(8)
I16: Final = integer(16)
I32: Final = integer(32)
I64: Final = integer(64)
FLOAT: Final = floating("float")
DOUBLE: Final = floating("double")
PTR: Final = pointer()
