// SPDX-License-Identifier: Apache-2.0
// Rays marched through a distance field of spheres on a lattice; structures and operators of them.
struct Vector {
    float x, y, z;
    __device__ Vector operator+(Vector o) const { return {x + o.x, y + o.y, z + o.z}; }
    __device__ Vector operator*(float s) const { return {x * s, y * s, z * s}; }
    __device__ float length() const { return sqrtf(x * x + y * y + z * z); }
};

__device__ float field(Vector p) {
    Vector q = {p.x - 4 * floorf(p.x * 0.25f) - 2, p.y - 4 * floorf(p.y * 0.25f) - 2, p.z - 4 * floorf(p.z * 0.25f) - 2};
    return q.length() - 1;
}

__global__ void ray_march(float *depth, int width, int height, int most) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    Vector d = {(x - width / 2) / (float)width, (y - height / 2) / (float)height, 1};
    d = d * (1 / d.length());
    float t = 0;
    for (int k = 0; k < most; k++) {
        float step = field(d * t + Vector{0.3f, 0.2f, 0});
        if (step < 0.001f)
            break;
        t += step;
    }
    depth[y * width + x] = t;
}
