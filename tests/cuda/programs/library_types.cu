// Kernels whose parameters and template arguments have types of the C++ library: host code launches them by the names
// that g++'s library gives them.
#include "check.h"
#include <array>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0> __global__ void kind(T *p) { *p = 1; }
template <class T, std::enable_if_t<!std::is_integral<T>::value, int> = 0> __global__ void kind(T *p) { *p = 2; }
template <class T, size_t N> __global__ void sum(int *p, std::array<T, N> numbers) {
  *p = 0;
  for (int i = 0; i < int(N); ++i)
    *p += numbers[i];
}
template <class Pair> __global__ void second(int *p, Pair pair) { *p = pair.second; }
template <class Function> __global__ void apply(int *p, Function function) { *p = function(*p, 40); }
template <class Constant> __global__ void value(int *p, Constant) { *p = Constant::value; }
template <class Types> __global__ void size_of_first(int *p) { *p = sizeof(typename std::tuple_element<0, Types>::type); }
__global__ void takes_tuple(int *p, std::tuple<int, char> tuple) { *p = std::get<0>(tuple); }

int main() {
  int *p, host = 0;
  OK(cudaMalloc(&p, 8));
  auto result = [&] {
    OK(cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost));
    return host;
  };
  kind<<<1, 1>>>(p);
  CHECK(result() == 1);
  kind<<<1, 1>>>(reinterpret_cast<float *>(p));
  CHECK(result() == 0x40000000);
  sum<<<1, 1>>>(p, std::array<int, 3>{20, 3, 4});
  CHECK(result() == 27);
  second<<<1, 1>>>(p, std::pair<char, int>(1, 50));
  CHECK(result() == 50);
  apply<<<1, 1>>>(p, std::plus<int>());
  CHECK(result() == 90);
  value<<<1, 1>>>(p, std::integral_constant<int, 8>());
  CHECK(result() == 8);
  size_of_first<std::tuple<double, char>><<<1, 1>>>(p);
  CHECK(result() == 8);
  takes_tuple<<<1, 1>>>(p, std::tuple<int, char>(1, 2));
  EXPECT(cudaErrorNoKernelImageForDevice, cudaGetLastError());
  printf("ok\n");
}
