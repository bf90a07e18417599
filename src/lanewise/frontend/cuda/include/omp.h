// SPDX-License-Identifier: Apache-2.0
// OpenMP's run-time functions, declared for host code; its pragmas are ignored.
#if !defined(__CUDA__) || defined(_OPENMP)
#include_next <omp.h>
#else
#ifndef LANEWISE_OMP_H
#define LANEWISE_OMP_H

typedef struct {
  void *owner;
} omp_lock_t;

extern "C" {
int omp_get_num_threads();
int omp_get_max_threads();
int omp_get_thread_num();
int omp_get_num_procs();
int omp_in_parallel();
void omp_set_num_threads(int count);
void omp_set_dynamic(int enabled);
void omp_set_nested(int enabled);
double omp_get_wtime();
double omp_get_wtick();
void omp_init_lock(omp_lock_t *lock);
void omp_destroy_lock(omp_lock_t *lock);
void omp_set_lock(omp_lock_t *lock);
void omp_unset_lock(omp_lock_t *lock);
}

#endif
#endif
