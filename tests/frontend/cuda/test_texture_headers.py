# SPDX-License-Identifier: Apache-2.0
"""Textures and surfaces in the kernel IR: what the headers make of them."""

import re
from collections.abc import Callable

import pytest

from lanewise.errors import CompileError
from lanewise.frontend.cuda import KernelIR


def calls(ir: str) -> list[str]:
    return re.findall(r"call [^\n]*@(__lw_\w+)\(i64 [^,]*, i32 noundef (\d+)", ir)


def element(size: int, channels: int, kind: int) -> str:
    return str(size | channels << 8 | kind << 16)


@pytest.mark.parametrize(
    ("statement", "function", "texel"),
    [
        ("tex1Dfetch<float>(t, 1);", "__lw_tex_fetch", (4, 1, 2)),
        ("tex2D<float4>(t, 1, 2);", "__lw_tex_2d", (4, 4, 2)),
        ("tex3D<uchar2>(t, 1, 2, 3);", "__lw_tex_3d", (1, 2, 1)),
        ("tex1DLayered<short>(t, 1, 2);", "__lw_tex_1d_layered", (2, 1, 0)),
        ("char1 c; tex2DLayered(&c, t, 1, 2, 3);", "__lw_tex_2d_layered", (1, 1, 0)),
        ("tex2DLod<int>(t, 1, 2, 0);", "__lw_tex_2d_level", (4, 1, 0)),
        ("tex2Dgather<uint4>(t, 1, 2);", "__lw_tex_gather", (4, 4, 1)),
        ("texCubemap<float>(t, 1, 2, 3);", "__lw_tex_cube", (4, 1, 2)),
        ("texCubemapLayeredLod<short2>(t, 1, 2, 3, 4, 0);", "__lw_tex_cube_layered_level", (2, 2, 0)),
        ("tex1Dfetch(bytes, 1);", "__lw_tex_fetch", (1, 1, 1)),
        ("tex1Dfetch(levels, 1);", "__lw_tex_fetch", (4, 2, 2)),
        ("surf2Dread<float>(s, 0, 0, cudaBoundaryModeZero);", "__lw_surf_read_2d", (4, 1, 2)),
        ("surf1Dwrite(make_short4(1, 2, 3, 4), canvas, 0, cudaBoundaryModeZero);", "__lw_surf_write_1d", (2, 4, 0)),
    ],
)
def test_function_and_texel(
    compiled: Callable[..., KernelIR], statement: str, function: str, texel: tuple[int, int, int]
) -> None:
    ir = compiled(
        "texture<unsigned char> bytes; texture<uchar2, 1, cudaReadModeNormalizedFloat> levels; surface<void, 1> canvas;"
        f"__global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t s) {{ {statement} }}"
    ).text
    if function.startswith("__lw_tex"):
        assert calls(ir) == [(function, element(*texel))]
    else:
        assert f"@{function}(" in ir
        assert re.search(rf"or i32 {element(*texel)}, %", ir)


def test_references_are_handles_of_their_variables(compiled: Callable[..., KernelIR]) -> None:
    ir = compiled("texture<float> r; __global__ void k(float *p) { *p = tex1Dfetch(r, 3); }").text
    assert re.search(r"@r = .*addrspace\(1\) externally_initialized global i64 undef", ir)
    assert "call i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1) @r)" in ir


def test_host_code_with_textures_is_understood(compiled: Callable[..., KernelIR]) -> None:
    compiled("""
        texture<float, 2, cudaReadModeElementType> reference(0, cudaFilterModePoint, cudaAddressModeClamp);
        __global__ void k(float *p, cudaTextureObject_t t) { p[0] = tex2D(reference, 3, 4) + tex2D<float>(t, 1, 2); }
        int main() {
          cudaArray_t array;
          cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
          cudaMallocArray(&array, &format, 16, 16, cudaArraySurfaceLoadStore);
          reference.addressMode[0] = cudaAddressModeWrap;
          reference.filterMode = cudaFilterModeLinear;
          reference.normalized = true;
          cudaBindTextureToArray(reference, array);
          cudaBindTexture(0, reference, (float *)0, 16);
          cudaUnbindTexture(reference);
          cudaResourceDesc resource = {};
          resource.resType = cudaResourceTypeArray;
          resource.res.array.array = array;
          cudaTextureDesc texture = {};
          texture.readMode = cudaReadModeElementType;
          cudaTextureObject_t object;
          cudaCreateTextureObject(&object, &resource, &texture, nullptr);
          k<<<1, 1>>>(nullptr, object);
          cudaDestroyTextureObject(object);
        }
    """)


@pytest.mark.parametrize("type_", ["double", "float3", "long long", "bool"])
def test_what_is_no_texel(compiled: Callable[..., KernelIR], type_: str) -> None:
    with pytest.raises(
        CompileError, match="a texel is a char, short, int, unsigned or float, or a vector of 1, 2 or 4"
    ):
        compiled(f"__global__ void k(cudaTextureObject_t t) {{ tex2D<{type_}>(t, 0, 0); }}")


def test_gradients_in_cubemaps_are_refused(compiled: Callable[..., KernelIR]) -> None:
    with pytest.raises(CompileError, match="'texCubemapGrad<float>' is unavailable: gradients in cubemaps are not"):
        compiled(
            "__global__ void k(float *p, cudaTextureObject_t t, float4 d)"
            " { *p = texCubemapGrad<float>(t, 0, 0, 1, d, d); }"
        )
