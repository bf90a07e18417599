define i32 @f(i64 %i) {
entry:
  switch i64 %i, label %a [
    i64 2, label %b
  ]
a:
  ret i32 1
b:
  ret i32 2
}
; -- unchanged
