// SPDX-License-Identifier: Apache-2.0
// Variables of the device.
#include "kernels.h"

TEST(variables_are_found_by_the_hosts_address) {
  int value = 0;
  OK(cudaMemcpyFromSymbol(&value, host_total, sizeof value));
  EQUAL(value, 5);
  value = 30;
  OK(cudaMemcpyToSymbol(host_total, &value, sizeof value));
  float weight = 8;
  OK(cudaMemcpyToSymbol(host_weights, &weight, sizeof weight, 3 * sizeof weight));
  int *result;
  OK(cudaMallocManaged(&result, 4));
  OK(launch(KERNEL(total), 1, 1, nullptr, result));
  OK(cudaDeviceSynchronize());
  EQUAL(*result, 30 + 8 + 7);
  OK(cudaMemcpyToSymbolAsync(host_total, &value, sizeof value));
  OK(cudaMemcpyFromSymbolAsync(&weight, host_weights, sizeof weight, 4));
  CHECK(weight == 2);
}

TEST(addresses_and_sizes_of_variables) {
  void *address;
  float *weights;
  size_t bytes;
  OK(cudaGetSymbolAddress(&address, host_total));
  CHECK(address == &device_total);
  OK(cudaGetSymbolAddress(&weights, host_weights));
  CHECK(weights == device_weights);
  OK(cudaGetSymbolSize(&bytes, host_weights));
  EQUAL(bytes, 16);
  OK(cudaMemset(address, 0, 4));
  OK(cudaDeviceSynchronize());
  EQUAL(device_total, 0);
}

TEST(wrong_symbols) {
  int value = 0;
  void *address;
  GIVES(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(host_reference_of_nothing, &value, 4));
  GIVES(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, (const void *)nullptr));
  GIVES(cudaErrorInvalidValue, cudaMemcpyToSymbol(host_total, &value, 8));
  GIVES(cudaErrorInvalidValue, cudaMemcpyToSymbol(host_total, &value, 4, 2));
  GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(host_total, &value, 4, 0, cudaMemcpyDeviceToHost));
  GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpyFromSymbol(&value, host_total, 4, 0, cudaMemcpyHostToDevice));
}

TEST(managed_variables_are_pointers_of_the_host) {
  CHECK(__cudaInitModule(module));
  CHECK(managed_pointer == &managed_memory);
}

TEST(an_unloaded_library_takes_its_kernels_along) {
  __cudaUnregisterFatBinary(module);
  GIVES(cudaErrorInvalidDeviceFunction, launch_bare(KERNEL(bounded), 1, 1));
  int value;
  GIVES(cudaErrorInvalidSymbol, cudaMemcpyFromSymbol(&value, host_total, 4));
}
