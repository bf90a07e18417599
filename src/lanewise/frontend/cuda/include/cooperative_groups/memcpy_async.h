// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::memcpy_async: the threads of the group copy together, at once; waiting is a barrier.
#ifndef _CG_MEMCPY_ASYNC_H
#define _CG_MEMCPY_ASYNC_H

#include "cooperative_groups.h"

#include "lanewise/aligned_size.h"

namespace cooperative_groups {

template <class Group>
static __LW_GROUP__ inline void __lw_copy(const Group &group, void *target, const void *source, size_t bytes) {
  typedef unsigned int __attribute__((may_alias)) word;
  size_t rank = group.thread_rank(), step = group.num_threads();
  size_t together = reinterpret_cast<size_t>(target) | reinterpret_cast<size_t>(source) | bytes;
  if (together % sizeof(word) == 0) {
    for (size_t i = rank; i < bytes / sizeof(word); i += step)
      static_cast<word *>(target)[i] = static_cast<const word *>(source)[i];
  } else {
    for (size_t i = rank; i < bytes; i += step)
      static_cast<unsigned char *>(target)[i] = static_cast<const unsigned char *>(source)[i];
  }
}

// `bytes` is a size_t or a cuda::aligned_size_t.
template <class Group, class Target, class Source, class Size>
static __LW_GROUP__ inline void memcpy_async(const Group &group, Target *target, const Source *source,
                                             const Size &bytes) {
  __lw_copy(group, target, source, static_cast<size_t>(bytes));
}

// As many elements as both have room for.
template <class Group, class Element, class TargetSize, class SourceSize>
static __LW_GROUP__ inline void memcpy_async(const Group &group, Element *target, const TargetSize &room,
                                             const Element *source, const SourceSize &count) {
  size_t most = static_cast<size_t>(room), given = static_cast<size_t>(count);
  __lw_copy(group, target, source, (given < most ? given : most) * sizeof(Element));
}

template <class Group> static __LW_GROUP__ inline void wait(const Group &group) { group.sync(); }
template <unsigned int Stages, class Group> static __LW_GROUP__ inline void wait_prior(const Group &group) {
  group.sync();
}

} // namespace cooperative_groups

#endif
