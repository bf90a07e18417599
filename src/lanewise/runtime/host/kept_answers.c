// SPDX-License-Identifier: Apache-2.0
// Answers of the compile service that this program, or another, got before: a program in OpenCL C that was built once is
// there in a millisecond, and so is a kernel's code for one block size, without the service, whose start takes a third
// of a second.
//
// They lie among the manifests of the compile cache (cache/store.py), whose rules hold here, too: files appear whole, by
// renaming; nothing is read from a folder that other users may write to; no error of the file system is told. A file has
// the request, so that equal hashes do no harm, and its answer. The request names the build, all options and texts, and
// the folder of a program that may include files; the answer has a head about these (included_files.c).
#include "host.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_CACHE_PATH = 4096 };

static bool is_trusted(const char *folder) {
  struct stat status;
  return stat(folder, &status) != 0 ||
         ((status.st_uid == geteuid() || status.st_uid == 0) && !(status.st_mode & (S_IWGRP | S_IWOTH)));
}

// The folder of the cache, as config.py finds it, with `v1`; false if there is none, or it isn't to be used.
static bool find_cache(char *base, size_t most) {
  const char *off = getenv("LANEWISE_CACHE"), *chosen = getenv("LANEWISE_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME");
  const char *home = getenv("HOME"), *parts[] = {"", "/objects", "/manifests"};
  int length;
  if ((off != NULL && strcmp(off, "0") == 0) || deciding_value(CLANG) != NULL || has_more_rights())
    return false;
  if (chosen != NULL && *chosen != '\0')
    length = snprintf(base, most, "%s", chosen);
  else if (xdg != NULL && *xdg == '/')
    length = snprintf(base, most, "%s/lanewise", xdg);
  else
    length = snprintf(base, most, "%s/.cache/lanewise", home != NULL ? home : "");
  if (*base != '/' || length < 0 || (size_t)length + 16 > most || !is_trusted(base))
    return false;
  strcat(base, "/v1");
  char folder[MOST_CACHE_PATH];
  bool trusted = true;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    snprintf(folder, sizeof folder, "%s%s", base, parts[i]);
    trusted = trusted && is_trusted(folder);
  }
  return trusted;
}

enum { PARTS = 4 };

// A request, and what else its answer depends on: the processor, unless it is PTX, which any machine may keep.
struct request {
  const char *parts[PARTS];
  size_t bytes[PARTS];
};

static struct request request_of(const char *head, const char *content, size_t bytes, bool is_ptx) {
  if (is_ptx)
    return (struct request){{"", "", head, content}, {0, 0, strlen(head), bytes}};
  pthread_once(&processor.once, read_extensions);
  const char *level = deciding_value(CPU), *extensions = processor.extensions != NULL ? processor.extensions : "";
  level = level != NULL ? level : "";
  return (struct request){{extensions, level, head, content},
                          {strlen(extensions), strlen(level), strlen(head), bytes}};
}

// The file of a request; false if there is no cache.
static bool file_of(const struct request *request, char *base, char *file, size_t most) {
  uint64_t hash[2] = {HASH_STARTS[0], HASH_STARTS[1]};
  for (int i = 0; i < PARTS; ++i) {
    hash_bytes(hash, &request->bytes[i], sizeof request->bytes[i]);
    hash_bytes(hash, request->parts[i], request->bytes[i]);
  }
  if (!find_cache(base, most - 64))
    return false;
  snprintf(file, most, "%s/manifests/%02x/answer-%016llx%016llx", base, (unsigned)(hash[0] >> 56),
           (unsigned long long)hash[0], (unsigned long long)hash[1]);
  return true;
}

static size_t bytes_of_request(const struct request *request) {
  size_t bytes = 0;
  for (int i = 0; i < PARTS; ++i)
    bytes += sizeof request->bytes[i] + request->bytes[i];
  return bytes;
}

static char *write_request(char *at, const struct request *request) {
  for (int i = 0; i < PARTS; ++i) {
    memcpy(at, &request->bytes[i], sizeof request->bytes[i]);
    memcpy(at + sizeof request->bytes[i], request->parts[i], request->bytes[i]);
    at += sizeof request->bytes[i] + request->bytes[i];
  }
  return at;
}

