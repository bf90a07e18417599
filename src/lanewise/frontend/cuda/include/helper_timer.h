// SPDX-License-Identifier: Apache-2.0
// The names that programs take from the CUDA samples' helper_timer.h: stopwatches, in milliseconds.
#ifndef COMMON_HELPER_TIMER_H_
#define COMMON_HELPER_TIMER_H_

#include <time.h>

class StopWatchInterface {
public:
  virtual ~StopWatchInterface() {}
  virtual void start() = 0;
  virtual void stop() = 0;
  virtual void reset() = 0;
  virtual float getTime() = 0;        // of all sessions, the present one included
  virtual float getAverageTime() = 0; // of a session
};

class __lw_stopwatch : public StopWatchInterface {
public:
  void start() override {
    began = now();
    running = true;
  }
  void stop() override {
    total += now() - began;
    running = false;
    ++sessions;
  }
  void reset() override {
    total = 0;
    sessions = 0;
    began = now();
  }
  float getTime() override { return static_cast<float>(running ? total + now() - began : total); }
  float getAverageTime() override { return sessions > 0 ? static_cast<float>(total / sessions) : 0.0f; }

private:
  static double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
  }

  double began = 0, total = 0;
  int sessions = 0;
  bool running = false;
};

inline bool sdkCreateTimer(StopWatchInterface **timer) {
  *timer = new __lw_stopwatch;
  return true;
}
inline bool sdkDeleteTimer(StopWatchInterface **timer) {
  delete *timer;
  *timer = nullptr;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface **timer) {
  if (*timer)
    (*timer)->start();
  return true;
}
inline bool sdkStopTimer(StopWatchInterface **timer) {
  if (*timer)
    (*timer)->stop();
  return true;
}
inline bool sdkResetTimer(StopWatchInterface **timer) {
  if (*timer)
    (*timer)->reset();
  return true;
}
inline float sdkGetTimerValue(StopWatchInterface **timer) { return *timer ? (*timer)->getTime() : -1.0f; }
inline float sdkGetAverageTimerValue(StopWatchInterface **timer) { return *timer ? (*timer)->getAverageTime() : 0.0f; }

#endif
