; Run: python -m pytest tests/ir/test_round_trip.py
define i32 @records(i32 %x, ptr %p) !dbg !4 {
entry:
  %x.addr = alloca i32, align 4
    #dbg_declare(ptr %x.addr, !8, !DIExpression(), !10)
    #dbg_value(i32 %x, !8, !DIExpression(DW_OP_plus_uconst, 4, DW_OP_stack_value), !10)
  store i32 %x, ptr %x.addr, align 4, !dbg !10
    #dbg_value(!DIArgList(i32 %x, i32 %later, ptr @global, i64 7), !8, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !10)
    #dbg_value(ptr getelementptr inbounds ([4 x i32], ptr @global, i64 0, i64 1), !8, !DIExpression(), !10)
    #dbg_assign(i32 poison, !8, !DIExpression(DW_OP_LLVM_fragment, 0, 16), !12, ptr %x.addr, !DIExpression(), !10)
    #dbg_label(!11, !10)
  %later = add i32 %x, 1, !dbg !10
    #dbg_value(i32 %later, !8, !DIExpression(), !10)
  br label %exit, !dbg !10

exit:
  %result = phi i32 [ %later, %entry ], !dbg !10
    #dbg_value(ptr %p, !8, !DIExpression(), !10)
  ret i32 %result, !dbg !10
}

@global = global [4 x i32] zeroinitializer

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !2)
!1 = !DIFile(filename: "records.cu", directory: "/src")
!2 = !{}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "records", linkageName: "records", scope: !1, file: !1, line: 1, type: !5, scopeLine: 1, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !2)
!5 = !DISubroutineType(types: !6)
!6 = !{!7, !7}
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !DILocalVariable(name: "x", arg: 1, scope: !4, file: !1, line: 1, type: !7)
!9 = distinct !DILexicalBlock(scope: !4, file: !1, line: 2, column: 3)
!10 = !DILocation(line: 3, column: 5, scope: !9)
!11 = !DILabel(scope: !9, name: "label", file: !1, line: 3)
!12 = distinct !DIAssignID()
