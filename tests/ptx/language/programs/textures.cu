// Textures and surfaces of every dimension by object.
__global__ void sampled(cudaTextureObject_t t, cudaSurfaceObject_t s, float4 *out, int n) {
    int i = threadIdx.x; float x = i / 7.0f;
    float4 v = tex1D<float4>(t, x), w = tex2D<float4>(t, x, x), u = tex3D<float4>(t, x, x, x);
    float4 l = tex2DLod<float4>(t, x, x, 1.f), g = tex2DGrad<float4>(t, x, x, make_float2(x, 0), make_float2(0, x));
    float4 a = tex2DLayered<float4>(t, x, x, n), c = texCubemap<float4>(t, x, x, -x), f = tex1Dfetch<float4>(t, i);
    float4 h = tex2Dgather<float4>(t, x, x, 2);
    float4 cl = texCubemapLayered<float4>(t, x, x, x, 1);
    float4 q; surf2Dread(&q, s, i * 16, n, cudaBoundaryModeClamp); float one; surf1Dread(&one, s, i * 4);
    surf3Dwrite(v, s, i * 16, 1, n, cudaBoundaryModeTrap); surf2DLayeredwrite(make_int2(1, 2), s, i * 8, 2, n);
    out[i] = make_float4(v.x + w.y + u.z, l.x + g.y + a.w, c.x + f.y + h.z + cl.x, q.x + one);
}
