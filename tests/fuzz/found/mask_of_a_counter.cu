// grid 1, block 48, data 0
// LLVM checks before a vectorised loop that counters don't wrap round; of the two that it needs here, of 2 and of 32
// bits, it left out the one of 2.
constexpr unsigned ITEMS = 48;
__global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in) {
    const unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned long long *own = out + 4 * (group * ITEMS + item);
    union { unsigned whole; unsigned char parts[4]; } word = {in[item & 63]};
    own[3] += word.parts[item & 3];
}
