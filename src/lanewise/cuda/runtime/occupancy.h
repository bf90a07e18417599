// SPDX-License-Identifier: Apache-2.0
// How many blocks fit on a multiprocessor of the described GPU.
#ifndef LANEWISE_CUDART_OCCUPANCY_H
#define LANEWISE_CUDART_OCCUPANCY_H

namespace lw_cudart {

struct Function;
int active_blocks(const Function *function, int threads, size_t dynamic_shared);

} // namespace lw_cudart

#endif
