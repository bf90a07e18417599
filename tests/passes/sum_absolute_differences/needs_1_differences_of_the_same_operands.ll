define i32 @f(i32 %a, i32 %b, i32 %c) {
  %greater = icmp sgt i32 %a, %b
  %first = sub i32 %a, %b
  %second = sub i32 %c, %a
  %distance = select i1 %greater, i32 %first, i32 %second
  ret i32 %distance
}
; -- unchanged
