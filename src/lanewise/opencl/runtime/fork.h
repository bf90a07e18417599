// SPDX-License-Identifier: Apache-2.0
#ifndef LANEWISE_OPENCL_FORK_H
#define LANEWISE_OPENCL_FORK_H

namespace lw_opencl {

// Lets children of forks use what there is; called before anything is created.
void follow_forks();

// In a child, whose only thread has forked: workers, queues of the host runtime, and locks that other threads held.
void lock_scheduler();
void unlock_scheduler();
void forget_workers();
void forget_queues();
void forget_shared_memory_lock();

} // namespace lw_opencl

#endif
