# SPDX-License-Identifier: Apache-2.0
"""Arrays must begin where the pointee's type may."""

import numpy as np
import pytest

import lanewise as lw


def test_arrays_that_stand_where_the_type_may_not_are_refused():
    module = lw.compile("__global__ void k(float4 *p) { p[threadIdx.x].x += 1; }", language="cuda")
    whole = np.zeros(64, np.float32)
    first = -whole.ctypes.data % 16 // 4
    module["k"][1, 4](whole[first : first + 16])
    assert whole.sum() == 4
    with pytest.raises(lw.LaunchError, match=r"argument 'p': float4 \* needs memory aligned to 16 bytes"):
        module["k"][1, 4](whole[first + 1 : first + 17])
