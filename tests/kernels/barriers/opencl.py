# SPDX-License-Identifier: Apache-2.0
"""The barrier kernels in OpenCL C: translated, where they are CUDA in words only, and listed, where they are not."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

import lanewise as lw

from ..case import Arguments, Case, Launch

FOLDER: Final = Path(__file__).parent

RETURN_BEFORE_A_BARRIER: Final = {
    "past_the_end", "one_survivor", "odd_ones_leave", "leave_in_different_rounds", "until_nobody_is_left",
    "leave_in_two_places", "leave_from_nested_ifs", "leave_a_message", "half_pass_by", "only_the_living_vote",
    "return_from_a_divergent_loop", "guard_inside_a_condition", "shared_between_versions",
}  # fmt: skip
"""Kernels in which some work-items of a group end before a barrier that others reach. CUDA lets them; in OpenCL C a
barrier is reached by all work-items of a group or by none (6.12.8)."""

NOT_IN_C: Final = {
    "in_lambda": "a lambda",
    "lambdas_handed_in": "lambdas",
    "class_with_barriers": "a class with a destructor",
    "recursive_template": "a template",
    "total": "local memory belongs to kernels, not to other functions",
    "shared_memory_of_helper": "calls total",
    "generic_pointer": "pointers know their address space in OpenCL C 1.2",
    "last_group_adds_up": "atomicInc, which wraps, and a fence over the whole device",
}
"""Kernels and helpers that OpenCL C 1.2 can't express, and why; templates and classes are left out with them."""

LEFT_OUT: Final = RETURN_BEFORE_A_BARRIER | NOT_IN_C.keys()

_WORDS: Final = (
    (r"constexpr int (\w+) = (\w+);", r"#define \1 \2"),
    (r"\bunsigned long long\b", "ulong"),
    (r"\blong long\b", "long"),
    (r"\bhalf\b", "halved"),  # a type in OpenCL C
    (r"\b__noinline__", "__attribute__((noinline))"),
    (r"\binline\b", "static inline"),
    (r"\b__shared__", "__local"),
    (r"\b__syncthreads\(\)", "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)"),
    (r"\b__threadfence(_block|_system)?\(\)", "mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)"),
    (r"\b__trap\b", "__builtin_trap"),
    (r"\bthreadIdx\.([xyz])", r"(uint)get_local_id(\1)"),
    (r"\bblockIdx\.([xyz])", r"(uint)get_group_id(\1)"),
    (r"\bblockDim\.([xyz])", r"(uint)get_local_size(\1)"),
    (r"\batomicAdd\((&\w+), \(ulong\)", r"atom_add(\1, (ulong)"),
    (r"\batomicAdd\b", "atomic_add"),
    (r"\batomicMax\b", "atomic_max"),
    (r"\batomicCAS\b", "atomic_cmpxchg"),
    (r"\bsqrtf\b", "sqrt"),
    (r"\bmake_(uint3)\b", r"(\1)"),
    (r"\bint\((.*?)\)", r"(int)(\1)"),
    (r"= \{\}", "= {0}"),
    (r"= (Pair)\{", r"= (\1){"),
    (r"^struct (\w+) \{", r"typedef struct \1 \1;\nstruct \1 {"),
    # Votes count in a cell that the kernel declares.
    (r"\b__syncthreads_count\(", "count_in_group(ballot, "),
    (r"\b__syncthreads_or\(", "any_in_group(ballot, "),
    (r"\b__syncthreads_and\(", "all_in_group(ballot, "),
    (r"\bsearch\(unsigned \*s", "search(__local int *ballot, unsigned *s"),
    (r"\bsearch\(s", "search(ballot, s"),
    # Pointers into an address space that their types have to name.
    (r"\bunsigned \*(from = a|held = from)", r"__local unsigned *\1"),
    (r"\bdouble \*(first = bytes)", r"__local double *\1"),
    (r"\bunsigned char \*(second) = \(unsigned char \*\)", r"__local uchar *\1 = (__local uchar *)"),
    (r"\bunsigned \*(mine = data)", r"__global unsigned *\1"),
    (r"\bconst unsigned \*(where = in)", r"__global const unsigned *\1"),
)
"""Regular expressions, and what they become."""

_START: Final = re.compile(r"^(?=__(?:global|device)__|template|class|struct|constexpr)", re.MULTILINE)
_NAME: Final = re.compile(r"(\w+)\(")
_DIMENSION: Final = re.compile(r"(?<=get_)(local_id|group_id|local_size)\(([xyz])\)")
_DYNAMIC: Final = re.compile(r"^ +extern __local (\w+) (\w+)\[\];\n", re.MULTILINE)


def expressible(case: Case) -> bool:
    return case.kernel not in LEFT_OUT


def compiled(path: Path) -> lw.Module:
    """The kernels of a file that OpenCL C can express."""
    return lw.compile(translated(path.read_text()), language="opencl", include_dirs=[FOLDER], options=["-w"])


def in_opencl(case: Case) -> Case:
    """The case with dynamic shared memory as an argument."""

    def arguments(launch: Launch, rng: np.random.Generator) -> Arguments:
        made = case.arguments(launch, rng)
        return made | {"room": lw.local(case.shared(launch))} if case.shared(launch) else made

    return replace(case, arguments=arguments, shared=lambda launch: 0)


def translated(text: str) -> str:
    """A file of kernels in OpenCL C, without those that can't be."""
    kept = ['#include "work_item.clh"\n']
    for part in _START.split(text)[1:]:
        for pattern, replacement in _WORDS:
            part = re.sub(pattern, replacement, part, flags=re.MULTILINE)
        part = _DIMENSION.sub(lambda query: f"{query[1]}({'xyz'.index(query[2])})", part)
        name = _NAME.search(part)
        if part.startswith(("template", "class")) or (name and name[1] in LEFT_OUT):
            continue
        if part.startswith("__global__"):
            part = _kernel(part)
        elif part.startswith("__device__"):
            part = _with_space("__local", part.replace("__device__ ", ""))
        kept.append(part)
    return "".join(kept)


def _kernel(text: str) -> str:
    text = _with_space("__global", text.replace("__global__", "__kernel"))
    if dynamic := _DYNAMIC.search(text):
        parameter = f"__local {dynamic[1]} *{dynamic[2]}"
        text = _DYNAMIC.sub("", text).replace(") {", f", {parameter}) {{", 1)
    if "(ballot, " in text:
        text = text.replace("{\n", "{\n    __local int ballot[1];\n", 1)
    return text


def _with_space(space: str, function: str) -> str:
    """With an address space for the parameters that are pointers and name none."""
    head, brace, body = function.partition("{")
    head = re.sub(r"(?<=[(,])( ?)((?:const )?(?:unsigned )?\w+ \*)", rf"\1{space} \2", head)
    return head + brace + body
