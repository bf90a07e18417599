define i32 @f(i8 %a, i8 %b) {
  %wide.a = zext i8 %a to i32
  %wide.b = zext i8 %b to i32
  %less = icmp ult i8 %a, %b
  %first = sub nsw i32 %wide.b, %wide.a
  %second = sub nsw i32 %wide.a, %wide.b
  %distance = select i1 %less, i32 %first, i32 %second
  ret i32 %distance
}
; -- becomes
define i32 @f(i8 %a, i8 %b) {
0:
  %wide.a = zext i8 %a to i32
  %wide.b = zext i8 %b to i32
  %distance = call i32 asm "sad.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %wide.b, i32 %wide.a, i32 0)
  ret i32 %distance
}
