# SPDX-License-Identifier: Apache-2.0
"""The image of a unit that is loaded while a program runs, as LLVM IR for this process to compile.

Why: most of the programs in OpenCL C and PTX that a process builds are small. To have clang compile their image in C
(`image.py`) took 19 of the 85 ms of a processor that such a program takes; data alone takes LLVM 2.

The tables are the same, structs of `runtime/host/lanewise.h`. When not: images with constructors, with PTX, or with
variables that hold addresses stay in C.
"""

import base64
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias, final

from lanewise.backend.host.features import instruction_sets
from lanewise.backend.host.plain_link import plain_link
from lanewise.cuda.objects.image import LINE, LOADED, SMALL_GRID, code_flags
from lanewise.cuda.objects.kernel_code import GroupCode, KernelCode
from lanewise.cuda.objects.variable_kinds import VariableKinds
from lanewise.device.variable_images import VariableImage
from lanewise.frontend.signature import Parameter
from lanewise.llvm import LlvmModule, Machine
from lanewise.toolchain import link_shared_object

IMAGE_VERSION: Final = 4
"""LW_IMAGE_VERSION of `lanewise.h`."""
STRUCTS: Final = {
    "lw_parameter": "ptr i32 i32 i32 i32",
    "lw_code": "ptr i64 i64 [3xi32] i32 i32 i32 ptr",
    "lw_kernel_image": "ptr ptr ptr ptr ptr i32 i32 i32 i32 i32 i32",
    "lw_variable_image": "ptr ptr ptr i64 i32 i32",
    "lw_reference": "ptr i32 i32",
    "lw_image": "i32 i32 i32 i32 [16xi8] ptr ptr ptr ptr ptr ptr i64 i32 i32 ptr",
}
"""The fields of the structs of `lanewise.h`."""
NUMBERS: Final = {
    "LW_VALUE": 0,
    "LW_POINTER": 1,
    SMALL_GRID: 1,
    "LW_CODE_FLUSH_DENORMALS": 2,
    "LW_CODE_TRY_LOOP": 4,
    "LW_CODE_TRY_LANES": 8,
    "LW_VARIABLE_CONSTANT": 1,
    "LW_VARIABLE_ZERO": 4,
}
"""The enumerators of `lanewise.h` that images have."""
_SHOWN: Final = tuple(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}" for byte in range(256))
"""Each byte in a string of LLVM IR."""
_Field: TypeAlias = str | int | Sequence[int]
"""A symbol, a number or several."""


def is_plain(variables: Sequence[VariableImage], kinds: VariableKinds) -> bool:
    """Return whether the image of a unit that calls no functions is data alone."""
    return not kinds.managed and not any(variable.pointers for variable in variables)


def loaded_image(
    unit: str,
    name: str,
    kernels: Sequence[KernelCode],
    variables: Sequence[VariableImage],
    kinds: VariableKinds,
    ir: bytes,
) -> bytes:
    """The object file of the image of a unit, whose id is `unit` in hexadecimal digits, called `name`: what `LOADED`
    points to. `ir`: its packed kernel IR. For units that are plain."""
    machine, module = Machine.host(), LlvmModule.parse(_Image(unit, variables).text(name, kernels, kinds, ir))
    machine.claim(module)
    return machine.object(module, level=0)


def loaded_library(objects: Sequence[bytes]) -> bytes:
    """The shared object of a unit's objects, which shows `LOADED` alone. Raises as `link_shared_object`."""
    return plain_link(objects, (LOADED,)) or link_shared_object(
        objects, exported=f"{{ global: {LOADED}; local: *; }};\n"
    )


