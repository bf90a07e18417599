# SPDX-License-Identifier: Apache-2.0
"""Libraries are compiled a unit at a time, and programs get of them what they call, whole and nothing else."""

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from lanewise.cache import Cache
from lanewise.errors import Error
from lanewise.ir.reader import read_module
from lanewise.ir.verifier import verify
from lanewise.ir.writer import write_module
from lanewise.linking import Library, LibraryUnit, definitions, link, link_libraries
from lanewise.llvm import LlvmModule

ARGUMENTS = ("-target", "nvptx64-nvidia-cuda", "-nostdinc", "-ffreestanding", "-fno-builtin", "-O2")

ROOTS = """
static const float table[4] = {1, 2, 3, 5};
float scaled(float x);
float looked_up(int i) { return scaled(table[i & 3]); }
float unused(int i) { return table[i & 1] + 7; }
"""
SCALE = """
static const float table[4] = {8, 8, 8, 9};
int given(int i);
float scaled(float x) { return x * table[given(3) & 3]; }
"""
PROGRAM = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p, i32 %i) {
  %x = call float @looked_up(i32 %i)
  store float %x, ptr %p
  ret void
}
declare float @looked_up(i32)
declare i32 @elsewhere(i32)
"""


def linked(text: str, libraries: list[Library], instead: Mapping[str, str] = MappingProxyType({})) -> str:
    """The text after linking; the same one if nothing changed."""
    module = read_module(text)
    changed = link_libraries(module, libraries, instead)
    verify(module)
    assert changed == (write_module(module) != write_module(read_module(text)))
    return write_module(module) if changed else text


@pytest.fixture
def library(tmp_path: Path) -> Library:
    units: dict[str, LibraryUnit] = {}
    for name, text, symbols in (("roots", ROOTS, ("looked_up", "unused")), ("scale", SCALE, ("scaled",))):
        file = tmp_path / f"{name}.c"
        file.write_text(text)
        units |= {symbol: LibraryUnit(name, file) for symbol in symbols}
    return Library("test", units.get, ARGUMENTS, Cache(tmp_path / "cache"))


def test_a_program_gets_what_it_calls_and_all_that_needs(library: Library):
    text = linked(PROGRAM, [library])
    module = read_module(text)
    LlvmModule.parse(text)
    LlvmModule.parse(write_module(module))
    defined = {f.symbol for f in module.functions if f.blocks}
    assert defined == {"k", "looked_up", "scaled"}
    assert {f.symbol for f in module.functions if not f.blocks} == {"given", "elsewhere"}
    assert [v.name for v in module.variables] == ["lw.roots.table", "lw.scale.table"]


def test_functions_in_tables_and_constants_are_linked(library: Library):
    table = "@table = constant [1 x ptr] [ptr @scaled]\ndeclare float @scaled(float)\ndeclare float @looked_up(i32)\n"
    assert {f.symbol for f in read_module(linked(table, [library])).functions if f.blocks} == {"scaled"}
    stored = """define void @f(ptr %p) {
  store { ptr, i32 } { ptr @scaled, i32 1 }, ptr %p
  ret void
}
declare float @scaled(float)
"""
    assert "define internal float @scaled" in linked(stored, [library])


def test_needs_2_unused_functions_are_not_linked(library: Library):
    assert linked("declare float @scaled(float)\n", [library]) == "declare float @scaled(float)\n"


def test_needs_3_functions_of_llvm_are_left_to_it(tmp_path: Path):
    file = tmp_path / "unit.ll"
    file.write_text("define float @llvm.mine.f32(i32 %i) {\n  ret float 1.0\n}\n")
    library = Library("llvm", {"llvm.mine.f32": LibraryUnit("llvm", file)}.get, (), Cache(None))
    text = PROGRAM.replace("looked_up", "llvm.mine.f32")
    assert linked(text, [library]) is text


def test_needs_4_a_program_that_calls_nothing_of_it_stays_as_it_is(library: Library):
    text = PROGRAM.replace("looked_up", "something_else")
    assert linked(text, [library]) is text


def test_needs_1_a_function_that_the_program_defines_itself_is_not_taken(library: Library):
    text = PROGRAM + "define float @scaled(float %x) {\n  ret float 1.0\n}\n"
    assert linked(text, [library]).count("@scaled(float") == 2  # the definition, and the call in looked_up


def test_one_function_instead_of_another(library: Library):
    text = PROGRAM.replace("looked_up", "llvm.mine.f32")
    result = linked(text, [library], {"llvm.mine.f32": "looked_up"})
    assert "llvm.mine" not in result
    assert "call float @looked_up(" in result


def test_the_first_library_that_has_a_symbol_gives_it(library: Library, tmp_path: Path):
    file = tmp_path / "other.c"
    file.write_text("float looked_up(int i) { return 42; }")
    other = Library("other", {"looked_up": LibraryUnit("other", file)}.get, ARGUMENTS, Cache(None))
    assert "4.200000e+01" in linked(PROGRAM, [other, library])
    assert "4.200000e+01" not in linked(PROGRAM, [library, other])


def test_a_symbol_that_its_unit_does_not_define_stays_undefined(tmp_path: Path):
    file = tmp_path / "unit.c"
    file.write_text("float another(int i) { return 42; }")
    library = Library("lacking", {"looked_up": LibraryUnit("unit", file)}.get, ARGUMENTS, Cache(None))
    assert linked(PROGRAM, [library]) is PROGRAM


def test_a_compiled_unit_is_found_in_the_cache(tmp_path: Path):
    file = tmp_path / "unit.c"
    file.write_text("float looked_up(int i) { return 42; }")
    for _ in range(2):
        library = Library("cached", {"looked_up": LibraryUnit("unit", file)}.get, ARGUMENTS, Cache(tmp_path / "cache"))
        assert "4.200000e+01" in linked(PROGRAM, [library])
        file.unlink(missing_ok=True)  # the second time there is nothing to compile


def test_a_broken_source_says_so(tmp_path: Path):
    file = tmp_path / "unit.c"
    file.write_text("float looked_up(int i) { return }")
    library = Library("broken", {"looked_up": LibraryUnit("unit", file)}.get, ARGUMENTS, Cache(None))
    with pytest.raises(Error, match=r"unit\.c is broken: .*expected expression"):
        linked(PROGRAM, [library])


def test_definitions_stand_alone():
    text = """
