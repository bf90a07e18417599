# SPDX-License-Identifier: Apache-2.0
"""Types of SPIR-V, with their text in LLVM IR for nvptx64."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final

# Source: SPIR-V Specification 1.6, 3.7 "Storage Class".
UNIFORM_CONSTANT, INPUT, WORKGROUP, CROSS_WORKGROUP, FUNCTION, GENERIC = 0, 1, 4, 5, 7, 8
SPACES: Final = {UNIFORM_CONSTANT: 4, INPUT: 0, WORKGROUP: 3, CROSS_WORKGROUP: 1, FUNCTION: 0, GENERIC: 0}
"""Address spaces of nvptx64 by storage class."""

_DIMENSIONS: Final = {0: "1d", 1: "2d", 2: "3d", 5: "1d_buffer"}
_ACCESS: Final = ("ro", "wo", "rw")


class SpirvType(ABC):
    """A type."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The type in LLVM IR."""


@dataclass(frozen=True, slots=True)
class VoidType(SpirvType):
    @property
    def text(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True)
class BoolType(SpirvType):
    @property
    def text(self) -> str:
        return "i1"


@dataclass(frozen=True, slots=True)
class IntType(SpirvType):
    bits: int

    @property
    def text(self) -> str:
        return f"i{self.bits}"


@dataclass(frozen=True, slots=True)
class FloatType(SpirvType):
    bits: int

    @property
    def text(self) -> str:
        return {16: "half", 32: "float", 64: "double"}[self.bits]


@dataclass(frozen=True, slots=True)
class VectorType(SpirvType):
    element: SpirvType
    count: int

    @property
    def text(self) -> str:
        return f"<{self.count} x {self.element.text}>"


@dataclass(frozen=True, slots=True)
class ArrayType(SpirvType):
    element: SpirvType
    count: int

    @property
    def text(self) -> str:
        return f"[{self.count} x {self.element.text}]"


@dataclass(frozen=True, slots=True)
class StructType(SpirvType):
    """A structure; `fields` are numbers of types, since it may point to itself through them."""

    name: str
    fields: tuple[int, ...]
    is_packed: bool

    @property
    def text(self) -> str:
        return f"%{self.name}"


@dataclass(frozen=True, slots=True)
class PointerType(SpirvType):
    """A pointer; `pointee` is the number of a type, since that may not be known yet."""

    storage: int
    pointee: int

    @property
    def space(self) -> int:
        return SPACES[self.storage]

    @property
    def text(self) -> str:
        return f"ptr addrspace({self.space})" if self.space else "ptr"


@dataclass(frozen=True, slots=True)
class ImageType(SpirvType):
    dimension: int
    is_depth: bool
    is_array: bool
    access: int

    @property
    def text(self) -> str:
        return "ptr addrspace(1)"

    @property
    def name(self) -> str:
        """The name in OpenCL C, without `_t`."""
        parts = ["image" + _DIMENSIONS[self.dimension]]
        parts += ["array"] * self.is_array + ["depth"] * self.is_depth
        return "_".join(parts)

    @property
    def mangled(self) -> str:
        """The name in the names of functions, by clang."""
        return f"ocl_{self.name}_{_ACCESS[self.access]}"


@dataclass(frozen=True, slots=True)
class SamplerType(SpirvType):
    @property
    def text(self) -> str:
        return "ptr addrspace(4)"


@dataclass(frozen=True, slots=True)
class SampledImageType(SpirvType):
    """An image with its sampler, which has no place in LLVM IR: it is used where it is made."""

    image: ImageType

    @property
    def text(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class EventType(SpirvType):
    @property
    def text(self) -> str:
        return "ptr"


@dataclass(frozen=True, slots=True)
class FunctionType(SpirvType):
    result: SpirvType
    parameters: tuple[SpirvType, ...]

    @property
    def text(self) -> str:
        return ""


def element_of(kind: SpirvType) -> SpirvType:
    """The type of a vector's elements; any other type itself."""
    return kind.element if isinstance(kind, VectorType) else kind


def like(kind: SpirvType, element: SpirvType) -> SpirvType:
    """A vector of `element` with as many as `kind` has; `element` if that is no vector."""
    return VectorType(element, kind.count) if isinstance(kind, VectorType) else element
