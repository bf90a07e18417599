// SPDX-License-Identifier: Apache-2.0
// NVIDIA's runtime API over the host runtime (runtime/host/lanewise.h), as one translation unit.
#include "error.cpp"
#include "error_texts.cpp"
#include "fork.cpp"
#include "half_conversions.cpp"
#include "profile.cpp"

#include "attributes.cpp"
#include "device.cpp"
#include "gpu.cpp"
#include "limits.cpp"
#include "peers.cpp"

#include "arrays.cpp"
#include "copies.cpp"
#include "fills.cpp"
#include "managed.cpp"
#include "memory.cpp"
#include "pools.cpp"
#include "ranges.cpp"
#include "symbols.cpp"
#include "textures.cpp"

#include "events.cpp"
#include "host_functions.cpp"
#include "per_thread.cpp"
#include "streams.cpp"
#include "submission.cpp"

#include "faults.cpp"
#include "function_attributes.cpp"
#include "launch.cpp"
#include "registration.cpp"

#include "capture.cpp"
#include "executables.cpp"
#include "graph_nodes.cpp"
#include "graphs.cpp"
