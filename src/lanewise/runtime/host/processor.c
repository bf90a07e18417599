// SPDX-License-Identifier: Apache-2.0
// What Linux tells of the processor: its extensions, by the names that lanewise/backend/host/features.py has, and the
// size of its last-level caches, as lanewise/runtime/caches.py finds it.
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
  pthread_once_t once;
  char *extensions; // " avx avx2 ... "; null where they can't be known
} processor = {.once = PTHREAD_ONCE_INIT};

// The text at the start of a file that Linux makes up, as one read gives it; its length, 0 where it can't be read.
static size_t read_start(const char *path, char *text, size_t most) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t size = file >= 0 ? read(file, text, most - 1) : 0;
  while (size < 0 && errno == EINTR)
    size = read(file, text, most - 1);
  if (file >= 0)
    close(file);
  text[size > 0 ? size : 0] = '\0';
  return size > 0 ? (size_t)size : 0;
}

// Finds the line "flags : ...", or "Features : ..." of aarch64, of the first processor. One read has all of it; Linux
// makes up the text processor by processor, slowly on large machines.
static void read_extensions(void) {
  enum { MOST = 64 << 10 };
  char *text = malloc(MOST);
  if (text == NULL || read_start("/proc/cpuinfo", text, MOST) == 0) {
    free(text);
    return;
  }
  char *line = strstr(text, "\nflags");
  line = line != NULL ? line : strstr(text, "\nFeatures");
  char *names = line != NULL ? strchr(line, ':') : NULL;
  char *end = names != NULL ? strchr(names, '\n') : NULL;
  if (end != NULL) {
    *names = *end = ' ';
    end[1] = '\0';
    processor.extensions = strdup(names);
  }
  free(text);
}

// Looks for the first of `wanted`, "avx2,fma", that the processor lacks; its length, 0 where it has all. Where Linux
// doesn't tell, it has.
static size_t missing_extension(const char *wanted, const char **missing) {
  pthread_once(&processor.once, read_extensions);
  for (size_t length; processor.extensions != NULL && *wanted != '\0'; wanted += length + (wanted[length] == ',')) {
    length = strcspn(wanted, ",");
    bool found = length == 0;
    for (const char *at = processor.extensions; !found && (at = strchr(at, ' ')) != NULL; ++at)
      found = strncmp(at + 1, wanted, length) == 0 && at[1 + length] == ' ';
    if (!found) {
      *missing = wanted;
      return length;
    }
  }
  return 0;
}

// How many numbers a list such as "0-3,8" has.
static uint64_t count_of_list(const char *list) {
  uint64_t count = 0;
  while (*list >= '0' && *list <= '9') {
    char *end;
    unsigned long first = strtoul(list, &end, 10);
    unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
    count += last - first + 1;
    list = *end == ',' ? end + 1 : end;
  }
  return count;
}

// Bytes of all last-level caches: the size of one, times the processors of the machine, divided by those that share
// one.
static uint64_t last_level_cache_bytes(void) {
  enum { HIGHEST = 4, MOST = 256 };
  const uint64_t unknown = (uint64_t)64 << 20; // more than most processors have
  for (int level = HIGHEST; level >= 0; --level) {
    char path[128], size[MOST], sharing[MOST];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", level);
    if (read_start(path, size, sizeof size) == 0)
      continue;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/shared_cpu_list", level);
    read_start(path, sharing, sizeof sharing);
    uint64_t bytes = strtoull(size, NULL, 10) << 10, count = count_of_list(sharing);
    long all = sysconf(_SC_NPROCESSORS_ONLN);
    if (bytes != 0 && count != 0)
      return bytes * (all > (long)count ? (uint64_t)all / count : 1);
  }
  return unknown;
}
