; Run: python -m pytest tests/ir/test_round_trip.py
define void @memory(ptr %p, ptr addrspace(1) %g, i32 %n, ptr %va) {
  %1 = alloca i32, align 4
  %2 = alloca [16 x float], i32 %n, align 32
  %3 = alloca i64, align 8, addrspace(5)
  %4 = load volatile i32, ptr %p, align 4, !tbaa !0
  %5 = load i32, ptr addrspace(1) %g, align 4, !invariant.load !3, !range !4
  store volatile i32 %4, ptr addrspace(1) %g, align 4, !tbaa !0, !alias.scope !5, !noalias !5
  store <4 x float> zeroinitializer, ptr %2, align 16, !nontemporal !8
  %6 = va_arg ptr %va, i32
  %7 = getelementptr i8, ptr %p, i64 -4
  %8 = getelementptr inbounds nuw [16 x float], ptr %2, i64 0, i64 3
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"Simple C++ TBAA"}
!3 = !{}
!4 = !{i32 0, i32 10}
!5 = !{!6}
!6 = distinct !{!6, !7, !"scope"}
!7 = distinct !{!7, !"domain"}
!8 = !{i32 1}
