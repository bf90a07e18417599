// SPDX-License-Identifier: Apache-2.0
// Host side: the whole runtime API, for CUDA C++, for C++ and for C.
#ifndef LANEWISE_HOST_API_H
#define LANEWISE_HOST_API_H

#include "lanewise/versions.h"

#include "lanewise/per_thread_streams.h"

#include "lanewise/host_device.h"
#include "lanewise/host_entry_points.h"
#include "lanewise/host_errors.h"
#include "lanewise/host_generic_nodes.h"
#include "lanewise/host_graphs.h"
#include "lanewise/host_launch.h"
#include "lanewise/host_launch_templates.h"
#include "lanewise/host_memory.h"
#include "lanewise/host_memory_pools.h"
#include "lanewise/host_streams.h"
#include "lanewise/host_textures.h"

#endif
