// SPDX-License-Identifier: Apache-2.0
// What cudaDeviceReset goes through.
#ifndef LANEWISE_CUDART_RESET_H
#define LANEWISE_CUDART_RESET_H

namespace lw_cudart {

void destroy_streams(); // but the legacy one, which goes on
void destroy_events();
void destroy_arrays(); // with their memory
void destroy_texture_objects();
void destroy_pools();
void drop_mappings(); // of the driver API
void unload_modules(); // of the driver API
void reset_modules();  // the program's own: variables get their initial values
void reset_limits();
void forget_use_of_runtime();

} // namespace lw_cudart

#endif
