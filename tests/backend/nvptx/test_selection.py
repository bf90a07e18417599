# SPDX-License-Identifier: Apache-2.0
"""What selection.py lets through, LLVM really selects: every intrinsic of the table on many types, in a child process,
since LLVM would end this one."""

from __future__ import annotations

import subprocess
import sys

import pytest

from lanewise.backend.nvptx.selection import faults
from lanewise.backend.nvptx.targets import Target, target
from lanewise.ir.reader import read_module

INTEGERS = ("i8", "i16", "i32", "i64", "i128", "<2 x i16>", "<4 x i8>", "<4 x i32>", "<2 x i64>")
FLOATS = (
    "half",
    "bfloat",
    "float",
    "double",
    "<2 x half>",
    "<2 x bfloat>",
    "<2 x float>",
    "<4 x float>",
    "<2 x double>",
)
SUFFIXES = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}

ONE_FLOAT = (
    "fabs", "sqrt", "floor", "ceil", "trunc", "rint", "nearbyint", "round", "roundeven", "canonicalize", "sin", "cos",
    "exp", "exp2", "exp10", "log", "log2", "log10",
)  # fmt: skip
TWO_FLOATS = ("copysign", "minnum", "maxnum", "minimum", "maximum", "minimumnum", "maximumnum", "pow")
TWO_INTEGERS = ("smin", "smax", "umin", "umax", "sadd.sat", "uadd.sat", "ssub.sat", "usub.sat", "sshl.sat", "ushl.sat")
OVERFLOW = tuple(f"{sign}{op}.with.overflow" for sign in "su" for op in ("add", "sub", "mul"))
REDUCTIONS = ("add", "mul", "and", "or", "xor", "smin", "smax", "umin", "umax")


def suffix(type_: str) -> str:
    if type_.startswith("<"):
        count, _, element = type_[1:-1].split()
        return f"v{count}{suffix(element)}"
    return SUFFIXES.get(type_, type_)


def calls() -> list[tuple[str, str, list[str]]]:
    """(name, result type, parameter types, the last of which may be a constant) of intrinsics on many types."""
    found: list[tuple[str, str, list[str]]] = []
    for t in FLOATS:
        found += [(f"{name}.{suffix(t)}", t, [t]) for name in ONE_FLOAT]
        found += [(f"{name}.{suffix(t)}", t, [t, t]) for name in TWO_FLOATS]
        found += [(f"{name}.{suffix(t)}", t, [t, t, t]) for name in ("fma", "fmuladd")]
    for t in FLOATS[:4]:
        found += [(f"{name}.{to}.{suffix(t)}", to, [t]) for name in ("fptosi.sat", "fptoui.sat") for to in INTEGERS[:5]]
        found += [(f"{name}.i64.{suffix(t)}", "i64", [t]) for name in ("lround", "llround", "lrint", "llrint")]
        found += [(f"ldexp.{suffix(t)}.i32", t, [t, "i32"]), (f"powi.{suffix(t)}.i32", t, [t, "i32"])]
        found += [(f"frexp.{suffix(t)}.i32", f"{{ {t}, i32 }}", [t]), (f"is.fpclass.{suffix(t)}", "i1", [t, "i32 3"])]
    for t in INTEGERS:
        found += [(f"{name}.{suffix(t)}", t, [t, t]) for name in TWO_INTEGERS]
        found += [(f"{name}.{suffix(t)}", t, [t]) for name in ("bitreverse", "ctpop")]
        found += [(f"{name}.{suffix(t)}", t, [t, "i1 false"]) for name in ("abs", "ctlz", "cttz")]
        found += [(f"{name}.{suffix(t)}", t, [t, t, t]) for name in ("fshl", "fshr")]
        if "i8" not in t:
            found.append((f"bswap.{suffix(t)}", t, [t]))
        if t.startswith("<"):
            element = t[1:-1].split()[2]
            found += [(f"vector.reduce.{op}.{suffix(t)}", element, [t]) for op in REDUCTIONS]
        else:
            found += [(f"{name}.{t}", f"{{ {t}, i1 }}", [t, t]) for name in OVERFLOW]
    return found


def module_of_legal_calls(goal: Target) -> str:
    """A kernel for each call in which `faults` finds nothing."""
    parts: list[str] = []
    for number, (name, result, parameters) in enumerate(calls()):
        types = [parameter.removesuffix(" false").removesuffix(" 3") for parameter in parameters]
        declaration = f"declare {result} @llvm.{name}({', '.join(types)})"
        body: list[str] = []
        arguments: list[str] = []
        for i, (parameter, type_) in enumerate(zip(parameters, types, strict=True)):
            if parameter == type_:
                body.append(f"  %a{i} = load {type_}, ptr %p")
                arguments.append(f"{type_} %a{i}")
            else:
                arguments.append(parameter)
        body.append(f"  %r = call {result} @llvm.{name}({', '.join(arguments)})")
        text = [
            f"define ptx_kernel void @k{number}(ptr %p) {{",
            *body,
            f"  store {result} %r, ptr %p",
            "  ret void",
            "}",
        ]
        kernel = read_module("\n".join([declaration, *text])).kernels[0]
        if not any(fault for instruction in kernel.instructions() for fault in faults(instruction, goal)):
            parts += [declaration, *text]
    return "\n".join(parts) + "\n"


@pytest.mark.parametrize("arch", ["sm_50", "sm_80", "sm_120"])
def test_llvm_selects_what_is_let_through(arch: str) -> None:
    text = module_of_legal_calls(target(arch))
    assert text.count("define ") > 300
    program = (
        "import sys; from lanewise.pipelines.gpu import compile_ptx; print(compile_ptx(sys.stdin.read(), sys.argv[1]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, arch], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-1000:]
    assert done.stdout.count(".entry") == text.count("define ")
