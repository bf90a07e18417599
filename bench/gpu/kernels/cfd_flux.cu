// SPDX-License-Identifier: Apache-2.0
// Rodinia's cfd: fluxes of a cell through its four faces, quantities stored plane by plane.
struct Flow { float density, x, y, z, energy; };

__device__ Flow load(const float *q, int i, int n) {
    return {q[i], q[i + n], q[i + 2 * n], q[i + 3 * n], q[i + 4 * n]};
}

__global__ void cfd_flux(float *fluxes, const int *neighbours, const float *normals, const float *q, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Flow own = load(q, i, n), sum = {0, 0, 0, 0, 0};
    float inverse = 1.0f / own.density;
    float pressure = 0.4f * (own.energy - 0.5f * inverse * (own.x * own.x + own.y * own.y + own.z * own.z));
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int nb = neighbours[i + j * n];
        float nx = normals[i + (j + 0 * 4) * n], ny = normals[i + (j + 1 * 4) * n], nz = normals[i + (j + 2 * 4) * n];
        if (nb >= 0) {
            Flow other = load(q, nb, n);
            float oi = 1.0f / other.density;
            float speed2 = oi * oi * (other.x * other.x + other.y * other.y + other.z * other.z);
            float op = 0.4f * (other.energy - 0.5f * other.density * speed2);
            float factor = -0.1f * sqrtf(nx * nx + ny * ny + nz * nz) * (sqrtf(speed2) + sqrtf(fabsf(1.4f * op * oi)));
            sum.density += factor * (own.density - other.density) + 0.5f * (nx * other.x + ny * other.y + nz * other.z);
            sum.x += factor * (own.x - other.x) + 0.5f * nx * (op + pressure);
            sum.y += factor * (own.y - other.y) + 0.5f * ny * (op + pressure);
            sum.z += factor * (own.z - other.z) + 0.5f * nz * (op + pressure);
            sum.energy += factor * (own.energy - other.energy);
        } else if (nb == -1) {
            sum.x += nx * pressure;
            sum.y += ny * pressure;
            sum.z += nz * pressure;
        }
    }
    fluxes[i] = sum.density;
    fluxes[i + n] = sum.x;
    fluxes[i + 2 * n] = sum.y;
    fluxes[i + 3 * n] = sum.z;
    fluxes[i + 4 * n] = sum.energy;
}
