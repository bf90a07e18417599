; An arm, 'outer', isn't made longer for the sake of one in it.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @f(ptr %out, ptr %a) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  br i1 %odd, label %outer, label %end
outer:
  store i32 %t, ptr %a, align 4
  %few = icmp ult i32 %t, 7
  br i1 %few, label %arm, label %end
arm:
  %i = zext i32 %t to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %t, ptr %p, align 4
  br label %end
end:
  store i32 1, ptr %out, align 4
  ret void
}
; -- unchanged
