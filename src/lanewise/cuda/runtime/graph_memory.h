// SPDX-License-Identifier: Apache-2.0
// Memory that graphs allocate (CUDA C++ Programming Guide, "Graph Memory Nodes"). Its address is known as soon as its
// allocation node is made. It is *live* from the launch of its graph until it is freed, and *mapped* as long as a graph
// that was launched or uploaded has it.
#ifndef LANEWISE_CUDART_GRAPH_MEMORY_H
#define LANEWISE_CUDART_GRAPH_MEMORY_H

#include "graphs.h"

namespace lw_cudart {

struct GraphMemory {
  void *address;
  size_t bytes;
  unsigned long long graph; // the id of the one that has its allocation node
  bool owned;               // that graph is there
  int executables;          // of it
  bool freed_inside;        // by a node of its own graph
  bool freed_outside;       // by one of another graph
  bool live, mapped;
};

// Memory for an allocation node, which gives it up when it is destroyed.
cudaError_t create_graph_memory(Graph *graph, size_t bytes, GraphMemory **memory);
void share_graph_memory(GraphMemory *memory); // with a node of an executable graph
void give_up_graph_memory(GraphMemory *memory, const Graph *graph);

// True for the start of memory that a graph owns, or that a graph has left to the program.
bool is_graph_memory(void *memory);

// Notes that a node of the graph is to free it: cudaErrorInvalidValue if that isn't allowed.
cudaError_t free_in_graph(Graph *graph, void *memory);

// Frees live memory from outside of its graph, in a stream's order; null: the caller has waited for the device.
cudaError_t free_graph_memory(void *memory, Stream *stream);

// True for graphs with nodes that allocate or free.
bool has_memory_nodes(const Graph *graph);
#define REQUIRE_NO_MEMORY_NODES(graph, what)                                                                           \
  REQUIRE(!has_memory_nodes(graph), cudaErrorInvalidValue, "a graph that allocates or frees memory can't " what)

// A launch of an executable graph may begin: nothing that it allocates is live, unless `frees_first`, and all that it
// frees is.
cudaError_t check_graph_memory(Graph *graph, bool frees_first);
void map_graph_memory(Graph *graph);
// After a launch in the stream.
cudaError_t follow_launch(Graph *graph, Stream *stream);

// All of it, with what programs have not freed: no graph is left.
void destroy_graph_memory();

} // namespace lw_cudart

#endif
