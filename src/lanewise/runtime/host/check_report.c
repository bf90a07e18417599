// SPDX-License-Identifier: Apache-2.0
// Records of what the runtime itself finds, in the file that LANEWISE_CHECK_REPORT names: lines of JSON, as
// program/checked/records.py has them.
#include "host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The report to add a record to; null if none is wanted, or if it can't be written, which is said once. Under the lock.
static FILE *open_report(void) {
  static bool is_said;
  const char *path = getenv("LANEWISE_CHECK_REPORT");
  if (path == NULL || *path == '\0')
    return NULL;
  FILE *report = fopen(path, "ae");
  if (report == NULL && !is_said)
    fprintf(stderr, "lanewise: LANEWISE_CHECK_REPORT: %s: can't be written: %s\n", path, strerror(errno));
  is_said = is_said || report == NULL;
  return report;
}

// Writes a field after what comes before it, with a text as a string of JSON.
static void write_text(FILE *report, const char *before, const char *name, const char *text) {
  fprintf(report, "%s\"%s\": \"", before, name);
  for (; *text != '\0'; ++text) {
    if (*text == '"' || *text == '\\')
      fputc('\\', report);
    fputc((unsigned char)*text < ' ' ? ' ' : *text, report);
  }
  fputc('"', report);
}

static void report_fault(const struct host_fault *fault, const char *what, const char *suppressed) {
  FILE *report = open_report();
  if (report == NULL)
    return;
  write_text(report, "{", "rule", fault->rule);
  write_text(report, ", ", "message", what);
  write_text(report, ", ", "suppressed", suppressed);
  write_text(report, ", ", "kernel", fault->kernel);
  write_text(report, ", ", "access", fault->access);
  write_text(report, ", ", "kind", fault->kind);
  fprintf(report, ", \"nbytes\": %llu, \"times\": %llu", (unsigned long long)fault->bytes,
          (unsigned long long)fault->times);
  fputs(", \"file\": \"\", \"line\": 0, \"column\": 0, \"size\": 0, \"object\": \"\", \"name\": \"\", \"dtype\": \"\", "
        "\"element\": 0, \"shape\": [], \"offset\": 0, \"dimension\": 0, \"extent\": 0, \"align\": 0, "
        "\"block\": [0, 0, 0], \"thread\": [0, 0, 0], \"other\": null, \"threads\": [0, 0], \"parameter\": -1, "
        "\"inside\": 0}\n",
        report);
  fclose(report);
}

static void report_not_checked(const char *kernel, const char *why) {
  FILE *report = open_report();
  if (report == NULL)
    return;
  write_text(report, "{", "kernel", kernel);
  write_text(report, ", ", "not_checked", why);
  fputs("}\n", report);
  fclose(report);
}
