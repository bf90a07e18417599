# SPDX-License-Identifier: Apache-2.0
"""The built-in library is whole: clang declares every overload of every built-in function in its tables, and each has a
definition in the unit where it is looked for, which calls nothing but other built-in functions, functions of the
mathematical library and what a launch defines."""

from __future__ import annotations

import re

import pytest
from tests.frontend.opencl.built_ins import BuiltIn, all_built_ins

from lanewise.cache import Cache
from lanewise.frontend.clang import run_clang
from lanewise.frontend.opencl.compile import HEADERS
from lanewise.frontend.opencl.library import built_in_library, unit_of

DECLARED = re.compile(r"^declare [^\n@]*@(_Z\w+)\(", re.MULTILINE)
OF_LAUNCHES = re.compile(r"__lw_(global_offset|range|work_dim|sub_group_size)|lw\.register\.n?(cta|t)id\.[xyz]")
OF_MATHEMATICS = re.compile("[a-z0-9]+")
EXTENSIONS = "+cl_khr_fp16,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics"
ARGUMENTS = [
    "-x", "cl", "-cl-std=CL1.2", "-target", "nvptx64-nvidia-cuda", "-nogpulib", "-isystem", str(HEADERS), "-Xclang",
    f"-cl-ext={EXTENSIONS}", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-S",
]  # fmt: skip


@pytest.fixture(scope="module")
def symbols() -> list[str]:
    """Mangled names of all built-in functions, by clang."""
    built_ins = list(dict.fromkeys(all_built_ins()))
    calls = "\n".join(_call(number, built_in) for number, built_in in enumerate(built_ins))
    text = run_clang(f"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n{calls}\n", None, ARGUMENTS).text
    found = DECLARED.findall(text)
    assert len(found) == len(built_ins)
    return found


def _call(number: int, built_in: BuiltIn) -> str:
    parameters = ", ".join(f"{type_} p{i}" for i, type_ in enumerate(built_in.parameters))
    arguments = ", ".join(f"p{i}" for i in range(len(built_in.parameters)))
    back = "" if built_in.result == "void" else "return "
    return f"{built_in.result} call{number}({parameters}) {{ {back}{built_in.name}({arguments}); }}"


def test_each_overload_has_a_unit_of_its_own_name(symbols: list[str]):
    units = {unit_of(symbol) for symbol in symbols}
    assert None not in units
    assert len({unit.name for unit in units if unit}) == len(units)


@pytest.mark.parametrize("family", ["convert", "math", ""])
def test_each_overload_is_defined(symbols: list[str], family: str):
    """Of the units in the files whose names begin with `family`, the last time of all others."""
    of_family = [s for s in symbols if (unit := unit_of(s)) and _family(unit.file.stem) == family]
    library = built_in_library(Cache(None))
    units = library.definitions_of(of_family)
    missing = [s for s in of_family if units[s].get(f"@{s}") is None or _is_declaration(units[s][f"@{s}"].text)]
    assert missing == []
    declared = {
        name[1:]
        for unit in {id(unit): unit for unit in units.values()}.values()
        for name, definition in unit.items()
        if _is_declaration(definition.text) and not name.startswith("@llvm.")
    }
    known = (OF_LAUNCHES.fullmatch, OF_MATHEMATICS.fullmatch, unit_of)
    assert {name for name in declared if not any(knows(name) for knows in known)} == set()


def _family(stem: str) -> str:
    return next((family for family in ("convert", "math") if stem.startswith(family)), "")


def _is_declaration(text: str) -> bool:
    return text.startswith("declare ")


@pytest.mark.parametrize("symbol", ["sinf", "_Z3foof", "_Z11read_imagel14ocl_image2d_ro11ocl_samplerDv2_i", "_ZN1a1bE"])
def test_other_symbols_have_none(symbol: str):
    assert unit_of(symbol) is None
