// SPDX-License-Identifier: Apache-2.0
// The C++ library in device code, by its own names and by those of libcu++.
#include <map> // a header that brings many others along

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <cuda/std/algorithm>
#include <cuda/std/array>
#include <cuda/std/cmath>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

__global__ void of_std(unsigned *out, const unsigned *in) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    std::array<unsigned, 3> kept{};
    kept.fill(0);
    kept = {v % 3, v % 5, v % 7};
    std::swap(kept[0], kept[2]);
    auto [low, high] = std::minmax({kept[0], kept[1], kept[2]});
    unsigned total = 0;
    for (unsigned one : kept)
        total += one;
    std::optional<unsigned> odd;
    if (v & 1)
        odd = v % 11;
    std::pair<unsigned, float> pair = std::make_pair(0u, 1.0f);
    pair = {odd.value_or(20), 2.0f};
    std::tuple<unsigned, unsigned> both;
    both = std::make_tuple(pair.first, std::clamp(v % 100, 10u, 60u));
    static_assert(std::is_same_v<std::remove_const_t<const int>, int> && std::numeric_limits<int>::max() == 0x7fffffff);
    float root = std::sqrt(static_cast<float>(v % 2 * 4)) / 2 + std::abs(-0.0f);
    out[i] = std::plus<unsigned>()(low, 10 * high) + 100 * total + 1000 * std::get<0>(both) +
             100000 * std::get<1>(both) + static_cast<unsigned>(root);
}

__global__ void of_cuda_std(unsigned *out, const unsigned *in) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    cuda::std::array<unsigned, 3> kept{};
    kept.fill(0);
    kept = {v % 3, v % 5, v % 7};
    cuda::std::swap(kept[0], kept[2]);
    auto [low, high] = cuda::std::minmax({kept[0], kept[1], kept[2]});
    unsigned total = 0;
    for (unsigned one : kept)
        total += one;
    cuda::std::optional<unsigned> odd;
    if (v & 1)
        odd = v % 11;
    cuda::std::pair<unsigned, float> pair = cuda::std::make_pair(0u, 1.0f);
    pair = {odd.value_or(20), 2.0f};
    cuda::std::tuple<unsigned, unsigned> both;
    both = cuda::std::make_tuple(pair.first, cuda::std::clamp(v % 100, 10u, 60u));
    static_assert(cuda::std::is_same_v<cuda::std::remove_const_t<const int>, int> && cuda::std::numeric_limits<int>::max() == 0x7fffffff);
    float root = cuda::std::sqrt(static_cast<float>(v % 2 * 4)) / 2 + cuda::std::abs(-0.0f);
    out[i] = cuda::std::plus<unsigned>()(low, 10 * high) + 100 * total + 1000 * cuda::std::get<0>(both) +
             100000 * cuda::std::get<1>(both) + static_cast<unsigned>(root);
}