%pair = type { float, float }
@t = internal unnamed_addr constant [2 x float] [float 1.0, float 2.0], align 4
@"odd name" = private constant i8 1
define dso_local float @f(ptr %p) local_unnamed_addr #0 {
  %x = load float, ptr @t, align 4, !tbaa !3
  %y = load i8, ptr @"odd name"
  %q = getelementptr %pair, ptr %p, i32 0
  ret float %x
}
declare float @llvm.fabs.f32(float) #1
attributes #0 = { nounwind "frame-pointer"="all" memory(read) }
attributes #1 = { memory(none) }
!3 = !{}
"""
    found = definitions(read_module(text), "u")
    assert set(found) == {"%lw.u.pair", "@lw.u.t", '@"lw.u.odd name"', "@f", "@llvm.fabs.f32"}
    assert "nounwind memory(read) {" in found["@f"].text
    assert "!" not in found["@f"].text
    assert found["@llvm.fabs.f32"].text == "declare float @llvm.fabs.f32(float) memory(none)"
    LlvmModule.parse("\n".join(d.text for d in found.values()))


def test_each_condition_is_guarded_and_has_a_rejecting_test():
    document, code = re.split(r'"""\n\n(?=from|import)', Path(str(link.__file__)).read_text(), maxsplit=1)
    numbers = set(re.findall(r"^ +(\d+)\. ", document, re.MULTILINE))
    tests = {match[1] for name in globals() if (match := re.match(r"test_needs_(\d+)_", name))}
    assert numbers == set(re.findall(r"# (\d+)$", code, re.MULTILINE)) == tests != set()
