# SPDX-License-Identifier: Apache-2.0
import numpy as np

from lanewise.config import Config
from lanewise.ir.reader import read_module
from lanewise.pipelines.contraction import forbid_contraction
from lanewise.program.compilation import compile_source
from lanewise.session import Session


def test_contract_goes_and_other_flags_stay():
    module = read_module("""
define float @f(float %a, float %b) {
  %m = fmul contract float %a, %b
  %s = fadd nnan contract nsz float %m, %a
  %n = fneg contract float %s
  %q = fdiv ninf float %n, %b
  ret float %q
}""")
    forbid_contraction(module)
    assert [i.flags for i in module.function("f").instructions()] == [(), ("nnan", "nsz"), (), ("ninf",), ()]


def test_a_product_and_a_sum_are_rounded_each():
    """The exact product of these is 1 - 2^-46; rounded to a float it is 1, and the sum 0."""
    source = """
extern "C" __global__ void k(float *out, float a, float b) {
    out[0] = a * b - 1.0f;
    out[1] = fmaf(a, b, -1.0f);
}"""
    session = Session(Config(cache_dir=None, num_threads=1, device="cpu"))
    module = compile_source(session, source, language="cuda")
    up, down = np.float32(1 + 2.0**-23), np.float32(1 - 2.0**-23)
    for device in ("cpu", "reference"):
        out = np.ones(2, np.float32)
        module["k"].launch(1, 1, (out, up, down), device=device)
        assert out.tolist() == [0.0, -(2.0**-46)], device
