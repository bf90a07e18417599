# SPDX-License-Identifier: Apache-2.0
"""Names of SPIR-V's instructions, by their numbers, and which of them have a type and a result.

Source: SPIR-V Specification 1.6, 3.3 "Instructions", and the extensions that SPV_KHR_*, SPV_INTEL_subgroups and
SPV_EXT_shader_atomic_float_* name.
"""

from typing import Final

_LISTED: Final = """
0 Nop Undef SourceContinued Source SourceExtension Name MemberName String Line
10 Extension ExtInstImport ExtInst
14 MemoryModel EntryPoint ExecutionMode Capability
19 TypeVoid TypeBool TypeInt TypeFloat TypeVector TypeMatrix TypeImage TypeSampler TypeSampledImage TypeArray
   TypeRuntimeArray TypeStruct TypeOpaque TypePointer TypeFunction TypeEvent TypeDeviceEvent TypeReserveId TypeQueue
   TypePipe TypeForwardPointer
41 ConstantTrue ConstantFalse Constant ConstantComposite ConstantSampler ConstantNull
48 SpecConstantTrue SpecConstantFalse SpecConstant SpecConstantComposite SpecConstantOp
54 Function FunctionParameter FunctionEnd FunctionCall
59 Variable ImageTexelPointer Load Store CopyMemory CopyMemorySized AccessChain InBoundsAccessChain PtrAccessChain
   ArrayLength GenericPtrMemSemantics InBoundsPtrAccessChain Decorate MemberDecorate DecorationGroup GroupDecorate
   GroupMemberDecorate
77 VectorExtractDynamic VectorInsertDynamic VectorShuffle CompositeConstruct CompositeExtract CompositeInsert
   CopyObject Transpose
86 SampledImage ImageSampleImplicitLod ImageSampleExplicitLod
95 ImageFetch
98 ImageRead ImageWrite Image ImageQueryFormat ImageQueryOrder ImageQuerySizeLod ImageQuerySize ImageQueryLod
   ImageQueryLevels ImageQuerySamples
109 ConvertFToU ConvertFToS ConvertSToF ConvertUToF UConvert SConvert FConvert QuantizeToF16 ConvertPtrToU
   SatConvertSToU SatConvertUToS ConvertUToPtr PtrCastToGeneric GenericCastToPtr GenericCastToPtrExplicit Bitcast
126 SNegate FNegate IAdd FAdd ISub FSub IMul FMul UDiv SDiv FDiv UMod SRem SMod FRem FMod VectorTimesScalar
   MatrixTimesScalar VectorTimesMatrix MatrixTimesVector MatrixTimesMatrix OuterProduct Dot IAddCarry ISubBorrow
   UMulExtended SMulExtended
154 Any All IsNan IsInf IsFinite IsNormal SignBitSet LessOrGreater Ordered Unordered LogicalEqual LogicalNotEqual
   LogicalOr LogicalAnd LogicalNot Select IEqual INotEqual UGreaterThan SGreaterThan UGreaterThanEqual
   SGreaterThanEqual ULessThan SLessThan ULessThanEqual SLessThanEqual FOrdEqual FUnordEqual FOrdNotEqual
   FUnordNotEqual FOrdLessThan FUnordLessThan FOrdGreaterThan FUnordGreaterThan FOrdLessThanEqual FUnordLessThanEqual
   FOrdGreaterThanEqual FUnordGreaterThanEqual
194 ShiftRightLogical ShiftRightArithmetic ShiftLeftLogical BitwiseOr BitwiseXor BitwiseAnd Not BitFieldInsert
   BitFieldSExtract BitFieldUExtract BitReverse BitCount
224 ControlBarrier MemoryBarrier
227 AtomicLoad AtomicStore AtomicExchange AtomicCompareExchange AtomicCompareExchangeWeak AtomicIIncrement
   AtomicIDecrement AtomicIAdd AtomicISub AtomicSMin AtomicUMin AtomicSMax AtomicUMax AtomicAnd AtomicOr AtomicXor
245 Phi LoopMerge SelectionMerge Label Branch BranchConditional Switch Kill Return ReturnValue Unreachable
   LifetimeStart LifetimeStop
259 GroupAsyncCopy GroupWaitEvents GroupAll GroupAny GroupBroadcast GroupIAdd GroupFAdd GroupFMin GroupUMin
   GroupSMin GroupFMax GroupUMax GroupSMax
274 ReadPipe WritePipe ReservedReadPipe ReservedWritePipe ReserveReadPipePackets ReserveWritePipePackets
   CommitReadPipe CommitWritePipe IsValidReserveId GetNumPipePackets GetMaxPipePackets GroupReserveReadPipePackets
   GroupReserveWritePipePackets GroupCommitReadPipe GroupCommitWritePipe
291 EnqueueMarker EnqueueKernel GetKernelNDrangeSubGroupCount GetKernelNDrangeMaxSubGroupSize GetKernelWorkGroupSize
   GetKernelPreferredWorkGroupSizeMultiple RetainEvent ReleaseEvent CreateUserEvent IsValidEvent SetUserEventStatus
   CaptureEventProfilingInfo GetDefaultQueue BuildNDRange
317 NoLine AtomicFlagTestAndSet AtomicFlagClear ImageSparseRead SizeOf TypePipeStorage ConstantPipeStorage
   CreatePipeFromPipeStorage GetKernelLocalSizeForSubgroupCount GetKernelMaxNumSubgroups TypeNamedBarrier
   NamedBarrierInitialize MemoryNamedBarrier ModuleProcessed ExecutionModeId DecorateId GroupNonUniformElect
   GroupNonUniformAll GroupNonUniformAny GroupNonUniformAllEqual GroupNonUniformBroadcast
   GroupNonUniformBroadcastFirst GroupNonUniformBallot GroupNonUniformInverseBallot GroupNonUniformBallotBitExtract
   GroupNonUniformBallotBitCount GroupNonUniformBallotFindLSB GroupNonUniformBallotFindMSB GroupNonUniformShuffle
   GroupNonUniformShuffleXor GroupNonUniformShuffleUp GroupNonUniformShuffleDown GroupNonUniformIAdd
   GroupNonUniformFAdd GroupNonUniformIMul GroupNonUniformFMul GroupNonUniformSMin GroupNonUniformUMin
   GroupNonUniformFMin GroupNonUniformSMax GroupNonUniformUMax GroupNonUniformFMax GroupNonUniformBitwiseAnd
   GroupNonUniformBitwiseOr GroupNonUniformBitwiseXor GroupNonUniformLogicalAnd GroupNonUniformLogicalOr
   GroupNonUniformLogicalXor
400 CopyLogical PtrEqual PtrNotEqual PtrDiff
4417 TypeUntypedPointerKHR UntypedVariableKHR UntypedAccessChainKHR UntypedInBoundsAccessChainKHR
4423 UntypedPtrAccessChainKHR UntypedInBoundsPtrAccessChainKHR UntypedArrayLengthKHR UntypedPrefetchKHR
4431 GroupNonUniformRotateKHR
4450 SDot UDot SUDot SDotAccSat UDotAccSat SUDotAccSat
5571 SubgroupShuffleINTEL SubgroupShuffleDownINTEL SubgroupShuffleUpINTEL SubgroupShuffleXorINTEL
   SubgroupBlockReadINTEL SubgroupBlockWriteINTEL
5614 AtomicFMinEXT AtomicFMaxEXT
5630 AssumeTrueKHR ExpectKHR DecorateString MemberDecorateString
6035 AtomicFAddEXT
6401 GroupIMulKHR GroupFMulKHR GroupBitwiseAndKHR GroupBitwiseOrKHR GroupBitwiseXorKHR GroupLogicalAndKHR
   GroupLogicalOrKHR GroupLogicalXorKHR
"""

