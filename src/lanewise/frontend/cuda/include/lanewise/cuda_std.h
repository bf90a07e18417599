// SPDX-License-Identifier: Apache-2.0
// cuda::std, whose names are those of std: the C++ library's own headers serve device code (standard/__config).
#ifndef LANEWISE_CUDA_STD_H
#define LANEWISE_CUDA_STD_H

namespace std {}
namespace cuda {
namespace std {
using namespace ::std;
}
} // namespace cuda

#endif