@final
class _Image:
    """The text of a module, line by line."""

    def __init__(self, unit: str, variables: Sequence[VariableImage]) -> None:
        self._unit: Final = unit
        self._variables: Final = {each.symbol: f'@"lw.{unit}.var.{n}"' for n, each in enumerate(variables)}
        self._data: Final = {each.symbol: each for each in variables}
        self._numbers: Final = {symbol: number for number, symbol in enumerate(self._data)}
        self._lines: Final[list[str]] = []
        self._texts: Final[dict[bytes, str]] = {}
        self._references: Final[list[list[_Field]]] = []

    def text(self, name: str, kernels: Sequence[KernelCode], kinds: VariableKinds, ir: bytes) -> str:
        self._lines.extend(map(self._variable, self._data.values()))
        rows = [self._kernel(number, kernel) for number, kernel in enumerate(kernels)]
        self._rows("lw_kernel_image", "@kernels", rows)
        described = [self._described(variable, kinds) for variable in self._data.values()]
        self._rows("lw_variable_image", "@variables", described, "global")
        self._rows("lw_reference", "@references", self._references)
        self._lines.append(f'@ir = internal constant {_bytes(ir)}, section ".lanewise.unit"')
        image: list[_Field] = [IMAGE_VERSION, len(kernels), len(self._data), len(self._references)]
        image += [bytes.fromhex(self._unit)]
        image += [self._text(name), self._text(",".join(sorted(instruction_sets())))]
        image += ["@kernels", "@variables", "@references", "@ir", len(ir), 0, 0, "null"]
        self._rows("lw_image", "@image", [image])
        self._lines.append(f"@{LOADED} = constant ptr @image")
        return "\n".join([*self._lines, ""])

    def _variable(self, variable: VariableImage) -> str:
        data = base64.b64decode(variable.data)
        value = _bytes(data) if any(data) else f"[{max(len(data), 1)} x i8] zeroinitializer"
        return f"{self._variables[variable.symbol]} = hidden global {value}, align {max(LINE, variable.align)}"

    def _described(self, variable: VariableImage, kinds: VariableKinds) -> list[_Field]:
        data, symbol = base64.b64decode(variable.data), self._text(variable.symbol)
        flags = ["LW_VARIABLE_CONSTANT"] * (variable.symbol in kinds.constants) + ["LW_VARIABLE_ZERO"] * (not any(data))
        return [symbol, symbol, self._variables[variable.symbol], len(data), _sum(flags), 0]

    def _kernel(self, number: int, kernel: KernelCode) -> list[_Field]:
        info, parameters = kernel.info, kernel.info.signature.parameters
        self._rows("lw_parameter", f"@parameters{number}", map(self._parameter, parameters))
        self._rows("lw_code", f"@codes{number}", [self._code(number, *each) for each in enumerate(kernel.codes)])
        refusal = self._text(kernel.refusal) if kernel.refusal else "null"
        names: list[_Field] = [self._text(info.signature.symbol), self._text(info.qualified), refusal]
        end = max((parameter.offset + parameter.size for parameter in parameters), default=0)
        counts = [len(parameters), len(kernel.codes), end, info.bounds.max_work_items or 0, info.shared_bytes, 0]
        return [*names, f"@parameters{number}", f"@codes{number}", *counts]

    def _parameter(self, parameter: Parameter) -> list[_Field]:
        kind = "LW_POINTER" if parameter.kind == "pointer" else "LW_VALUE"
        return [self._text(parameter.name), parameter.offset, parameter.size, NUMBERS[kind], 0]

    def _code(self, number: int, place: int, code: GroupCode) -> list[_Field]:
        facts, function, apart = code.facts, f'@"{code.function}"', "null"
        self._lines.append(f"declare hidden void {function}(ptr, ptr, i32, i32, i32)")
        if code.table:
            addresses = ", ".join(f"ptr {self._variables[symbol]}" for symbol in facts.variables)
            self._lines.append(f'@"{code.table}" = hidden global [{len(facts.variables)} x ptr] [{addresses}]')
            places = [(f'getelementptr (ptr, ptr @"{code.table}", i64 {n})', s) for n, s in enumerate(facts.variables)]
            self._references.extend([place, self._numbers[symbol], 0] for place, symbol in places)
        if facts.apart:
            apart = f"@apart{number}.{place}"
            self._lines.append(f"{apart} = internal constant {_numbers('i32', facts.apart)}")
        sizes: list[_Field] = [facts.arena_bytes, facts.item_bytes, code.size or (0, 0, 0), facts.shared_bytes]
        return [function, *sizes, _sum(code_flags(code)), len(facts.apart), apart]

    def _text(self, text: str) -> str:
        """The symbol of a text with a NUL."""
        data = text.encode(errors="surrogateescape") + b"\0"
        if data not in self._texts:
            self._texts[data] = f"@text{len(self._texts)}"
            self._lines.append(f"{self._texts[data]} = private unnamed_addr constant {_bytes(data)}")
        return self._texts[data]

    def _rows(self, struct: str, name: str, rows: Iterable[Sequence[_Field]], kind: str = "constant") -> None:
        """Define a table. Texts and tables that its rows name come before it."""
        types = [field.replace("x", " x ") for field in STRUCTS[struct].split()]
        whole = f"{{{', '.join(types)}}}"
        pairs = [zip(types, row, strict=True) for row in rows]
        shown = [f"{whole} {{{', '.join(_value(type_, value) for type_, value in each)}}}" for each in pairs]
        self._lines.append(f"{name} = internal {kind} [{len(shown)} x {whole}] [{', '.join(shown)}]")


def _value(type_: str, value: _Field) -> str:
    """A value with its type."""
    if isinstance(value, str | int):
        return f"{type_} {value}"
    element = type_.removesuffix("]").split()[-1]
    return _numbers(element, value)


def _numbers(element: str, numbers: Sequence[int]) -> str:
    return f"[{len(numbers)} x {element}] [{', '.join(f'{element} {number}' for number in numbers)}]"


def _bytes(data: bytes) -> str:
    return f'[{len(data)} x i8] c"{"".join(map(_SHOWN.__getitem__, data))}"'


def _sum(flags: Iterable[str]) -> int:
    return sum(NUMBERS[flag] for flag in flags)
