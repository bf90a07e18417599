# SPDX-License-Identifier: Apache-2.0
"""The image of a translation unit: tables of its kernels and variables, and the memory of the variables, as C.

The host runtime's `lw_image` (`runtime/host/lanewise.h`) is what it defines. A constructor makes it known before the
program's own constructors run, by libcudart, so that programs need no other library.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from typing import Final

from lanewise.backend.host.features import architecture, instruction_sets
from lanewise.cuda.objects.fat_binary import fat_binary
from lanewise.cuda.objects.gpu_code import GpuCode
from lanewise.cuda.objects.kernel_code import CalledCode, GroupCode, KernelCode
from lanewise.cuda.objects.variable_kinds import VariableKinds
from lanewise.device.variable_images import VariableImage
from lanewise.errors import CompileError
from lanewise.frontend.signature import Parameter
from lanewise.runtime.build import CORE
from lanewise.toolchain import memory_file, run_zig, zig_library
from lanewise.workgroup.mapping import LANES, LOOP

LINE: Final = 64
"""Least alignment of a variable: a cache line, so that no two variables share one."""
_HOST_RUNTIME: Final = CORE.parent / "host"
SMALL_GRID: Final = "LW_CODE_SMALL_GRID"
_FLUSH: Final = "LW_CODE_FLUSH_DENORMALS"
_TRY: Final = {LOOP: "LW_CODE_TRY_LOOP", LANES: "LW_CODE_TRY_LANES"}


def image_source(
    unit: str,
    name: str,
    kernels: Sequence[KernelCode],
    variables: Sequence[VariableImage],
    kinds: VariableKinds,
    called: CalledCode | None,
    gpus: Sequence[GpuCode] = (),
    *,
    linked: bool = False,
    loaded: bool = False,
) -> str:
    """The C source of the image of a unit, whose id is `unit` in hexadecimal digits, called `name`. `linked`: the unit
    is all relocatable device code of a program, and its image registers the kernels and variables that clang has listed
    in the host's objects. `loaded`: no constructor adds the image; who loads the unit finds it by the symbol LOADED,
    and may have it share the variables of another one."""
    numbers = {variable.symbol: number for number, variable in enumerate(variables)}
    movable = frozenset(numbers) if loaded else kinds.managed
    addresses = _Addresses(numbers, movable, called)
    parts = ['#include "lanewise.h"', *(_declared(unit, number) for number in numbers.values())]
    if called is not None:
        parts.append(f"extern void *calls[] {_label(called.table)};")
    parts += [_variable(unit, numbers[v.symbol], v, addresses) for v in variables]
    if called is not None and called.addresses:
        parts.append(_table("called_addresses", called.addresses, called.used, addresses))
    for number, kernel in enumerate(kernels):
        parts += _kernel_parts(number, kernel, addresses)
    parts.append(
        _rows("lw_kernel_image", "kernels", [_kernel(number, kernel) for number, kernel in enumerate(kernels)])
    )
    rows = [_variable_row(numbers[v.symbol], v, kinds) for v in variables]
    parts.append(_rows("lw_variable_image", "variables", rows, constant=False))
    parts.append(_rows("lw_reference", "references", addresses.references))
    parts.append(_rows("lw_gpu_code", "gpu_codes", [_gpu_code(code) for code in gpus]))
    parts.append(_IR)
    parts.append(_image(unit, name, len(kernels), len(variables), len(addresses.references), len(gpus)))
    if linked:
        parts.append(_REGISTER.replace("BINARY", _c_bytes(fat_binary(unit))))
    # Constructors of the same priority run in this order: variables have their values when the image is added.
    return "\n".join((*parts, *addresses.fixes(variables), _POINTER if loaded else _CONSTRUCTOR))


def compile_image(source: str, ir: bytes) -> bytes:
    """The object file of an image's C source. `ir`: the unit's packed kernel IR, which programs carry as it is."""
    options = [
        "-std=gnu11",
        "-O1",
        "-fPIC",
        "-ffreestanding",
        "-nostdinc",
        "-Wno-strict-prototypes",
        "-Wno-c23-extensions",
    ]
    folders = ["-isystem", str(zig_library() / "include"), f"-I{_HOST_RUNTIME}"]
    with memory_file(ir) as kept, memory_file(source.encode(errors="surrogateescape")) as text:
        options.append(f'-DIR_FILE="/proc/self/fd/{kept}"')
        arguments = ["clang", "-target", f"{architecture()}-linux-gnu", *options, *folders]
        arguments += ["-x", "c", "-c", f"/dev/fd/{text}", "-o", "-"]
        return run_zig(arguments, "the image of a unit could not be compiled", [text, kept])


# In a section of its own, of which a program reads no page until the compile service wants it.
_IR: Final = """
__attribute__((section(".lanewise.unit"))) static const unsigned char ir[] = {
#embed IR_FILE
};"""

_CONSTRUCTOR: Final = """
extern void __lwRegisterImage(const lw_image *);
extern void __lwUnregisterImage(const lw_image *);
__attribute__((constructor(101))) static void add_image(void) { __lwRegisterImage(&image); }
__attribute__((destructor(101))) static void remove_image(void) { __lwUnregisterImage(&image); }
"""

LOADED: Final = "lw_loaded_image"
"""Symbol of a pointer to the image."""
_POINTER: Final = f"""
__attribute__((visibility("default"))) const lw_image *const {LOADED} = &image;
"""

# Clang's table of a program's kernels and variables: llvm/Frontend/Offloading/Utility.h.
_REGISTER: Final = """
typedef struct {
  uint64_t reserved;
  uint16_t version, kind;
  uint32_t flags;
  void *address;
  char *name;
  uint64_t size, data;
  void *auxiliary;
} offload_entry;
extern const offload_entry __start_llvm_offload_entries[] __attribute__((weak, visibility("hidden")));
extern const offload_entry __stop_llvm_offload_entries[] __attribute__((weak, visibility("hidden")));
extern void **__cudaRegisterFatBinary(void *);
extern void __cudaRegisterFatBinaryEnd(void **);
extern void __cudaUnregisterFatBinary(void **);
extern void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *, void *,
                                   int *);
