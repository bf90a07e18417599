// SPDX-License-Identifier: Apache-2.0
// Look up 64-bit keys in an open hash table: the place by a 64-bit remainder, then linear probing.
__global__ void hash_probe(int *out, const unsigned long long *table, const unsigned long long *keys,
                           unsigned long long size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long key = keys[i], at = (key * 0x9E3779B97F4A7C15ull >> 20) % size;
    int turns = 0;
    while (table[at] != key && table[at] != 0 && turns < 64) {
        at = (at + 1) % size;
        turns++;
    }
    out[i] = table[at] == key ? (int)at : -1;
}
