; Run: python -m pytest tests/ir/test_round_trip.py
%struct.S = type { i32 }
%"class.std::array<int, 3>" = type { [3 x i32] }
%"quote \22 backslash \5C" = type { i8 }

@"a b" = global i32 1
@"\01raw" = global i32 2
@0 = private global i32 3
@1 = private constant [2 x ptr] [ptr @0, ptr @"0"]
@"0" = global i32 4
@_ZN3fooIiE3barEv.x$y-z = global i32 5
@"\E2\82\AC" = global i32 6

define void @"operator()<int, \22x\22>"(i32 %"a b", i32 %0, i32 %"0", i32 %1) {
  %"c d" = add i32 %"a b", %0
  %3 = add i32 %"0", %1
  %"3" = add i32 %3, %"c d"
  %-dash = add i32 %"3", %3
  %.dot = add i32 %-dash, 1
  br label %"block with space"

"block with space":
  br label %"4"

"4":
  br label %4

4:
  %5 = phi i32 [ %"3", %"4" ]
  br label %-5

-5:
  ret void
}

define void @2(%"class.std::array<int, 3>" %a, %"quote \22 backslash \5C" %b) {
  %1 = alloca %struct.S, align 4
  ret void
}
