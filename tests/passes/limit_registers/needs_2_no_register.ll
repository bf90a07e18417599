; No kernel does without registers.
@0 = private unnamed_addr constant [17 x i8] c"lanewise.maxnreg\00", section "llvm.metadata"
@1 = private unnamed_addr constant [5 x i8] c"k.cu\00", section "llvm.metadata"
@2 = private unnamed_addr constant { i32 } { i32 0 }, section "llvm.metadata"
@3 = private unnamed_addr constant [5 x i8] c"mine\00", section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @k, ptr @0, ptr @1, i32 3, ptr @2 }], section "llvm.metadata"
define ptx_kernel void @k() {
  ret void
}
; -- refused: kernel k: __maxnreg__(0): the number of registers is to be positive