extern void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int, int);
static const unsigned char binary[] = BINARY;
static struct { int magic, version; const void *data; void *unused; } wrapper = {0x466243b1, 1, binary, 0};
static void **handle;
__attribute__((constructor(102))) static void register_entries(void) {
  enum { CUDA = 2, CONSTANT = 1 << 4 };
  handle = __cudaRegisterFatBinary(&wrapper);
  for (const offload_entry *each = __start_llvm_offload_entries; each != __stop_llvm_offload_entries; ++each)
    if (each->kind == CUDA && each->size == 0)
      __cudaRegisterFunction(handle, each->address, each->name, each->name, -1, 0, 0, 0, 0, 0);
    else if (each->kind == CUDA)
      __cudaRegisterVar(handle, each->address, each->name, each->name, 0, each->size, (each->flags & CONSTANT) != 0, 0);
  __cudaRegisterFatBinaryEnd(handle);
}
__asm__(".section .lanewise.linked,\\"e\\",@progbits\\n.byte 1\\n.text");
__attribute__((destructor(102))) static void unregister_entries(void) { __cudaUnregisterFatBinary(handle); }
"""


def _c_bytes(data: bytes) -> str:
    return "{" + ", ".join(map(str, data)) + "}"


class _Addresses:
    """C expressions for the addresses of variables and out-of-line functions. `references` are the rows of the table of
    all places that have the address of a variable that may come to lie elsewhere, one of `movable`."""

    def __init__(self, variables: Mapping[str, int], movable: frozenset[str], called: CalledCode | None) -> None:
        self._variables: Final = variables
        self._movable: Final = movable
        self.references: Final[list[str]] = []
        self._called: Final = {} if called is None else {s: n for n, s in enumerate(called.functions)}

    def constant(self, symbol: str) -> str | None:
        """The address as a constant expression; None for a function, whose address is in a table."""
        number = self._variables.get(symbol)
        return None if number is None else f"(char *)&var{number}"

    def stored(self, place: str, symbol: str) -> None:
        """Take note that `place`, an address in C, holds that of a symbol."""
        if symbol in self._movable:
            self.references.append(f"{{{place}, {self._variables[symbol]}, 0}}")

    def function(self, symbol: str) -> str:
        if symbol not in self._called:
            raise CompileError(f"{symbol} is declared and not defined in this file; compile with -rdc=true and link")
        return f"(char *)calls[{self._called[symbol]}]"

    def fixes(self, variables: Sequence[VariableImage]) -> list[str]:
        """A constructor that stores the addresses of functions, which only a table has, into variables."""
        stores = [
            f"  *(void **)((char *)&var{self._variables[variable.symbol]} + {offset}) = {self.function(symbol)};"
            for variable in variables
            for offset, symbol, _ in variable.pointers
            if self.constant(symbol) is None
        ]
        if not stores:
            return []
        return ["__attribute__((constructor(101))) static void store_addresses(void) {", *stores, "}"]


def _declared(unit: str, number: int) -> str:
    return f"extern struct type{number} var{number} {_label(f'lw.{unit}.var.{number}')};"


def _label(symbol: str) -> str:
    return f'__asm__({_text(symbol)}) __attribute__((visibility("hidden")))'


def _variable(unit: str, number: int, variable: VariableImage, addresses: _Addresses) -> str:
    data = base64.b64decode(variable.data)
    align = max(LINE, variable.align)
    fields: list[str] = []
    values: list[str] = []
    place = 0
    pointers = [p for p in sorted(variable.pointers) if addresses.constant(p[1]) is not None]
    for at, symbol, addend in pointers:
        if at > place:
            fields.append(f"unsigned char b{place}[{at - place}];")
            values.append(_bytes(data[place:at]))
        fields.append(f"void *p{at};")
        values.append(f"{addresses.constant(symbol)} + {addend}")
        addresses.stored(f"&var{number}.p{at}", symbol)
        place = at + 8
    if place < len(data) or not fields:
        fields.append(f"unsigned char b{place}[{max(len(data) - place, 1)}];")
        values.append(_bytes(data[place:]))
    body = f"struct __attribute__((packed, aligned({align}))) type{number} {{ {' '.join(fields)} }}"
    if not pointers and not any(data):
        return f"{body};\nstruct type{number} var{number};"
    return f"{body};\nstruct type{number} var{number} = {{{', '.join(values)}}};"


def _bytes(data: bytes) -> str:
    return "{" + ",".join(map(str, data.rstrip(b"\0") or b"\0")) + "}"


def _table(name: str, label: str, symbols: Sequence[str], addresses: _Addresses) -> str:
    """The table of the addresses of `symbols`; those of functions are stored by a constructor."""
    constants = [addresses.constant(symbol) for symbol in symbols]
    for place, symbol in enumerate(symbols):
        addresses.stored(f"&{name}[{place}]", symbol)
    shown = ", ".join(constant or "0" for constant in constants)
    lines = [f"extern void *{name}[] {_label(label)};", f"void *{name}[{len(symbols)}] = {{{shown}}};"]
    stores = [
        f"  {name}[{place}] = {addresses.function(symbol)};"
        for place, (symbol, constant) in enumerate(zip(symbols, constants, strict=True))
        if constant is None
    ]
    if stores:
        lines += [f"__attribute__((constructor(101))) static void fill_{name}(void) {{", *stores, "}"]
    return "\n".join(lines)


def _kernel_parts(number: int, kernel: KernelCode, addresses: _Addresses) -> list[str]:
    parts: list[str] = []
    for place, code in enumerate(kernel.codes):
        parts.append(
            f"extern void group{number}_{place}(const lw_launch *, char *, uint32_t, uint32_t, uint32_t) "
            f"{_label(code.function)};"
        )
        if code.table:
            parts.append(_table(f"table{number}_{place}", code.table, code.facts.variables, addresses))
        if code.facts.apart:
            shown = ", ".join(map(str, code.facts.apart))
            parts.append(f"static const uint32_t apart{number}_{place}[] = {{{shown}}};")
    parameters = kernel.info.signature.parameters
    parts.append(_rows("lw_parameter", f"parameters{number}", [_parameter(p) for p in parameters]))
    codes = [_code(number, place, code) for place, code in enumerate(kernel.codes)]
    parts.append(_rows("lw_code", f"codes{number}", codes))
    return parts


def _rows(type_: str, name: str, rows: Sequence[str], constant: bool = True) -> str:
    """A table of rows; it has one row of zeros if there are none, since C has no empty arrays."""
    return f"static {'const ' * constant}{type_} {name}[] = {{{', '.join(rows) or '{0}'}}};"


def _parameter(parameter: Parameter) -> str:
    kind = "LW_POINTER" if parameter.kind == "pointer" else "LW_VALUE"
    return f"{{{_text(parameter.name)}, {parameter.offset}, {parameter.size}, {kind}, 0}}"


def code_flags(code: GroupCode) -> list[str]:
    """The enumerators of `lw_code_flags` that code has."""
    facts = code.facts
    flags = [SMALL_GRID] * facts.needs_small_grid + [_FLUSH] * facts.flush_denormals
    if facts.is_unsure and code.size is not None:
        flags.append(_TRY[facts.other_mapping])
    return flags


def _code(number: int, place: int, code: GroupCode) -> str:
    facts, flags = code.facts, code_flags(code)
    x, y, z = code.size or (0, 0, 0)
    apart = f"apart{number}_{place}" if facts.apart else "0"
    return (
        f"{{group{number}_{place}, {facts.arena_bytes}, {facts.item_bytes}, {{{x}, {y}, {z}}}, {facts.shared_bytes}, "
        f"{' | '.join(flags) or '0'}, {len(facts.apart)}, {apart}}}"
    )


def _kernel(number: int, kernel: KernelCode) -> str:
    info = kernel.info
    parameters = info.signature.parameters
    end = max((parameter.offset + parameter.size for parameter in parameters), default=0)
    refusal = _text(kernel.refusal) if kernel.refusal else "0"
    return (
        f"{{{_text(info.signature.symbol)}, {_text(info.qualified)}, {refusal}, parameters{number}, codes{number}, "
        f"{len(parameters)}, {len(kernel.codes)}, {end}, {info.bounds.max_work_items or 0}, {info.shared_bytes}, 0}}"
    )


def _variable_row(number: int, variable: VariableImage, kinds: VariableKinds) -> str:
    data = base64.b64decode(variable.data)
    symbol = _text(variable.symbol)
    flags = ["LW_VARIABLE_CONSTANT"] * (variable.symbol in kinds.constants)
    flags += ["LW_VARIABLE_MANAGED"] * (variable.symbol in kinds.managed)
    flags += ["LW_VARIABLE_ZERO"] * (not variable.pointers and not any(data))
    return f"{{{symbol}, {symbol}, &var{number}, {len(data)}, {' | '.join(flags) or '0'}, 0}}"


def _gpu_code(code: GpuCode) -> str:
    """The row of PTX: its architecture as 80 for sm_80, and whether it runs on nothing newer (sm_90a)."""
    number = re.sub(r"\D", "", code.arch)
    only = int(not code.arch[-1].isdecimal())
    ptx, refusal = (_text(text) if text else "0" for text in (code.ptx, code.refusal))
    return f"{{{number}, {only}, {ptx}, {refusal}}}"


def _image(unit: str, name: str, kernels: int, variables: int, references: int, gpus: int) -> str:
    id_ = ", ".join(map(str, bytes.fromhex(unit)))
    features = _text(",".join(sorted(instruction_sets())))
    return (
        f"static const lw_image image = {{LW_IMAGE_VERSION, {kernels}, {variables}, {references}, {{{id_}}}, "
        f"{_text(name)}, {features}, kernels, variables, references, ir, sizeof ir, {gpus}, 0, gpu_codes}};"
    )


def _text(text: str) -> str:
    """A string literal of C."""
    data = text.encode(errors="surrogateescape")
    shown = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in data)
    return f'"{shown}"'
