// SPDX-License-Identifier: Apache-2.0
#ifndef LANEWISE_OPENCL_FORK_H
#define LANEWISE_OPENCL_FORK_H

#include <pthread.h>

namespace lw_opencl {

// Lets children of forks use what there is; called before anything is created.
void follow_forks();

// Held while the process forks.
void lock_scheduler();
void unlock_scheduler();
pthread_mutex_t &lock_of_free_queues();
pthread_mutex_t &lock_of_shared_memory();
pthread_mutex_t &lock_of_unified_memory();

// In a child, whose only thread has forked.
void forget_workers();

} // namespace lw_opencl

#endif
