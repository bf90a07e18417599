// SPDX-License-Identifier: Apache-2.0
// Conditions of graphs (CUDA C++ Programming Guide, "Conditional Graph Nodes"): numbers in device memory, which kernels
// set by cudaGraphSetConditional. A handle is the number's address.
#ifndef LANEWISE_CUDART_CONDITIONS_H
#define LANEWISE_CUDART_CONDITIONS_H

#include "graphs.h"

namespace lw_cudart {

struct Condition {
  void *value;
  unsigned int first; // value of each launch of the graph, if `assigned`
  bool assigned;
  int users; // graphs and nodes
};

// The condition of a handle that was made for this graph; null if there is none.
Condition *condition_of(Graph *graph, cudaGraphConditionalHandle handle);

void share_condition(Condition *condition);
void give_up_condition(Condition *condition);

// A clone has the conditions of its origin.
cudaError_t share_conditions(Graph *graph, const Graph *origin);

// What gives a condition its first value.
Fill first_value(const Condition *condition);

// Fails if a body has nodes that it must not have: others than kernels, copies, fills, empty ones, graphs and conditions.
cudaError_t check_bodies(Graph *graph);

} // namespace lw_cudart

#endif
