# SPDX-License-Identifier: Apache-2.0
"""Parts of a module's text: what some functions need is read, and nothing else."""

import tracemalloc
from collections.abc import Iterator

import pytest

from lanewise.ir.lexer import IRSyntaxError
from lanewise.ir.module_text import ModuleText
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule

TEXT = """\
%pair = type { i32, i32 }
@table = internal constant [2 x ptr] [ptr @in_a_table, ptr @"quoted name"]
@"an alias" = alias void (), ptr @behind_an_alias

define void @first() !dbg !4 {
  call void @second(), !dbg !5
  ret void
}

declare !dbg !8 void @declared()

define internal void @second() #0 {
  %f = load ptr, ptr @table
  call void %f()
  call void @"an alias"()
  call void @declared()
  br label %again
again:
  br label %again, !llvm.loop !10
}
define internal void @in_a_table() {
  ret void
}
define internal void @"quoted name"() {
  ret void
}
define void @behind_an_alias() {
  ret void
}
define void @alone() !dbg !6 { ; a comment
  ret void, !dbg !7
}
declare void @never()
@late = global %pair zeroinitializer

attributes #0 = { nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!annotations = !{!12}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "a.cl", directory: "")
!3 = !DISubroutineType(types: !9)
!4 = distinct !DISubprogram(name: "first", file: !2, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DILocation(line: 2, scope: !4)
!6 = distinct !DISubprogram(name: "alone", file: !2, line: 5, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!7 = !DILocation(line: 6, scope: !6)
!8 = !DISubprogram(name: "declared", file: !2, line: 9, type: !3, spFlags: 0)
!9 = !{}
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.unroll.count", i32 4}
!12 = !{ptr @annotated}
define void @annotated() {
  ret void
}
"""
VARIABLES_NAME = {"in_a_table", "quoted name", "behind_an_alias"}
EVERYWHERE = VARIABLES_NAME | {"annotated"}


@pytest.fixture(autouse=True)
def log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANEWISE_LOG", "1")


@pytest.fixture
def complete(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Parts have all that they need: the whole text is read for none."""
    yield
    assert capfd.readouterr().err == ""


@pytest.mark.usefixtures("complete")
@pytest.mark.parametrize(
    ("roots", "functions"),
    [
        (["first"], {"first", "second", "declared"}),
        (["second"], {"second", "declared"}),
        (["alone"], {"alone"}),
        (["first", "alone"], {"first", "second", "declared", "alone"}),
        ([], set[str]()),
        (["no such function"], set[str]()),
    ],
)
def test_functions_of_a_part(roots: list[str], functions: set[str]):
    part = ModuleText(TEXT).read(roots)
    assert {function.symbol for function in part.functions} == functions | EVERYWHERE
    whole = read_module(TEXT, roots)
    assert [f.symbol for f in part.functions if f.blocks] == [f.symbol for f in whole.functions if f.blocks]
    assert [str(s.name) for s in part.symbols.values()] == [str(n) for n in whole.symbols if n in part.symbols]
    assert [v.name for v in part.variables] == [v.name for v in whole.variables]
    assert (part.types, part.attributes, part.header) == (whole.types, whole.attributes, whole.header)


@pytest.mark.usefixtures("complete")
def test_a_part_is_a_module():
    LlvmModule.parse(write_module(ModuleText(TEXT).read(["first", "annotated"])))


@pytest.mark.usefixtures("complete")
def test_metadata_of_a_part():
    text = ModuleText(TEXT)
    named = {"!llvm.dbg.cu", "!llvm.module.flags", "!annotations"}
    always = named | {"!0", "!1", "!2", "!9", "!11", "!12"}
    assert text.read([]).metadata.keys() == always
    assert text.read(["alone"]).metadata.keys() == always | {"!3", "!6", "!7"}
    assert text.read(["second"]).metadata.keys() == always | {"!3", "!8", "!10"}


@pytest.mark.usefixtures("complete")
def test_parts_are_read_again():
    text = ModuleText(TEXT)
    first = write_module(text.read(["first"]))
    text.read(["alone"])
    assert write_module(text.read(["first"])) == first
    assert write_module(ModuleText(TEXT.replace("\n", "\r\n")).read(["first"])) == first


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("  nonsense here\n", "  ret void, !dbg !7\n"), ("nonsense\n", "attributes #0 = { nounwind }\n")],
)
def test_an_error_names_the_line_of_the_whole_text(wrong: str, right: str, capfd: pytest.CaptureFixture[str]):
    text = TEXT.replace(right, wrong)
    number = text[: text.index(wrong)].count("\n") + 1
    with pytest.raises(IRSyntaxError, match=f"line {number}\\b"):
        ModuleText(text).read(["alone"])
    assert "read all of a module, for an error in a part of it" in capfd.readouterr().err


STRINGS = """\
@t = constant { [5 x i8], ptr, [1 x i8] } { [5 x i8] c"user@", ptr @f, [1 x i8] c"x" }
@s = constant { [3 x i8], ptr } { [3 x i8] c"a;b", ptr @g }
define void @f() {
  ret void
}
define void @g() {
  ret void
}
define void @"odd;name@"() "one@"="two" {
  call void asm sideeffect "// @", ""() ; a "comment of @never
  ret void
}
define void @k() {
  call void @"odd;name@"() ; to "@never
  ret void
}
define void @never() {
  ret void
}
"""


@pytest.mark.usefixtures("complete")
def test_strings_and_comments_name_no_symbols():
    part = ModuleText(STRINGS).read(["k", "t", "s"])
    assert [f.symbol for f in part.functions] == ["f", "g", "odd;name@", "k"]
    whole = read_module(STRINGS, ["k", "t", "s"])
    assert [f.symbol for f in whole.functions if f.blocks] == ["f", "g", "odd;name@", "k"]


def test_it_keeps_less_than_the_text():
    body = "  call void @f0(), !dbg !0\n" * 50
    functions = (f"define void @f{number}() {{\n{body}  ret void\n}}\n" for number in range(200))
    text = "".join(functions) + "!0 = !{}\n"
    tracemalloc.start()
    kept = ModuleText(text)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size < len(text) // 4
    assert len(kept.read(["f1"]).functions) == 2


def test_a_function_defined_twice():
    with pytest.raises(IRSyntaxError, match="defined once"):
        ModuleText(f"{TEXT}define void @alone() {{\n  ret void\n}}\n").read(["alone"])


def test_a_function_without_an_end():
    with pytest.raises(IRSyntaxError, match="'}' that ends the function"):
        ModuleText("define void @f() {\n  ret void\n").read(["f"])
