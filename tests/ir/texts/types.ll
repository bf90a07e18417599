; Run: python -m pytest tests/ir/test_round_trip.py
%Pair = type { i32, float }
%Node = type { i32, ptr, [2 x %Node.Inner] }
%Node.Inner = type { %Pair, double }
%Packed = type <{ i8, i32, <3 x i16> }>
%Empty = type {}
%Opaque = type opaque
%"with space" = type { half, bfloat, fp128 }
%0 = type { %1, i128 }
%1 = type { i7 }
%"2" = type { i1 }

@pair = global %Pair { i32 1, float 2.000000e+00 }
@nested = constant [2 x %Node] zeroinitializer
@packed = global %Packed <{ i8 1, i32 2, <3 x i16> <i16 3, i16 4, i16 5> }>
@anonymous = global { i64, { ptr, [0 x i8] } } { i64 7, { ptr, [0 x i8] } { ptr @pair, [0 x i8] zeroinitializer } }
@empty = global %Empty zeroinitializer
@spaced = global %"with space" zeroinitializer
@numbered = global %0 { %1 { i7 -3 }, i128 170141183460469231731687303715884105727 }
@digits = global %"2" { i1 true }
@outside = external global %Opaque

define i64 @sizes(ptr %p, ptr addrspace(1) %g) {
entry:
  %a = alloca %Node, align 8
  %b = getelementptr inbounds %Node, ptr %a, i64 0, i32 2, i64 1, i32 0, i32 1
  %c = load float, ptr %b, align 4
  %d = load <4 x float>, ptr addrspace(1) %g, align 16
  %e = extractvalue { i64, { ptr, [0 x i8] } } zeroinitializer, 0
  ret i64 %e
}

define %Pair @returns(%Pair %x, [4 x i32] %y) {
  %1 = extractvalue [4 x i32] %y, 3
  %2 = insertvalue %Pair %x, i32 %1, 0
  ret %Pair %2
}
