// SPDX-License-Identifier: Apache-2.0
// Suppressions of faults that are at no place of a source, from the file that LANEWISE_CHECK_SUPPRESS names, as
// program/checked/suppressions.py reads it. The place of such a fault is a file without a name.
#include "host.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A line without its comment and the blanks around it.
static char *stripped(char *line) {
  line[strcspn(line, "#")] = '\0';
  line += strspn(line, blanks);
  size_t length = strlen(line);
  while (length > 0 && strchr(blanks, line[length - 1]) != NULL)
    line[--length] = '\0';
  return line;
}

// Whether a line, with a rule and a place, suppresses a fault.
static bool suppresses(const char *line, const struct host_fault *fault) {
  static const char of_kernel[] = "kernel:";
  size_t length = strcspn(line, " "), prefix = strlen(of_kernel);
  bool is_any = length == 1 && *line == '*';
  if (!is_any && (length != strlen(fault->rule) || strncmp(line, fault->rule, length) != 0))
    return false;
  const char *place = line + length + strspn(line + length, " \t");
  if (strncmp(place, of_kernel, prefix) == 0)
    return fnmatch(place + prefix, fault->kernel, 0) == 0;
  return *place != '\0' && fnmatch(place, "", 0) == 0;
}

// The suppression of a fault, as it is written, which the caller frees; null: it is to be told. Under the lock.
static char *suppression_of(const struct host_fault *fault) {
  const char *path = getenv("LANEWISE_CHECK_SUPPRESS");
  if (path == NULL || *path == '\0')
    return NULL;
  FILE *file = fopen(path, "re");
  if (file == NULL) {
    char reason[1024];
    snprintf(reason, sizeof reason, "LANEWISE_CHECK_SUPPRESS: %s: can't be read: %s", path, strerror(errno));
    if (!checks.failed)
      fail_checks(reason);
    return NULL;
  }
  char *line = NULL, *found = NULL;
  size_t room = 0;
  while (found == NULL && getline(&line, &room, file) >= 0) {
    const char *text = stripped(line);
    found = suppresses(text, fault) ? strdup(text) : NULL;
  }
  free(line);
  fclose(file);
  return found;
}
