// SPDX-License-Identifier: Apache-2.0
// A step of Maxwell's equations in a plane by finite differences in time, for a whispering gallery: from the electric
// field (ex, ey) and the magnetic one (h), with coefficients ca, cb, da, db of each point,
//   ex'(i,j) = ca ex + cb (h(i,j+1) - h(i,j)),  ey'(i,j) = ca ey - cb (h(i+1,j) - h(i,j)),
//   h'(i,j) = da h + db (ex'(i,j) - ex'(i,j-1) + ey'(i-1,j) - ey'(i,j)),
//   energy' = energy + (h' h' / mu + epsilon (ex' ex' + ey' ey')) / 2;
// a thread computes ex' and ey' of its neighbours anew. The half is double, so the last sum is, too.
// Operator: KernelGen's whispering (PTXASW, Table 2). A thread a point; j is blockIdx.x. The second reading of h(i,j)
// is Table 2's 19th load and its shuffle with a delta of 0: without `restrict`, C code loads it anew behind the stores.
// __ldg says that no store of the kernel writes h; nvcc still loads it again, Lanewise merges the two.

__global__ void whispering(const float *__restrict__ ex, const float *__restrict__ ey, float *__restrict__ next_ex,
                           float *__restrict__ next_ey, const float *__restrict__ h, float *__restrict__ next_h,
                           const float *__restrict__ energy, float *__restrict__ next_energy,
                           const float *__restrict__ ca, const float *__restrict__ cb, const float *__restrict__ da,
                           const float *__restrict__ db, float mu, float epsilon, int nx, int ny) {
    int i = 1 + blockIdx.y * blockDim.x + threadIdx.x;
    int j = 1 + blockIdx.x;
    if (i >= nx - 1 || j >= ny - 1)
        return;
    int at = i + nx * j;
    float own = __ldg(&h[at]);
    float x = ca[at] * ex[at] + cb[at] * (h[at + nx] - own);
    float y = ca[at] * ey[at] - cb[at] * (h[at + 1] - own);
    float x_south = ca[at - nx] * ex[at - nx] + cb[at - nx] * (own - h[at - nx]);
    float y_west = ca[at - 1] * ey[at - 1] - cb[at - 1] * (own - h[at - 1]);
    next_ex[at] = x;
    next_ey[at] = y;
    float z = da[at] * __ldg(&h[at]) + db[at] * (x - x_south + y_west - y);
    next_h[at] = z;
    next_energy[at] = energy[at] + 0.5 * (z * z / mu + epsilon * (x * x + y * y));
}
