// SPDX-License-Identifier: Apache-2.0
// The processor's name and clock, from /proc/cpuinfo and cpufreq.
#include "processor.h"

namespace lw_opencl {

// The value of the first line of /proc/cpuinfo with a key; "" if there is none.
static void find_in_cpuinfo(const char *key, char *value, size_t room) {
  value[0] = '\0';
  FILE *file = fopen("/proc/cpuinfo", "re");
  char line[256];
  while (file && !value[0] && fgets(line, sizeof line, file)) {
    const char *colon = strncmp(line, key, strlen(key)) == 0 ? strchr(line, ':') : nullptr;
    if (colon)
      snprintf(value, room, "%.*s", static_cast<int>(strcspn(colon + 2, "\n")), colon + 2);
  }
  if (file)
    fclose(file);
}

const char *processor_name() {
  static char name[128];
  if (name[0])
    return name;
  char found[sizeof name];
  find_in_cpuinfo("model name", found, sizeof found);
  snprintf(name, sizeof name, "%s", found);
  return name;
}

cl_uint processor_mhz() {
  unsigned long khz = 0;
  if (FILE *file = fopen("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "re")) {
    if (fscanf(file, "%lu", &khz) != 1)
      khz = 0;
    fclose(file);
  }
  if (khz)
    return static_cast<cl_uint>(khz / 1000);
  char mhz[32];
  find_in_cpuinfo("cpu MHz", mhz, sizeof mhz);
  return static_cast<cl_uint>(strtoul(mhz, nullptr, 10));
}

} // namespace lw_opencl
