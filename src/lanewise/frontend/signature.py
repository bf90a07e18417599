# SPDX-License-Identifier: Apache-2.0
"""Signatures and bounds of kernels, types of variables: what a launch is checked against."""

from math import prod
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    import numpy as np

    from lanewise.frontend.source_types import Dtype, Kind


class Parameter(NamedTuple):
    """A parameter of a kernel. `offset`, in bytes, is its place among the packed arguments, `size` its size there.

    `layout` (see `source_types.Dtype`) describes `dtype`, the parameter's own or that of what a pointer points to;
    `align`, in bytes, is that of the same. `const`: the kernel only reads through it. What OpenCL C says besides, ""
    elsewhere: `address`, the memory ("global", "local", "constant" or "private") that it is in or points to; `access`,
    that of an image ("none" for all else); `qualifiers`, those of what a pointer points to, such as "const restrict". A
    pointer to local memory is of kind "local": its place among the arguments holds an offset into the memory that the
    launch provides.
    """

    name: str
    ctype: str
    kind: "Kind"
    size: int
    offset: int
    layout: "Dtype"
    const: bool
    align: int = 1
    address: str = ""
    access: str = ""
    qualifiers: str = ""

    @property
    def dtype(self) -> "np.dtype[Any] | None":
        """The dtype of the parameter, or of the elements that a pointer points to. None if any array will do, as for
        `void *`, or if the type isn't known."""
        from lanewise.frontend.dtypes import numpy_dtype  # NumPy takes long to import, and not all need it

        return numpy_dtype(self.layout) if self.layout else None


class Signature(NamedTuple):
    """A kernel's symbol and parameters."""

    symbol: str
    parameters: tuple[Parameter, ...]


class LaunchBounds(NamedTuple):
    """Demands of a kernel's declaration on its launches; None for no demand. `max_work_items`: the most of a block.
    `block`: the only local size that is allowed. `cluster`: extents that the grid's must be multiples of.
    `has_large_groups`: the limits of a group are those of OpenCL C, not CUDA's. `sub_group_size`: the size that it
    requires of its sub-groups; 0 for none. `has_uniform_groups`: the local size divides the global size, on the
    OpenCL platform. `goes_along_y`: no demand, but a wish: a local size that nobody names is to be long along y."""

    max_work_items: int | None = None
    block: tuple[int, int, int] | None = None
    cluster: tuple[int, int, int] | None = None
    has_large_groups: bool = False
    sub_group_size: int = 0
    has_uniform_groups: bool = False
    goes_along_y: bool = False

    def fault(self, grid: tuple[int, int, int], block: tuple[int, int, int], what: str = "block") -> str | None:
        """The fault of a launch, or None; `what`: the size of a block in the terms of its language."""
        if self.block is not None and block != self.block:
            return f"{what} {_shown(block)} is not {_shown(self.block)}, which the kernel's declaration requires"
        items = prod(block)
        if self.max_work_items is not None and items > self.max_work_items:
            return (
                f"{what} {_shown(block)} has {items} work-items, more than the {self.max_work_items} of the kernel's "
                "__launch_bounds__"
            )
        if self.cluster is not None and any(extent % part for extent, part in zip(grid, self.cluster, strict=True)):
            return f"grid {_shown(grid)} is not a multiple of the kernel's cluster of {_shown(self.cluster)} blocks"
        return None


NO_BOUNDS: Final = LaunchBounds()


class ReferenceType(NamedTuple):
    """A texture or surface reference: name with namespaces, symbol, "texture" or "surface", and what its declaration
    says. `dtype` ("" if unknown) is that of its texels. `dimensions` is cudaTextureType2D and the like, 0 if unknown.
    `normalized`: integers are read as floats."""

    name: str
    symbol: str
    kind: str
    dtype: "Dtype" = ""
    dimensions: int = 0
    normalized: bool = False


class VariableType(NamedTuple):
    """A variable: name as written, symbol, dtype and shape."""

    name: str
    symbol: str
    dtype: "Dtype"
    shape: tuple[int, ...]


def _shown(extent: tuple[int, int, int]) -> str:
    return "({}, {}, {})".format(*extent)
