// grid 1, block 48, data 0
// Several cases of a switch, no branch of two ways, left before a loop that all others come to.
constexpr unsigned ITEMS = 48;
__global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in) {
    const unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned long long *own = out + 4 * (group * ITEMS + item);
    switch (in[item] & 15) {
    case 3: case 6: case 7: case 11: return;
    }
    unsigned sum = 0;
    for (unsigned i = 0; i < (in[0] & 31); ++i)
        sum += in[(item + i) & 63] >> (i & 3);
    __syncthreads();
    own[0] += sum;
}
