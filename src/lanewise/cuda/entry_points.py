# SPDX-License-Identifier: Apache-2.0
"""The entry points of libcudart: each jumps through a table to a function of the copy that the process uses.

NVIDIA's static libraries share the device since they all call the one driver. Ours have a driver in each. So that
pointers and streams of one are valid in the others, all copies in a process use the functions of one of them
(`runtime/one_runtime.cpp`).

The library is compiled to LLVM IR, and each function `f` that it exports becomes `own.f`, which is internal:

    define i32 @cudaFree(ptr %memory) {...}    =>    define internal i32 @own.cudaFree(ptr %memory) {...}
                                                     define void @cudaFree(...) {... musttail call void (...) %f(...)}

A function with `...` that ends in such a call passes on all registers of arguments, and the stack as it is.

Functions of the driver API are looked up by name while a program runs (`runtime/driver_entry_points.cpp`), in a
table of their entry points.
"""

import re
from collections.abc import Collection
from typing import Final

from lanewise.cuda.driver_versions import versioned_names

_EXPORTED: Final = re.compile(
    r"^define (?!internal|hidden|linkonce|weak)[^@\n]*@((?:cuda|cu[A-Z]|__cuda|__lw)\w+)\(", re.MULTILINE
)
_MADE_HERE: Final = ("@__lwOwnEntries =", "@__lwEntries =", "@__lwNamedEntries =")


def with_entry_points(ir: str) -> str:
    """The IR of libcudart, in text, with entry points in front of the functions that it exports."""
    names: list[str] = _EXPORTED.findall(ir)
    numbers = {name: number for number, name in enumerate(sorted(names))}
    renamed = re.sub(r"@(\w+)(?![\w.$])", lambda found: f"@own.{found[1]}" if found[1] in numbers else found[0], ir)
    internal = re.sub(r"^define (?=[^@\n]*@own\.)", "define internal ", renamed, flags=re.MULTILINE)
    versions = versioned_names(numbers)
    found = sorted(name for name in (*numbers, *versions) if name.startswith("cu") and name[2].isupper())
    parts = [
        *(line for line in internal.split("\n") if not line.startswith(_MADE_HERE)),
        *(_entry(name, number) for name, number in numbers.items()),
        _table("@__lwOwnEntries = hidden", "own", numbers),
        _table("@choosing = internal", "choose", numbers),
        "@__lwEntries = hidden global ptr @choosing",
        *(f"@{versioned} = alias void (...), ptr @{name}" for versioned, name in versions.items()),
        *(f'@name.{name} = private constant [{len(name) + 1} x i8] c"{name}\\00"' for name in found),
        f"@__lwNamedEntries = hidden constant [{len(found) + 1} x {{ ptr, ptr }}] [{', '.join(map(_named, found))}"
        f"{', ' * bool(found)}{{ ptr, ptr }} zeroinitializer]",
    ]
    return "\n".join([*parts, ""])


def _named(name: str) -> str:
    return f"{{ ptr, ptr }} {{ ptr @name.{name}, ptr @{name} }}"


def _entry(name: str, number: int) -> str:
    """The entry point of a function, and what stands in the table first, until it is known which copy is used."""
    return f"""\
define void @{name}(...) nounwind {{
  %entries = load atomic ptr, ptr @__lwEntries acquire, align 8
  %place = getelementptr inbounds ptr, ptr %entries, i64 {number}
  %function = load ptr, ptr %place, align 8
  musttail call void (...) %function(...)
  ret void
}}
define internal void @choose.{name}(...) nounwind {{
  call void @__lwChooseEntries()
  musttail call void (...) @{name}(...)
  ret void
}}"""


def _table(defined: str, prefix: str, names: Collection[str]) -> str:
    return f"{defined} constant [{len(names)} x ptr] [{', '.join(f'ptr @{prefix}.{name}' for name in names)}]"
