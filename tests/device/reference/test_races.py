# SPDX-License-Identifier: Apache-2.0
"""Races in shared memory: who is told of them, and what is none."""

import numpy as np
import pytest

import lanewise as lw

RACES = {
    "stored, then loaded": (
        "s[t] = t + 5;\nif (t) out[t] = s[t - 1];",
        "thread (1, 0, 0): a race: it loads at offset 0 of ",
        "which thread (0, 0, 0) has stored at <source>:4, and no barrier",
    ),
    "loaded, then stored": (
        "int v = s[t + 1];\ns[t] = v + t + 1;",
        "thread (1, 0, 0): a race: it stores at offset 4 of ",
        "which thread (0, 0, 0) has loaded at <source>:4, and no barrier",
    ),
    "stored twice": (
        "s[t + 1] = t + 5;\ns[t] = 70 + t;",
        "thread (1, 0, 0): a race: it stores at offset 4 of ",
        "which thread (0, 0, 0) has stored at <source>:4, and no barrier",
    ),
    "between warps": (
        "s[t] = t + 5; __syncwarp();\nout[t] = s[t ^ 32];",
        "thread (0, 0, 0): a race: it loads at offset 128 of ",
        "which thread (32, 0, 0) has stored at <source>:4, and no barrier",
    ),
    "stored by many, then by one": (
        "s[5] = 1; __syncwarp();\nif (t == 63) s[5] = 2;",
        "thread (63, 0, 0): a race: it stores at offset 20 of ",
        "has stored at <source>:4, and no barrier",
    ),
}
NONE = {
    "a barrier": "s[t] = t; __syncthreads(); out[t] = s[t ^ 1];",
    "a barrier of the warp": "s[t] = t; __syncwarp(); out[t] = s[t ^ 1];",
    "own elements": "s[t] = t; s[t] += 1; out[t] = s[t];",
    "neighbouring bytes": "char *c = (char *)s; c[t] = t; out[t] = c[t];",
    "all store the same": "s[5] = 1; if (t < 3) s[6] = 2; out[t] = s[5];",
    "all store the same, and warps meet": "s[5] = 1; __syncwarp(); out[t] = s[5];",
    "a lock": "while (atomicCAS(&s[64], 0, 1)); s[0] += t; __threadfence_block(); atomicExch(&s[64], 0);",
    "volatile": "volatile int *v = s; v[t] = t; out[t] = v[t ^ 1];",
    "a chain of warp barriers": (
        "if (t < 2) { s[t] = t; __syncwarp(3); } if (t == 1 || t == 2) __syncwarp(6); if (t == 2) out[0] = s[1];"
    ),
}


def _kernel(body: str) -> lw.Kernel:
    source = "__global__ void k(int *out) {\n__shared__ int s[65];\nint t = threadIdx.x; s[t] = s[64] = 0; "
    return lw.compile(f"{source}__syncthreads();\n{body}\n}}", language="cuda")["k"]


@pytest.mark.parametrize("name", RACES)
def test_a_race_is_an_error_that_names_both_lines(name: str):
    body, second, first = RACES[name]
    with pytest.raises(lw.LaunchError) as caught:
        _kernel(body).launch(1, 64, (np.zeros(64, np.int32),), device="reference")
    assert str(caught.value).startswith("<source>:5: kernel k, block (0, 0, 0), ")
    assert second in str(caught.value)
    assert first in str(caught.value)


@pytest.mark.parametrize("name", NONE)
def test_no_race(name: str):
    _kernel(NONE[name]).launch(2, 64, (np.zeros(64, np.int32),), device="reference")
