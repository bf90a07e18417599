# SPDX-License-Identifier: Apache-2.0
"""form-kernels: gives the kernels that clang makes of OpenCL C the form of kernel IR.

Why
    The parameters of a kernel are numbers and pointers, as launches pass them. The built-in library asks each module
    for what depends on its kernels.

Before
    define ptx_kernel void @k(ptr addrspace(1) align 64 %out, ptr addrspace(3) %tile) {
    entry:
      call void @__clang_ocl_kern_imp_k(ptr addrspace(1) %out, ptr addrspace(3) %tile)
      ret void
    }
    define void @__clang_ocl_kern_imp_k(ptr addrspace(1) %o, ptr addrspace(3) %t) {
    entry:
      %x = load <16 x float>, ptr addrspace(3) %t, align 64
      store <16 x float> %x, ptr addrspace(1) %o, align 64
      ret void
    }

After, beside functions for the built-in library
    define ptx_kernel void @k(ptr addrspace(1) align 16 %out, i64 noundef %tile.offset) {
    entry:
      %tile = getelementptr i8, ptr addrspace(3) @__lw_local, i64 %tile.offset
      call void @__clang_ocl_kern_imp_k(ptr addrspace(1) %out, ptr addrspace(3) %tile)
      ret void
    }
    define void @__clang_ocl_kern_imp_k(ptr addrspace(1) %o, ptr addrspace(3) %t) alwaysinline convergent nounwind {
    entry:
      %x = load <16 x float>, ptr addrspace(3) %t, align 64
      store <16 x float> %x, ptr addrspace(1) %o, align 16
      ret void
    }
    @__lw_local = external addrspace(3) global [0 x i8], align 128

Method
    * A pointer to local memory becomes an offset in bytes into the dynamic shared memory of the launch.
    * A sampler, for clang a pointer, becomes the number that its bits are; an image stays a pointer to its description,
      which no kernel writes.
    * Pointers to vectors ask for no more alignment than NumPy's arrays have.
    * The one local size that a kernel may be launched with becomes an attribute of it.
    * The body that clang makes of a kernel is inlined into the kernel.
    * In the general form, for launches with a global offset or with smaller work-groups at the end of a range, a kernel
      has seven more parameters: the offset and the global size, along x, y and z, and the number of dimensions. It
      stores them where built-in functions find them, and work-items beyond the global size return at once.
"""

from __future__ import annotations

import re
from typing import Final, final

from lanewise.frontend.kernel_qualifiers import ARRAY_ALIGNMENT, HIDDEN
from lanewise.frontend.opencl.own_functions import BODY
from lanewise.frontend.opencl.sub_groups import are_wide, differ, size_function, sub_group_sizes
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.address_spaces import CONSTANT, GLOBAL, SHARED
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import CallSite, Instruction
from lanewise.ir.module import Module
from lanewise.ir.reader import read_into
from lanewise.ir.sub_groups import SIZE
from lanewise.ir.values import Argument, Value, i32, i64

AXES: Final = "xyz"

_NUMBERS: Final = (*(f"offset.{axis}" for axis in AXES), *(f"size.{axis}" for axis in AXES), "dimensions")
_RANGE: Final = "lw.range"
_LOCAL: Final = "__lw_local"
_REGISTER: Final = "lw.register."
_INTRINSIC: Final = "llvm.nvvm.read.ptx.sreg."

_REQUIRED: Final = "!reqd_work_group_size"
_EXTENT: Final = re.compile(r"!\{i32 (\d+), i32 (\d+), i32 (\d+)\}").fullmatch
_WORD: Final = re.compile(r'!"([^"]*)"').findall
_IMAGE: Final = re.compile(r"image[123]d\w*_t").fullmatch
_BODY_ATTRIBUTES: Final = "alwaysinline convergent nounwind"

_WIDE: Final = frozenset({32, 64, 128})
"""Alignments that clang takes an array of large vectors to have."""
_ARRAYS: Final = frozenset({ty.pointer(GLOBAL), ty.pointer(CONSTANT)})

_COLLECTIVE: Final = """
@lw.collective = internal addrspace(3) global [1024 x i64] undef, align 8
define internal ptr addrspace(3) @__lw_collective() nounwind alwaysinline {
  ret ptr addrspace(3) @lw.collective
}
"""
"""A value for each sub-group of 8 of the largest work-group."""
_LOCAL_MEMORY: Final = f"@{_LOCAL} = external addrspace(3) global [0 x i8], align 128\n"
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
_REGISTER_DECLARATIONS: Final = "".join(
    f"declare i32 @{_REGISTER}{register}.{axis}() nounwind memory(none)\n"
    for register in ("ctaid", "ntid", "tid", "nctaid")
    for axis in AXES
)


def form_kernels(module: Module, *, general: bool) -> bool:
    """Give all kernels the form of kernel IR. `general`: for any global offset and size. Returns whether functions of
    sub-groups are to be linked that are for 64 work-items."""
    sizes = sub_group_sizes(module)
    wide = are_wide(module, sizes)
    functions = [function for function in module.functions if function.blocks]
    queries = (_GENERAL_QUERIES if general else _QUERIES) + size_function(sizes, wide=wide)
    read_into(module, f"{queries}{_REGISTER_DECLARATIONS}{_COLLECTIVE}{_LOCAL_MEMORY}")
    for function in functions:
        _require_local_size(function, module)
        _limit_alignments(function)
        if function.symbol.startswith(BODY):
            function.suffix = _BODY_ATTRIBUTES
        elif function.is_kernel:
            _Stub(function, module).form(general, sizes[function] if differ(sizes) and not wide else None)
    return wide


