# SPDX-License-Identifier: Apache-2.0
"""Gives the kernels that clang makes of OpenCL C the form of kernel IR: their parameters are numbers and pointers.

Pointers to vectors ask for no more alignment than NumPy's arrays have.

Clang prints a kernel as a stub of straight-line code around a call of its body. In the stub

    define ptx_kernel void @k(ptr addrspace(1) %out, ptr addrspace(3) %tile) { entry: ...

a pointer to local memory becomes an offset in bytes into the dynamic shared memory of the launch:

    define ptx_kernel void @k(ptr addrspace(1) %out, i64 %tile.offset) {
    entry:
      %tile = getelementptr i8, ptr addrspace(3) @__lw_local, i64 %tile.offset

Pointers to constant memory that a launch passes lead to global memory, where arrays are, while `ld.const` of PTX reads
banks of constant memory only. So where a kernel takes one, all constant memory of the module is global memory.

In the general form, for launches with a global offset or with smaller work-groups at the end of a range, a kernel has
seven more parameters: the offset and the global size, along x, y and z, and the number of dimensions. It leaves them
where built-in functions find them, and work-items beyond the global size return at once.
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.frontend.kernel_qualifiers import ARRAY_ALIGNMENT, HIDDEN
from lanewise.frontend.opencl.sub_groups import size_function, size_stored, sub_group_sizes

AXES: Final = "xyz"

_NUMBERS: Final = (*(f"offset.{axis}" for axis in AXES), *(f"size.{axis}" for axis in AXES), "dimensions")

_NAME: Final = r'(?:"[^"\n]*"|[\w.$-]+)'
_STUB: Final = re.compile(
    rf"^(define [^\n@]*\bptx_kernel void @{_NAME}\()([^\n]*?)(\)(?: [^\n()]*)?\{{\nentry:\n)", re.MULTILINE
)
_BODY: Final = re.compile(r"^(define [^\n@]*@\"?__clang_ocl_kern_imp_[^\n]*\)) #\d+", re.MULTILINE)
_LOCAL: Final = re.compile(rf"ptr addrspace\(3\)[^,%]*(%{_NAME})")
_REQUIRED: Final = re.compile(r"^(define [^\n]*?)((?: ![\w.]+ !\d+)*) !reqd_work_group_size (!\d+)", re.MULTILINE)
_EXTENT: Final = re.compile(r"^(!\d+) = !\{i32 (\d+), i32 (\d+), i32 (\d+)\}$", re.MULTILINE)

_WIDE: Final = re.compile(r"(ptr addrspace\([14]\) [^,\n]*?(?:, )?align )(?:32|64|128)\b")
"""An alignment that clang takes an array of large vectors to have."""

_CONSTANT: Final = re.compile(r'"[^"\n]*"|\baddrspace\(4\)')
_TAKES_CONSTANT: Final = re.compile(
    rf"^define [^\n@]*\bptx_kernel void @{_NAME}\([^\n]*?ptr addrspace\(4\)", re.MULTILINE
)

_LOCAL_MEMORY: Final = "@__lw_local = external addrspace(3) global [0 x i8], align 128\n"
_QUERIES: Final = """
define internal i64 @__lw_global_offset(i32 %axis) nounwind alwaysinline {
  ret i64 0
}
define internal i64 @__lw_range(i32 %axis, i64 %whole) nounwind alwaysinline {
  ret i64 %whole
}
define internal i32 @__lw_work_dim() nounwind alwaysinline {
  %groups.y = call i32 @lw.register.nctaid.y()
  %groups.z = call i32 @lw.register.nctaid.z()
  %items.y = call i32 @lw.register.ntid.y()
  %items.z = call i32 @lw.register.ntid.z()
  %any.y = or i32 %groups.y, %items.y
  %any.z = or i32 %groups.z, %items.z
  %flat = icmp eq i32 %any.z, 1
  %line = icmp eq i32 %any.y, 1
  %one.or.two = select i1 %line, i32 1, i32 2
  %dimensions = select i1 %flat, i32 %one.or.two, i32 3
  ret i32 %dimensions
}
"""
"""A launch has the dimensions along which there is more than one work-item."""
_GENERAL_QUERIES: Final = """
@lw.range = internal addrspace(3) global [7 x i64] undef, align 8
define internal i64 @__lw_global_offset(i32 %axis) nounwind alwaysinline {
  %place = getelementptr i64, ptr addrspace(3) @lw.range, i32 %axis
  %offset = load i64, ptr addrspace(3) %place, align 8
  ret i64 %offset
}
define internal i64 @__lw_range(i32 %axis, i64 %whole) nounwind alwaysinline {
  %index = add i32 %axis, 3
  %place = getelementptr i64, ptr addrspace(3) @lw.range, i32 %index
  %size = load i64, ptr addrspace(3) %place, align 8
  ret i64 %size
}
define internal i32 @__lw_work_dim() nounwind alwaysinline {
  %place = getelementptr i64, ptr addrspace(3) @lw.range, i32 6
  %dimensions = load i64, ptr addrspace(3) %place, align 8
  %result = trunc i64 %dimensions to i32
  ret i32 %result
}
"""
"""Each work-item writes these numbers, the same for all, before it reads them."""


def as_kernel_ir(text: str, *, general: bool) -> str:
    """The IR of clang with its kernels in the form of kernel IR; `general`: for any global offset and size."""
    required = {node: ",".join(extent) for node, *extent in _EXTENT.findall(text)}
    text = _REQUIRED.sub(lambda match: f"{match[1]}{_bounds(required[match[3]], match[1])}{match[2]}", text)
    text = _BODY.sub(r"\1 alwaysinline convergent nounwind", text)
    sizes = sub_group_sizes(text)
    text = _STUB.sub(lambda match: _kernel(match, general, sizes), text)
    queries = (_GENERAL_QUERIES if general else _QUERIES) + size_function(sizes)
    text = _WIDE.sub(rf"\g<1>{ARRAY_ALIGNMENT}", text)
    return f"{text}{queries}{_REGISTER_DECLARATIONS}{_LOCAL_MEMORY}"


def with_registers(text: str) -> str:
    """The IR of a linked module, in which LLVM's intrinsics read where a work-item is. Before, functions do that which
    LLVM doesn't know: library/types.h says why."""
    return text.replace("@lw.register.", "@llvm.nvvm.read.ptx.sreg.")


