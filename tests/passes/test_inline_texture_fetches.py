# SPDX-License-Identifier: Apache-2.0
"""The layout that inlined fetches count on, and what they give."""

import numpy as np
import pytest

import lanewise as lw
from lanewise.device import texture_layout
from lanewise.passes import inline_texture_fetches as inlined

KERNEL = """
template <typename T> __global__ void fetch(T *out, cudaTextureObject_t texture, const int *places) {
    out[threadIdx.x] = tex1Dfetch<T>(texture, places[threadIdx.x]);
}
"""


def test_the_layout_is_that_of_textures():
    fields = texture_layout.LAYOUT.fields
    assert fields is not None
    places = {name: fields[name][1] for name in ("magic", "texels", "stride", "extent", "format")}
    assert places == {
        "magic": inlined.MAGIC_PLACE, "texels": inlined.TEXELS_PLACE, "stride": inlined.STRIDE_PLACE,
        "extent": inlined.EXTENT_PLACE, "format": inlined.FORMAT_PLACE,
    }  # fmt: skip
    assert texture_layout.TEXTURE_MAGIC == inlined.MAGIC
    assert texture_layout.Format.WORD == 0


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize(("kind", "dtype", "channels"), [
    ("float", "f4", 1), ("int", "i4", 1), ("unsigned", "u4", 1), ("float2", "f4", 2), ("int4", "i4", 4),
    ("float4", "f4", 4), ("unsigned char", "u1", 1), ("short2", "i2", 2),
])  # fmt: skip
def test_texels_inside_and_outside(kind: str, dtype: str, channels: int, device: str):
    rng = np.random.default_rng(5)
    texels = rng.integers(0, 100, (50, channels)).astype(dtype)
    places = np.array([*range(50), -1, 50, 51, -(1 << 31), (1 << 31) - 1, 1 << 30, 7, 7, 49, 0], np.int32)
    shape = (50,) if channels == 1 else (50, channels)
    texture = (
        lw.Texture(texels.reshape(shape), channels=channels) if channels > 1 else lw.Texture(texels.reshape(shape))
    )
    out = np.zeros((places.size, channels), dtype)
    lw.compile(KERNEL)[f"fetch<{kind}>"].launch(1, places.size, (out, texture, places), device=device)
    inside = (places >= 0) & (places < 50)
    assert (out == np.where(inside[:, None], texels[np.where(inside, places, 0)], 0)).all()