_LISTED_WITHOUT_RESULT: Final = """
    Nop SourceContinued Source SourceExtension Name MemberName Line Extension MemoryModel EntryPoint
    ExecutionMode Capability TypeForwardPointer FunctionEnd Store CopyMemory CopyMemorySized Decorate
    MemberDecorate GroupDecorate GroupMemberDecorate ImageWrite ControlBarrier MemoryBarrier AtomicStore
    LoopMerge SelectionMerge Branch BranchConditional Switch Kill Return ReturnValue Unreachable LifetimeStart
    LifetimeStop GroupWaitEvents CommitReadPipe CommitWritePipe GroupCommitReadPipe GroupCommitWritePipe
    RetainEvent ReleaseEvent SetUserEventStatus CaptureEventProfilingInfo NoLine AtomicFlagClear
    MemoryNamedBarrier ModuleProcessed ExecutionModeId DecorateId UntypedPrefetchKHR SubgroupBlockWriteINTEL
    AssumeTrueKHR DecorateString MemberDecorateString
"""
_NO_RESULT: Final = frozenset(_LISTED_WITHOUT_RESULT.split())
_NO_TYPE: Final = frozenset(("String", "ExtInstImport", "DecorationGroup", "Label"))
"""Instructions with a result that has no type, beside the declarations of types."""


def numbered(listed: str) -> dict[int, str]:
    """Names by their numbers: of a text in which a number stands before the first of each row of names."""
    names: dict[int, str] = {}
    number = 0
    for word in listed.split():
        if word.isdecimal():
            number = int(word)
        else:
            names[number] = word
            number += 1
    return names


NAMES: Final = numbered(_LISTED)
"""The names without "Op"."""


def name_of(number: int) -> str:
    """An instruction's name without "Op"; its number for one that OpenCL's programs don't have."""
    return NAMES.get(number, str(number))


def has_result(name: str) -> bool:
    """True for what has a result, and so a number of its own."""
    return name not in _NO_RESULT


def has_type(name: str) -> bool:
    """True for what has a result of a type."""
    return has_result(name) and name not in _NO_TYPE and not name.startswith("Type")
