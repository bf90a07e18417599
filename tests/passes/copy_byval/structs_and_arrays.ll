; SPDX-License-Identifier: Apache-2.0
; Two parameters, of which one has no name; the size and alignment are the type's.
%struct.S = type { i32, double }
define ptx_kernel void @k(ptr %out, ptr byval(%struct.S) align 8 %s, ptr byval([3 x i16]) align 2 %0) {
  %a = load i32, ptr %s, align 8
  %2 = load i16, ptr %0, align 2
  store i32 %a, ptr %out, align 4
  ret void
}
; -- becomes
%struct.S = type { i32, double }

define ptx_kernel void @k(ptr %out, ptr byval(%struct.S) align 8 %s, ptr byval([3 x i16]) align 2 %0) {
1:
  %2 = alloca [3 x i16], align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %2, ptr align 2 %0, i64 6, i1 false)
  %s.own = alloca %struct.S, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %s.own, ptr align 8 %s, i64 16, i1 false)
  %a = load i32, ptr %s.own, align 8
  %3 = load i16, ptr %2, align 2
  store i32 %a, ptr %out, align 4
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
