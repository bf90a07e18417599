; Bytes compared as signed and extended without a sign.
define i32 @f(i8 %a, i8 %b) {
  %wide.a = zext i8 %a to i32
  %wide.b = zext i8 %b to i32
  %greater = icmp sgt i8 %a, %b
  %first = sub nsw i32 %wide.a, %wide.b
  %second = sub nsw i32 %wide.b, %wide.a
  %distance = select i1 %greater, i32 %first, i32 %second
  ret i32 %distance
}
; -- unchanged
