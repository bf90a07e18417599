// SPDX-License-Identifier: Apache-2.0
// The work of an executable graph's nodes.
#ifndef LANEWISE_CUDART_GRAPH_WORK_H
#define LANEWISE_CUDART_GRAPH_WORK_H

#include "graphs.h"
#include "streams.h"

namespace lw_cudart {

// The graph of the host runtime, unless there is one.
cudaError_t build_graph(Executable *executable);

// Drops what was built; waits for launches that may still use what it holds.
void forget_built(Executable *executable);

cudaError_t launch_graph(Executable *executable, Stream *stream);

} // namespace lw_cudart

#endif