def with_constants_reached(text: str) -> str:
    """The IR of a whole module with constant memory where its kernels can read it, as said above."""
    if not _TAKES_CONSTANT.search(text):
        return text
    return _CONSTANT.sub(lambda match: match[0] if match[0].startswith('"') else "addrspace(1)", text)


def _bounds(extent: str, head: str) -> str:
    """The only local size that a kernel may be launched with, as an attribute of its function."""
    return f' "nvvm.reqntid"="{extent}"' if "ptx_kernel" in head else ""


def _kernel(stub: re.Match[str], general: bool, sizes: dict[str, int]) -> str:
    head, parameters, rest = stub.groups()
    lines = [size_stored(sizes, head[head.index("@") + 1 : -1])]

    def offset(local: re.Match[str]) -> str:
        name = local[1]
        place = f'{name[:-1]}.offset"' if name.endswith('"') else f"{name}.offset"
        lines.append(f"  {name} = getelementptr i8, ptr addrspace(3) @__lw_local, i64 {place}\n")
        return f"i64 noundef {place}"

    parameters = _LOCAL.sub(offset, parameters)
    if general:
        hidden = [f"i64 noundef %{HIDDEN}{name}" for name in _NUMBERS]
        parameters = ", ".join([*filter(None, [parameters]), *hidden])
        lines.append(_PROLOGUE)
    return f"{head}{parameters}{rest}{''.join(lines)}"


def _stores() -> str:
    lines: list[str] = []
    for index, name in enumerate(_NUMBERS):
        place = f"getelementptr inbounds ([7 x i64], ptr addrspace(3) @lw.range, i64 0, i64 {index})"
        lines.append(f"  store i64 %{HIDDEN}{name}, ptr addrspace(3) {place}, align 8\n")
    return "".join(lines)


def _test() -> str:
    """Ends the block `entry`; work-items within the range go on."""
    lines: list[str] = []
    for axis in AXES:
        for register in ("ctaid", "ntid", "tid"):
            lines += [
                f"  %lw.{register}.{axis}.32 = call i32 @lw.register.{register}.{axis}()\n",
                f"  %lw.{register}.{axis} = zext i32 %lw.{register}.{axis}.32 to i64\n",
            ]
        lines += [
            f"  %lw.before.{axis} = mul i64 %lw.ctaid.{axis}, %lw.ntid.{axis}\n",
            f"  %lw.id.{axis} = add i64 %lw.before.{axis}, %lw.tid.{axis}\n",
            f"  %lw.inside.{axis} = icmp ult i64 %lw.id.{axis}, %lw.size.{axis}\n",
        ]
    return "".join([
        *lines,
        "  %lw.inside.xy = and i1 %lw.inside.x, %lw.inside.y\n",
        "  %lw.inside = and i1 %lw.inside.xy, %lw.inside.z\n",
        "  br i1 %lw.inside, label %lw.stay, label %lw.leave\n",
        "lw.leave:\n  ret void\nlw.stay:\n",
    ])  # fmt: skip


_PROLOGUE: Final = _stores() + _test()
_REGISTER_DECLARATIONS: Final = "".join(
    f"declare i32 @lw.register.{register}.{axis}() nounwind memory(none)\n"
    for register in ("ctaid", "ntid", "tid", "nctaid")
    for axis in AXES
)
