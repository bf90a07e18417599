// SPDX-License-Identifier: Apache-2.0
// Checksums of fixed-size records, a table of 256 words in shared memory.
__global__ void crc32(unsigned *out, const unsigned char *records, int size) {
    __shared__ unsigned table[256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x) {
        unsigned c = k;
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
        table[k] = c;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned c = ~0u;
    for (int k = 0; k < size; k++)
        c = table[(c ^ records[i * size + k]) & 255] ^ (c >> 8);
    out[i] = ~c;
}
