# SPDX-License-Identifier: Apache-2.0
"""The mathematical library stays vector code in lanes: no call is left in the assembly of a kernel."""

import re

import pytest

import lanewise as lw

UNARY = [
    *[
        "expf",
        "exp2f",
        "exp10f",
        "expm1f",
        "logf",
        "log2f",
        "log10f",
        "log1pf",
        "sinf",
        "cosf",
        "tanf",
        "asinf",
        "acosf",
        "atanf",
        "sinhf",
        "coshf",
        "tanhf",
    ],
    *[
        "asinhf",
        "acoshf",
        "atanhf",
        "erff",
        "erfcf",
        "sqrtf",
        "rsqrtf",
        "cbrtf",
        "floorf",
        "rintf",
        "fabsf",
        "sinpif",
        "cospif",
    ],
]
BINARY = ["powf", "atan2f", "hypotf", "fmaxf", "copysignf", "fdimf"]
DOUBLE = ["exp", "log", "sqrt", "tanh", "erf"]
CALL = re.compile(r"^\s+callq?\s+(.*)$", re.MULTILINE)
VECTOR = re.compile(r"[xyz]mm\d+|\bv\d+\.4s")


def assembly(expression: str, type_: str = "float") -> str:
    source = f"__global__ void f({type_} *x, const {type_} *y) {{ int i = threadIdx.x; x[i] = {expression}; }}"
    return lw.compile(source, language="cuda", mapping="lanes").asm(block=64)


@pytest.mark.parametrize("name", UNARY)
def test_no_call_is_left(name: str):
    text = assembly(f"{name}(x[i])")
    assert not CALL.findall(text)
    assert VECTOR.search(text)


@pytest.mark.parametrize("name", BINARY)
def test_no_call_is_left_of_two_arguments(name: str):
    assert not CALL.findall(assembly(f"{name}(x[i], y[i])"))


@pytest.mark.parametrize("name", DOUBLE)
def test_no_call_is_left_in_double(name: str):
    assert not CALL.findall(assembly(f"{name}(x[i])", "double"))


def test_a_call_would_be_seen():
    source = '__global__ void f(int *x) { printf("%d\\n", x[threadIdx.x]); }'
    assert CALL.findall(lw.compile(source, language="cuda", mapping="lanes").asm(block=64))
