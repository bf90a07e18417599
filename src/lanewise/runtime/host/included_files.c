// SPDX-License-Identifier: Apache-2.0
// The files that an answer of the compile service depends on: a head of the answer, as cuda/service/included_files.py
// writes it. A kept answer (kept_answers.c) has the size and the hash of each file in its head; it is used while they are
// the same, and while files that would be found first are still absent.
//
// A file that may have changed while the answer was made is told by its times: then nothing is kept. So is one that an
// answer names and nobody can read.
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const int64_t TIME_STEP_NS = 50000000; // times of files are those of a clock that ticks; more than a tick

// FNV-1a, from two starts.
static const uint64_t HASH_STARTS[2] = {0xcbf29ce484222325, 0x84222325cbf29ce4};

static void hash_bytes(uint64_t hash[2], const void *data, size_t bytes) {
  const unsigned char *at = data;
  for (size_t i = 0; i < bytes; ++i)
    for (int each = 0; each < 2; ++each)
      hash[each] = (hash[each] ^ at[i]) * 0x100000001b3 + (uint64_t)each;
}

static int64_t time_of_files(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool is_older(const struct timespec *time, int64_t than) {
  return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec < than - TIME_STEP_NS;
}

// The size and the hash of a file's contents; false if it can't be read, or, with a time, was not there by then as it is.
static bool describe_file(const char *path, int64_t before, char *line, size_t most) {
  struct stat link, status;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return false;
  uint64_t hash[2] = {HASH_STARTS[0], HASH_STARTS[1]}, size = 0;
  char data[16384];
  ssize_t got;
  while ((got = read(file, data, sizeof data)) > 0 || (got < 0 && errno == EINTR)) {
    hash_bytes(hash, data, got > 0 ? (size_t)got : 0);
    size += got > 0 ? (uint64_t)got : 0;
  }
  bool is_right = got == 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  if (is_right && before != 0)
    is_right = is_older(&status.st_ctim, before) && is_older(&status.st_mtim, before) && lstat(path, &link) == 0 &&
               is_older(&link.st_ctim, before);
  close(file);
  snprintf(line, most, "%016llx%016llx %llu ", (unsigned long long)hash[0], (unsigned long long)hash[1],
           (unsigned long long)size);
  return is_right;
}

static bool is_absent(const char *path) {
  struct stat status;
  return lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

enum { MOST_DESCRIPTION = 80 };

// The number of lines of an answer's head after its first one; negative if it has no head.
static long files_of(const char *answer) { return strncmp(answer, "files ", 6) == 0 ? strtol(answer + 6, NULL, 10) : -1; }

static const char *line_after(const char *line) {
  const char *end = strchr(line, '\n');
  return end != NULL ? end + 1 : line + strlen(line);
}

// The rest of an answer, after its head.
static const char *after_files(const char *answer) {
  long count = files_of(answer);
  for (long i = -1; i < count && *answer != '\0'; ++i)
    answer = line_after(answer);
  return answer;
}

// The program with its files that follows an answer's head, and in `code` what comes after it; null, and the answer, if
// there is none. Such programs have no NUL.
static const char *held_program(const char *answer, uint64_t *bytes, const char **code) {
  char *end;
  *code = answer;
  if (strncmp(answer, "program ", 8) != 0)
    return NULL;
  uint64_t count = strtoull(answer + 8, &end, 10);
  if (*end != '\n' || strlen(end + 1) <= count)
    return NULL;
  *bytes = count;
  *code = end + 1 + count + 1;
  return end + 1;
}

// An answer whose head has the sizes and hashes of its files, which no one has changed since a time, or, with 0, as they
// are; the caller frees it. Null if one may have changed. `kept`: the answer has a head of that kind, which it is compared
// with; null if they differ.
static char *with_files(const char *answer, int64_t before, bool kept) {
  long count = files_of(answer);
  if (count < 0 || (size_t)count > strlen(answer))
    return NULL;
  char *made = malloc(strlen(answer) + (size_t)count * MOST_DESCRIPTION + 1), *at = made;
  const char *line = answer;
  for (long i = -1; made != NULL && i < count; ++i) {
    const char *next = line_after(line), *path = line + 1;
    size_t length = (size_t)(next - line);
    char name[4096], described[MOST_DESCRIPTION] = "";
    for (int skipped = 0; i >= 0 && kept && *line == '+' && skipped < 2 && path < next; ++path)
      skipped += *path == ' ';
    size_t bytes = (size_t)(next - path);
    bool is_right = i < 0 || (bytes > 1 && bytes < sizeof name && next[-1] == '\n');
    if (is_right && i >= 0) {
      memcpy(name, path, bytes - 1);
      name[bytes - 1] = '\0';
      is_right = *line == '+'   ? describe_file(name, before, described, sizeof described)
                 : *line == '-' ? is_absent(name)
                                : false;
    }
    char *start = at;
    if (is_right && *line == '+' && i >= 0)
      at += sprintf(at, "+%s%s\n", described, name);
    else if (is_right)
      at = (char *)memcpy(at, line, length) + length;
    if (!is_right || (kept && ((size_t)(at - start) != length || memcmp(start, line, length) != 0))) {
      free(made);
      return NULL;
    }
    line = next;
  }
  if (made != NULL)
    strcpy(at, line);
  return made;
}
