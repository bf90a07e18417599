; SPDX-License-Identifier: Apache-2.0
; By columns the lane's place in its quad counts rows of memory. Pairs are two accesses.

define void @f(ptr %p, ptr %q, i64 %stride) {
  %b = call i16 @__lw_matrix_columns.load.i16(i32 -1, ptr %p, i64 %stride)
  %c = call { i32, i32 } @__lw_matrix_rows.load.x2.i32(i32 -1, ptr %p, i64 %stride)
  %c0 = extractvalue { i32, i32 } %c, 0
  call void @__lw_matrix_rows.store.x2.i32(i32 -1, ptr %q, i64 %stride, i32 %c0, i32 1)
  call void @__lw_matrix_columns.store.i16(i32 -1, ptr %q, i64 %stride, i16 %b)
  ret void
}
declare i16 @__lw_matrix_columns.load.i16(i32, ptr, i64)
declare { i32, i32 } @__lw_matrix_rows.load.x2.i32(i32, ptr, i64)
declare void @__lw_matrix_rows.store.x2.i32(i32, ptr, i64, i32, i32)
declare void @__lw_matrix_columns.store.i16(i32, ptr, i64, i16)

; -- becomes
define void @f(ptr %p, ptr %q, i64 %stride) {
0:
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %2 = zext i32 %1 to i64
  %3 = lshr i64 %2, 2
  %4 = and i64 %2, 3
  %5 = mul i64 %4, %stride
  %6 = mul i64 %3, 2
  %7 = add i64 %5, %6
  %8 = getelementptr i8, ptr %p, i64 %7
  %b = load i16, ptr %8, align 2
  %9 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %10 = zext i32 %9 to i64
  %11 = lshr i64 %10, 2
  %12 = and i64 %10, 3
  %13 = mul i64 %11, %stride
  %14 = mul i64 %12, 8
  %15 = add i64 %13, %14
  %16 = getelementptr i8, ptr %p, i64 %15
  %17 = getelementptr i8, ptr %16, i64 4
  %18 = load i32, ptr %16, align 4
  %19 = load i32, ptr %17, align 4
  %20 = insertvalue { i32, i32 } poison, i32 %18, 0
  %c = insertvalue { i32, i32 } %20, i32 %19, 1
  %c0 = extractvalue { i32, i32 } %c, 0
  %21 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %22 = zext i32 %21 to i64
  %23 = lshr i64 %22, 2
  %24 = and i64 %22, 3
  %25 = mul i64 %23, %stride
  %26 = mul i64 %24, 8
  %27 = add i64 %25, %26
  %28 = getelementptr i8, ptr %q, i64 %27
  %29 = getelementptr i8, ptr %28, i64 4
  store i32 %c0, ptr %28, align 4
  store i32 1, ptr %29, align 4
  %30 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %31 = zext i32 %30 to i64
  %32 = lshr i64 %31, 2
  %33 = and i64 %31, 3
  %34 = mul i64 %33, %stride
  %35 = mul i64 %32, 2
  %36 = add i64 %34, %35
  %37 = getelementptr i8, ptr %q, i64 %36
  store i16 %b, ptr %37, align 2
  ret void
}

declare i16 @__lw_matrix_columns.load.i16(i32, ptr, i64)

declare { i32, i32 } @__lw_matrix_rows.load.x2.i32(i32, ptr, i64)

declare void @__lw_matrix_rows.store.x2.i32(i32, ptr, i64, i32, i32)

declare void @__lw_matrix_columns.store.i16(i32, ptr, i64, i16)

declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
