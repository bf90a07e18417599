// SPDX-License-Identifier: Apache-2.0
// Waiting until a time: durations and points of std::chrono, in nanoseconds of the device's wall clock.
#ifndef LANEWISE_WAITING_TIME_H
#define LANEWISE_WAITING_TIME_H

#include "lanewise/qualifiers.h"

__LW_DEVICE__ long long __lw_nanoseconds_now() {
  return static_cast<long long>(__nvvm_read_ptx_sreg_globaltimer());
}
template <class Duration> __LW_DEVICE__ long long __lw_nanoseconds(const Duration &duration) {
  return static_cast<long long>(duration.count() * (1000000000LL * Duration::period::num / Duration::period::den));
}

// Tests until `is_over` holds, at least once, or the time has come.
template <class Test> __LW_WARP__ bool __lw_holds_until(long long time, Test is_over) {
  do {
    if (is_over())
      return true;
  } while (__lw_nanoseconds_now() < time);
  return false;
}

#endif
