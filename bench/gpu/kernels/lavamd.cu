// SPDX-License-Identifier: Apache-2.0
// Rodinia's lavaMD: potentials and forces in a box from the particles of its neighbours, copied to shared memory.
struct Box { int first, count; int neighbours[8]; };
struct Four { float v, x, y, z; };

__global__ void lavamd(Four *force, const Box *boxes, const Four *particles, const float *charges, float a2) {
    __shared__ Four own[64], other[64];
    __shared__ float charge[64];
    const Box *home = &boxes[blockIdx.x];
    int t = threadIdx.x;
    own[t] = particles[home->first + t];
    Four sum = {0, 0, 0, 0};
    for (int k = 0; k <= home->count; k++) {
        int first = k == 0 ? home->first : boxes[home->neighbours[k - 1]].first;
        other[t] = particles[first + t];
        charge[t] = charges[first + t];
        __syncthreads();
        for (int j = 0; j < 64; j++) {
            float dot = own[t].x * other[j].x + own[t].y * other[j].y + own[t].z * other[j].z;
            float r2 = own[t].v + other[j].v - dot;
            float value = expf(-a2 * r2), f = 2.0f * value;
            sum.v += charge[j] * value;
            sum.x += charge[j] * f * (own[t].x - other[j].x);
            sum.y += charge[j] * f * (own[t].y - other[j].y);
            sum.z += charge[j] * f * (own[t].z - other[j].z);
        }
        __syncthreads();
    }
    force[home->first + t] = sum;
}