def read_registers(module: Module) -> None:
    """Have LLVM's intrinsics read the registers that say which work-item runs, in a linked module.

    Until then functions do that which LLVM doesn't know: library/types.h says why.
    """
    for symbol in [name for name in module.symbols if name.startswith(_REGISTER)]:
        function = module.symbols[symbol]
        function.name = _INTRINSIC + symbol.removeprefix(_REGISTER)
    module.symbols = {str(symbol.name): symbol for symbol in module.symbols.values()}


def _require_local_size(function: Function, module: Module) -> None:
    """Say in an attribute of a kernel which local size alone it may be launched with, if the source says so."""
    node = dict(function.metadata).get(_REQUIRED)
    extent = _EXTENT(module.metadata[node]) if node is not None else None
    if extent is None:
        return
    function.metadata = tuple(m for m in function.metadata if m[0] != _REQUIRED)
    if function.is_kernel:
        function.suffix += f' "nvvm.reqntid"="{",".join(extent.groups())}"'


def _types_of(kernel: Function, module: Module) -> list[str]:
    """The types of a kernel's parameters as the source names them, type definitions resolved."""
    return _WORD(module.metadata.get(dict(kernel.metadata).get("!kernel_arg_base_type", ""), ""))


def _limit_alignments(function: Function) -> None:
    """Take wide alignments off parameters and accesses."""
    for argument in function.arguments:
        if argument.type in _ARRAYS:
            argument.attributes = tuple(map(_limited, argument.attributes))
    for instruction in function.instructions():
        if instruction.align in _WIDE and instruction.op in effects.ACCESSES:
            if effects.pointer_operand(instruction).type in _ARRAYS:
                instruction.align = ARRAY_ALIGNMENT
        elif instruction.call is not None:
            instruction.call = _with_limits(instruction.call)


def _with_limits(site: CallSite) -> CallSite:
    if not any(site.arguments):
        return site
    types = site.function_type.fields
    return site._replace(
        arguments=tuple(
            tuple(map(_limited, words)) if n < len(types) and types[n] in _ARRAYS else words
            for n, words in enumerate(site.arguments)
        )
    )


def _limited(attribute: str) -> str:
    kind, _, number = attribute.partition(" ")
    return f"align {ARRAY_ALIGNMENT}" if kind == "align" and int(number) in _WIDE else attribute


@final
class _Stub:
    """A kernel as clang makes it: a call of its body. New instructions go before those that it has."""

    def __init__(self, kernel: Function, module: Module) -> None:
        self._kernel: Final = kernel
        self._module: Final = module
        self._body: Final = kernel.entry
        self._build: Final = Builder(Block(self._body.name, kernel))

    def form(self, general: bool, sub_group_size: int | None) -> None:
        kernel, first = self._kernel, self._build.block
        if sub_group_size is not None:
            self._build.store(i32(sub_group_size), self._module.symbols[SIZE], 4)
        types = _types_of(kernel, self._module)
        for index, argument in enumerate(kernel.arguments):
            if argument.type.addrspace == SHARED and argument.type.is_pointer:
                kernel.arguments[index] = self._offset(argument)
            elif index < len(types) and types[index] == "sampler_t":
                kernel.arguments[index] = self._bits(argument)
            elif index < len(types) and _IMAGE(types[index]):
                argument.attributes = ("noalias", *argument.attributes)
        if general:
            self._check_range(self._add_numbers())
            kernel.blocks.insert(0, first)
        else:
            self._body.instructions = [*first.instructions, *self._body.instructions]
            for instruction in first.instructions:
                instruction.block = self._body
        parameters = tuple(argument.type for argument in kernel.arguments)
        kernel.value_type = ty.function(ty.VOID, parameters)

    def _offset(self, local: Argument) -> Argument:
        """The parameter that takes the place of a pointer to local memory."""
        offset = Argument(ty.I64, f"{local.name}.offset" if local.name else None, ("noundef",))
        memory = self._module.symbols[_LOCAL]
        pointer = self._build.emit(
            Instruction("getelementptr", local.type, (memory, offset), name=local.name, source_type=ty.I8)
        )
        local.replace_all_uses(pointer)
        return offset

    def _bits(self, sampler: Argument) -> Argument:
        """The parameter that takes the place of a sampler."""
        bits = Argument(ty.I64, sampler.name, ("noundef",))
        sampler.replace_all_uses(self._build.cast("inttoptr", bits, sampler.type))
        return bits

    def _add_numbers(self) -> list[Argument]:
        """Add the parameters of the general form, and store them."""
        hidden = [Argument(ty.I64, f"{HIDDEN}{name}", ("noundef",)) for name in _NUMBERS]
        self._kernel.arguments += hidden
        memory = self._module.symbols[_RANGE]
        for index, number in enumerate(hidden):
            place = self._build.address(ty.array(len(hidden), ty.I64), memory, [i64(0), i64(index)])
            self._build.store(number, place, 8)
        return hidden

    def _check_range(self, numbers: list[Argument]) -> None:
        """Have work-items beyond the global size return at once."""
        inside: Value | None = None
        for axis, size in zip(AXES, numbers[3:6], strict=True):
            group, items, item = (self._read(f"{register}.{axis}") for register in ("ctaid", "ntid", "tid"))
            before = self._build.binary("mul", group, items)
            within = self._build.compare("ult", self._build.binary("add", before, item), size)
            inside = within if inside is None else self._build.binary("and", inside, within)
        assert inside is not None
        leave = Block("lw.leave", self._kernel)
        Builder(leave).ret()
        self._kernel.blocks.insert(0, leave)
        self._body.name = "lw.stay"
        self._build.branch_if(inside, self._body, leave)

    def _read(self, register: str) -> Value:
        function = self._module.function(_REGISTER + register)
        return self._build.cast("zext", self._build.call_function(function, ()), ty.I64)
