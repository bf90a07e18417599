@f.table = constant [1 x ptr] [ptr dso_local_equivalent @f]
define void @f() {
  ret void
}
; -- unchanged
