# SPDX-License-Identifier: Apache-2.0
"""What a step has changed: instructions and lines."""

from lanewise.ir.debug_info import Location
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.pipelines.effect import Before, Effect

TEXT = """\
define i32 @f(i32 %x) {
  %a = add nsw i32 %x, 1, !dbg !3
  %b = mul i32 %a, %x, !dbg !4
  #dbg_value(i32 %b, !5, !DIExpression(), !4)
  %c = sub i32 %b, %a, !dbg !6
  ret i32 %c
}

!1 = !DIFile(filename: "k.cu", directory: "")
!2 = distinct !DISubprogram(name: "f", file: !1)
!3 = !DILocation(line: 4, column: 7, scope: !2)
!4 = !DILocation(line: 5, column: 2, scope: !2)
!6 = !DILocation(line: 9, column: 2, scope: !2)
"""


def module() -> tuple[Module, list[Instruction]]:
    read = read_module(TEXT)
    return read, [each for each in read.functions[0].instructions() if not each.is_debug_record]


def places(*lines: int) -> tuple[Location, ...]:
    return tuple(Location("k.cu", line, 0) for line in lines)


def test_flags_and_operands_count_as_changes():
    read, (first, second, _, _) = module()
    before = Before(read)
    assert before.effect(read) == Effect(4, 4, ())
    first.flags = ()
    second.set_operand(1, first)
    assert before.effect(read) == Effect(4, 4, places(4, 5))


def test_what_goes_and_what_comes_is_told():
    read, (first, _, third, end) = module()
    before = Before(read)
    end.set_operand(0, first)
    third.erase()
    effect = before.effect(read)
    assert effect == Effect(4, 3, places(9)), "the return has no place"
    assert str(effect) == "3 instructions in place of 4 (k.cu:9)"


def test_another_module_is_only_counted():
    before = Before(module()[0])
    assert before.effect(module()[0]) == Effect(4, 4, ())


def test_many_lines_are_not_all_written():
    assert str(Effect(1, 1, places(*range(12)))) == (
        "1 instructions as before (k.cu:0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more)"
    )
    two = (Location("a.h", 3, 0), *places(5))
    assert str(Effect(1, 2, two)) == "2 instructions in place of 1 (a.h:3, k.cu:5)"
