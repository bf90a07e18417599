// SPDX-License-Identifier: Apache-2.0
// What cudaDeviceReset goes through.
#ifndef LANEWISE_CUDART_RESET_H
#define LANEWISE_CUDART_RESET_H

namespace lw_cudart {

struct Stream;
void each_stream(void (*visit)(Stream *));

void destroy_arrays();    // with their memory
void forget_all_pooled(); // that the pools have given

} // namespace lw_cudart

#endif
