// SPDX-License-Identifier: Apache-2.0
// SHOC's MD: Lennard-Jones forces of an atom's neighbours, from a list of fixed length.
__global__ void md(float4 *__restrict__ force, const float4 *__restrict__ position, const int *__restrict__ neighbours,
                   int most, float cut2, float lj1, float lj2, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 own = position[i];
    float fx = 0, fy = 0, fz = 0;
    for (int j = 0; j < most; j++) {
        float4 other = position[neighbours[j * n + i]];
        float dx = own.x - other.x, dy = own.y - other.y, dz = own.z - other.z;
        float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < cut2) {
            float inverse = 1.0f / r2;
            float r6 = inverse * inverse * inverse;
            float f = inverse * r6 * (lj1 * r6 - lj2);
            fx += dx * f;
            fy += dy * f;
            fz += dz * f;
        }
    }
    force[i] = make_float4(fx, fy, fz, 0);
}
