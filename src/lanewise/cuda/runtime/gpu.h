// SPDX-License-Identifier: Apache-2.0
// The GPU that the library describes to programs: a row of a table, chosen by LANEWISE_GPU, for the CPU;
// with LANEWISE_DEVICE=cuda, what the driver says of the real one.
#ifndef LANEWISE_CUDART_GPU_H
#define LANEWISE_CUDART_GPU_H

namespace lw_cudart {

struct Gpu {
  const char *key; // value of LANEWISE_GPU
  int major, minor;
  int multiprocessors;
  int clock_khz, memory_clock_khz, bus_bits;
  int l2_kib;
  int memory_mib;
  int shared_kib;       // of a multiprocessor
  int shared_optin_kib; // most that a block may ask for
  int threads, blocks;  // of a multiprocessor
  int double_ratio;     // single to double precision
};

const Gpu &gpu();
const cudaDeviceProp &properties();

// The value of an attribute; false if there is no such attribute.
bool attribute_value(cudaDeviceAttr attribute, int *value);

// Takes what a GPU's driver says for each attribute.
void describe_by_attributes(cudaDeviceProp &described);

// Fails with cudaErrorInvalidDevice unless `device` is the one that there is.
cudaError_t require_device(int device);

enum { SHARED_BYTES = 48 << 10, CONSTANT_BYTES = 64 << 10, REGISTERS = 64 << 10, REGISTERS_OF_A_THREAD = 32 };

} // namespace lw_cudart

#endif
