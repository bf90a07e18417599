// Conversions of the 16-bit types give the same in host code as in kernels.
#include "check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

const int COUNT = 19;
struct Results {
  __half halves[4];
  __nv_bfloat16 bfloats[4];
  long long integers[10];
};
struct Number {
  double x;
  long long n;
};

__host__ __device__ void convert(Number number, Results &out) {
  __half half = number.x;
  __nv_bfloat16 bfloat = number.x;
  out.halves[0] = half;
  out.halves[1] = number.n;
  out.halves[2] = static_cast<unsigned long long>(number.n);
  out.halves[3] = __ll2half_rz(number.n);
  out.bfloats[0] = bfloat;
  out.bfloats[1] = number.n;
  out.bfloats[2] = static_cast<unsigned long long>(number.n);
  out.bfloats[3] = __ll2bfloat16_rd(number.n);
  out.integers[0] = static_cast<signed char>(half);
  out.integers[1] = static_cast<unsigned short>(half);
  out.integers[2] = static_cast<int>(bfloat);
  out.integers[3] = static_cast<unsigned int>(bfloat);
  out.integers[4] = static_cast<long long>(bfloat);
  out.integers[5] = static_cast<unsigned long long>(bfloat);
  out.integers[6] = __half2int_rn(half);
  out.integers[7] = __half2ll_ru(half);
  out.integers[8] = __half2short_rd(half);
  out.integers[9] = __bfloat162uint_rn(bfloat);
}
__global__ void convert_all(const Number *numbers, Results *out) { convert(numbers[threadIdx.x], out[threadIdx.x]); }

int main() {
  double tie = 1 + 1 / 2048.0, above = 1e-12;
  Number numbers[COUNT] = {
      {0.1, 1}, {tie, 2049}, {tie + above, 2051}, {-tie - above, -2049}, {2.5, 65519}, {3.5, 65520}, {-2.5, -65521},
      {-0.75, 1LL << 62}, {1e300, ~0LL}, {-1e300, -1}, {1.0 / 0.0, 1LL << 63}, {-1.0 / 0.0, (1LL << 63) + 1},
      {0.0 / 0.0, (1LL << 62) + 1}, {2147483648.0, 33554433}, {4294967296.0, 33554431}, {9223372036854775808.0, 257},
      {-9223372036854775808.0, 258}, {18446744073709551616.0, 259}, {-0.0, 0}};
  Number *d_numbers;
  Results *d_results, results[COUNT];
  OK(cudaMalloc(&d_numbers, sizeof numbers));
  OK(cudaMalloc(&d_results, sizeof results));
  OK(cudaMemcpy(d_numbers, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  convert_all<<<1, COUNT>>>(d_numbers, d_results);
  OK(cudaMemcpy(results, d_results, sizeof results, cudaMemcpyDeviceToHost));
  for (int i = 0; i < COUNT; ++i) {
    Results expected;
    convert(numbers[i], expected);
    bool is_number = numbers[i].x == numbers[i].x;
    for (int k = is_number ? 0 : 1; k < 4; ++k) {
      CHECK(__half_as_ushort(expected.halves[k]) == __half_as_ushort(results[i].halves[k]));
      CHECK(__bfloat16_as_ushort(expected.bfloats[k]) == __bfloat16_as_ushort(results[i].bfloats[k]));
    }
    for (int k = 0; k < 10; ++k)
      CHECK(expected.integers[k] == results[i].integers[k]);
  }
  printf("ok\n");
}
