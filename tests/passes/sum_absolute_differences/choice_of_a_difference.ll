; As headers define __usad.
define i32 @f(i32 %a, i32 %b, i32 %c) {
  %greater = icmp ule i32 %b, %a
  %first = sub i32 %a, %b
  %second = sub i32 %b, %a
  %distance = select i1 %greater, i32 %first, i32 %second
  %sum = add i32 %c, %distance
  ret i32 %sum
}
; -- becomes
define i32 @f(i32 %a, i32 %b, i32 %c) {
0:
  %sum = call i32 asm "sad.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %sum
}
