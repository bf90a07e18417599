// SPDX-License-Identifier: Apache-2.0
// Programs in PTX and OpenCL C that come while this one runs: the compile service makes a shared object of their
// machine code.
#include "host.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CLOSED_BY_EXEC = 1 }; // MFD_CLOEXEC, which glibc before 2.27 doesn't know

// A loaded copy of a file. It stays open as long as the module is loaded: dlopen takes files of one name for the same.
struct lw_library {
  void *handle;
  int file;
};

static int copy_of(const char *path) {
  struct stat status;
  off_t at = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC), copy = -1;
  if (file >= 0 && fstat(file, &status) == 0)
    copy = (int)syscall(SYS_memfd_create, "lanewise module", CLOSED_BY_EXEC);
  while (copy >= 0 && at < status.st_size)
    if (sendfile(copy, file, &at, (size_t)(status.st_size - at)) <= 0) {
      close(copy);
      copy = -1;
    }
  if (file >= 0)
    close(file);
  return copy;
}

static void unload(struct lw_library *library) {
  if (library->handle != NULL)
    dlclose(library->handle);
  if (library->file >= 0)
    close(library->file);
  free(library);
}

// Loads a file, so that each module has variables of its own. Null, with an explanation, if it can't be.
static struct lw_library *load_copy(const char *path) {
  struct lw_library *library = malloc(sizeof *library);
  if (library == NULL)
    return NULL;
  char name[32];
  library->file = copy_of(path);
  snprintf(name, sizeof name, "/proc/self/fd/%d", library->file);
  library->handle = library->file >= 0 ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library->handle != NULL)
    return library;
  explain(LW_INVALID, "%s can't be loaded: %s", path, library->file >= 0 ? dlerror() : "it can't be read");
  unload(library);
  return NULL;
}

// Why code can't be compiled here at all; LW_SUCCESS: it can.
static int32_t require_compiler(void) {
  if (gpu.on)
    return explain(LW_NOT_SUPPORTED, "modules are not supported with LANEWISE_DEVICE=cuda");
  if (!has_loader())
    return explain(LW_NOT_SUPPORTED, "the program is linked without libdl");
  return LW_SUCCESS;
}

static int32_t no_service(void) {
  return explain(LW_NO_KERNEL, "the compile service doesn't answer: %s -m lanewise.cuda.service",
                 *LW_PYTHON ? LW_PYTHON : "python");
}

// Loads what an answer's first line, "library PATH", names, and adds its image.
static int32_t load_answer(const char *line, const lw_image **image, struct lw_library **library) {
  *library = NULL;
  if (line == NULL || strncmp(line, "library ", 8) != 0) {
    bool declined = line != NULL && strncmp(line, "declined ", 9) == 0;
    return explain(LW_INVALID, "%s", declined ? line + 9 : "the compile service's answer can't be read");
  }
  *library = load_copy(line + 8);
  const lw_image *const *found = *library != NULL ? dlsym((*library)->handle, "lw_loaded_image") : NULL;
  int32_t result = found != NULL ? lw_image_add(*found) : LW_INVALID;
  *image = found != NULL ? *found : NULL;
  if (result != LW_SUCCESS && *library != NULL) {
    unload(*library);
    *library = NULL;
  }
  return result;
}

int32_t lw_ptx_open(const char *ptx, const lw_image **image, struct lw_library **library) {
  int32_t result = require_compiler();
  if (result != LW_SUCCESS)
    return result;
  char *answer = ask_service("build " LW_BUILD "\nptx library\nblock 0 0 0\n\n", ptx, strlen(ptx)), *rest = answer;
  if (answer == NULL)
    return no_service();
  result = load_answer(next_line(&rest), image, library);
  free(answer);
  return result;
}

int32_t lw_opencl_open(const char *source, uint64_t bytes, const char *options, int32_t general, const lw_image **image,
                       struct lw_library **library, char **description) {
  enum { MOST_PATH = 4096 };
  int32_t result = require_compiler();
  *description = NULL;
  if (result != LW_SUCCESS)
    return result;
  char folder[MOST_PATH] = "/", head[256];
  if (getcwd(folder, sizeof folder) == NULL)
    strcpy(folder, "/");
  size_t folder_bytes = strlen(folder) + 1, options_bytes = strlen(options);
  char *content = malloc(folder_bytes + options_bytes + bytes + 1);
  if (content == NULL)
    return explain(LW_NO_MEMORY, "no memory for a program's source");
  memcpy(content, folder, folder_bytes);
  memcpy(content + folder_bytes, options, options_bytes);
  memcpy(content + folder_bytes + options_bytes, source, bytes);
  snprintf(head, sizeof head, "build " LW_BUILD "\nopencl library\ngeneral %d\noptions %zu\n\n", general != 0,
           options_bytes);
  char *answer = ask_service(head, content, folder_bytes + options_bytes + bytes), *rest = answer;
  free(content);
  if (answer == NULL)
    return no_service();
  char *line = next_line(&rest);
  bool failed = line != NULL && strcmp(line, "failed") == 0;
  result = failed ? explain(LW_INVALID, "the program can't be compiled") : load_answer(line, image, library);
  if (failed || result == LW_SUCCESS)
    *description = strdup(rest);
  free(answer);
  return result;
}

void lw_library_close(const lw_image *image, struct lw_library *library) {
  lw_image_remove(image);
  unload(library);
}
