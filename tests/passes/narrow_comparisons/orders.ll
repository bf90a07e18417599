define i1 @f(i64 %a, i32 %b, i8 %c) {
  %high = lshr i64 %a, 40
  %word = zext i32 %b to i64
  %byte = zext i8 %c to i64
  %less = icmp samesign ult i64 %high, %word
  %greater = icmp sgt i64 %word, 4294967295
  %same = icmp ne i64 %high, %byte
  %1 = and i1 %less, %greater
  %2 = and i1 %1, %same
  ret i1 %2
}
; -- becomes
define i1 @f(i64 %a, i32 %b, i8 %c) {
0:
  %high = lshr i64 %a, 40
  %byte = zext i8 %c to i64
  %1 = trunc i64 %high to i32
  %less = icmp ult i32 %1, %b
  %greater = icmp ugt i32 %b, -1
  %2 = trunc i64 %byte to i32
  %same = icmp ne i32 %1, %2
  %3 = and i1 %less, %greater
  %4 = and i1 %3, %same
  ret i1 %4
}
