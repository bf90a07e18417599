; Run: python -m pytest tests/ir/test_round_trip.py
source_filename = "linkage.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

module asm "// said to the assembler"
module asm ".set \22a\22, 1"

$merged = comdat any
$"odd name" = comdat largest

@private = private unnamed_addr constant [3 x i8] c"a\00\22", align 1
@internal = internal addrspace(3) global [256 x float] undef, align 4
@external = external addrspace(1) global i32, align 4
@dynamic = external addrspace(3) global [0 x i8], align 16
@constants = addrspace(4) externally_initialized constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 16
@weak = weak global i32 0
@weak_odr = weak_odr local_unnamed_addr global i32 0
@linkonce = linkonce global i32 0
@linkonce_odr = linkonce_odr hidden global i32 0, comdat($merged), align 4
@merged = linkonce_odr dso_local global i32 0, comdat
@available = available_externally global i32 0
@common = common global i32 0
@extern_weak = extern_weak global i32
@appending = appending global [1 x ptr] [ptr @external_function], section "llvm.metadata"
@protected = protected global i32 0, section "mine", align 8
@thread = thread_local(localexec) global i32 0
@managed = dso_local addrspace(1) externally_initialized global i32 poison, align 4, !note !0
@attributed = global i32 0 #3

@alias = alias i32, ptr @weak
@inside = internal alias float, getelementptr ([4 x float], ptr @aliased_array, i64 0, i64 2)
@cast = hidden alias i32, addrspacecast (ptr addrspace(1) @managed to ptr)
@function_alias = weak alias void (i32), ptr @external_linkage
@resolved = ifunc i32 (i32), ptr @resolver
@aliased_array = global [4 x float] zeroinitializer

declare void @external_function()

declare !note !0 extern_weak void @weak_function(i32 noundef signext, ptr nocapture readonly, ...) #0

define internal void @internal_function() unnamed_addr #1 section "text" align 16 !note !0 {
  ret void
}

define linkonce_odr hidden fastcc void @many_words(ptr noalias %x) local_unnamed_addr #0 comdat($"odd name") gc "none" prefix i32 123 {
  ret void
}

define dso_local ptx_kernel void @kernel(ptr addrspace(1) noundef align 16 "name"="value" %p) #2 {
  call fastcc void @many_words(ptr noalias null)
  ret void
}

define void @external_linkage(i32 %x) {
  ret void
}

define ptr @resolver() {
  ret ptr null
}

define void @in_other_space() addrspace(1) {
  ret void
}

attributes #0 = { nounwind "no-trapping-math"="true" }
attributes #1 = { convergent noinline nounwind optnone memory(argmem: readwrite, inaccessiblemem: read) }
attributes #2 = { alignstack=8 "target-cpu"="sm_80" "uniform-work-group-size" "with braces"="{ }" }
attributes #3 = { "bss-section"="here" }

!0 = !{!"note"}
