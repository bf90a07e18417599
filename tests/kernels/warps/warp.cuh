// SPDX-License-Identifier: Apache-2.0
// Where a thread stands in its warp: 32 threads in linear order, x first.
#pragma once
#include "../barriers/work_item.cuh"

constexpr unsigned FULL = 0xffffffffu;

__device__ inline int lane_id() { return local_id() % 32; }
__device__ inline bool names(unsigned mask, int lane) { return lane >= 0 && lane < 32 && mask >> lane & 1; }
