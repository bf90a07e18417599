; SPDX-License-Identifier: Apache-2.0
; The kernel reads a description of its own. Its texels are those of the image; bytes of four channels are known.
; options: arguments=((0, b'\x04\x00\x00\x00\x00\x00\x00\x00\x07\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xb5\x10\xd2\x10\x00\x00\x00\x00\x00\x01\x02\x03\x00\x01\x02\x03\x81\x80\x80;\x81\x80\x80;\x81\x80\x80;\x81\x80\x80;', 0),), kernel="k"

define ptx_kernel void @k(ptr addrspace(1) noalias %image) {
entry:
  %place = getelementptr i8, ptr addrspace(1) %image, i64 60
  %format = load i8, ptr addrspace(1) %place, align 1
  ret void
}

; -- becomes
define ptx_kernel void @k(ptr addrspace(1) noalias %image) {
entry:
  %image.known = alloca [112 x i8], align 16
  call void @lw.known.image.0(ptr %image.known, ptr addrspace(1) %image)
  %image.here = addrspacecast ptr %image.known to ptr addrspace(1)
  %place = getelementptr i8, ptr addrspace(1) %image.here, i64 60
  %format = load i8, ptr addrspace(1) %place, align 1
  ret void
}

define internal void @lw.known.image.0(ptr %to, ptr addrspace(1) %from) alwaysinline nounwind {
0:
  %from.8 = getelementptr i8, ptr addrspace(1) %from, i64 8
  %value.8 = load ptr addrspace(1), ptr addrspace(1) %from.8, align 8
  %to.8 = getelementptr i8, ptr %to, i64 8
  store ptr addrspace(1) %value.8, ptr %to.8, align 8
  %from.16 = getelementptr i8, ptr addrspace(1) %from, i64 16
  %value.16 = load i64, ptr addrspace(1) %from.16, align 8
  %to.16 = getelementptr i8, ptr %to, i64 16
  store i64 %value.16, ptr %to.16, align 8
  %from.24 = getelementptr i8, ptr addrspace(1) %from, i64 24
  %value.24 = load i64, ptr addrspace(1) %from.24, align 8
  %to.24 = getelementptr i8, ptr %to, i64 24
  store i64 %value.24, ptr %to.24, align 8
  %from.32 = getelementptr i8, ptr addrspace(1) %from, i64 32
  %value.32 = load i64, ptr addrspace(1) %from.32, align 8
  %to.32 = getelementptr i8, ptr %to, i64 32
  store i64 %value.32, ptr %to.32, align 8
  %from.40 = getelementptr i8, ptr addrspace(1) %from, i64 40
  %value.40 = load i32, ptr addrspace(1) %from.40, align 4
  %to.40 = getelementptr i8, ptr %to, i64 40
  store i32 %value.40, ptr %to.40, align 4
  %from.44 = getelementptr i8, ptr addrspace(1) %from, i64 44
  %value.44 = load i32, ptr addrspace(1) %from.44, align 4
  %to.44 = getelementptr i8, ptr %to, i64 44
  store i32 %value.44, ptr %to.44, align 4
  %from.48 = getelementptr i8, ptr addrspace(1) %from, i64 48
  %value.48 = load i32, ptr addrspace(1) %from.48, align 4
  %to.48 = getelementptr i8, ptr %to, i64 48
  store i32 %value.48, ptr %to.48, align 4
  %to.52 = getelementptr i8, ptr %to, i64 52
  store i32 4, ptr %to.52, align 4
  %to.60 = getelementptr i8, ptr %to, i64 60
  store i8 7, ptr %to.60, align 1
  %to.61 = getelementptr i8, ptr %to, i64 61
  store i8 4, ptr %to.61, align 1
  %to.80 = getelementptr i8, ptr %to, i64 80
  store i16 4277, ptr %to.80, align 2
  %to.82 = getelementptr i8, ptr %to, i64 82
  store i16 4306, ptr %to.82, align 2
  %to.84 = getelementptr i8, ptr %to, i64 84
  store i8 0, ptr %to.84, align 1
  %to.88 = getelementptr i8, ptr %to, i64 88
  store i8 0, ptr %to.88, align 1
  %to.89 = getelementptr i8, ptr %to, i64 89
  store i8 1, ptr %to.89, align 1
  %to.90 = getelementptr i8, ptr %to, i64 90
  store i8 2, ptr %to.90, align 1
  %to.91 = getelementptr i8, ptr %to, i64 91
  store i8 3, ptr %to.91, align 1
  %to.92 = getelementptr i8, ptr %to, i64 92
  store i8 0, ptr %to.92, align 1
  %to.93 = getelementptr i8, ptr %to, i64 93
  store i8 1, ptr %to.93, align 1
  %to.94 = getelementptr i8, ptr %to, i64 94
  store i8 2, ptr %to.94, align 1
  %to.95 = getelementptr i8, ptr %to, i64 95
  store i8 3, ptr %to.95, align 1
  %to.96 = getelementptr i8, ptr %to, i64 96
  store i32 998277249, ptr %to.96, align 4
  %to.100 = getelementptr i8, ptr %to, i64 100
  store i32 998277249, ptr %to.100, align 4
  %to.104 = getelementptr i8, ptr %to, i64 104
  store i32 998277249, ptr %to.104, align 4
  %to.108 = getelementptr i8, ptr %to, i64 108
  store i32 998277249, ptr %to.108, align 4
  ret void
}
