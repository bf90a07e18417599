// grid 1, block 33, data 3
// Division of 128 bits, and conversion from there to floating-point numbers, are calls of functions that no library of
// the system need have.
__global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in) {
    unsigned long long *own = out + 4 * threadIdx.x;
    __int128 wide = (__int128)in[threadIdx.x] * 0x123456789abcdefll - ((__int128)in[threadIdx.x + 1] << 70);
    unsigned __int128 positive = (unsigned __int128)wide * 3;
    own[0] = (unsigned long long)(wide / ((long long)in[threadIdx.x] + 7)) + (unsigned long long)(positive % 1000003u);
    own[1] = (unsigned long long)(wide % -77) ^ (unsigned long long)(positive / (in[threadIdx.x] + 1ull) >> 64);
    own[2] = __double_as_longlong((double)wide) ^ __float_as_uint((float)positive);
    own[3] = __float_as_uint((float)wide) + __double_as_longlong((double)positive);
}
