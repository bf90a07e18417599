// SPDX-License-Identifier: Apache-2.0
// Linear indices, for groups and grids of one, two or three dimensions alike; x runs fastest.
#pragma once

constexpr int MAX_ITEMS = 1024; // work-items a group in these tests

__device__ inline int local_id() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
__device__ inline int local_size() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ inline int group_id() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }
__device__ inline int group_count() { return gridDim.x * gridDim.y * gridDim.z; }
__device__ inline int global_id() { return group_id() * local_size() + local_id(); }