// Whether an answer, without its head, has PTX, or the file that it names is there; the entry that this is in counts as
// used now.
static bool has_code(const char *answer) {
  uint64_t bytes;
  held_program(answer, &bytes, &answer);
  static const char *const names[] = {"library ", "code "};
  char path[MOST_CACHE_PATH];
  size_t length = strcspn(answer, "\n"), start = 0;
  if (strncmp(answer, "ptx ", 4) == 0)
    return true;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strncmp(answer, names[i], strlen(names[i])) == 0)
      start = strlen(names[i]);
  if (start == 0 || length - start >= sizeof path)
    return false;
  memcpy(path, answer + start, length - start);
  path[length - start] = '\0';
  if (access(path, R_OK) != 0)
    return false;
  char *slash = strrchr(path, '/');
  if (slash != NULL) {
    *slash = '\0';
    utimensat(AT_FDCWD, path, NULL, 0);
  }
  return true;
}

// The answer that was kept for a request, without its head; the caller frees it. Null if there is none, or a file that it
// depends on isn't as it was.
static char *kept_answer(const char *head, const char *content, size_t bytes, bool is_ptx) {
  char base[MOST_CACHE_PATH], file[MOST_CACHE_PATH];
  struct request request = request_of(head, content, bytes, is_ptx);
  struct stat status;
  int descriptor = file_of(&request, base, file, sizeof file) ? open(file, O_RDONLY | O_CLOEXEC) : -1;
  if (descriptor < 0)
    return NULL;
  size_t head_bytes = bytes_of_request(&request), size = 0, got = 0;
  char *data = fstat(descriptor, &status) == 0 && (size_t)status.st_size > head_bytes
                   ? malloc(head_bytes + (size_t)status.st_size + 1)
                   : NULL;
  if (data != NULL) {
    size = (size_t)status.st_size;
    for (ssize_t more = 1; got < size && more > 0; got += more > 0 ? (size_t)more : 0)
      more = read(descriptor, data + got, size - got);
  }
  close(descriptor);
  char *answer = NULL;
  if (data != NULL && got == size) {
    write_request(data + size, &request); // behind what was read, to be compared
    if (memcmp(data, data + size, head_bytes) == 0) {
      data[size] = '\0';
      const char *kept = data + head_bytes, *code = after_files(kept);
      char *same = files_of(kept) >= 0 && has_code(code) ? with_files(kept, 0, true) : NULL;
      answer = same != NULL ? strdup(code) : NULL;
      free(same);
    }
  }
  free(data);
  return answer;
}

// A copy of an answer to a program that includes nothing, with the head that says so.
static char *without_files(const char *answer) {
  static const char head[] = "files 0\n";
  const char *code = after_files(answer);
  char *made = malloc(sizeof head + strlen(code));
  if (made != NULL)
    strcat(strcpy(made, head), code);
  return made;
}

// Keeps the answer to a request that was made at a time, if it has code and tells of all files. `alone`: the program
// includes none.
static void keep_answer(const char *head, const char *content, size_t bytes, const char *given, int64_t asked, bool alone,
                        bool is_ptx) {
  char base[MOST_CACHE_PATH], file[MOST_CACHE_PATH], partial[MOST_CACHE_PATH + 64], folder[MOST_CACHE_PATH + 64];
  struct request request = request_of(head, content, bytes, is_ptx);
  char *answer = NULL;
  if (has_code(after_files(given)))
    answer = alone ? without_files(given) : with_files(given, asked, false);
  if (answer == NULL || !file_of(&request, base, file, sizeof file)) {
    free(answer);
    return;
  }
  size_t head_bytes = bytes_of_request(&request), size = head_bytes + strlen(answer);
  char *data = malloc(size + 1);
  if (data != NULL)
    strcpy(write_request(data, &request), answer);
  free(answer);
  if (data == NULL)
    return;
  snprintf(partial, sizeof partial, "%s/partial", base);
  mkdir(partial, 0700);
  snprintf(partial, sizeof partial, "%s/partial/answer-%d-XXXXXX", base, (int)getpid());
  int descriptor = mkostemp(partial, O_CLOEXEC);
  bool written = descriptor >= 0 && write(descriptor, data, size) == (ssize_t)size;
  free(data);
  if (descriptor < 0)
    return;
  written = close(descriptor) == 0 && written;
  char *slash = strrchr(file, '/');
  *slash = '\0';
  snprintf(folder, sizeof folder, "%s/manifests", base);
  mkdir(folder, 0700);
  mkdir(file, 0700);
  *slash = '/';
  if (!written || rename(partial, file) != 0)
    unlink(partial);
}
