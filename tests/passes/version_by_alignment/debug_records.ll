; Records of variables are no instructions: the loop has 17.
; with _MOST_COPIED=17
define ptx_kernel void @f(ptr %out, ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %s3, %loop ]
    #dbg_value(i64 %k, !0, !DIExpression(), !1)
    #dbg_value(i64 %k, !0, !DIExpression(), !1)
  %p0 = getelementptr inbounds i32, ptr %a, i64 %k
  %v0 = load i32, ptr %p0, align 4
  %s0 = add i32 %sum, %v0
  %p1 = getelementptr inbounds i8, ptr %p0, i64 4
  %v1 = load i32, ptr %p1, align 4
  %s1 = xor i32 %s0, %v1
  %p2 = getelementptr inbounds i8, ptr %p0, i64 8
  %v2 = load i32, ptr %p2, align 4
  %s2 = add i32 %s1, %v2
  %p3 = getelementptr inbounds i8, ptr %p0, i64 12
  %v3 = load i32, ptr %p3, align 4
  %s3 = xor i32 %s2, %v3
  %k.next = add nuw i64 %k, 4
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %s3, ptr %out, align 4
  ret void
}

!llvm.dbg.cu = !{!4}
!llvm.module.flags = !{!7}
!0 = !DILocalVariable(name: "t", scope: !2, type: !3)
!1 = !DILocation(line: 1, scope: !2)
!2 = distinct !DISubprogram(name: "k", unit: !4, file: !5, type: !6, spFlags: DISPFlagDefinition)
!3 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!4 = distinct !DICompileUnit(language: DW_LANG_C, file: !5, emissionKind: FullDebug)
!5 = !DIFile(filename: "k.cu", directory: "/")
!6 = !DISubroutineType(types: !{null})
!7 = !{i32 2, !"Debug Info Version", i32 3}
; -- becomes
define ptx_kernel void @f(ptr %out, ptr %a, i64 %n) {
entry:
  %0 = ptrtoint ptr %a to i64
  %1 = trunc i64 %0 to i32
  %2 = and i32 %1, 15
  %3 = icmp eq i32 %2, 0
  br i1 %3, label %loop, label %4

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %s3, %loop ]
    #dbg_value(i64 %k, !0, !DIExpression(), !1)
    #dbg_value(i64 %k, !0, !DIExpression(), !1)
  %p0 = getelementptr inbounds i32, ptr %a, i64 %k
  %v0 = load i32, ptr %p0, align 16
  %s0 = add i32 %sum, %v0
  %p1 = getelementptr inbounds i8, ptr %p0, i64 4
  %v1 = load i32, ptr %p1, align 4
  %s1 = xor i32 %s0, %v1
  %p2 = getelementptr inbounds i8, ptr %p0, i64 8
  %v2 = load i32, ptr %p2, align 8
  %s2 = add i32 %s1, %v2
  %p3 = getelementptr inbounds i8, ptr %p0, i64 12
  %v3 = load i32, ptr %p3, align 4
  %s3 = xor i32 %s2, %v3
  %k.next = add nuw i64 %k, 4
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !9

4:
  %5 = phi i64 [ 0, %entry ], [ %19, %4 ]
  %6 = phi i32 [ 0, %entry ], [ %18, %4 ]
  %7 = getelementptr inbounds i32, ptr %a, i64 %5
  %8 = load i32, ptr %7, align 4
  %9 = add i32 %6, %8
  %10 = getelementptr inbounds i8, ptr %7, i64 4
  %11 = load i32, ptr %10, align 4
  %12 = xor i32 %9, %11
  %13 = getelementptr inbounds i8, ptr %7, i64 8
  %14 = load i32, ptr %13, align 4
  %15 = add i32 %12, %14
  %16 = getelementptr inbounds i8, ptr %7, i64 12
  %17 = load i32, ptr %16, align 4
  %18 = xor i32 %15, %17
  %19 = add nuw i64 %5, 4
  %20 = icmp ult i64 %19, %n
  br i1 %20, label %4, label %end, !llvm.loop !9

end:
  %21 = phi i32 [ %s3, %loop ], [ %18, %4 ]
  store i32 %21, ptr %out, align 4
  ret void
}

!llvm.dbg.cu = !{!4}
!llvm.module.flags = !{!7}
!0 = !DILocalVariable(name: "t", scope: !2, type: !3)
!1 = !DILocation(line: 1, scope: !2)
!2 = distinct !DISubprogram(name: "k", unit: !4, file: !5, type: !6, spFlags: DISPFlagDefinition)
!3 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!4 = distinct !DICompileUnit(language: DW_LANG_C, file: !5, emissionKind: FullDebug)
!5 = !DIFile(filename: "k.cu", directory: "/")
!6 = !DISubroutineType(types: !{null})
!7 = !{i32 2, !"Debug Info Version", i32 3}
!8 = !{!"llvm.loop.unroll.disable"}
!9 = distinct !{!9, !8}
