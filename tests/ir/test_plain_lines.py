# SPDX-License-Identifier: Apache-2.0
"""Lines of the commonest shapes, read by one expression each: the same instructions, and errors, as by tokens."""

from pathlib import Path

import pytest

from lanewise.ir.lexer import IRSyntaxError
from lanewise.ir.plain_lines import PlainLines
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule

TEXTS = sorted((Path(__file__).parent / "texts").glob("*.ll"))
PLAIN = """\
declare float @llvm.fma.f32(float, float, float) #0
declare void @note(ptr, i32)

declare i32 @index(ptr, i32)

@tile = internal addrspace(3) global [64 x float] undef

define void @f(i32 %a, float %x, ptr %p, ptr addrspace(3) %s) {
entry:
  %variable = alloca [4 x float], align 16, !tbaa !0
    #dbg_declare(ptr %variable, !2, !DIExpression(), !3)
  %sum = add nuw nsw i32 %a, 16
  %0 = icmp samesign ult i32 %sum, 5
  %1 = fmul fast float %x, %x, !tbaa !0
  br i1 %0, label %then, label %end, !prof !1

then:
  %wide = zext nneg i32 %sum to i64
  %place = getelementptr inbounds nuw [4 x float], ptr %p, i64 %wide, i64 -1
  %2 = load volatile float, ptr %place, align 4, !tbaa !0, !noalias !1
  %3 = tail call fast float @llvm.fma.f32(float %2, float %1, float %x) #0
  store float %3, ptr addrspace(3) %s, align 4
  call void @note(ptr %place, i32 -7)
  %least = call noundef range(i32 -8, 1024) i32 @index(ptr noundef nonnull align 4 %p, i32 noundef 7), !tbaa !0
  %less = fneg contract float %1
  %half = fmul float %less, 5.000000e-01
  %tenth = fmul float %half, 0x3FB99999A0000000
  store float %tenth, ptr addrspacecast (ptr addrspace(3) @tile to ptr), align 4
  br label %loop

loop:                                             ; preds = %loop, %then
  %turn = phi i32 [ %next, %loop ], [ 0, %then ], !tbaa !0
  %product = phi fast float [ 1.000000e+00, %then ], [ %more, %loop ]
  %more = fmul float %product, %x
  %next = add i32 %turn, 1
  %again = icmp slt i32 %next, %least
  br i1 %again, label %loop, label %end

end:                                              ; preds = %loop, %entry
  %4 = select i1 %0, i32 %a, i32 %sum
  %"quoted name" = sub i32 %4, %sum
  ret void
}

attributes #0 = { nounwind }

!0 = !{}
!1 = !{}
!2 = !{}
!3 = !{}
"""


def read_by_tokens(text: str, monkeypatch: pytest.MonkeyPatch) -> str:
    with monkeypatch.context() as patch:
        patch.setattr(PlainLines, "read", lambda *_: None)
        patch.setattr(PlainLines, "read_record", lambda *_: None)
        return write_module(read_module(text))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_both_ways_read_the_same(path: Path, monkeypatch: pytest.MonkeyPatch):
    for text in (path.read_text(), LlvmModule.parse(path.read_text()).text()):
        assert write_module(read_module(text)) == read_by_tokens(text, monkeypatch)


def test_common_lines_are_plain(monkeypatch: pytest.MonkeyPatch):
    missed: list[str] = []
    read = PlainLines.read

    def noted(self: PlainLines, text: str) -> object:
        found = read(self, text)
        missed.extend([text] if found is None else [])
        return found

    with monkeypatch.context() as patch:
        patch.setattr(PlainLines, "read", noted)
        written = write_module(read_module(PLAIN))
    assert written == read_by_tokens(PLAIN, monkeypatch)
    assert missed == ['%"quoted name" = sub i32 %4, %sum']


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("%b = add i32 %a, %missing", "expected a value that the function defines, found '%missing'"),
        ("%b = add word %a, %a", "expected"),
        ("%b = add exact i32 %a, %a", "expected a type, found 'exact'"),
        ("%b = add i64 %a, 1", "expected a value of type i64, found 'i32 %a'"),
        ("%b = store i32 %a, ptr %p", "no name for an instruction without result"),
        ("%b c = add i32 %a, %a", "expected"),
        ("%é = add i32 %a, %a", "expected"),
        ("%a = add i32 %a, %a", "a name that is not defined already"),
        ("%b = load i32, ptr %p, align four", "expected"),
        ("%b = zext i32 %a to i99999999", "an integer type of 1 to 8388608 bits"),
        ("call void @nobody(i32 %a)", "a symbol that the module declares"),
        ("store i32 ٣, ptr %p", "expected"),
        ("%b = getelementptr [4 x i32] [5], ptr %p, i64 0", "expected"),
        ("%b = alloca word, align 4", "expected"),
        ("%b = phi i32 [ %p, %entry ]", "a value of type i32, found 'ptr %p'"),
        ("%b = phi i32 [ %later, %entry ]", "expected a value that the function defines, found '%later'"),
        ("%b = phi i32 [ 0, %nowhere ]", "expected a block of the function, found '%nowhere'"),
        ("%b = fneg nuw float %a", "expected"),
        ("store i32 0, ptr addrspacecast (ptr addrspace(3) @nothing to ptr)", "a symbol that the module declares"),
        ("  #dbg_declare(ptr %missing, !1, !DIExpression(), !2)", "expected a value that the function defines"),
        ("  #dbg_declare(ptr %a, !1, !DIExpression(), !2)", "expected a value of type ptr, found 'i32 %a'"),
    ],
)
def test_mistakes_are_told_with_their_line(line: str, told: str, monkeypatch: pytest.MonkeyPatch):
    text = f"define void @f(i32 %a, ptr %p) {{\nentry:\n  {line}\n  ret void\n}}\n"
    with pytest.raises(IRSyntaxError) as plainly:
        read_module(text)
    with pytest.raises(IRSyntaxError) as by_tokens:
        read_by_tokens(text, monkeypatch)
    assert str(plainly.value) == str(by_tokens.value)
    assert str(plainly.value).startswith("IR line 3: ")
    assert told in str(plainly.value)
