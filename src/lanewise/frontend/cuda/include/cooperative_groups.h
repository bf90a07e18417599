// SPDX-License-Identifier: Apache-2.0
// Cooperative groups (CUDA C++ Programming Guide, "Cooperative Groups"): the threads of a block, of a part of a warp,
// or of a grid as an object that they can meet at.
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include "lanewise/groups/thread_block.h"

#include "lanewise/groups/tile.h"

#include "lanewise/groups/coalesced.h"

#include "lanewise/groups/partitions.h"

#include "lanewise/groups/grid.h"

#include "lanewise/groups/invoke.h"

#endif
