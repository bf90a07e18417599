// SPDX-License-Identifier: Apache-2.0
// The behaviour of workers between launches, for tests.
#include "../../src/lanewise/runtime/core/lanewise_rt.h"

#include "../../src/lanewise/runtime/core/rhythm.h"

// The time that a worker spins after `count` pauses of so many us, when pauses were long before.
LW_EXPORT uint64_t spin_after(uint64_t pause_us, uint64_t took_us, uint64_t count) {
  uint64_t pause = PAUSE_MOST_NS, took = 0;
  for (; count > 0; --count) {
    pause = mean_with(pause, 1000 * pause_us);
    took = mean_with(took, 1000 * took_us);
  }
  return spin_for(pause, took) / 1000;
}
