// SPDX-License-Identifier: Apache-2.0
// The time that workers spin for the next launch, by what the last launches of the pool were like.
//
// To wake a thread takes some 50 us until it works; a worker that spins takes the time of a processor. So workers spin
// for long only where they are likely to see the next launch meanwhile, and where it is worth that. Only launches
// count that workers are of use for.
#ifndef LANEWISE_RHYTHM_H
#define LANEWISE_RHYTHM_H

#include <stdint.h>

static const uint64_t SPIN_NS = 70000; // before a thread sleeps: a launch that follows sooner costs no wake-up
static const uint64_t SPIN_MOST_NS = 300000;   // the same of launches that follow one another soon
static const uint64_t FOLLOWING_NS = 200000;   // the longest mean pause that counts as soon
static const uint64_t PAUSE_MOST_NS = 1200000; // what a longer pause counts as: after it, seven of no length count as soon
static const uint64_t TIMES_WORTH = 16;        // a pause of more times the launch isn't worth spinning for

// An exponential average, in which the last value counts a quarter.
static uint64_t mean_with(uint64_t mean, uint64_t last) {
  if (last > PAUSE_MOST_NS)
    last = PAUSE_MOST_NS;
  return mean - mean / 4 + last / 4;
}

// The time that a worker spins that has just worked, by the mean pause between launches and the mean time that they take.
static uint64_t spin_for(uint64_t pause, uint64_t took) {
  if (pause > FOLLOWING_NS || pause > TIMES_WORTH * took || 2 * pause < SPIN_NS)
    return SPIN_NS;
  return 2 * pause < SPIN_MOST_NS ? 2 * pause : SPIN_MOST_NS;
}

#endif
