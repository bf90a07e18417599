# SPDX-License-Identifier: Apache-2.0
"""Large programs, whose repeated functions stay out of line until code for a local size is made."""

from pathlib import Path

import numpy as np
from tests.opencl.interface import Session

import lanewise as lw
from lanewise.backend.host.features import has_fused_multiply_add
from lanewise.cache import Cache
from lanewise.cuda.objects.assumed import Assumed
from lanewise.cuda.objects.kernel_code import CalledCode, KernelCode, split_code
from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.opencl.unit import opencl_unit
from lanewise.frontend.source import Source
from lanewise.pipelines.split_program import split_program
from lanewise.program.source.translation import translate

TURNS = "".join(f"x ^= x << {1 + n % 13}; y += x * {2 * n + 3}u; x = rotate(x, y & 31u);\n" for n in range(20))
STEPS = "".join(
    f"v = v * {0.5 + n / 32}f - w.{order} * {n / 8}f;\n" for n, order in enumerate(("yzwx", "wxyz", "zwxy") * 4)
)
WORDS = "".join(f"words[{n}] += words[{(5 * n + 3) % 8}] >> {n + 1};\n" for n in range(8))
SOURCE = f"""
typedef struct {{ uint key; float4 weights; uint kept[3]; }} state;
constant uint TABLE[8] = {{ 3, 1, 4, 1, 5, 9, 2, 6 }};
uint turn(uint x, uint y) {{ {TURNS} return x + y; }}
float4 blend(float4 v, float4 w, uint n) {{
  for (uint i = 0; i < n % 4; ++i) v = v * 0.5f + w.yzwx * (float)TABLE[(n + i) % 8] - v.wzyx * w;
  {STEPS} v.x += v.y > 1 ? v.z * w.x - v.w : v.w * w.y + v.z;
  v.y -= v.x < 0 ? v.w * w.z + v.x : v.x * w.w - v.y;
  return v * w + (float4)(n % 3, 1, v.x, 0.25f) + v.xxyy * w.zzww - w * 0.125f;
}}
uint mix(uint *words, const global uint *given, state s, float4 *sum) {{
  uint x = s.key;
  for (int i = 0; i < 4; ++i) {{
    x = turn(x, words[i]) ^ turn(words[i + 4], TABLE[i]);
    words[i] = turn(x, given[i]) + turn(s.kept[i % 3], x);
    s.kept[i % 3] += turn(x, i);
    if (x & 1) words[i + 4] = turn(words[i], x) - turn(i, 7) + turn(x, 9);
    *sum = blend(*sum, s.weights, turn(x, 5));
    if (x & 2) *sum = blend(s.weights - 0.5f, *sum * 0.25f, x >> 3);
  }}
  {WORDS} return turn(x, s.kept[0]) + turn(s.kept[1], s.kept[2]);
}}
kernel void work(global uint *out, global float4 *sums, global const uint *given, local uint *tile, state s) {{
  uint i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), words[8];
  for (int k = 0; k < 8; ++k) words[k] = given[k] + i;
  float4 sum = s.weights * (float)(i % 5);
  tile[l] = mix(words, given, s, &sum);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint other = tile[(l + 1) % n];
  {" ".join(f"other = mix(words, given + {n}, s, &sum) ^ other;" for n in range(8))}
  s.key ^= other;
  out[i] = mix(words, given, s, &sum) + words[3] + s.kept[0];
  sums[i] = sum;
}}
"""
WEIGHTS = (0.5, -0.25, 0.125, 0.75)
STATE = np.dtype([("key", "<u4"), ("pad", "V12"), ("weights", "<f4", 4), ("kept", "<u4", 3), ("end", "V4")])


FIXED = SOURCE.replace("kernel void work", "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void work")


def split(source: str, cache: Cache) -> tuple[list[KernelCode], CalledCode]:
    """The code of a program in two parts."""
    made = translate(opencl_unit(Source(source, None), GivenOptions()), {"mapping": "auto"}, cache)
    parts = split_program(made.program.reader(fused=has_fused_multiply_add()))
    assert parts is not None
    return split_code(made.program, made.info, "unit", parts, Assumed.USUAL)


def arguments() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    state = np.zeros((), STATE)
    state["key"], state["weights"], state["kept"] = 77, WEIGHTS, (1, 2, 3)
    given = np.random.default_rng(5).integers(0, 1 << 32, 16, np.uint32)
    return np.zeros(24, np.uint32), np.zeros((24, 4), np.float32), given, state


def test_repeated_functions_are_compiled_once(tmp_path: Path) -> None:
    kernels, called = split(SOURCE, Cache(tmp_path))
    assert [name.partition(".")[0] for name in called.functions] == ["turn", "blend", "mix"]
    assert called.refusals == {}
    (code,) = kernels[0].codes
    assert set(code.facts.calls) == set(called.functions)
    assert len(code.machine_code) < 30_000


def test_a_kernel_for_one_local_size_may_have_inlined_code_later(tmp_path: Path) -> None:
    """The runtime replaces code for any size only."""
    kernels, _ = split(FIXED, Cache(tmp_path))
    assert kernels[0].info.bounds.block == (8, 1, 1)
    assert [code.size for code in kernels[0].codes] == [None]


def test_a_large_program_computes_what_the_reference_device_does(session: Session) -> None:
    out, sums, given, state = arguments()
    buffers = [session.buffer(array) for array in (out, sums, given)]
    kernel = session.cl.clCreateKernel(session.program(SOURCE), b"work")
    session.set(kernel, *buffers, [4 * 8], state)
    session.run(kernel, [24], [8])
    mine = session.read(buffers[0], out), session.read(buffers[1], sums)
    lw.compile(SOURCE, language="opencl")["work"].ndrange(24, 8, device="reference")(
        out, sums, given, lw.local(4 * 8), (77, WEIGHTS, (1, 2, 3))
    )
    assert mine[0].tolist() == out.tolist()
    assert mine[1].tolist() == sums.tolist()
