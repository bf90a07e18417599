; Run: python -m pytest tests/ir/test_round_trip.py
@a = global [4 x i32] zeroinitializer
@b = addrspace(1) global { i32, ptr } zeroinitializer

@address = global ptr getelementptr inbounds nuw ([4 x i32], ptr @a, i64 0, i64 2)
@ranged = global ptr getelementptr inbounds inrange(-8, 8) (i8, ptr @a, i64 8)
@generic = global ptr addrspacecast (ptr addrspace(1) @b to ptr)
@number = global i64 ptrtoint (ptr @a to i64)
@truncated = global i32 trunc (i64 sub (i64 ptrtoint (ptr @number to i64), i64 ptrtoint (ptr @a to i64)) to i32)
@pointer = global ptr inttoptr (i64 4096 to ptr)
@folded = global i64 add nuw nsw (i64 ptrtoint (ptr @a to i64), i64 16)
@exclusive = global i64 xor (i64 ptrtoint (ptr @a to i64), i64 -1)
@fields = global { i1, i8, half, bfloat, float, double, fp128 } { i1 true, i8 -1, half 0xH3C00, bfloat 0xR3F80, float 0x3FB99999A0000000, double 1.000000e-01, fp128 0xL00000000000000003FFF000000000000 }
@specials = global [5 x double] [double 0x7FF0000000000000, double 0xFFF0000000000000, double 0x7FF8000000000000, double -0.000000e+00, double 1.000000e+300]
@text = constant [9 x i8] c"\00tab\09\22\5C\FFz"
@bytes = constant [2 x [2 x i8]] [[2 x i8] c"ab", [2 x i8] c"cd"]
@vector = global <4 x i32> <i32 1, i32 undef, i32 poison, i32 -2147483648>
@splat = global <8 x half> splat (half 0xH3C00)
@pointers = global [3 x ptr] [ptr null, ptr @function, ptr blockaddress(@function, %there)]
@equivalent = global ptr dso_local_equivalent @function
@unchecked = global ptr no_cfi @function
@big = global i256 57896044618658097711785492504343953926634992332820282019728792003956564819967
@empty = global [0 x i32] zeroinitializer

define void @function() {
entry:
  indirectbr ptr blockaddress(@function, %there), [label %there, label %done]

there:
  store ptr getelementptr inbounds ({ i32, ptr }, ptr addrspacecast (ptr addrspace(1) @b to ptr), i64 0, i32 1), ptr @generic, align 8
  store i64 ptrtoint (ptr addrspacecast (ptr addrspace(1) @b to ptr) to i64), ptr @number, align 8
  br label %done

done:
  %x = phi <2 x i1> [ splat (i1 true), %there ], [ <i1 true, i1 false>, %entry ]
  %y = phi ptr [ @a, %there ], [ null, %entry ]
  ret void
}
