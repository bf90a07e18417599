define i1 @f(i64 %a, i32 %b) {
  %high = lshr i64 %a, 31
  %word = zext i32 %b to i64
  %signed = sext i32 %b to i64
  %1 = icmp eq i64 %high, 1
  %2 = icmp ult i64 %word, 4294967296
  %3 = icmp slt i64 %word, -1
  %4 = icmp eq i64 %word, %signed
  %5 = and i1 %1, %2
  %6 = and i1 %3, %4
  %7 = and i1 %5, %6
  ret i1 %7
}
; -- unchanged
