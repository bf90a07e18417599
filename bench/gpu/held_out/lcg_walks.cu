// SPDX-License-Identifier: Apache-2.0
// Random walks on a lattice by a 64-bit generator, several per thread, returns counted.
__global__ void lcg_walks(int *returns, int walks, int steps, unsigned long long seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
    unsigned long long state = seed + i * 0x9E3779B97F4A7C15ull;
    for (int w = 0; w < walks; w++) {
        int x = 0, y = 0;
        for (int s = 0; s < steps; s++) {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            int direction = state >> 62;
            x += direction == 0 ? 1 : direction == 1 ? -1 : 0;
            y += direction == 2 ? 1 : direction == 3 ? -1 : 0;
            count += (x | y) == 0;
        }
    }
    returns[i] = count;
}
